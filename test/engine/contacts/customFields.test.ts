import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Settings } from '../../../sandbox/settings.ts';
import {
	customValuesOf,
	differingCustomFields,
} from '../../../nodes/EmailMarketing/records/customFields';
import { calls, uploaded, uploads } from './csvFiles';
import { apply as applyRows, planOf } from './planned';
import { GERMANY, hints, json, useAccount } from './support';

const test = useAccount({
	...{ csvContactType: 'sent', csvBadRow: 'skip', csvCustomFields: 'filled' },
	emptyLists: 'success',
});

const LIST = 'GET /contacts/list';
const UPLOAD = 'POST /contacts/upload-csv';
const FIELDS = 'GET /custom-fields';
const CREATE = 'POST /contacts/add';
const HEADER =
	'email,country,first_name,last_name,state,city,address_line1,address_line2,state_province_region,postal_code,plan\r\n';
const lineOf = (n: number, plan: string) => `c${n}@example.com,${GERMANY},,,,,,,,,${plan}\r\n`;

const person = (n: number, plan?: unknown): IDataObject => ({
	email: `c${n}@example.com`,
	country: 'DE',
	...(plan !== undefined && { custom_field_plan: plan as string }),
});

const sync = async (
	people: IDataObject[],
	options: IDataObject = { customFields: 'import' },
	parameters: IDataObject = {},
) => await test.account.run({ operation: 'sync', options, ...parameters }, people);

const set = (settings: Partial<Settings>) => Object.assign(test.account.state.settings, settings);
const idOf = (n: number) => test.account.contact(`c${n}@example.com`)?.id;
const storedOf = (n: number) =>
	customValuesOf(test.account.contact(`c${n}@example.com`) as unknown as IDataObject);
const gold = '{"plan":"gold"}';
const messages = (outcome: Parameters<typeof hints>[0]) =>
	hints(outcome)?.map(({ message }) => message);

afterEach(() => jest.restoreAllMocks());

beforeEach(() => {
	const { customFields } = test.account.state.tables;
	customFields.add({ field_name: 'plan', field_type: 'text' }, 0);
});

it('may be false or 0, which is empty in other fields', async () => {
	await sync([person(0, false), person(1, 0)]);
	expect([0, 1].map(storedOf)).toEqual(['{"plan":"false"}', '{"plan":"0"}']);
});

it('imports new contacts that have one as files, and creates the others one by one', async () => {
	const outcome = await sync([person(0, 'gold'), person(1), person(2, 'gold'), person(3, 'new')]);

	expect(uploads(test.account)).toEqual([
		uploaded(HEADER + lineOf(0, 'gold'), 'contacts.csv'),
		uploaded(HEADER + lineOf(2, 'gold') + lineOf(3, 'new'), 'contacts.csv'),
	]);
	expect(calls(test.account).slice(3)).toEqual([FIELDS, UPLOAD, LIST, UPLOAD, CREATE, LIST]);
	expect([0, 1, 2, 3].map(storedOf)).toEqual([gold, '', gold, '{"plan":"new"}']);
	expect(json(outcome)).toEqual(
		[0, 1, 2, 3].map((n) => ({
			...{ action: 'created', email: `c${n}@example.com`, reason: 'new', contactId: idOf(n) },
		})),
	);
	expect(messages(outcome)).toEqual(['4 created']);
});

it('sends the same columns in each file, as a service may take them by their position', async () => {
	test.account.state.tables.customFields.add({ field_name: 'level', field_type: 'number' }, 0);
	const level = (n: number) => ({ ...person(n), custom_field_level: '5' });
	await sync([person(0, 'gold'), level(1), level(2), person(3, 'gold')]);
	const header = HEADER.replace('plan', 'plan,level');
	const withLevel = (n: number) => lineOf(n, ',5');
	const withPlan = (n: number) => lineOf(n, 'gold,');
	expect(uploads(test.account)).toEqual([
		uploaded(header + withPlan(0) + withLevel(1), 'contacts.csv'),
		uploaded(header + withLevel(2) + withPlan(3), 'contacts.csv'),
	]);
});

