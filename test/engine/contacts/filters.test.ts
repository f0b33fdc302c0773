import { parse } from 'csv-parse/sync';
import type { IDataObject } from 'n8n-workflow';

import { AUSTRIA, hints, json, useAccount } from './support';

const given = useAccount();
const places = '/get/country-state-city';
const fields = '/custom-fields';
const list = '/contacts/list';

const plan = (field_value: string | null, size?: string) => ({
	field_1: { field_name: 'plan', field_value },
	...(size && { field_2: { field_name: 'size', field_value: size } }),
});

beforeEach(() => {
	const { account } = given;
	for (const [index, field_name] of ['plan', 'size', 'age'].entries()) {
		const id = 201 + index;
		account.state.tables.customFields.add({ id, field_name, field_type: 'text' }, 0);
	}
	account.add('ada@example.com', { city: 'Köln', state: 'NRW', custom_field: plan('gold', 'L') });
	account.add('Ben@example.com', { city: 'Wien', country: AUSTRIA, custom_field: plan('Gold') });
	account.add('cy@example.com', { city: 'Köln-Süd', state: '', custom_field: plan(null) });
	account.add('gone@example.com', { city: 'Köln', deleted_at: '2026-03-01T10:00:00.000000Z' });
});

const [ada, ben, cy, gone] = [
	'ada@example.com',
	'Ben@example.com',
	'cy@example.com',
	'gone@example.com',
];
const custom = (...field: IDataObject[]) => ({ customFields: { field } });

const cases: Array<[string, IDataObject, Array<string | undefined>, string?]> = [
	['no filter', {}, [ada, ben, cy]],
	['an address', { email: ' ADA@example.com ' }, [ada]],
	['an address in other capitals', { email: 'ben@example.com' }, [ben]],
	['an address in another spelling', { email: '"ada"@example.com' }, [ada]],
	['a part of an address', { email: 'example.com' }, []],
	['a city', { city: 'koln' }, [ada]],
	['a state', { state: 'nrw' }, [ada]],
	['a country by its ID', { country: String(AUSTRIA) }, [ben], places],
	['a country by its ID as a number', { country: AUSTRIA }, [ben], places],
	['a country by its name', { country: 'AUSTRIA' }, [ben], places],
	['a country by its ISO code', { country: 'de' }, [ada, cy], places],
	['a country by its name in another language', { country: 'Österreich' }, [ben], places],
	['a custom field', custom({ name: 'plan', value: 'GOLD' }), [ada, ben], fields],
	[
		'several custom fields',
		custom({ name: 'plan', value: 'gold' }, { name: 'Size', value: 'L' }),
		[ada],
		fields,
	],
	['a custom field by its ID', custom({ name: '202', value: 'l' }), [ada], fields],
	['an empty custom field', custom({ name: 'plan', value: '' }), [cy], fields],
	['a custom field that nobody has', custom({ name: 'age', value: '7' }), [], fields],
	['several filters', { city: 'Köln', country: 'AT' }, [], places],
	['deleted ones, too', { includeDeleted: true, city: 'Köln' }, [ada, gone]],
];

describe.each(cases)('contacts are filtered by %s', (_name, filters, emails, lookup) => {
	const reads = lookup === undefined ? [list] : [lookup, list];

	test('in Get Many', async () => {
		const { account } = given;
		const parameters = { operation: 'getAll', returnAll: true, filters };
		const outcome = await account.run(parameters, [{}]);
		expect(outcome.error).toBeUndefined();
		expect(json(outcome).map(({ email }) => email)).toEqual(emails);
		expect(account.reads()).toEqual(reads);
		expect(account.violations()).toEqual([]);
	});

	test('in an export', async () => {
		const { account } = given;
		const parameters = { operation: 'exportCsv', filters, options: { columns: ['email'] } };
		const { items } = await account.run(parameters, [{}]);
		const text = Buffer.from(items[0]?.binary?.data?.data ?? '', 'base64').toString();
		const rows: string[][] = parse(text);
		expect(rows.slice(1).map(([email]) => email)).toEqual(emails);
		expect(account.reads()).toEqual(reads);
	});
});

