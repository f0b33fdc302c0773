import { parse } from 'csv-parse/sync';
import type { IDataObject } from 'n8n-workflow';

import { AUSTRIA, hints, json, useAccount } from './support';

const given = useAccount();

async function exported(parameters: IDataObject = {}): Promise<{ text: string; rows: string[][] }> {
	const outcome = await given.account.run({ operation: 'exportCsv', ...parameters }, [{}, {}]);
	expect(outcome.items).toHaveLength(1);
	const file = outcome.items[0]?.binary?.data;
	expect(file).toMatchObject({ mimeType: 'text/csv' });
	const text = Buffer.from(file?.data ?? '', 'base64').toString();
	const rows: string[][] = parse(text, { bom: true });
	expect(json(outcome)[0]).toEqual({ contacts: rows.length - 1, fileName: file?.fileName });
	return { text, rows };
}

test('all contacts are in one file, whatever the number of items', async () => {
	const { account } = given;
	Object.assign(account.state.settings, { listOrder: 'oldest' });
	const ada = account.add('ada@example.com', {
		first_name: 'Ada "A"',
		city: 'Köln, Süd',
		address_line1: '1 Street\n2nd floor',
		custom_field: { field_1: { field_name: 'company', field_value: '=HYPERLINK("x")' } },
	});
	account.add('ben@example.com', { country: AUSTRIA, contact_type_id: 22 });
	const { rows } = await exported();
	expect(rows[0]).toEqual([
		...['id', 'contact_type', 'email', 'alt_email', 'first_name', 'last_name', 'country', 'state'],
		...['city', 'address_line1', 'address_line2', 'state_province_region', 'postal_code'],
		...['created_at', 'updated_at', 'custom_field_company'],
	]);
	const time = '2026-03-02T10:00:00.000000Z';
	expect(rows[1]).toEqual([
		...[String(ada.id), 'Customers', 'ada@example.com', '', 'Ada "A"', '', 'Germany', ''],
		...['Köln, Süd', '1 Street\n2nd floor', '', '', '', time, time, `'=HYPERLINK("x")`],
	]);
	expect(rows[2]?.slice(1, 3)).toEqual(['Others', 'ben@example.com']);
	expect(account.reads()).toEqual(['/contacts/list']);
});

test('deleted contacts are told apart where they are included', async () => {
	const { account } = given;
	account.add('ada@example.com', { deleted_at: '2026-03-02 10:00:00' });
	account.add('ben@example.com');
	const { rows } = await exported({ filters: { includeDeleted: true } });
	const at = rows[0]?.indexOf('deleted_at') ?? -1;
	expect(rows.slice(1).map((row) => [row[2], row[at]])).toEqual([
		['ada@example.com', '2026-03-02 10:00:00'],
		['ben@example.com', ''],
	]);
});

test('a program gets the values as they are, columns and name can be chosen', async () => {
	const custom_field = { field_1: { field_name: 'plan', field_value: 'gold' } };
	given.account.add('ada@example.com', { first_name: '+1', last_name: '@x', custom_field });
	const columns = ['last_name', 'first_name'];
	for (const off of [false, '={{ "false" }}']) {
		const options = { forSpreadsheets: off, columns, fileName: 'people.csv', customFields: off };
		const { text } = await exported({ options });
		expect(text).toBe('last_name,first_name\r\n@x,+1\r\n');
	}
	const safe = await exported({ options: { columns } });
	expect(safe.text).toBe("\ufefflast_name,first_name,custom_field_plan\r\n'@x,'+1,gold\r\n");
});

test('a value does not start another cell with a formula where spreadsheets split at semicolons', async () => {
	const { account } = given;
	account.add('ada@example.com', { first_name: 'Ada;=1+1;', last_name: 'Okafor; Ltd' });
	const columns = ['first_name', 'last_name'];
	const safe = await exported({ options: { columns } });
	expect(safe.text).toBe('\ufefffirst_name,last_name\r\n"Ada;\'=1+1;","Okafor; Ltd"\r\n');
	const plain = await exported({ options: { columns, forSpreadsheets: false } });
	expect(plain.text).toBe('first_name,last_name\r\nAda;=1+1;,Okafor; Ltd\r\n');
});

