import type { IDataObject } from 'n8n-workflow';

import type { FaultKind } from '../../../sandbox/faults.ts';
import type { Settings } from '../../../sandbox/settings.ts';
import { pauses, type withoutPauses } from '../faults/pauses';
import { calls, uploaded, uploads } from './csvFiles';
import { AUSTRIA, GERMANY, hints, json, useAccount } from './support';

jest.mock('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: typeof withoutPauses }>('../faults/pauses').withoutPauses(),
);

const test = useAccount({ csvContactType: 'sent', csvBadRow: 'skip', emptyLists: 'success' });
beforeEach(() => pauses.reset());

const HEADER =
	'email,country,first_name,last_name,state,city,address_line1,address_line2,state_province_region,postal_code\r\n';
const LIST = 'GET /contacts/list';
const UPLOAD = 'POST /contacts/upload-csv';
const CREATE = 'POST /contacts/add';
const READS = [LIST, 'GET /global-unsubscribes', 'GET /get/country-state-city'];
const IMPORTS = [UPLOAD, LIST, UPLOAD, LIST];

const people = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, n) => ({
		email: `c${n}@example.com`,
		country: 'DE',
		city: 'Köln',
	}));
const line = (n: number) => `c${n}@example.com,${GERMANY},,,,Köln,,,,\r\n`;

const sync = async (count: number, options: IDataObject = {}, parameters: IDataObject = {}) =>
	await test.account.run(
		{ operation: 'sync', options: { importAbove: 1, ...options }, ...parameters },
		people(count),
	);

const set = (settings: Partial<Settings>) => Object.assign(test.account.state.settings, settings);
const fault = (kind: FaultKind, skip = 0) =>
	test.account.state.faults.add({
		kind,
		skip,
		match: { method: 'POST', path: '/contacts/upload-csv' },
	});

const notes = (outcome: Parameters<typeof hints>[0]) =>
	hints(outcome)
		?.slice(1)
		.map(({ message }) => message);
const createdRow = (n: number, reason = 'new') => ({
	action: 'created',
	email: `c${n}@example.com`,
	reason,
	contactId: test.account.contact(`c${n}@example.com`)?.id,
});
const failedRow = (n: number, reason: string) => ({
	action: 'failed',
	email: `c${n}@example.com`,
	reason,
});
const sent = (count: number, why: string) => [
	`New contacts sent one by one instead of as a file: ${count}. ${why}`,
];
const NOT_FOUND = 'The contact was not found after the import.';
const MAY_APPEAR = 'This contact may still appear: check the service before you run this again';
const LATE = `${NOT_FOUND} ${MAY_APPEAR}`;
const onceEach = (count: number) =>
	expect(test.account.emails().sort()).toEqual(
		people(count)
			.map(({ email }) => email)
			.sort(),
	);

it('imports one contact, reads the list again, and then imports the others', async () => {
	const outcome = await sync(4);
	expect(json(outcome)).toEqual([0, 1, 2, 3].map((n) => createdRow(n)));
	expect(hints(outcome)?.map(({ message }) => message)).toEqual(['4 created']);
	expect(calls(test.account).slice(3)).toEqual(IMPORTS);
	expect(uploads(test.account)).toEqual([
		uploaded(HEADER + line(0), 'contacts.csv'),
		uploaded(HEADER + line(1) + line(2) + line(3), 'contacts.csv'),
	]);
});

it.each([1_000, 5_000, 10_000])(
	'creates %d contacts with fewer than 10 requests',
	async (count) => {
		const outcome = await sync(count, { report: 'summary' });
		expect(outcome.items[0]?.json).toMatchObject({ created: count, failed: 0 });
		expect(calls(test.account).slice(0, 3).sort()).toEqual([...READS].sort());
		const files = Array(Math.ceil((count - 1) / 5_000)).fill(UPLOAD) as string[];
		expect(calls(test.account).slice(3)).toEqual([UPLOAD, LIST, ...files, LIST]);
		expect(outcome.items[0]?.json.requests).toBe(6 + files.length);
		onceEach(count);
	},
);

it('imports people although the account lists an entry that cannot be identified', async () => {
	const { account } = test;
	const unclear = account.add('unclear@example.com', { contact_type_id: 22 });
	Object.assign(unclear, { id: Number.NaN });
	account.state.tables.contacts.change(unclear, { id: null as never });
	const outcome = await sync(3);
	expect(notes(outcome)).toEqual([]);
	expect(calls(account).filter((call) => call === UPLOAD)).toHaveLength(2);
});

