import { limits } from '../../../scripts/lib/workflow-json.ts';
import { pauses } from '../faults/pauses';
import { hints, json, useAccount } from './support';

jest.mock('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('../faults/pauses').withoutPauses(),
);

const given = useAccount();

const items = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ email: `c${n}@example.com`, country: 'DE' }));
const addMany = (count: number) => items(count).map(({ email }) => given.account.add(email));
const remove = { operation: 'sync', missing: 'delete' };

test('contacts that are missing are left alone unless they are to be deleted', async () => {
	const { account } = given;
	addMany(20);
	account.add('x@example.com', { contact_type_id: 22 });
	await account.run({ operation: 'sync' }, items(19));
	expect(account.writes()).toEqual([]);

	const outcome = await account.run(remove, items(19));
	expect(outcome.items.at(-1)).toMatchObject({
		json: { action: 'deleted', reason: 'missing from the input', email: 'c19@example.com' },
		pairedItem: { item: 0 },
	});
	expect(account.emails()).not.toContain('c19@example.com');
	expect(account.emails()).toContain('x@example.com');
});

test('deletions go in bulk, and one by one where the service rejects a chunk', async () => {
	const { account } = given;
	const contacts = addMany(104);
	account.state.faults.add({
		kind: 'failed',
		match: { method: 'POST', path: '/contacts/bulk-delete' },
		errors: 'Record Not Found',
		skip: 1,
	});
	const options = { ...limits({ maxRemovalPercent: 100 }), parallelRequests: 1 };
	await account.run({ ...remove, options }, items(1));
	const ids = contacts.slice(1).map(({ id }) => String(id));
	const together = (some: string[]) =>
		Object.fromEntries(some.map((id, n) => [`strIds[${n}]`, id] as const));
	expect(account.writes()).toEqual([
		['POST /contacts/bulk-delete', together(ids.slice(0, 100))],
		['POST /contacts/bulk-delete', together(ids.slice(100))],
		...ids.slice(100).map((id) => ['DELETE /contacts/delete', { contact_id: id }]),
	]);
	expect(account.emails()).toEqual(['c0@example.com']);
});

describe('the deletion limit', () => {
	test.each([
		['more than 10 % by default', 8, {}, /2 of 10 contacts would be deleted, more than the 10%/],
		[
			'more than a number',
			9,
			{ ...limits({ maxRemovals: 0 }) },
			/1 of 10 .* more than the 0 allowed/,
		],
		[
			'all of them, for want of input',
			0,
			{ ...limits({ maxRemovalPercent: 100 }) },
			/No input item identifies a contact/,
		],
	])('stops %s before anything is written', async (_, count, options, message) => {
		const { account } = given;
		addMany(10);
		const input = count === 0 ? [{}] : [...items(count), { email: 'new@example.com', country: 1 }];
		const outcome = await account.run({ ...remove, options }, input);
		expect(outcome.error?.message).toMatch(message);
		expect(outcome.error?.description).toMatch(/Nothing was written.*Dry Run/);
		expect(account.writes()).toEqual([]);
	});

	test('goes to the error output when it is on', async () => {
		addMany(10);
		const outcome = await given.account.run(remove, items(1), { onError: 'continueErrorOutput' });
		expect(outcome.failed).toMatchObject([
			{
				json: { error: { message: expect.stringMatching(/9 of 10/) as string } },
				pairedItem: { item: 0 },
			},
		]);
	});

	test('is shown by a dry run', async () => {
		addMany(10);
		const outcome = await given.account.run({ ...remove, dryRun: true }, items(8));
		expect(json(outcome).at(-1)).toEqual({
			action: 'wouldDelete',
			reason: 'missing from the input; stopped by the limit',
			email: 'c9@example.com',
			contactId: expect.any(Number) as number,
			dryRun: true,
			contactVersion: expect.any(String) as string,
			overLimit: true,
		});
		expect(given.account.writes()).toEqual([]);
	});
});