describe('whoever unsubscribed', () => {
	const people = ({ account }: typeof given) => {
		account.add('ada@example.com');
		account.add('ben@example.com', { alt_email: 'Ben@example.org' });
		account.add('cy@example.com');
		account.unsubscribe('ADA@example.com');
		account.unsubscribe('ben@example.org');
		account.unsubscribe('cy@example.com', 51);
	};

	test('is exported, and the hint says so', async () => {
		people(given);
		const outcome = await given.account.run({ operation: 'exportCsv' }, [{}]);
		expect(json(outcome)).toEqual([{ contacts: 3, fileName: 'contacts.csv' }]);
		expect(hints(outcome)?.map(({ message }) => message)).toEqual([
			'Exported contacts: 3. Some may have unsubscribed. To leave out those on the global unsubscribe list, add "Leave Out Global Unsubscribes" in Options.',
		]);
		expect(given.account.reads()).toEqual(['/contacts/list']);
	});

	test('is left out with "Leave Out Global Unsubscribes", unless it was from a group only', async () => {
		people(given);
		const parameters = { operation: 'exportCsv', options: { leaveOutGlobalUnsubscribes: true } };
		const outcome = await given.account.run(parameters, [{}]);
		expect(json(outcome)).toEqual([{ contacts: 1, leftOutCount: 2, fileName: 'contacts.csv' }]);
		const file = Buffer.from(outcome.items[0]?.binary?.data?.data ?? '', 'base64').toString();
		expect(file).toContain('cy@example.com');
		expect(file).not.toMatch(/(?:ada|ben)@/);
		expect(hints(outcome)?.map(({ message }) => message)).toEqual([
			'Exported contacts: 1. Left out because they are on the global unsubscribe list: 2.',
		]);
		expect(given.account.reads().sort()).toEqual(['/contacts/list', '/global-unsubscribes']);
	});

	test('stops the export if the list of unsubscribes cannot be read', async () => {
		people(given);
		const match = { path: '/global-unsubscribes' };
		given.account.state.faults.add({ kind: 'status', status: 403, match });
		const parameters = { operation: 'exportCsv', options: { leaveOutGlobalUnsubscribes: true } };
		const { items, error } = await given.account.run(parameters, [{}]);
		expect(items).toEqual([]);
		expect(error?.message).toContain('The service denied access (HTTP 403)');
		expect(error?.description).not.toContain('written');
	});
});

test('a column that contacts do not have is refused before anything is read', async () => {
	const parameters = { operation: 'exportCsv', options: { columns: ['email', '__proto__'] } };
	const { error } = await given.account.run(parameters, [{}]);
	expect(error?.message).toBe('"Columns" contains a field that contacts do not have: "__proto__"');
	expect(given.account.reads()).toEqual([]);
});

test.each(['={{ $json.none }}', '={{ [] }}'])(
	'columns whose expression returns nothing are refused: %s',
	async (columns) => {
		const parameters = { operation: 'exportCsv', options: { columns } };
		const { error } = await given.account.run(parameters, [{}]);
		expect(error).toMatchObject({
			message: '"Columns" contains an expression that returned nothing',
			context: { code: 'expression-empty' },
		});
		expect(given.account.reads()).toEqual([]);
	},
);

