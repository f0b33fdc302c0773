import { COUNTRIES } from './countries.ts';
import { STATES } from './regions.ts';

export interface Country {
	id: number;
	name: string;
	iso2: string;
}
export interface State {
	id: number;
	name: string;
	country_id: number;
}
export interface City {
	id: number;
	name: string;
	state_id: number;
}

// The three ranges do not overlap, so that a mixed-up id is refused instead of naming another place.
const FIRST_STATE = 1001;
const FIRST_CITY = 5001;

export const countries: readonly Country[] = COUNTRIES.map(([iso2, name], index) => ({
	id: index + 1,
	name,
	iso2,
}));
export const states: State[] = [];
export const cities: City[] = [];

for (const country of countries) {
	for (const [name, cityNames] of STATES[country.iso2] ?? []) {
		const state = { id: FIRST_STATE + states.length, name, country_id: country.id };
		states.push(state);
		for (const city of cityNames) {
			cities.push({ id: FIRST_CITY + cities.length, name: city, state_id: state.id });
		}
	}
}

const countryById = new Map(countries.map((country) => [country.id, country]));
const countryByName = new Map(countries.map((country) => [country.name.toLowerCase(), country]));

export const countryWithId = (id: number): Country | undefined => countryById.get(id);
export const countryNamed = (name: string): Country | undefined =>
	countryByName.get(name.toLowerCase());
export const countryWithCode = (iso2: string): Country => {
	const found = countries.find((country) => country.iso2 === iso2);
	if (!found) throw new Error(`No country has the code ${iso2}`);
	return found;
};
export const stateWithId = (id: number): State | undefined =>
	states.find((state) => state.id === id);
export const cityWithId = (id: number): City | undefined => cities.find((city) => city.id === id);

/** The item fields of #50 are not shown: each shape is one plausible reading. */
export const LOCATION_SHAPES = ['id-name', 'prefixed', 'value-label', 'sortname'] as const;
export type LocationShape = (typeof LOCATION_SHAPES)[number];

export function locationLists(shape: LocationShape): Record<string, unknown[]> {
	switch (shape) {
		case 'id-name':
			return { countries: [...countries], states, cities };
		case 'prefixed':
			return {
				countries: countries.map(({ id, name }) => ({ country_id: id, country_name: name })),
				states: states.map(({ id, name, country_id }) => ({
					state_id: id,
					state_name: name,
					country_id,
				})),
				cities: cities.map(({ id, name, state_id }) => ({
					city_id: id,
					city_name: name,
					state_id,
				})),
			};
		case 'value-label':
			return {
				countries: countries.map(({ id, name }) => ({ value: id, label: name })),
				states: states.map(({ id, name, country_id }) => ({ value: id, label: name, country_id })),
				cities: cities.map(({ id, name, state_id }) => ({ value: id, label: name, state_id })),
			};
		case 'sortname':
			return {
				countries: countries.map(({ id, name, iso2 }) => ({ id, sortname: iso2, name })),
				states,
				cities,
			};
	}
}
