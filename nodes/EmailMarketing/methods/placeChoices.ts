import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { fetchLocations } from '../api/lists';
import { readCountries } from '../contacts/countryShape';
import { locatorValue } from '../params/values';
import { coerceText, isObject } from '../util/coerce';
import type { Choice, ChoiceFetcher } from './choices';
import { readForEditor } from './readForEditor';

type PlaceKind = 'countries' | 'states' | 'cities';

/** The choice that narrows a list of places, and the fields in which a place may refer to it. */
const parents: Partial<Record<PlaceKind, { parameter: string; keys: string[] }>> = {
	states: { parameter: 'countryId', keys: ['country_id', 'countryId', 'country'] },
	cities: {
		parameter: 'stateId',
		keys: ['state_id', 'stateId', 'state', 'province_id', 'region_id'],
	},
};

/**
 * Countries, or the states of the chosen country, or the cities of the chosen state. The reference
 * does not show how the lookup (50) names its fields: id and name are found by inspection, and
 * where a place does not say what it belongs to, the whole list is offered.
 *
 * @throws NodeOperationError when no id and name can be found
 */
export function placeChoices(kind: PlaceKind): ChoiceFetcher {
	return async (context) => {
		const locations = await readForEditor(context, fetchLocations);
		return toChoices(context, kind, locations[kind]);
	};
}

function toChoices(context: ILoadOptionsFunctions, kind: PlaceKind, places: unknown[]): Choice[] {
	const chosen = parentId(context, kind);
	const key = parents[kind]?.keys.find((name) =>
		places.some((place) => isObject(place) && place[name] !== undefined),
	);
	const within =
		chosen === '' || key === undefined
			? places
			: places.filter((place) => isObject(place) && idOf(place[key]) === chosen);
	const entries = readCountries(within);
	if (entries.length === 0 && within.length > 0) {
		throw new NodeOperationError(
			context.getNode(),
			`The ${kind} of the service cannot be shown by name: their entries have no ID and name that can be told`,
			{ description: 'Choose "By ID" and enter the ID from the service.' },
		);
	}
	return entries.map(({ id, name }) => ({ name, value: id }));
}

function idOf(value: unknown): string {
	return coerceText(isObject(value) ? value.id : value);
}

function parentId(context: ILoadOptionsFunctions, kind: PlaceKind): string {
	const parent = parents[kind];
	if (parent === undefined) return '';
	const parameters = (context.getCurrentNodeParameters() ?? {}) as IDataObject;
	const updateFields = parameters.updateFields;
	const value = isObject(updateFields)
		? (updateFields[parent.parameter] ?? parameters[parent.parameter])
		: parameters[parent.parameter];
	return coerceText(locatorValue(value));
}