it('takes fields that are mapped by hand', async () => {
	const fields = {
		mappingMode: 'defineBelow',
		value: {
			email: '={{ $json.mail }}',
			country: 'DE',
			custom_field_plan: '={{ $json.level.toLowerCase() }}',
		},
	};
	await sync([{ mail: 'c0@example.com', level: 'GOLD' }], undefined, { fields });
	expect(storedOf(0)).toBe(gold);
});

it('says which were not written if the option is not set', async () => {
	const outcome = await sync([person(0, 'gold'), person(1, '')], {});
	expect(calls(test.account).slice(3)).toEqual([CREATE, CREATE, LIST]);
	expect(json(outcome)).toEqual([
		{
			...{ action: 'created', email: 'c0@example.com', reason: 'new', contactId: idOf(0) },
			customFieldsNotWritten: ['plan'],
		},
		{ action: 'created', email: 'c1@example.com', reason: 'new', contactId: idOf(1) },
	]);
	expect(messages(outcome)).toEqual([
		'2 created',
		'New contacts without their custom fields: 1. The API cannot add these fields later. Next time, add "Custom Fields of New Contacts" in Options before contacts are created.',
	]);
});

it('says which were not written in a summary, too', async () => {
	const outcome = await sync([person(0, 'gold')], { report: 'summary' });
	expect(json(outcome)).toMatchObject([
		{
			created: 1,
			notes: [
				'New contacts without their custom fields: 1. The API cannot add these fields later. Next time, add "Custom Fields of New Contacts" in Options before contacts are created.',
			],
		},
	]);
});

it('says so in a dry run while it can still be changed, and again when the plan is applied', async () => {
	const planned = await sync([person(0, 'gold')], {}, { dryRun: true });
	const hint =
		'New contacts without their custom fields: 1. The API cannot add these fields later.';
	expect(messages(planned)).toContain(
		`${hint} Before you turn off "Dry Run", add "Custom Fields of New Contacts" in Options.`,
	);
	const rows = planned.items.map(({ json: row }) => row);
	const outcome = await applyRows(test.account, rows);
	expect(json(outcome)).toMatchObject([{ action: 'created', customFieldsNotWritten: ['plan'] }]);
});

describe('a service that ignores custom fields in files', () => {
	beforeEach(() => {
		set({ csvCustomFields: 'ignored' });
	});

	const problem = 'The import did not store these custom fields as they are in the file: plan';
	const trialRow = () => ({
		...{ action: 'created', email: 'c0@example.com', reason: problem, contactId: idOf(0) },
		customFieldsNotWritten: ['plan'],
	});

	it('gets the contacts without them after the trial', async () => {
		const outcome = await sync([person(0, 'gold'), person(1, 'gold')]);
		expect(calls(test.account).slice(3)).toEqual([FIELDS, UPLOAD, LIST, CREATE, LIST]);
		expect(json(outcome)).toEqual([
			trialRow(),
			{
				...{ action: 'created', email: 'c1@example.com', reason: 'new', contactId: idOf(1) },
				customFieldsNotWritten: ['plan'],
			},
		]);
		expect(messages(outcome)).toEqual([
			'2 created',
			`New contacts sent one by one instead of as a file: 1. ${problem}`,
			'New contacts without their custom fields: 2.',
		]);
	});

	it('gets no further contact with them if that is chosen', async () => {
		const people = [person(0, 'gold'), person(1, 'gold'), person(2)];
		const outcome = await sync(people, { customFields: 'importOrFail' });
		expect(calls(test.account).slice(3)).toEqual([FIELDS, UPLOAD, LIST, CREATE, LIST]);
		expect(json(outcome)).toEqual([
			trialRow(),
			{
				...{ action: 'failed', email: 'c1@example.com' },
				reason: `The contact was not created, because its custom fields could not be imported. ${problem}`,
			},
			{ action: 'created', email: 'c2@example.com', reason: 'new', contactId: idOf(2) },
		]);
		expect(test.account.contact('c1@example.com')).toBeUndefined();
	});
});

