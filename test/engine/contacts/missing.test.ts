import { limits } from '../../../scripts/lib/workflow-json.ts';
import { chosen } from '../rows';
import { GERMANY, hints, json, TYPE, useAccount } from './support';

const given = useAccount();
const GROUP = 51;
const OTHER = 22;

const move = {
	operation: 'sync',
	missing: 'moveToContactType',
	missingContactTypeId: chosen(OTHER),
	options: { ...limits({ maxRemovalPercent: 100 }) },
};
const addToGroup = {
	operation: 'sync',
	missing: 'addToUnsubscribeGroup',
	missingUnsubscribeGroupId: chosen(GROUP),
	options: { ...limits({ maxRemovalPercent: 100 }) },
};
const input = [{ email: 'c0@example.com' }];

beforeEach(() => {
	const { unsubscribeGroups } = given.account.state.tables;
	unsubscribeGroups.add({ id: GROUP, group_name: 'Former customers' }, 0);
});

const people = () =>
	[0, 1, 2].map((n) =>
		given.account.add(`c${n}@example.com`, { first_name: `Name ${n}`, postal_code: '10115' }),
	);

const typesByEmail = () =>
	Object.fromEntries(
		given.account.state.tables.contacts
			.all()
			.map(({ email, contact_type_id: type }) => [email, type]),
	);

const members = () =>
	given.account.state.tables.groupRecipients.all().map(({ email_address: email }) => email);

describe('missing contacts that are moved', () => {
	test('keep their values, country included', async () => {
		const { account } = given;
		const [kept, first, second] = people();
		const outcome = await account.run(move, input);
		expect(json(outcome)).toEqual([
			{ action: 'unchanged', email: 'c0@example.com', reason: 'no changes', contactId: kept?.id },
			...[first, second].map((contact) => ({
				action: 'moved',
				email: contact?.email,
				reason: 'missing from the input',
				contactId: contact?.id,
				newContactTypeId: OTHER,
			})),
		]);
		expect(account.writes()).toEqual(
			[first, second].map((contact) => [
				'POST /contacts/update',
				{
					contact_id: String(contact?.id),
					contact_type_id: String(OTHER),
					email: contact?.email,
					country: String(GERMANY),
					first_name: contact?.first_name,
					postal_code: '10115',
				},
			]),
		);
		expect(typesByEmail()).toEqual({
			'c0@example.com': TYPE,
			'c1@example.com': OTHER,
			'c2@example.com': OTHER,
		});
		expect(hints(outcome)).toMatchObject([{ message: '1 unchanged, 2 moved' }]);

		account.state.journal.clear();
		expect(json(await account.run(move, input))).toHaveLength(1);
		expect(account.writes()).toEqual([]);
	});

	test('are skipped if they unsubscribed, or the other type has their address', async () => {
		const { account } = given;
		people();
		account.unsubscribe('C1@example.com');
		const other = account.add('c2@example.com', { contact_type_id: OTHER });
		const outcome = await account.run(move, input);
		expect(json(outcome).slice(1)).toMatchObject([
			{ action: 'skipped', reason: 'unsubscribed', unsubscribedFrom: 'Global Unsubscribes' },
			{
				action: 'skipped',
				reason: `address taken: it belongs to contact ${other.id} in contact type ${OTHER}`,
			},
		]);
		expect(account.writes()).toEqual([]);
	});

	test('are looked up in the list where an answer was lost', async () => {
		const { account } = given;
		people();
		const match = { method: 'POST', path: '/contacts/update' };
		account.state.faults.add({ kind: 'reset-after', match, times: 1 });
		const outcome = await account.run(
			{ ...move, options: { ...move.options, parallelRequests: 1 } },
			input,
		);
		expect(json(outcome).map(({ action, reason }) => [action, reason])).toEqual([
			['unchanged', 'no changes'],
			['moved', 'The response was lost, but the list is as planned'],
			['moved', 'missing from the input'],
		]);
		expect(account.writes()).toHaveLength(2);
	});
});