test('chosen unsubscribe groups are respected, and global unsubscribes need not be', async () => {
	const { account } = given;
	account.state.tables.unsubscribeGroups.add({ id: 7, group_name: 'News' }, 0);
	account.unsubscribe('c0@example.com', 7);
	account.unsubscribe('c1@example.com');
	const options = { unsubscribeGroups: ['7'], globalUnsubscribes: false };
	const outcome = await account.run({ operation: 'sync', options }, items(2));
	expect(json(outcome)).toMatchObject([
		{ action: 'skipped', reason: 'unsubscribed', unsubscribedFrom: 'Unsubscribe Group 7' },
		{ action: 'created' },
	]);
});

test('the output can be cut down to changes or to a summary', async () => {
	const { account } = given;
	addMany(3);
	const input = [...items(4), { email: '' }];
	const dry = { operation: 'sync', dryRun: true };
	const changes = await account.run({ ...dry, options: { report: 'changes' } }, input);
	expect(json(changes).map(({ action }) => action)).toEqual(['wouldCreate', 'failed']);
	const summary = await account.run({ ...dry, options: { report: 'summary' } }, input);
	expect(json(summary)).toEqual([
		{
			wouldCreate: 1,
			wouldUpdate: 0,
			unchanged: 3,
			skipped: 0,
			wouldMove: 0,
			wouldAddToGroup: 0,
			wouldDelete: 0,
			failed: 1,
			contactsBefore: 3,
			missingFromInput: 0,
			dryRun: true,
			skippedReasons: {},
		},
	]);
	expect(hints(summary)).toEqual([
		{
			message:
				'Dry run: would create 1, 3 unchanged, 1 would fail: Email missing. Nothing was written.',
			type: 'warning',
			location: 'outputPane',
		},
	]);
	expect(summary.items[0]?.pairedItem).toHaveLength(5);
	const withErrors = await account.run({ ...dry, options: { report: 'summary' } }, input, {
		onError: 'continueErrorOutput',
	});
	expect([withErrors.items.length, withErrors.failed.length]).toEqual([1, 1]);
});

test('new contacts are returned with their ids', async () => {
	const { account } = given;
	const outcome = await account.run({ operation: 'sync' }, items(2));
	expect(json(outcome).map(({ contactId }) => contactId)).toEqual(
		account.state.tables.contacts.all().map(({ id }) => id),
	);
	expect(account.reads().filter((path) => path === '/contacts/list')).toHaveLength(2);
});

test('n8n batching spaces the writes out', async () => {
	const { account } = given;
	const batching = { batch: { batchSize: 2, batchInterval: 150 } };
	pauses.reset();
	await account.run({ operation: 'sync', requestOptions: { batching } }, items(5));
	expect(pauses.taken).toEqual([150, 150]);
	expect(account.writes()).toHaveLength(5);
});

describe('mistakes in the set-up stop the node before it sends anything', () => {
	const bad = (value: string) => ({ contactTypeId: { __rl: true, mode: 'id', value } });
	test.each([
		['no contact type', bad('={{ $json.none }}'), /"Contact Type \(List\)" is required but empty/],
		[
			'another contact type for each item',
			bad('={{ $itemIndex + 1 }}'),
			/"Contact Type \(List\)" is 2 for item 1, but 1 for item 0/,
		],
		[
			'a CSV without addresses',
			{
				options: {
					importAbove: 1,
					csvFormat: { layout: { columns: { column: [{ header: 'C', field: 'country' }] } } },
				},
			},
			/"Compatibility: CSV Format" has no column for email/,
		],
	])('%s', async (_, parameters, message) => {
		const outcome = await given.account.run({ operation: 'sync', ...parameters }, items(2));
		expect(outcome.error?.message).toMatch(message);
		expect([...given.account.reads(), ...given.account.writes()]).toEqual([]);
	});
});

test.each([
	['/contacts/list', 'html', 'web-page-returned'],
	['/global-unsubscribes', 'truncated', 'connection-lost'],
	['/get/country-state-city', 'status', 'service-unavailable'],
] as const)('when %s cannot be read (%s), nothing is written', async (path, kind, code) => {
	const { account } = given;
	addMany(3);
	account.state.faults.add({ kind, match: { method: 'GET', path }, times: 5 });
	const outcome = await account.run(remove, items(3).slice(1));
	expect(outcome.error?.context.code).toBe(code);
	expect(account.writes()).toEqual([]);
});
