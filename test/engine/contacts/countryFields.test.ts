import type { IDataObject } from 'n8n-workflow';

import { readings } from '../../../sandbox/readings.ts';
import { contact, GERMANY, INDIA, otherContact } from '../records';
import { asShown } from '../readings/underReading';
import { chosen } from '../rows';
import { once, useService } from '../sandbox';

const test = useService(asShown);

const outputFields = ['country', 'countryId', 'countryName'];
const selected = { output: 'selectedFields', outputFields };
const getOne: IDataObject = { operation: 'get', contactId: chosen('={{ $json.id }}', 'id') };
const getAll: IDataObject = { operation: 'getAll', returnAll: true };
const ids = [contact.id, otherContact.id].map((id) => ({ json: { id } }));

async function countries(parameters: IDataObject) {
	const items = parameters.operation === 'get' ? ids : undefined;
	const {
		items: output,
		error,
		notes,
	} = await test.service.run({ resource: 'contact', ...parameters }, { items });
	expect(error).toBeUndefined();
	return { rows: output.map(({ json }) => json), notes };
}

const lookups = () => test.service.calls().filter((call) => call === 'GET /get/country-state-city');

it.each([
	['Get', getOne],
	['Get Many', getAll],
])('%s returns ID and name of the country, and reads the lookup once', async (_, parameters) => {
	const { rows } = await countries({ ...parameters, ...selected });
	expect(rows).toEqual([
		expect.objectContaining({ countryId: GERMANY, countryName: 'Germany' }),
		expect.objectContaining({ countryId: INDIA, countryName: 'India' }),
	]);
	expect(lookups()).toHaveLength(1);
});

it('Simplified has the name: Get Many knows it, Get looks it up', async () => {
	const names = ({ rows }: { rows: IDataObject[] }) => rows.map((row) => row.countryName);
	expect(names(await countries(getAll))).toEqual(['Germany', 'India']);
	expect(lookups()).toEqual([]);
	expect(names(await countries(getOne))).toEqual(['Germany', 'India']);
	expect(lookups()).toHaveLength(1);
});

it.each([
	['raw', { output: 'raw' }],
	['fields without it', { output: 'selectedFields', outputFields: ['email'] }],
])('%s: nothing is looked up', async (_, output) => {
	const { rows } = await countries({ ...getOne, ...output });
	expect(rows.flatMap((row) => Object.keys(row))).not.toContain('countryName');
	expect(lookups()).toEqual([]);
});

it.each([0, ''])(
	'a contact with the country %j has none, and nothing is looked up',
	async (country) => {
		test.service.holdsOddRecords = true;
		const { contacts } = test.service.state.tables;
		for (const row of contacts.all()) contacts.put({ ...row, country: country as number });
		const { rows } = await countries({ ...getOne, ...selected });
		expect(rows[0]).toMatchObject({ countryId: null, countryName: null });
		expect(lookups()).toEqual([]);
	},
);

it.each([
	['unknown', 999],
	['known', INDIA],
])('a country with an %s ID keeps the ID', async (known, country) => {
	const { contacts } = test.service.state.tables;
	for (const row of contacts.all()) contacts.put({ ...row, country });
	const { rows } = await countries({ ...getOne, ...selected });
	expect(rows[0]).toMatchObject({
		countryId: country,
		countryName: known === 'known' ? 'India' : null,
	});
});

it('a lookup that cannot be read leaves the name open, and says so once', async () => {
	test.service.fault({ kind: 'status', times: 9, match: { path: '/get/country-state-city' } });
	const { rows, notes } = await countries({ ...getOne, options: once });
	expect(rows.map(({ email, countryName }) => [email, countryName])).toEqual([
		[contact.email, null],
		[otherContact.email, null],
	]);
	expect(notes).toEqual([
		'Countries are incomplete: their list could not be read. The service is temporarily unavailable (HTTP 500)',
	]);
});

it('an ID that comes as a number is the same', async () => {
	Object.assign(test.service.state.settings, readings['ids-as-numbers']);
	const { rows } = await countries({ ...getOne, ...selected });
	expect(rows[0]).toMatchObject({ countryId: GERMANY, countryName: 'Germany' });
});
