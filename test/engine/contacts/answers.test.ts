import type { IDataObject } from 'n8n-workflow';

import { limits, removal } from '../../../scripts/lib/workflow-json.ts';
import { chosen } from '../rows';
import { once } from '../sandbox';
import { TYPE, hints, json, useAccount } from './support';

const given = useAccount();
const item = { email: 'ada@example.com', country: 'DE' };

/** Makes the next answer of a list hold these rows. */
function answer(path: string, key: string, rows: IDataObject[]): void {
	given.account.state.faults.add({
		kind: 'shape',
		match: { path },
		body: { status: 'success', message: { [key]: rows } },
	});
}

test('ids that come as text are understood', async () => {
	answer('/contacts/list', 'contacts', [
		{ id: '7', contact_type_id: String(TYPE), email: 'ada@example.com', country: 'Germany' },
	]);
	const outcome = await given.account.run({}, [item]);
	expect(json(outcome)).toEqual([
		{ action: 'unchanged', email: 'ada@example.com', reason: 'no changes', contactId: 7 },
	]);
	expect(given.account.writes()).toEqual([]);
});

describe('a list that is too long to be parsed at once', () => {
	const others = Array.from({ length: 3_000 }, (_, n) => ({
		id: 100 + n,
		contact_type_id: TYPE,
		email: `person${n}@example.com`,
		country: 'Germany',
		contact_type: { id: TYPE, name: 'Customers "},{" ÄÖ' },
	}));
	const ada = { id: 7, contact_type_id: TYPE, email: 'ada@example.com', country: 'Germany' };

	test('is read to its end', async () => {
		answer('/contacts/list', 'contacts', [...others, ada]);
		const outcome = await given.account.run({}, [item]);
		expect(json(outcome)).toEqual([
			{ action: 'unchanged', email: 'ada@example.com', reason: 'no changes', contactId: 7 },
		]);
		expect(given.account.writes()).toEqual([]);
	});

	test('an entry at its end that cannot be understood fails the item that it may be', async () => {
		answer('/contacts/list', 'contacts', [...others, { ...ada, id: null }]);
		const outcome = await given.account.run({}, [item]);
		expect(json(outcome)).toMatchObject([
			{ action: 'failed', field: 'Email', reason: unclear('without an ID') },
		]);
		expect(given.account.writes()).toEqual([]);
	});
});

const unclear = (why: string) =>
	`Email belongs to a contact that the service lists ${why}. Check the contact in the service`;
const ofAda = { email: 'ada@example.com', contact_type_id: TYPE };

test('a list with a contact that cannot be understood removes nobody', async () => {
	given.account.add('eve@example.com');
	const eve = {
		id: 1_000_001,
		contact_type_id: TYPE,
		email: 'eve@example.com',
		country: 'Germany',
	};
	answer('/contacts/list', 'contacts', [eve, { ...ofAda, id: null }]);
	const options = {
		...removal({ onlyAddedBySync: false, removeAfter: 1 }),
		...limits({ maxRemovalPercent: 100 }),
	};
	const outcome = await given.account.run({ operation: 'sync', missing: 'delete', options }, [
		{ email: 'grace@example.com', country: 'DE' },
	]);
	expect(json(outcome)).toMatchObject([{ action: 'created' }]);
	expect(given.account.writes().map(([call]) => call)).toEqual(['POST /contacts/add']);
	expect(JSON.stringify(hints(outcome))).toContain(
		'the service lists an entry that cannot be identified',
	);
});

