import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { methods } from '../../nodes/EmailMarketing/methods';
import { LOCATION_SHAPES } from '../../sandbox/data/locations.ts';
import { editorContext, keys } from './engine';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService();

type Search = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

async function search(name: string, filter?: string, parameters: IDataObject = {}) {
	const { baseUrl } = test.service;
	const context = editorContext(parameters, { baseUrl, ...keys });
	const { results } = await (methods?.listSearch?.[name] as Search).call(context, filter);
	return results;
}

/** Answers the lookup with these lists, whatever their entries are called. */
function answer(lists: IDataObject): void {
	test.service.fault({ kind: 'shape', body: { status: 'success', message: lists } });
}

describe.each(LOCATION_SHAPES)('places in the shape %s', (locationShape) => {
	beforeEach(() => {
		Object.assign(test.service.state.settings, { locationShape });
	});

	it('are countries by name', async () => {
		expect(await search('searchCountries', 'german')).toEqual([{ name: 'Germany', value: '85' }]);
		expect(await search('searchCountries', ' 85 ')).toEqual([{ name: 'Germany', value: '85' }]);
		expect(await search('searchCountries')).toHaveLength(249);
		expect(test.service.calls()).toEqual(Array(3).fill('GET /get/country-state-city'));
	});

	it('are the states of the chosen country and the cities of the chosen state', async () => {
		const inGermany = await search('searchStates', undefined, { countryId: chosen('85') });
		expect(inGermany.map(({ name }) => name)).toContain('Baden-Württemberg');
		expect(inGermany.map(({ name }) => name)).not.toContain('Alberta');
		expect(await search('searchCities', undefined, { stateId: chosen('1007') })).toEqual([
			{ name: 'Freiburg im Breisgau', value: '5011' },
			{ name: 'Stuttgart', value: '5012' },
		]);
	});

	it('are narrowed by the fields of an update as well', async () => {
		const cities = await search('searchCities', undefined, {
			updateFields: { stateId: chosen('1007', 'id') },
		});
		expect(cities.map(({ value }) => value)).toEqual(['5011', '5012']);
	});

	it('are the cities of the chosen country where no state is chosen', async () => {
		const inGermany = await search('searchCities', 'Stuttgart', { countryId: chosen('85') });
		expect(inGermany).toEqual([{ name: 'Stuttgart (Baden-Württemberg)', value: '5012' }]);
		expect(await search('searchCities', 'Stuttgart', { countryId: chosen('104') })).toEqual([]);
	});

	it('are all offered where an expression chooses, since the editor does not know what', async () => {
		const countryId = { ...chosen('={{ $json.country }}', 'id') };
		expect(await search('searchStates', undefined, { countryId })).toHaveLength(33);
		expect(await search('searchCities', undefined, { countryId })).toHaveLength(67);
	});

	it('are all offered where nothing is chosen yet, with what they are in', async () => {
		expect(await search('searchStates')).toHaveLength(33);
		expect(await search('searchCities')).toHaveLength(67);
		expect(await search('searchStates', 'Baden')).toEqual([
			{ name: 'Baden-Württemberg (Germany)', value: '1007' },
		]);
		expect(await search('searchCities', 'Stuttgart')).toEqual([
			{ name: 'Stuttgart (Baden-Württemberg, Germany)', value: '5012' },
		]);
	});
});