it('creates nobody whose file may be read otherwise, if that is chosen', async () => {
	test.account.add('c0@example.com', { contact_type_id: 22 });
	const people = [person(0, 'gold'), person(1, 'a\\"b'), { ...person(2), custom_field_city: 'x' }];
	const outcome = await sync(people, { customFields: 'importOrFail' });
	expect(uploads(test.account)).toEqual([]);
	expect(json(outcome).map(({ action }) => action)).toEqual(['failed', 'failed', 'failed']);
	expect(json(outcome)[0]?.reason).toBe(
		'The contact was not created, because its custom fields could not be imported. Possible reasons: the account already has this address, the country has no name in the country list, or a value or custom field cannot be written to a file',
	);
});

it('shows in the trial that a service gives a custom field to contacts without one', async () => {
	test.account.state.tables.customFields.add({ field_name: 'level', field_type: 'number' }, 0);
	const { contacts } = test.account.state.tables;
	const insert = contacts.add.bind(contacts);
	jest.spyOn(contacts, 'add').mockImplementation((row, at) => {
		for (const field of Object.values(row.custom_field ?? {})) field.field_value ??= '0';
		return insert(row, at);
	});
	const outcome = await sync(
		[0, 1, 2, 3, 4].map((n) => ({
			...person(n, 'gold'),
			...(n < 3 && { custom_field_level: '5' }),
		})),
	);
	expect([0, 1, 2, 3, 4].map(storedOf)).toEqual([
		'{"plan":"gold","level":"5"}',
		...['', ''],
		'{"plan":"gold","level":"0"}',
		'',
	]);
	expect(messages(outcome)?.[1]).toBe(
		'New contacts sent one by one instead of as a file: 3. The import stored values that were not in the file',
	);
});

it('lets no custom field pass for another field, as a program may compare names', async () => {
	const names = ['Email', 'E_MAIL', 'First_Name', 'id', 'contact_type_id', 'Created_At'];
	const people = names.map((name, n) => ({
		...person(n),
		[`custom_field_${name}`]: 'else@example.com',
	}));
	const outcome = await sync(people);
	expect(uploads(test.account)).toEqual([]);
	const notWritten = json(outcome).map(({ customFieldsNotWritten }) => customFieldsNotWritten);
	expect(notWritten).toEqual(names.map((name) => [name]));
});

it.each([
	['a custom field', { csvColumns: { email: 'first_name', country: 'country', plan: 'email' } }],
	['another field', { csvColumns: { email: 'last_name', country: 'country', city: 'email' } }],
])(
	'import-any-column: puts nobody into a file whose %s names somebody on a list',
	async (_, settings) => {
		test.account.unsubscribe('gone@example.com');
		set(settings as Partial<Settings>);
		const people = [0, 1].map((n) => ({
			...person(n, 'gone@example.com'),
			city: 'Gone <gone@example.com>',
		}));
		await sync(people, { customFields: 'import', importAbove: 1 });
		expect(uploads(test.account)).toEqual([]);
		expect(test.account.emails()).toEqual(['c0@example.com', 'c1@example.com']);
	},
);

it('says of existing contacts which custom fields cannot be changed', async () => {
	const custom_field = { field_1: { field_name: 'plan', field_value: 'gold' } };
	for (const n of [0, 1, 2]) test.account.add(`c${n}@example.com`, { custom_field });
	const outcome = await sync([
		person(0, 'gold'),
		person(1, 'new'),
		{ ...person(2, 'new'), city: 'Bonn' },
	]);
	expect(json(outcome)).toMatchObject([
		{ action: 'unchanged', reason: 'no changes' },
		{
			...{ action: 'unchanged', customFieldsNotWritten: ['plan'] },
			reason: 'only custom fields differ, and the API cannot change them',
		},
		{ action: 'updated', reason: 'changed: City', customFieldsNotWritten: ['plan'] },
	]);
	expect(json(outcome)[0]).not.toHaveProperty('customFieldsNotWritten');
	expect(messages(outcome)).toEqual([
		'1 updated, 2 unchanged',
		'Existing contacts whose custom fields differ from the input: 2. The API cannot change them.',
	]);
	expect([0, 1, 2].map(storedOf)).toEqual([gold, gold, gold]);
});