describe('a contact that cannot be understood fails the items that it may be, and no others', () => {
	const grace = { email: 'grace@example.com', country: 'DE' };

	test.each<[string, IDataObject[]]>([
		['without an ID', [ofAda]],
		['without an ID', [{ ...ofAda, id: true }]],
		['without a contact type', [{ ...ofAda, id: 7, contact_type_id: null }]],
		['without a contact type', [{ ...ofAda, id: 7, contact_type_id: 'customers' }]],
		['with an email that is not text', [{ ...ofAda, id: 7, email: ['ada@example.com'] }]],
		[
			'under the same ID as another one',
			[
				{ ...ofAda, id: 7 },
				{ ...ofAda, id: 7, email: 'eve@example.com' },
			],
		],
	])('%s: %j', async (why, rows) => {
		answer('/contacts/list', 'contacts', rows);
		const outcome = await given.account.run({}, [item, grace]);
		expect(json(outcome)).toMatchObject([
			{ action: 'failed', field: 'Email', email: 'ada@example.com', reason: unclear(why) },
			{ action: 'created', email: 'grace@example.com' },
		]);
		answer('/contacts/list', 'contacts', rows);
		const create = { resource: 'contact', operation: 'create', email: 'ada@example.com' };
		const single = await given.account.run({ ...create, country: 'DE' }, [item]);
		expect([single.items, single.error?.message]).toEqual([
			[],
			`"Email" belongs to a contact that the service lists ${why}`,
		]);
	});

	test.each<[string, IDataObject]>([
		['a deleted one', { ...ofAda, id: 7, contact_type_id: null, deleted_at: '2026-01-01' }],
		['another one', { ...ofAda, id: 7, contact_type_id: null, email: 'eve@example.com' }],
	])('%s is no obstacle', async (_what, row) => {
		answer('/contacts/list', 'contacts', [row]);
		const outcome = await given.account.run({}, [item]);
		expect(json(outcome)).toMatchObject([{ action: 'created', email: 'ada@example.com' }]);
	});
});

test.each([
	[
		'/global-unsubscribes',
		'unSubscribers',
		{ id: 3, email: 'ada@example.com' },
		'The service lists an entry without an address under Global Unsubscribes',
	],
])('a row of %s that cannot be understood stops before any write', async (path, key, row, text) => {
	answer(path, key, [row].flat());
	const { error } = await given.account.run({}, [item]);
	expect(error?.message).toBe(text);
	expect(error?.description).toContain('No address that needs this check was written');
	expect(given.account.writes()).toEqual([]);
});

test('a list with something else than records stops before any write', async () => {
	answer('/contacts/list', 'contacts', [null as never]);
	const { error } = await given.account.run({}, [item]);
	expect(error?.message).toBe(
		'Unexpected response: the list "contacts" has an entry that is not a record',
	);
	expect(given.account.writes()).toEqual([]);
});

test('an expression that cannot be worked out fails the items, also where the node goes on', async () => {
	const outcome = await given.account.run(
		{ contactTypeId: chosen('={{ $("Nowhere").item.json.id }}', 'id') },
		[item],
		{ onError: 'continueErrorOutput' },
	);
	expect(outcome.items).toEqual([]);
	expect(outcome.failed).toHaveLength(1);
	expect(given.account.reads()).toEqual([]);
});

test('fields of a contact that are no text are no text to compare with', async () => {
	answer('/contacts/list', 'contacts', [
		{
			...{ id: 7, contact_type_id: TYPE, email: item.email, country: 'Germany' },
			first_name: { toString: 1 },
		},
	]);
	const outcome = await given.account.run({ dryRun: true }, [{ ...item, first_name: 'Ada' }]);
	expect(json(outcome)).toMatchObject([
		{ action: 'wouldUpdate', changedFields: { first_name: { from: '', to: 'Ada' } } },
	]);
});

test('a contact without an address is nobody that an item could mean', async () => {
	answer('/contacts/list', 'contacts', [{ id: 7, contact_type_id: TYPE, email: null }]);
	const outcome = await given.account.run({}, [item]);
	expect(json(outcome)).toMatchObject([{ action: 'created', email: 'ada@example.com' }]);
});

