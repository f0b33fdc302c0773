import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { operationError } from '../service/errors';
import { fetchLocations } from '../service/lists';
import type { Locations } from '../service/lists';
import { readPlaces } from '../features/locations/chosenPlaces';
import type { PlaceKind } from '../features/locations/chosenPlaces';
import { locatorValue } from '../params/values';
import { coerceText, isId, isObject } from '../util/coerce';
import type { Choice, ChoiceFetcher } from './choices';
import { readForEditor } from './choices';

type Level = 'stateId' | 'countryId';

const kindOf: Record<Level, PlaceKind> = { stateId: 'states', countryId: 'countries' };

/** What a place is in, from the smallest to the largest. */
const levels: Record<PlaceKind, readonly Level[]> = {
	countries: [],
	states: ['countryId'],
	cities: ['stateId', 'countryId'],
};

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
	const within = levels[kind].map((level) => ({ level, id: chosenPlace(context, level) }));
	const position = within.findIndex(({ id }) => id !== '');
	// Those in the chosen place have it in common: their names only say what is smaller.
	const smaller = position < 0 ? within : within.slice(0, position);
	const names = smaller.map(({ level }) => [level, namesById(locations, kindOf[level])] as const);
	return places
		.filter((place) => within.every(({ level, id }) => id === '' || (place[level] ?? id) === id))
		.map((place) => {
			const known = names.flatMap(([level, byId]) => byId.get(place[level] ?? '') ?? []);
			return { name: place.name, value: place.id, detail: known.join(', ') };
		});
}

const namesById = (locations: Locations, kind: PlaceKind): ReadonlyMap<string, string> =>
	new Map(readPlaces(locations, kind).map(({ id, name }) => [id, name]));

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