it.each([{ customFields: 'import' }, {}])(
	'leaves out a value that cannot be written, and writes the others: %j',
	async (options) => {
		test.account.add('c0@example.com', { first_name: 'Ada' });
		const outcome = await sync(
			[
				{ ...person(0, { a: 1 }), first_name: 'Grace' },
				{ ...person(1, ['gold']), first_name: 'Ben' },
				{ ...person(2, []), first_name: 'Cy' },
			],
			options,
		);
		expect(json(outcome)).toMatchObject([
			{ action: 'updated', customFieldsNotWritten: ['plan'] },
			{ action: 'created', customFieldsNotWritten: ['plan'] },
			{ action: 'created', reason: 'new' },
		]);
		expect(json(outcome)[2]).not.toHaveProperty('customFieldsNotWritten');
		expect(test.account.contact('c0@example.com')?.first_name).toBe('Grace');
	},
);

it('creates nobody whose value cannot be written, if that is chosen', async () => {
	const outcome = await sync([person(0, ['gold'])], { customFields: 'importOrFail' });
	expect(json(outcome)).toEqual([
		{
			...{ action: 'failed', email: 'c0@example.com', field: 'plan' },
			reason: 'plan is a list or an object. Map a single value',
		},
	]);
});

it('writes a date as a database node returns it', async () => {
	const plan = new Date('2026-05-04T00:00:00Z');
	await sync([person(0, plan)]);
	expect(storedOf(0)).toBe('{"plan":"2026-05-04T00:00:00.000Z"}');
});

