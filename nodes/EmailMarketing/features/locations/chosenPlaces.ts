import type { Locations } from '../../service/lists';
import { coerceText, isId, isObject } from '../../util/coerce';
import { readRows } from './countryShape';

export type PlaceKind = keyof Locations;

/** A country, state or city of the lookup, and the IDs of those that it is in, if the lookup says so. */
export interface Place {
	id: string;
	name: string;
	countryId?: string;
	stateId?: string;
}

const COUNTRY_REFERENCES = ['country_id', 'countryId'];
const STATE_REFERENCES = ['state_id', 'stateId'];

/** What may refer to another place, and is not the place's own ID. */
const references: Record<PlaceKind, readonly string[]> = {
	countries: [],
	states: COUNTRY_REFERENCES,
	cities: [...STATE_REFERENCES, ...COUNTRY_REFERENCES],
};

function referenceIn(place: unknown, names: readonly string[]): string | undefined {
	if (!isObject(place)) return undefined;
	return names.map((name) => coerceText(place[name])).find(isId);
}

/**
 * The places of the lookup. The reference does not show the fields of its entries (50): ID and name are found by
 * inspection. A city may name its state, its country or both.
 */
export function readPlaces(locations: Locations, kind: PlaceKind): Place[] {
	const list = locations[kind];
	const isOwn = ([name]: [string, unknown]) => !references[kind].includes(name);
	const rows = readRows(
		list.map((raw) =>
			isObject(raw) ? Object.fromEntries(Object.entries(raw).filter(isOwn)) : raw,
		),
	);
	const states = new Map(
		kind === 'cities' ? readPlaces(locations, 'states').map((state) => [state.id, state]) : [],
	);
	return rows.flatMap((row, index) => {
		if (!row) return [];
		const stateId = kind === 'cities' ? referenceIn(list[index], STATE_REFERENCES) : undefined;
		const countryId =
			referenceIn(list[index], COUNTRY_REFERENCES) ?? states.get(stateId ?? '')?.countryId;
		return [{ id: row.id, name: row.name, countryId, stateId }];
	});
}