test.each([
	['plan', 'gold', [ada]],
	['Plan', 'gold', [ben]],
	['Plan', '', [ada, cy]],
])(
	'custom fields whose names differ in case only are told apart: %s',
	async (name, value, emails) => {
		const { account } = given;
		account.state.tables.customFields.add({ id: 204, field_name: 'Plan', field_type: 'text' }, 0);
		const contact = account.contact(ben);
		const field_2 = { field_name: 'Plan', field_value: 'gold' };
		if (contact) contact.custom_field = { ...plan(null), field_2 };
		const filters = custom({ name, value });
		const outcome = await account.run({ operation: 'getAll', filters }, [{}]);
		expect(json(outcome).map(({ email }) => email)).toEqual(emails);
	},
);

test('a name that fits several custom fields is refused', async () => {
	const { account } = given;
	account.state.tables.customFields.add({ id: 204, field_name: 'Plan', field_type: 'text' }, 0);
	const filters = custom({ name: 'PLAN', value: '' });
	const { error } = await account.run({ operation: 'getAll', filters }, [{}]);
	expect([error?.message, error?.description]).toEqual([
		'"Custom Fields" in Filters has a field that does not exist: "PLAN"',
		'Choose from the list, or enter one of: plan, size, age, Plan.',
	]);
});

test('the countries are read once for many items', async () => {
	const { account } = given;
	const parameters = { operation: 'getAll', filters: { country: '={{ $json.country }}' } };
	const outcome = await account.run(parameters, [{ country: 'AT' }, { country: 'DE' }]);
	expect(json(outcome).map(({ email }) => email)).toEqual([ben, ada, cy]);
	expect(account.reads()).toEqual([places, list, list]);
});

test('the custom fields are read once for many items', async () => {
	const { account } = given;
	const filters = custom({ name: 'plan', value: '={{ $json.plan }}' });
	const outcome = await account.run({ operation: 'getAll', filters }, [
		{ plan: 'gold' },
		{ plan: 'GOLD' },
	]);
	expect(json(outcome).map(({ email }) => email)).toEqual([ada, ben, ada, ben]);
	expect(account.reads()).toEqual([fields, list, list]);
});

test.each([
	[['plan', 'size', 'age'], 'Choose from the list, or enter one of: plan, size, age.'],
	[[], 'The service has no custom fields. Remove the filter, or create the field.'],
])(
	'a custom field that is none of %j is refused before contacts are read',
	async (names, remedy) => {
		const { account } = given;
		const { customFields } = account.state.tables;
		for (const { id, field_name } of customFields.all()) {
			if (!names.includes(field_name)) customFields.remove(id);
		}
		const filters = custom({ name: 'compny', value: '' });
		for (const operation of ['getAll', 'exportCsv', 'findProblems']) {
			account.state.journal.clear();
			const { items, error } = await account.run({ operation, filters }, [{}]);
			expect(items).toEqual([]);
			expect(error).toMatchObject({
				message: '"Custom Fields" in Filters has a field that does not exist: "compny"',
				description: expect.stringContaining(remedy) as string,
				context: { code: 'field-unknown' },
			});
			expect(account.reads()).toEqual([fields]);
		}
	},
);

