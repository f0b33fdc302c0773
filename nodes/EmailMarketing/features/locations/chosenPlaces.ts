import type { Locations } from '../../service/lists';
import { coerceText, isId, isObject } from '../../util/coerce';
import { normalize } from '../../util/normalize';
import { readRows } from './countryShape';

export type PlaceKind = keyof Locations;

/** A country, state or city of the lookup. */
export interface Place {
	id: string;
	name: string;
	/** The country of a state, the state of a city; undefined if the lookup does not say. */
	within?: Place;
}

/** What a place belongs to, and the fields in which it may refer to it. */
const parents: Partial<Record<PlaceKind, { kind: PlaceKind; keys: string[] }>> = {
	states: { kind: 'countries', keys: ['country_id', 'countryId', 'country'] },
	cities: {
		kind: 'states',
		keys: ['state_id', 'stateId', 'state', 'province_id', 'region_id'],
	},
};

/**
 * The places of the lookup. The reference does not show the fields of its entries (50): their id, name and parent are
 * found by inspection.
 */
export function readPlaces(locations: Locations, kind: PlaceKind): Place[] {
	const list = locations[kind];
	const parent = parents[kind];
	const key = parent?.keys.find((name) =>
		list.some((place) => isObject(place) && place[name] !== undefined),
	);
	if (parent === undefined || key === undefined) return named(list).filter(isPlace);
	const find = finder(readPlaces(locations, parent.kind));
	const places = named(list.map((place) => (isObject(place) ? without(place, key) : place)));
	return places
		.map((place, index) => {
			const raw = list[index];
			return place && isObject(raw) ? { ...place, within: find(raw[key]) } : place;
		})
		.filter(isPlace);
}

const isPlace = (place: Place | undefined): place is Place => place !== undefined;

const named = (list: readonly unknown[]): Array<Place | undefined> =>
	readRows(list).map((entry) => entry && { id: entry.id, name: entry.name });

/** A reference to another place is not its own ID or name. */
const without = (place: object, key: string): object =>
	Object.fromEntries(Object.entries(place).filter(([name]) => name !== key));

/** Finds a place by a reference to it: an ID, a name that only one has, or an object with either. */
function finder(places: Place[]): (reference: unknown) => Place | undefined {
	const byId = new Map(places.map((place) => [place.id, place]));
	const byName = new Map<string, Place | undefined>();
	for (const place of places) {
		const key = normalize(place.name);
		byName.set(key, byName.has(key) ? undefined : place);
	}
	return (reference) => {
		const { id, name } = isObject(reference) ? reference : { id: reference, name: reference };
		const key = coerceText(id);
		if (isId(key))
			return byId.get(key) ?? { id: key, name: isObject(reference) ? coerceText(name) : '' };
		return byName.get(normalize(coerceText(name)));
	};
}