describe('a custom field that the service does not have, in one item', () => {
	const people = [
		...[person(0, 'gold'), person(1, 'gold'), person(3, 'gold')],
		{ ...person(2, 'gold'), custom_field_plna: 'x' },
	];

	it('is left out, and keeps nobody from the other fields', async () => {
		const outcome = await sync(people);
		expect(json(outcome).map(({ customFieldsNotWritten: names }) => names)).toEqual([
			...[undefined, undefined, undefined],
			['plna'],
		]);
		expect([0, 1, 2, 3].map(storedOf)).toEqual([gold, gold, gold, gold]);
	});

	it('makes only this item fail, if that is chosen', async () => {
		const outcome = await sync(people, { customFields: 'importOrFail' });
		expect(json(outcome)).toMatchObject([
			...[{ action: 'created' }, { action: 'created' }, { action: 'created' }],
			{
				...{ action: 'failed', field: 'plna' },
				reason:
					'plna is not a custom field of the service. Correct the name, or add the field in the service',
			},
		]);
		expect([0, 1, 3].map(storedOf)).toEqual([gold, gold, gold]);
	});

	it('is in the dry run what it is in the run', async () => {
		for (const [customFields, last] of Object.entries({
			import: { action: 'wouldCreate', customFieldsNotWritten: ['plna'] },
			importOrFail: { action: 'failed', field: 'plna' },
		})) {
			const { items } = await sync(people, { customFields }, { dryRun: true });
			expect(items.map(({ json: row }) => row.customFields)).toEqual([
				...[{ plan: 'gold' }, { plan: 'gold' }, { plan: 'gold' }],
				customFields === 'import' ? { plan: 'gold' } : undefined,
			]);
			expect(items[3]?.json).toMatchObject(last);
		}
	});

	it('is another spelling of a name only', async () => {
		test.account.add('c0@example.com', {
			custom_field: { field_1: { field_name: 'plan', field_value: 'gold' } },
		});
		const outcome = await sync([0, 1, 2].map((n) => ({ ...person(n), custom_field_PLAN: 'gold' })));
		expect(json(outcome)).toMatchObject([
			{ action: 'unchanged', reason: 'no changes' },
			...[{ action: 'created' }, { action: 'created' }],
		]);
		expect(json(outcome)[0]).not.toHaveProperty('customFieldsNotWritten');
		expect([1, 2].map(storedOf)).toEqual([gold, gold]);
	});

	it('is the exact name if others differ from it only in case', async () => {
		test.account.state.tables.customFields.add({ field_name: 'Plan', field_type: 'text' }, 0);
		const custom_field = {
			field_1: { field_name: 'plan', field_value: 'gold' },
			field_2: { field_name: 'Plan', field_value: 'UP' },
		};
		test.account.add('c0@example.com', { custom_field });
		const outcome = await sync([
			{ ...person(0, 'gold'), custom_field_Plan: 'UP' },
			{ ...person(1), custom_field_Plan: 'UP' },
			{ ...person(2, 'gold'), custom_field_Plan: 'UP' },
			{ ...person(3), custom_field_PLAN: 'UP' },
			{ ...person(4, 'gold'), custom_field_Plan: 'UP', custom_field_PLAN: 'old' },
		]);
		const both = '{"plan":"gold","Plan":"UP"}';
		expect([0, 1, 2, 3, 4].map(storedOf)).toEqual([both, '{"Plan":"UP"}', both, '', both]);
		expect(json(outcome).map(({ customFieldsNotWritten: names }) => names)).toEqual([
			...[undefined, undefined, undefined],
			['PLAN'],
			['PLAN'],
		]);
	});

	it('of the service counts if an item also has it in another case', async () => {
		const outcome = await sync([{ ...person(0, 'gold'), custom_field_PLAN: 'old' }]);
		expect(storedOf(0)).toBe(gold);
		expect(json(outcome)[0]?.customFieldsNotWritten).toEqual(['PLAN']);
	});

	it('is tried if the list of custom fields cannot be read', async () => {
		test.account.state.faults.add({
			kind: 'status',
			match: { path: '/custom-fields' },
			status: 403,
		});
		await sync([person(0, 'gold')]);
		expect(storedOf(0)).toBe(gold);
	});
});

it('writes what a dry run shows when its plan is applied', async () => {
	const planned = await planOf(
		test.account,
		{ operation: 'sync', options: { customFields: 'import' } },
		[person(0, 'gold')],
	);
	expect(planned).toMatchObject([{ action: 'wouldCreate', customFields: { plan: 'gold' } }]);
	const parameters = { operation: 'applyPlan', options: {} };
	const outcome = await test.account.run(parameters, planned);
	expect(json(outcome)).toMatchObject([{ action: 'created', contactId: idOf(0) }]);
	expect(storedOf(0)).toBe(gold);

	const damaged = { ...planned[0], email: 'c1@example.com', customFields: 'plan' } as IDataObject;
	const refused = await test.account.run(parameters, [damaged]);
	expect(refused.error?.message).toBe('Item 0 cannot be applied: "customFields" is "plan"');
});

it('applies a plan without its custom fields only if that is chosen', async () => {
	set({ csvCustomFields: 'ignored' });
	const planned = await planOf(
		test.account,
		{ operation: 'sync', options: { customFields: 'importOrFail' } },
		[0, 1].map((n) => person(n, 'gold')),
	);
	const apply = async (options: IDataObject) =>
		await test.account.run({ operation: 'applyPlan', options }, planned);
	expect(json(await apply({})).map(({ action }) => action)).toEqual(['created', 'failed']);
	const outcome = await apply({ customFields: 'ignore' });
	expect(json(outcome)).toMatchObject([
		{ action: 'unchanged' },
		{ action: 'created', customFieldsNotWritten: ['plan'] },
	]);
	expect(messages(outcome)?.[1]).toMatch(/^New contacts without their custom fields: 1\./);
});

