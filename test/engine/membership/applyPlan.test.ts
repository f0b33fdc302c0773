import type { IDataObject } from 'n8n-workflow';

import type { Table } from '../../../sandbox/store.ts';
import { limits, removal } from '../../../scripts/lib/workflow-json.ts';
import { stored } from '../contacts/planned';
import { actions, address, ScheduledSync } from '../contacts/scheduledSync';
import { neverAdd } from '../consent/support';
import { hints, json, useAccount } from '../contacts/support';
import { chosen } from '../rows';

const given = useAccount({ emptyParents: 'success' });
const SEGMENT = 301;
const GROUP = 51;

/** The operations of each list, its entries, and the path of its removals. */
const lists = {
	segment: {
		parameters: { resource: 'segment', segmentId: chosen(SEGMENT) },
		table: () => given.account.state.tables.segmentRecipients,
		removal: '/segment/email/delete',
	},
	group: {
		parameters: {
			...{ resource: 'unsubscribeGroup', unsubscribeGroupId: chosen(GROUP) },
			allowsEmailAgain: true,
		},
		table: () => given.account.state.tables.groupRecipients,
		removal: '/unsubscribes-groups/recipients-bulk-delete',
	},
	global: {
		parameters: { resource: 'globalUnsubscribe', allowsEmailAgain: true },
		table: () => given.account.state.tables.globalUnsubscribes,
		removal: '/global-unsubscribes/bulk-delete',
	},
	notification: {
		parameters: { resource: 'notificationRecipient' },
		table: () => given.account.state.tables.notificationRecipients,
		removal: '/notification-recipient/bulk-delete',
	},
};
type Name = keyof typeof lists;
const names = Object.keys(lists) as Name[];

beforeEach(() => {
	const { segments, unsubscribeGroups } = given.account.state.tables;
	segments.add({ id: SEGMENT, segment_name: 'VIP' }, 0);
	unsubscribeGroups.add({ id: GROUP, group_name: 'News' }, 0);
});

const people = (...all: string[]): IDataObject[] =>
	all.map((name) => ({ email: address(name), first_name: name, last_name: 'Li' }));

const entries = (list: Name) => lists[list].table().all() as unknown as IDataObject[];
const emails = (list: Name) => entries(list).map((row) => row.email ?? row.email_address);

/** Gives the second entry another address, as if its ID had been used again. */
function renameSecond(list: Name, email: string): void {
	const table = lists[list].table() as unknown as Table<IDataObject & { id: number }>;
	const [, second] = table.all() as [unknown, IDataObject & { id: number }];
	table.change(second, second.email ? { email } : { email_address: email });
}

let ids = 500_000;

/** A dry run after Ann and Ben were added: Ben is missing from its input, and Cy is new. */
async function plan(list: Name): Promise<IDataObject[]> {
	const { parameters, table } = lists[list];
	table().nextId = ids += 1_000;
	const sync = new ScheduledSync(given, {
		...{ operation: 'syncRecipients', missing: 'delete', ...parameters },
		options: removal({ removeAfter: 1 }),
	});
	await sync.run(people('ann', 'ben'));
	const outcome = await sync.run(people('ann', 'cy'), { parameters: { dryRun: true } });
	given.account.state.journal.clear();
	return json(outcome);
}

const apply = async (list: Name, rows: IDataObject[], parameters: IDataObject = {}) =>
	await given.account.run(
		{ ...lists[list].parameters, operation: 'applyPlan', ...parameters },
		rows,
	);

describe.each(names)('the plan of a dry run: %s', (list) => {
	test('is written as it was approved, also from a table that keeps texts', async () => {
		const rows = stored(await plan(list));
		const outcome = await apply(list, rows);
		expect(actions(outcome)).toEqual([
			['unchanged', address('ann'), 'already on the list'],
			['added', address('cy'), 'new'],
			['removed', address('ben'), 'missing from the input'],
		]);
		expect(emails(list)).toEqual([address('ann'), address('cy')]);
	});

	test('removes nobody whose row was left out', async () => {
		const rows = await plan(list);
		await apply(
			list,
			rows.filter(({ action }) => action !== 'wouldRemove'),
			{ allowsEmailAgain: false },
		);
		expect(emails(list)).toEqual([address('ann'), address('ben'), address('cy')]);
		expect(given.account.writes().map(([request]) => request)).not.toContain(
			`POST ${lists[list].removal}`,
		);
	});

	test('changes nothing that has changed since', async () => {
		const rows = await plan(list);
		renameSecond(list, address('dan'));
		await apply(list, rows.slice(1, 2));
		const outcome = await apply(list, rows.slice(1));
		expect(actions(outcome)).toEqual([
			['unchanged', address('cy'), 'already on the list'],
			[
				'failed',
				address('ben'),
				'changed since the plan: "Email" was "ben@example.com" and is now "dan@example.com"',
			],
		]);
		expect(emails(list)).toEqual([address('ann'), address('dan'), address('cy')]);
	});

	test('leaves it at that if somebody has removed them already', async () => {
		const rows = await plan(list);
		lists[list].table().remove(Number(entries(list)[1]?.id));
		expect(actions(await apply(list, rows.slice(2)))).toEqual([
			['unchanged', address('ben'), 'The recipient was already deleted'],
		]);
		expect(given.account.writes()).toEqual([]);
	});
});

