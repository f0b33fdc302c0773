import type { Locations } from '../../service/lists';
import { coerceText, isId, isObject } from '../../util/coerce';
import { normalize } from '../../util/normalize';
import { readRows } from './countryShape';

export type PlaceKind = keyof Locations;

/** A country, state or city of the lookup. */
export interface Place {
	id: string;
	name: string;
	/** The country of a state, the state or the country of a city; undefined if the lookup does not say. */
	within?: Place;
}

interface Parent {
	kind: PlaceKind;
	/** The fields that may refer to it. */
	keys: string[];
}

const country: Parent = { kind: 'countries', keys: ['country_id', 'countryId', 'country'] };

/** What a place belongs to. A city may name its country but no state. */
const parents: Partial<Record<PlaceKind, Parent[]>> = {
	states: [country],
	cities: [
		{ kind: 'states', keys: ['state_id', 'stateId', 'state', 'province_id', 'region_id'] },
		country,
	],
};

/**
 * The places of the lookup. The reference does not show the fields of its entries (50): their id, name and parent are
 * found by inspection.
 */
export function readPlaces(locations: Locations, kind: PlaceKind): Place[] {
	const list = locations[kind];
	const hasKey = (name: string) =>
		list.some((place) => isObject(place) && place[name] !== undefined);
	const references = (parents[kind] ?? []).map((parent) => {
		const key = parent.keys.find(hasKey) ?? '';
		return { key, find: finder(key === '' ? [] : readPlaces(locations, parent.kind)) };
	});
	const keys = new Set(references.map(({ key }) => key));
	const places = named(list.map((place) => (isObject(place) ? without(place, keys) : place)));
	return places
		.map((place, index) => {
			const raw = list[index];
			if (!place || !isObject(raw)) return place;
			return { ...place, within: nested(references.map(({ key, find }) => find(raw[key]))) };
		})
		.filter(isPlace);
}

/**
 * Nests the found places, which come smallest first, and returns the smallest. An unknown place has no ID and no name, but
 * the place around it may be known.
 */
function nested(found: ReadonlyArray<Place | undefined>): Place | undefined {
	return found.reduceRight<Place | undefined>((above, place) => {
		if (place) return { ...place, within: place.within ?? above };
		return above && { id: '', name: '', within: above };
	}, undefined);
}

const isPlace = (place: Place | undefined): place is Place => place !== undefined;

const named = (list: readonly unknown[]): Array<Place | undefined> =>
	readRows(list).map((entry) => entry && { id: entry.id, name: entry.name });

/** A reference to another place is not its own ID or name. */
const without = (place: object, keys: ReadonlySet<string>): object =>
	Object.fromEntries(Object.entries(place).filter(([name]) => !keys.has(name)));

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