it('imports nobody without the option, below it, and in a dry run', async () => {
	await sync(3, { importAbove: 3 }, { dryRun: true });
	await sync(3, { importAbove: 2 }, { dryRun: true });
	expect(test.account.writes()).toEqual([]);
	await sync(3, { importAbove: 3 });
	expect(test.account.writes().map(([call]) => call)).toEqual([CREATE, CREATE, CREATE]);
});

it('writes the layout that is set', async () => {
	const { account } = test;
	set({ csvColumns: { Mail: 'email', Land: 'country', Ort: 'city' } });
	const column = [
		{ header: 'Mail', field: 'email' },
		{ header: 'Land', field: 'country' },
		{ header: 'Ort', field: 'city' },
	];
	const input = [...people(2), { email: 'd@example.com', country: 'AT', city: 'Graz, "Süd"' }];
	const outcome = await account.run(
		{
			operation: 'sync',
			options: {
				importAbove: 2,
				csvFormat: { layout: { columns: { column }, countryAs: 'name' } },
			},
		},
		input,
	);
	expect(json(outcome).map(({ action }) => action)).toEqual(Array(3).fill('created'));
	expect(account.contact('d@example.com')).toMatchObject({ country: AUSTRIA, city: 'Graz, "Süd"' });
	expect(uploads(account)).toEqual([
		uploaded(
			'Mail,Land,Ort\r\nc0@example.com,Germany,Köln\r\nd@example.com,Austria,"Graz, ""Süd"""\r\n',
			'contacts.csv',
		),
		uploaded('Mail,Land,Ort\r\nc1@example.com,Germany,Köln\r\n', 'contacts.csv'),
	]);
});

it('creates people one by one whose address the account has in another contact type', async () => {
	test.account.add('c1@example.com', { contact_type_id: 22 });
	const outcome = await sync(4);
	expect(json(outcome).map(({ action }) => action)).toEqual(Array(4).fill('created'));
	expect(test.account.writes().map(([call]) => call)).toEqual([UPLOAD, UPLOAD, CREATE]);
	expect(uploads(test.account)[1]).toEqual(uploaded(HEADER + line(2) + line(3), 'contacts.csv'));
	expect(notes(outcome)).toEqual([
		'New contacts whose email is also in another contact type: 1 (c1@example.com). "Person: Find" shows them all',
	]);
});