it('removes no notification recipient whose name has changed since', async () => {
	const rows = await plan('notification');
	const table = lists.notification.table();
	const [, ben] = table.all() as unknown as Array<IDataObject & { id: number }>;
	(table as unknown as Table<IDataObject & { id: number }>).change(ben as never, {
		email_owner: 'Benedikt Li',
	});
	expect(actions(await apply('notification', rows.slice(2)))).toEqual([
		['failed', address('ben'), expect.stringMatching(/^changed since the plan/)],
	]);
	expect(emails('notification')).toEqual([address('ann'), address('ben')]);
});

it('adds nobody to a segment who has unsubscribed since', async () => {
	const rows = await plan('segment');
	given.account.unsubscribe(address('cy'));
	expect(actions(await apply('segment', rows.slice(1, 2)))).toEqual([
		['skipped', address('cy'), 'unsubscribed'],
	]);
});

test.each(['segment', 'notification'] as const)('adds nobody of "Never Add": %s', async (list) => {
	const rows = await plan(list);
	const options = neverAdd(address('cy'));
	expect(actions(await apply(list, rows.slice(1, 2), { options }))).toEqual([
		['skipped', address('cy'), 'on the Never Add list'],
	]);
	expect(given.account.writes()).toEqual([]);
});

it('adds both spellings of an address to a list that tells them apart', async () => {
	const parameters = { ...lists.global.parameters, operation: 'syncRecipients', dryRun: true };
	const spellings = ['ann@bücher.example', 'ann@xn--bcher-kva.example'];
	const plan = await given.account.run(
		parameters,
		spellings.map((email) => ({ email })),
	);
	await apply('global', json(plan));
	expect(emails('global')).toEqual(spellings);
});

it('writes a plan that a limit would have stopped only on request', async () => {
	const dryRun = { ...lists.segment.parameters, operation: 'syncRecipients', dryRun: true };
	const plan = await given.account.run(
		{ ...dryRun, options: limits({ maxAdditions: 1 }) },
		people('ann', 'ben'),
	);
	expect(hints(plan)?.map(({ message }) => message)).toEqual([
		'Dry run: would add 2. Nothing was written. A limit would stop the run: 2 recipients would be added to the existing 0, more than the 1 allowed. If this is intended, raise "Max Additions" to 2 under "Limits" in Options.',
	]);
	const refused = await apply('segment', json(plan));
	expect(refused.error?.message).toBe('Item 0 is part of a plan that a limit would have stopped');
	expect(given.account.writes()).toEqual([]);
	await apply('segment', json(plan), { options: { allowOverLimit: true } });
	expect(emails('segment')).toEqual([address('ann'), address('ben')]);
});

test.each(['group', 'global'] as const)(
	'removes from a list that keeps email off only with permission: %s',
	async (list) => {
		const outcome = await given.account.run(
			{ ...lists[list].parameters, operation: 'applyPlan', allowsEmailAgain: false },
			await plan(list),
		);
		expect([outcome.error?.message, outcome.error?.description]).toEqual([
			'Removing people from this list may let email reach them again, and "Allow Email to Removed People Again" is off',
			'If that is intended, turn on "Allow Email to Removed People Again"; otherwise, leave out the items with "wouldRemove". Nothing was changed.',
		]);
		expect(given.account.writes()).toEqual([]);
	},
);

const refused: Array<[Name, string, (row: IDataObject) => IDataObject]> = [
	[
		'segment',
		'Item 0 cannot be applied: "segmentId" is "302", not "301"',
		(row) => ({ ...row, segmentId: 302 }),
	],
	[
		'global',
		'Item 0 cannot be applied: "list" is "notificationRecipients", not "globalUnsubscribes"',
		(row) => ({ ...row, list: 'notificationRecipients' }),
	],
	[
		'notification',
		'Item 0 is not a row of a dry run: "action" is "wouldUpdate"',
		(row) => ({ ...row, action: 'wouldUpdate' }),
	],
	[
		'group',
		'Item 0 cannot be applied: "recipientVersion" is missing',
		(row) => ({ ...row, action: 'wouldRemove', recipientId: 7 }),
	],
];

test.each(refused)('refuses what is no row of its plan: %s, %s', async (list, message, change) => {
	const [, added = {}] = await plan(list);
	const outcome = await given.account.run({ ...lists[list].parameters, operation: 'applyPlan' }, [
		change(added),
	]);
	expect(outcome.error?.message).toBe(message);
	expect(given.account.state.journal.entries).toEqual([]);
});