test('unsubscribe groups may come as a text with commas', async () => {
	given.account.unsubscribe('ada@example.com', 61);
	given.account.state.tables.unsubscribeGroups.add({ id: 60, group_name: 'Offers' }, 0);
	given.account.state.tables.unsubscribeGroups.add({ id: 61, group_name: 'News' }, 0);
	const outcome = await given.account.run({ options: { unsubscribeGroups: '60, 61' } }, [item]);
	expect(json(outcome)).toMatchObject([{ action: 'skipped', reason: 'unsubscribed' }]);
});

test('an entry without a time does not hide when somebody unsubscribed', async () => {
	const { account } = given;
	answer('/global-unsubscribes', 'unSubscribers', [
		{ id: 3, email_address: item.email },
		{ id: 4, email_address: item.email, created_at: '2026-03-02T10:00:00.000000Z' },
	]);
	const outcome = await account.run({}, [item]);
	expect(json(outcome)).toEqual([
		{
			action: 'skipped',
			email: item.email,
			reason: 'unsubscribed',
			unsubscribedAt: '2026-03-02T10:00:00.000000Z',
			unsubscribedFrom: 'Global Unsubscribes',
		},
	]);
});

test('whoever left everything with an earlier address is not shown as having left one group', async () => {
	const { account } = given;
	account.state.tables.unsubscribeGroups.add({ id: 61, group_name: 'News' }, 0);
	const { id } = account.add('old@example.com');
	account.unsubscribe('old@example.com');
	account.unsubscribe(item.email, 61);
	const options = { unsubscribeGroups: ['61'] };
	const changed = { ...item, contact_id: id };
	const outcome = await account.run({ matchBy: 'contactId', options }, [changed]);
	expect(json(outcome)).toMatchObject([
		{ action: 'skipped', unsubscribedFrom: 'Global Unsubscribes' },
	]);
});

test('whoever left everything is not shown as having left one group earlier', async () => {
	const { account } = given;
	account.unsubscribe(item.email, 61);
	account.state.tables.unsubscribeGroups.add({ id: 61, group_name: 'News' }, 0);
	const created_at = '2026-03-05T10:00:00.000000Z';
	answer('/global-unsubscribes', 'unSubscribers', [
		{ id: 3, email_address: item.email, created_at },
	]);
	const outcome = await account.run({ options: { unsubscribeGroups: ['61'] } }, [item]);
	expect(json(outcome)).toMatchObject([
		{ unsubscribedAt: created_at, unsubscribedFrom: 'Global Unsubscribes' },
	]);
});

test.each([undefined, null, ''])('an entry without a time (%j) counts', async (created_at) => {
	const entry = {
		id: 3,
		email_address: item.email,
		...(created_at !== undefined && { created_at }),
	};
	answer('/global-unsubscribes', 'unSubscribers', [entry]);
	const outcome = await given.account.run({}, [item]);
	expect(json(outcome)).toEqual([
		{
			action: 'skipped',
			email: item.email,
			reason: 'unsubscribed',
			unsubscribedFrom: 'Global Unsubscribes',
		},
	]);
});

test('an unsubscribe group that is no ID is refused before anything is read', async () => {
	const { error } = await given.account.run({ options: { unsubscribeGroups: ['News'] } }, [item]);
	expect(error?.message).toBe(
		'"Respect Unsubscribe Group Names or IDs" accepts only IDs, but it has "News"',
	);
	expect(given.account.reads()).toEqual([]);
});

test('request options may be expressions', async () => {
	given.account.state.faults.add({ kind: 'timeout', match: { path: '/contacts/list' } });
	const requestOptions = { timeout: '={{ 100 + 200 }}' };
	const { error } = await given.account.run({ requestOptions, options: once }, [item]);
	expect(error?.message).toBe('The service did not respond in time');
});

test('a proxy that is no address is refused before anything is sent', async () => {
	const { error } = await given.account.run({ requestOptions: { proxy: 'proxy' } }, [item]);
	expect(error?.message).toBe('"Proxy" in Request Options is not valid');
	expect(given.account.reads()).toEqual([]);
});