test.each([
	['a contact type', { contactTypes: ['22'] }, ['cy@example.com']],
	['a part of the name', { text: 'ZOE' }, ['ben@example.com']],
	['a part of the address', { text: 'ada@' }, ['ada@example.com']],
	['the time of creation', { createdAfter: '2026-03-02T11:30:00+01:00' }, ['ben@example.com']],
	['the time of the last change', { updatedAfter: '2026-03-02T10:00:01Z' }, ['ben@example.com']],
	['nothing that matches', { text: 'nobody' }, []],
])('contacts are filtered by %s', async (_, filters, emails) => {
	const { account } = given;
	account.add('ada@example.com');
	const later = '2026-03-02T10:45:00.000000Z';
	account.add('ben@example.com', { last_name: 'Zoë', created_at: later, updated_at: later });
	account.add('cy@example.com', { contact_type_id: 22 });
	const { rows } = await exported({ filters });
	expect(rows.slice(1).map((row) => row[2])).toEqual(emails);
});

test('a filter that is no time is refused before anything is read', async () => {
	const parameters = { operation: 'exportCsv', filters: { createdAfter: 'soon' } };
	const { error } = await given.account.run(parameters, [{}]);
	expect([error?.message, error?.description]).toEqual([
		'"Created On or After" is not a date with a time: "soon"',
		'Pick a date and a time, or enter them with the year first, such as 2026-05-04 09:30 or 2026-05-04 9:30 AM.',
	]);
	expect(given.account.reads()).toEqual([]);
});

test.each<[string, IDataObject, string]>([
	[
		'an address',
		{ email: '={{ $json.email }}' },
		'"Email" is ben@example.com for item 1, but ada@example.com for item 0',
	],
	[
		'contact types',
		{ contactTypes: '={{ [$json.type] }}' },
		'"Contact Type Names or IDs" is [22] for item 1, but [21] for item 0',
	],
	[
		'custom fields',
		{ customFields: { field: [{ name: 'plan', value: '={{ $json.email }}' }] } },
		expect.stringMatching(/^"Custom Fields" is \{"field":.+ for item 1, but /) as string,
	],
])(
	'%s that differ between items are refused before anything is read',
	async (_, filters, message) => {
		const { account } = given;
		const items = [
			{ email: 'ada@example.com', type: 21 },
			{ email: 'ben@example.com', type: 22 },
		];
		for (const operation of ['exportCsv', 'findProblems']) {
			const outcome = await account.run({ operation, filters }, items);
			expect(outcome.items).toEqual([]);
			expect(outcome.error).toMatchObject({ message, context: { code: 'values-differ' } });
			expect(account.reads()).toEqual([]);
		}
	},
);

test('an empty cell and a missing one are the same empty filter', async () => {
	const items = [{}, { type: '' }];
	const filters = { contactTypes: '={{ $json.type }}' };
	const { error } = await given.account.run({ operation: 'exportCsv', filters }, items);
	expect(error?.message).toBe('"Contact Type Names or IDs" in Filters is empty');
});

test('times that differ between items are those of the first', async () => {
	const { account } = given;
	account.add('ada@example.com');
	const filters = { createdAfter: '={{ $json.since }}', text: '={{ "ada" }}' };
	const items = [{ since: '2026-03-02' }, { since: '2026-03-03' }];
	const { items: found, error } = await account.run({ operation: 'exportCsv', filters }, items);
	expect([error, found[0]?.json.contacts]).toEqual([undefined, 1]);
});

test.each<[IDataObject, string]>([
	[{ columns: '={{ [$json.column] }}' }, '"Columns" is ["city"] for item 1, but ["email"] for'],
	[{ customFields: '={{ $json.on }}' }, '"Custom Fields" is false for item 1, but true for item 0'],
	[{ fileName: '={{ $json.column }}' }, '"File Name" is city for item 1, but email for item 0'],
])('options that differ between items are refused: %j', async (options, message) => {
	const { account } = given;
	const items = [
		{ column: 'email', on: true },
		{ column: 'city', on: false },
	];
	const { error } = await account.run({ operation: 'exportCsv', options }, items);
	expect(error?.message).toContain(message);
	expect(account.reads()).toEqual([]);
});