describe('if the trial', () => {
	it('is left out without a word, the others are created one by one', async () => {
		set({ csvColumns: { Mail: 'email' } });
		const outcome = await sync(3);
		expect(json(outcome)).toEqual([failedRow(0, LATE), createdRow(1), createdRow(2)]);
		expect(notes(outcome)).toEqual(sent(2, 'The imported contact is not in the list'));
		expect(calls(test.account).slice(3)).toEqual([
			...[UPLOAD, LIST, LIST, CREATE, CREATE, LIST, LIST],
		]);
		expect(pauses.taken).toEqual([5_000, 5_000]);
	});

	it('appears after the run, it is not created a second time', async () => {
		const { account } = test;
		set({ csvDelayMs: 60_000 });
		const outcome = await sync(3);
		expect(json(outcome)).toEqual([failedRow(0, LATE), createdRow(1), createdRow(2)]);
		account.state.clock.advance(60_000);
		expect(json(await sync(3)).map(({ action }) => action)).toEqual(Array(3).fill('unchanged'));
		onceEach(3);
	});

	it('appears after a try of the node, a further try does not import it again', async () => {
		const { account } = test;
		set({ csvDelayMs: 60_000 });
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const outcome = await account.run(
			{ operation: 'sync', options: { importAbove: 1 } },
			people(3),
			{ ...node, onError: 'continueErrorOutput' },
		);
		expect(outcome.failed.map(({ json: { error } }) => error)).toMatchObject([
			{ message: `${LATE} [item 0]` },
		]);
		expect(account.writes().map(([call]) => call)).toEqual([UPLOAD, CREATE, CREATE]);
		account.state.clock.advance(60_000);
		await account.run({ operation: 'sync' }, people(3));
		onceEach(3);
	});

	it('appears in a further try, its row says that the response was lost', async () => {
		const { account } = test;
		set({ csvDelayMs: 60_000 });
		fault('reset-after');
		let looks = 0;
		pauses.meanwhile = async () => {
			if (++looks === 2) account.state.clock.advance(60_000);
		};
		const outcome = await account.run(
			{ operation: 'sync', options: { importAbove: 1 } },
			people(3),
			{ retryOnFail: true, maxTries: 2, waitBetweenTries: 1, onError: 'continueErrorOutput' },
		);
		expect(json(outcome)).toMatchObject([
			createdRow(0, 'The response was lost, but the list is as planned'),
			{ action: 'created' },
			{ action: 'created' },
		]);
		expect(account.writes().map(([call]) => call)).toEqual([UPLOAD, CREATE, CREATE]);
		onceEach(3);
	});

	it('is refused for now, a lost create is not repeated by a file in a further try', async () => {
		const { account } = test;
		const { faults } = account.state;
		faults.add({ kind: 'status', status: 429, match: { path: '/contacts/upload-csv' } });
		faults.add({ kind: 'reset-before', match: { path: '/contacts/add' }, times: 2 });
		const options = { importAbove: 1, retryTemporaryFailures: false, parallelRequests: 1 };
		const outcome = await account.run({ operation: 'sync', options }, people(3), {
			...{ retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
			onError: 'continueErrorOutput',
		});
		expect(outcome.failed).toHaveLength(2);
		expect(account.writes().map(([call]) => call)).toEqual([UPLOAD, CREATE, CREATE, CREATE]);
	});

	it('appears a little later, the others are imported', async () => {
		set({ csvDelayMs: 3_000 });
		pauses.meanwhile = async () => test.account.state.clock.advance(5_000);
		const outcome = await sync(3);
		expect(json(outcome)).toEqual([0, 1, 2].map((n) => createdRow(n)));
		const looks = [UPLOAD, LIST, LIST];
		expect(calls(test.account).slice(3)).toEqual([...looks, ...looks]);
	});

	it('lacks a value, its row says so, and the others are created one by one', async () => {
		const { account } = test;
		set({ csvColumns: { email: 'email', country: 'country' } });
		const outcome = await sync(3);
		const why = 'The import stored other values in City';
		expect(json(outcome)).toEqual([
			createdRow(0, `${why}. Check the contact, or run again to update it`),
			createdRow(1),
			createdRow(2),
		]);
		expect(notes(outcome)).toEqual(sent(2, why));
		expect(account.writes().map(([call]) => call)).toEqual([...[UPLOAD, CREATE, CREATE]]);
		expect(json(await sync(3)).map(({ action }) => action)).toEqual([
			...['updated', 'unchanged', 'unchanged'],
		]);
		expect(account.state.tables.contacts.all().map(({ city }) => city)).toEqual(
			Array(3).fill('Köln'),
		);
	});

	it('is put into no contact type, its row names the contact', async () => {
		set({ csvContactType: 'none' });
		const outcome = await sync(3);
		const [id] = test.account.state.tables.contacts.all().map((contact) => contact.id);
		const why = `Contact ${id} with this address was added to contact type 0 during the run, by the import or by someone else`;
		expect(json(outcome)).toEqual([
			failedRow(0, `${NOT_FOUND} ${why}. ${MAY_APPEAR}`),
			createdRow(1),
			createdRow(2),
		]);
		expect(notes(outcome)).toEqual(sent(2, why));
		onceEach(3);
	});

	it('has not arrived while somebody adds the address elsewhere, it may still appear', async () => {
		const { account } = test;
		set({ csvDelayMs: 3_600_000 });
		const { journal } = account.state;
		const { observe } = journal;
		journal.observe = (entry, answer) => {
			observe?.(entry, answer);
			if (entry.path !== '/contacts/upload-csv') return;
			account.add(String(people(1)[0]?.email), { contact_type_id: 22, id: 4711 });
		};
		const outcome = await sync(2);
		journal.observe = observe;
		const why =
			'Contact 4711 with this address was added to contact type 22 during the run, by the import or by someone else';
		expect(json(outcome)[0]).toMatchObject({
			action: 'failed',
			reason: `${NOT_FOUND} ${why}. ${MAY_APPEAR}`,
		});
		expect(account.writes().map(([call]) => call)).toEqual([UPLOAD, CREATE]);
	});

	it('is refused, all are created one by one', async () => {
		set({ csvMaxRows: 1, csvBadRow: 'refuse', csvColumns: { Mail: 'email' } });
		const outcome = await sync(3);
		expect(json(outcome)).toEqual([0, 1, 2].map((n) => createdRow(n)));
		expect(calls(test.account).slice(3)).toEqual([UPLOAD, LIST, CREATE, CREATE, CREATE, LIST]);
		expect(notes(outcome)).toEqual(
			sent(3, 'The service rejected "File": Row 1 of the file is invalid.'),
		);
	});

	it('is not alone in what it adds, the others are created one by one', async () => {
		const { account } = test;
		const { contacts } = account.state.tables;
		const insert = contacts.add.bind(contacts);
		jest.spyOn(contacts, 'add').mockImplementationOnce((...row) => {
			account.add('email', { contact_type_id: 22 });
			return insert(...row);
		});
		const outcome = await sync(2);
		expect(json(outcome)).toEqual([createdRow(0), createdRow(1)]);
		expect(notes(outcome)).toEqual(
			sent(1, 'Other contacts were added, changed or removed during the trial import'),
		);
	});

	it.each<[FaultKind, IDataObject]>([
		['reset-before', { action: 'failed' }],
		['reset-after', { action: 'created' }],
	])('loses its response (%s), it is not sent again', async (kind, first) => {
		fault(kind);
		const outcome = await sync(3);
		expect(json(outcome)).toMatchObject([first, createdRow(1), createdRow(2)]);
		expect(test.account.writes().map(([call]) => call)).toEqual([UPLOAD, CREATE, CREATE]);
		expect(notes(outcome)).toHaveLength(1);
	});
});

describe('of the files that follow,', () => {
	it.each<[FaultKind, string]>([
		['reset-before', 'failed'],
		['reset-after', 'created'],
	])('one that loses its response (%s) is not sent again', async (kind, action) => {
		fault(kind, 1);
		const outcome = await sync(5_003);
		expect(json(outcome).map((row) => row.action)).toEqual([
			...['created', ...(Array(5_000).fill(action) as string[]), 'created', 'created'],
		]);
		expect(test.account.writes().map(([call]) => call)).toEqual([UPLOAD, UPLOAD, UPLOAD]);
	});

	it('one that is refused for its size is replaced by single requests', async () => {
		set({ csvMaxRows: 2 });
		const outcome = await sync(4);
		expect(json(outcome)).toEqual([0, 1, 2, 3].map((n) => createdRow(n)));
		expect(test.account.writes().map(([call]) => call)).toEqual([
			...[UPLOAD, UPLOAD, CREATE, CREATE, CREATE],
		]);
		expect(notes(outcome)).toEqual(
			sent(3, 'The service rejected "File": The file may not have more than 2 rows.'),
		);
		onceEach(4);
	});

	it('rows that do not arrive are failures', async () => {
		set({ emailSyntax: 'domain' });
		const outcome = await test.account.run({ operation: 'sync', options: { importAbove: 1 } }, [
			...people(2),
			{ ...people(1)[0], email: 'local@[IPv6:2001:db8::1]' },
		]);
		expect(json(outcome)).toEqual([
			createdRow(0),
			createdRow(1),
			{ action: 'failed', email: 'local@[IPv6:2001:db8::1]', reason: LATE },
		]);
		expect(pauses.taken).toEqual([5_000]);
	});
});

it('is offered to a run that created more than 500 contacts with a request each', async () => {
	const few = await sync(500, { importAbove: undefined });
	expect(notes(few)).toEqual([]);
	test.account.reset();
	const many = await sync(501, { importAbove: undefined });
	expect(notes(many)).toEqual([
		'501 contacts were created one by one. "Import as File If More New Contacts Than" in Options can do the same with a few uploads.',
	]);
	test.account.reset();
	expect(notes(await sync(501))).toEqual([]);
});

it('is not offered for contacts that are imported for their custom fields, or not created', async () => {
	const { account } = test;
	account.state.tables.customFields.add({ field_name: 'plan', field_type: 'text' }, 0);
	const importing = { operation: 'sync', options: { customFields: 'import' } };
	const withPlan = people(501).map((person) => ({ ...person, custom_field_plan: 'gold' }));
	expect(notes(await account.run(importing, withPlan))).toEqual([]);
	expect(uploads(account)).toHaveLength(2);
	account.reset();
	const match = { method: 'POST', path: '/contacts/add' };
	account.state.faults.add({ kind: 'status', status: 422, match });
	const outcome = await sync(501, { importAbove: undefined });
	expect(notes(outcome)?.join()).not.toContain('one by one');
});