it('gives each contact its custom fields, or names those that it does not have', async () => {
	const value = fc.string({ unit: fc.constantFrom(...'aé",;\\\n0 ='), maxLength: 4 });
	const someone = fc.record({ plan: fc.option(value), level: fc.option(value) });
	const cases = fc.record({
		people: fc.array(someone, { minLength: 1, maxLength: 6 }),
		csvCustomFields: fc.constantFrom<Settings['csvCustomFields']>('filled', 'ignored'),
		customFields: fc.constantFrom('ignore', 'import', 'importOrFail'),
		importAbove: fc.option(fc.constantFrom(1, 3), { nil: undefined }),
	});
	await fc.assert(
		fc.asyncProperty(cases, async ({ people, csvCustomFields, customFields, importAbove }) => {
			const { account } = test;
			account.reset();
			for (const field_name of ['plan', 'level']) {
				account.state.tables.customFields.add({ field_name, field_type: 'text' }, 0);
			}
			set({ csvCustomFields });
			const input = people.map(({ plan, level }, n) => ({
				...{ email: `c${n}@example.com`, country: 'DE' },
				...{ custom_field_plan: plan, custom_field_level: level },
			}));
			const outcome = await sync(input, {
				customFields,
				...(importAbove !== undefined && { importAbove }),
			});

			const wantedOf = (n: number) =>
				Object.entries({ plan: people[n]?.plan, level: people[n]?.level }).flatMap(
					([name, text]) => (text?.trim() ? [[name, text.trim()] as const] : []),
				);
			const rows = json(outcome);
			expect(rows).toHaveLength(people.length);
			for (const [n, { action, customFieldsNotWritten = [] }] of rows.entries()) {
				expect([action, customFields]).toEqual(
					action === 'failed' ? ['failed', 'importOrFail'] : ['created', customFields],
				);
				if (action === 'failed') expect(wantedOf(n)).not.toEqual([]);
				else
					expect(customFieldsNotWritten).toEqual(differingCustomFields(storedOf(n), wantedOf(n)));
			}
			const created = rows.flatMap(({ action, email }) => (action === 'created' ? [email] : []));
			expect(account.emails().toSorted()).toEqual(created.toSorted());
		}),
		{ numRuns: 20 },
	);
});

describe('Create and Update name the custom fields of an item', () => {
	const fields = { mappingMode: 'autoMapInputData', value: null };
	const hint = [expect.stringMatching(/^Custom fields were not written: /)];

	it('of a new contact', async () => {
		const people = [person(0, 'gold'), person(1, ''), person(2, { a: 1 }), person(3)];
		const outcome = await test.account.run({ operation: 'create', fields }, people);
		expect(json(outcome).map(({ customFieldsNotWritten: names }) => names)).toEqual([
			...[['plan'], undefined, ['plan'], undefined],
		]);
		expect(messages(outcome)).toEqual(hint);
	});

	it('of a contact that has another value', async () => {
		const custom_field = { field_1: { field_name: 'plan', field_value: 'gold' } };
		const { id } = test.account.add('c0@example.com', { custom_field });
		const update = async (item: IDataObject) =>
			await test.account.run({ operation: 'update', contactId: `${id}`, fields }, [item]);
		const same = await update({ city: 'Bonn', custom_field_plan: 'gold' });
		expect(json(same)[0]).not.toHaveProperty('customFieldsNotWritten');
		const other = await update({ city: 'Ulm', custom_field_plan: 'new' });
		expect(json(other)).toMatchObject([{ updated: true, customFieldsNotWritten: ['plan'] }]);
		expect(messages(other)).toEqual(hint);
		const only = await update({ custom_field_plan: 'new' });
		expect(json(only)).toMatchObject([{ updated: false, customFieldsNotWritten: ['plan'] }]);
	});
});
