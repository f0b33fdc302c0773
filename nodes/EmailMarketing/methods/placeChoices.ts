import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { operationError } from '../service/errors';
import { fetchLocations } from '../service/lists';
import type { Locations } from '../service/lists';
import { readPlaces } from '../features/locations/chosenPlaces';
import type { Place, PlaceKind } from '../features/locations/chosenPlaces';
import { locatorValue } from '../params/values';
import { coerceText, isId, isObject } from '../util/coerce';
import type { Choice, ChoiceFetcher } from './choices';
import { readForEditor } from './choices';

/**
 * Countries, or the states of the chosen country, or the cities of the chosen state. A place is also offered if the
 * lookup (50) does not say what it belongs to.
 *
 * @throws NodeOperationError when no id and name can be found
 */
export function placeChoices(kind: PlaceKind): ChoiceFetcher {
	return async (context) => {
		const locations = await readForEditor(context, fetchLocations);
		return toChoices(context, kind, locations);
	};
}

function toChoices(
	context: ILoadOptionsFunctions,
	kind: PlaceKind,
	locations: Locations,
): Choice[] {
	const places = readPlaces(locations, kind);
	if (places.length === 0 && locations[kind].length > 0) {
		throw operationError(
			context.getNode(),
			'places-unlisted',
			`The ${kind} of the service cannot be listed: their entries have no recognizable ID and name`,
			{ description: 'Choose "By ID" and enter the ID from the service.' },
		);
	}
	// What narrows the list: the state for a city, otherwise the country.
	const levels = { countries: [], states: ['countryId'], cities: ['stateId', 'countryId'] }[kind];
	const chosen = levels.map((name) => chosenPlace(context, name));
	const level = chosen.findIndex((id) => id !== '');
	return places.flatMap((place) => {
		const above = ancestors(place);
		const known = level < 0 ? undefined : above[level]?.id;
		if (known && known !== chosen[level]) return [];
		const names = (level < 0 ? above : above.slice(0, level)).map(({ name }) => name);
		const detail = names.filter((name) => name !== '').join(', ');
		return [{ name: place.name, value: place.id, detail }];
	});
}

/** What a place belongs to, from the smallest to the largest. */
const ancestors = ({ within }: Place): Place[] =>
	within === undefined ? [] : [within, ...ancestors(within)];

/** The ID of a chosen place; '' for an expression, which the editor does not evaluate. */
function chosenPlace(context: ILoadOptionsFunctions, name: string): string {
	const parameters = (context.getCurrentNodeParameters() ?? {}) as IDataObject;
	const { updateFields } = parameters;
	const value = isObject(updateFields)
		? (updateFields[name] ?? parameters[name])
		: parameters[name];
	const id = coerceText(locatorValue(value)).trim();
	return isId(id) ? id : '';
}