describe('missing contacts that are added to an unsubscribe group', () => {
	test('stay contacts, and their addresses go in few requests', async () => {
		const { account } = given;
		const [, first, second] = people();
		account.add('c3@example.com');
		account.unsubscribe('c3@example.com', GROUP);
		const outcome = await account.run(addToGroup, input);
		expect(json(outcome).slice(1)).toEqual([
			...[first, second].map((contact) => ({
				action: 'addedToGroup',
				email: contact?.email,
				reason: 'missing from the input',
				contactId: contact?.id,
				unsubscribeGroupId: GROUP,
			})),
			{
				action: 'unchanged',
				email: 'c3@example.com',
				reason: 'already in the unsubscribe group',
				contactId: expect.any(Number) as number,
			},
		]);
		expect(account.writes()).toEqual([
			[
				'POST /unsubscribes-groups/manually-add',
				{ unsubscribe_groups_id: String(GROUP), email_address: 'c1@example.com,c2@example.com' },
			],
		]);
		expect(account.reads().filter((path) => path.includes('recipients-list'))).toHaveLength(1);
		expect(members().sort()).toEqual(['c1@example.com', 'c2@example.com', 'c3@example.com']);
		expect(account.emails()).toHaveLength(4);
		expect(hints(outcome)).toMatchObject([
			{ message: '2 unchanged, 2 added to the unsubscribe group' },
		]);

		account.state.journal.clear();
		await account.run(addToGroup, input);
		expect(account.writes()).toEqual([]);
	});

	test('are looked up in the group where the answer was lost', async () => {
		const { account } = given;
		people();
		const match = { method: 'POST', path: '/unsubscribes-groups/manually-add' };
		account.state.faults.add({ kind: 'reset-after', match, times: 1 });
		const outcome = await account.run(addToGroup, input);
		expect(json(outcome).map(({ action }) => action)).toEqual([
			'unchanged',
			'addedToGroup',
			'addedToGroup',
		]);
		expect(account.writes()).toHaveLength(1);
		expect(account.reads().filter((path) => path.includes('recipients-list'))).toHaveLength(2);
		expect(account.reads().filter((path) => path === '/contacts/list')).toHaveLength(1);
	});

	test('nothing is written where the group cannot be read', async () => {
		people();
		const outcome = await given.account.run(
			{ ...addToGroup, missingUnsubscribeGroupId: chosen(99) },
			input,
		);
		expect(outcome.error?.context.code).toBe('record-not-found');
		expect(given.account.writes()).toEqual([]);
	});
});

test.each([
	[move, 'wouldMove', { newContactTypeId: OTHER }, 'moved'],
	[addToGroup, 'wouldAddToGroup', { unsubscribeGroupId: GROUP }, 'added to the unsubscribe group'],
])('a dry run shows it: %#', async (parameters, action, more, word) => {
	const { account } = given;
	people();
	const dry = { ...parameters, dryRun: true };
	const outcome = await account.run(dry, input);
	expect(json(outcome).at(-1)).toEqual({
		action,
		email: 'c2@example.com',
		reason: 'missing from the input',
		contactId: expect.any(Number) as number,
		dryRun: true,
		contactVersion: expect.any(String) as string,
		overLimit: false,
		...more,
	});
	const limited = await account.run({ ...dry, options: { report: 'summary' } }, input);
	const reason = `2 of 3 contacts would be ${word}, more than the 10% allowed`;
	expect(json(limited)).toMatchObject([{ [action]: 2, missingFromInput: 2, limit: reason }]);
	expect(account.writes()).toEqual([]);

	const stopped = await account.run({ ...parameters, options: {} }, input);
	expect(stopped.error?.message).toBe(reason);
	expect(account.writes()).toEqual([]);
});

test.each([
	[
		{ ...move, missingContactTypeId: chosen(TYPE) },
		'"Move to Contact Type" is the contact type that is synced',
	],
	[
		{ ...move, missingContactTypeId: chosen('={{ "" }}', 'id') },
		'"Move to Contact Type" is required but empty',
	],
	[
		{ ...addToGroup, missingUnsubscribeGroupId: chosen('={{ "News" }}', 'id') },
		'"Unsubscribe Group" has no valid ID: "News"',
	],
])(
	'a place that cannot be right is refused before any request: %#',
	async (parameters, message) => {
		const { account } = given;
		people();
		const { error } = await account.run(parameters, input);
		expect(error?.message).toBe(message);
		expect([...account.reads(), ...account.writes()]).toEqual([]);
	},
);