describe('a lookup that cannot be understood', () => {
	const body = { status: 'success', message: { countries: ['x'], states: [], cities: [] } };
	const operation = 'getAll';
	beforeEach(() => {
		given.account.state.faults.add({ kind: 'shape', match: { path: places }, body });
	});

	test('leaves names as they are written', async () => {
		const outcome = await given.account.run({ operation, filters: { country: 'austria' } }, [{}]);
		expect(json(outcome).map(({ email }) => email)).toEqual([ben]);
	});

	test('leaves short names as they are written', async () => {
		given.account.add('gus@example.com', { country: 'USA' as never });
		const { error } = await given.account.run({ operation, filters: { country: 'usa' } }, [{}]);
		expect(error).toBeUndefined();
	});

	test.each([String(AUSTRIA), 'AT', 'aut'])(
		'is of no use for the ID or code %s',
		async (country) => {
			const { items, error } = await given.account.run({ operation, filters: { country } }, [{}]);
			expect(items).toEqual([]);
			expect(error).toMatchObject({
				message: `"Country" in Filters is "${country}", but the country list of the service cannot be read`,
				description: 'Enter the name as the list of contacts shows it.',
				context: { code: 'country-list-unreadable' },
			});
			expect(given.account.reads()).toEqual([places]);
		},
	);
});

test('a country by its ID is refused if others have its name', async () => {
	const { account } = given;
	const countries = [1, 2].map((id) => ({ id, name: 'Austria' }));
	const body = { status: 'success', message: { countries, states: [], cities: [] } };
	account.state.faults.add({ kind: 'shape', times: 2, match: { path: places }, body });
	for (const operation of ['getAll', 'exportCsv']) {
		const { items, error } = await account.run({ operation, filters: { country: '2' } }, [{}]);
		expect(items).toEqual([]);
		expect(error).toMatchObject({
			message:
				'"Country" in Filters has the ID 2, but other countries of the service have the same name',
			description: expect.stringContaining('Remove the filter') as string,
			context: { code: 'filter-invalid' },
		});
	}
	expect(account.reads()).toEqual([places, places]);
});

test('contacts of other countries are counted in the hint', async () => {
	const outcome = await given.account.run({ operation: 'getAll', filters: { country: 'FR' } }, [
		{},
	]);
	expect(json(outcome)).toEqual([]);
	expect(hints(outcome)?.map(({ message }) => message)).toEqual([
		'Returned 0 of 4: none matches the filters.',
	]);
});

test.each<[string, IDataObject, string, string[]]>([
	[
		'an address that is missing from the item',
		{ email: '={{ $json.address }}' },
		'"Email" in Filters is empty',
		[],
	],
	['an empty address', { email: ' ' }, '"Email" in Filters is empty', []],
	[
		'a contact type that is missing from the item',
		{ contactTypes: '={{ [$json.type] }}' },
		'"Contact Type Names or IDs" in Filters is empty',
		[],
	],
	[
		'an array with a gap between contact types',
		{ contactTypes: '={{ ["21", , "22"] }}' },
		'"Contact Type Names or IDs" in Filters is empty',
		[],
	],
	[
		'a time that is missing from the item',
		{ createdBefore: '={{ $json.since }}' },
		'"Created Before" in Filters is empty',
		[],
	],
	[
		'a contact type from an empty cell',
		{ contactTypes: '={{ "" }}' },
		'"Contact Type Names or IDs" in Filters is empty',
		[],
	],
	[
		'a time from an empty cell',
		{ createdBefore: '={{ "" }}' },
		'"Created Before" in Filters is empty',
		[],
	],
	['a city from an empty cell', { city: '={{ " " }}' }, '"City" in Filters is empty', []],
	[
		'a country that is missing from the item',
		{ country: '={{ $json.country }}' },
		'"Country Name or ID" in Filters is empty',
		[],
	],
	[
		'a custom field without a name',
		custom({ name: '', value: 'gold' }),
		'"Custom Fields" in Filters contains an entry without a field',
		[],
	],
	[
		'an unknown country',
		{ country: 'Atlantis' },
		'"Country" in Filters is "Atlantis", which is not in the country list of the service. Closest: Åland Islands, Antarctica, Angola',
		[places],
	],
])('%s is refused before contacts are read', async (_name, filters, message, reads) => {
	const { account } = given;
	for (const operation of ['getAll', 'exportCsv']) {
		account.state.journal.clear();
		const { items, error } = await account.run({ operation, filters }, [{}]);
		expect(items).toEqual([]);
		expect(error?.message).toContain(message);
		expect(account.reads()).toEqual(reads);
	}
});