describe('places of a service that we do not know', () => {
	it.each([
		['the id of the country in camelCase', (id: number) => ({ countryId: id })],
		['the id of the country as a text', (id: number) => ({ country_id: String(id) })],
	])('are narrowed by %s', async (_what, within) => {
		const states = [
			{ id: 1, name: 'Hesse', ...within(85) },
			{ id: 2, name: 'Alberta', ...within(40) },
		];
		answer({ countries: [], states, cities: [] });
		expect(await search('searchStates', undefined, { countryId: chosen('85') })).toEqual([
			{ name: 'Hesse', value: '1' },
		]);
	});

	it('are not mistaken for what they are in, also where there is one only', async () => {
		const states = [{ state_id: 7, state_name: 'Hesse', country_id: 85 }];
		answer({ countries: [], states, cities: [] });
		expect(await search('searchStates', undefined, { countryId: chosen('85') })).toEqual([
			{ name: 'Hesse', value: '7' },
		]);
	});

	it('are narrowed by the country of a city, where it is in no state', async () => {
		const countries = [
			{ id: 85, name: 'Germany' },
			{ id: 75, name: 'France' },
		];
		const cities = [
			{ id: 10, name: 'Paris', state_id: null, country_id: 75 },
			{ id: 11, name: 'Berlin', state_id: 0, country_id: 85 },
		];
		answer({ countries, states: [], cities });
		expect(await search('searchCities', undefined, { countryId: chosen('85') })).toEqual([
			{ name: 'Berlin', value: '11' },
		]);
		answer({ countries, states: [], cities });
		const both = { countryId: chosen('85'), stateId: chosen('7') };
		expect(await search('searchCities', undefined, both)).toEqual([
			{ name: 'Berlin', value: '11' },
		]);
	});

	it('keep their own names, also where one of them has no letters', async () => {
		const city = (id: number, name: string, state_name: string) => ({ id, name, state_name });
		const cities = [
			...[city(1, 'Berlin', 'Berlin'), city(2, '1770', 'Queensland'), city(3, 'Rome', 'Lazio')],
			...[city(4, 'Turin', 'Piedmont'), city(5, 'Ghent', 'Flanders')],
		];
		answer({ countries: [], states: [], cities });
		const names = (await search('searchCities')).map(({ name }) => name);
		expect(names.sort()).toEqual(['1770', 'Berlin', 'Ghent', 'Rome', 'Turin']);
	});

	it('are listed once, also where the service repeats an entry', async () => {
		const germany = { id: 85, name: 'Germany' };
		answer({ countries: [germany, germany, { id: 75, name: 'France' }], states: [], cities: [] });
		expect(await search('searchCountries', 'german')).toEqual([{ name: 'Germany', value: '85' }]);
	});

	it('are found by their names, also where these are nested', async () => {
		const place = (id: number, name: string) => ({ id, attributes: { name } });
		answer({ countries: [], states: [place(7, 'Bavaria'), place(8, 'Saxony')], cities: [] });
		const parameters = { resource: 'location', operation: 'getAll', filters: { text: 'bavaria' } };
		const states = await test.service.run({ ...parameters, locationType: 'states' });
		expect(states.items.map(({ json }) => json)).toEqual([place(7, 'Bavaria')]);
		answer({
			countries: [],
			states: [],
			cities: [
				[1, 'Bavaria'],
				[2, 'Dresden'],
			],
		});
		const cities = await test.service.run({ ...parameters, locationType: 'cities' });
		expect(cities.items).toMatchObject([{ json: { name: [1, 'Bavaria'] } }]);
	});

	it('are no items where a list is null', async () => {
		answer({ countries: [], states: [], cities: null });
		const parameters = { resource: 'location', operation: 'getAll', locationType: 'cities' };
		expect(await test.service.run(parameters)).toMatchObject({ items: [] });
	});

	it('are all offered when they do not say what they belong to', async () => {
		answer({ states: [{ id: 1, name: 'Hesse' }] });
		expect(await search('searchStates', undefined, { countryId: chosen('85') })).toHaveLength(1);
	});

	it.each([
		['all', 'the lists of places are missing'],
		['cities', 'the list "cities" is missing'],
	])('are no items where the response has no lists at all: %s', async (locationType, problem) => {
		const { service } = test;
		service.fault({ kind: 'shape', body: { status: 'success', message: 'Nothing found' } });
		const parameters = { resource: 'location', operation: 'getAll', locationType };
		const { items, error } = await service.run(parameters);
		expect([items, error?.message]).toEqual([[], `Unexpected response: ${problem}`]);
	});

	it('are none where the list is missing or empty', async () => {
		answer({ countries: [] });
		expect(await search('searchCountries')).toEqual([]);
		answer({});
		expect(await search('searchCountries')).toEqual([]);
	});

	it.each([[['Germany', 'France']], [[{ a: 1 }, { b: 2 }]], [[null, 3]]])(
		'say so when there is no name and id to be told: %j',
		async (countries) => {
			answer({ countries });
			await expect(search('searchCountries')).rejects.toThrow(
				'The countries of the service cannot be listed: their entries have no recognizable ID and name',
			);
		},
	);
});
