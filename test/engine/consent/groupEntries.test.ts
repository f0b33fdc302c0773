import type { IDataObject } from 'n8n-workflow';

import { EmailMarketing } from '../../../nodes/EmailMarketing/EmailMarketing.node';
import { checkNew } from '../check/support';
import { json } from '../contacts/support';
import { editorContext, keys } from '../engine';
import { GERMANY, NOW } from '../records';
import { chosen } from '../rows';
import { useService } from '../sandbox';
import { plantTesters, sendTest, TESTERS } from '../sendTest/support';
import { GROUP, operations, person, unsubscribedAt, useConsent } from './support';

/** Left the topic 51; the service lists the entry among the global unsubscribes (1) too. */
const TOPIC = 'topic@example.com';
const unsubscribe = { resource: 'globalUnsubscribe', operation: 'syncRecipients' };
const save = 'POST /global-unsubscribes/save';

describe.each(['number', 'text'] as const)(
	'an entry of a group among the global unsubscribes, with its group as %s,',
	(groupEntries) => {
		const given = useConsent();
		beforeEach(() => {
			given.account.state.settings.groupEntries = groupEntries;
			given.account.unsubscribe(TOPIC, GROUP);
		});

		test('group-entry: does not keep Add or Sync from adding the address', async () => {
			const { account } = given;
			for (const action of ['added', 'unchanged']) {
				const outcome = await account.run(unsubscribe, [{ email: TOPIC }]);
				const reason = action === 'added' ? 'new' : 'already on the list';
				expect(json(outcome)).toMatchObject([{ action, email: TOPIC, reason }]);
			}
			expect(account.writes()).toEqual([[save, { email_address: TOPIC }]]);
		});

		test('is no proof that a lost addition succeeded', async () => {
			const { account } = given;
			const match = { path: '/global-unsubscribes/save' };
			account.state.faults.add({ kind: 'reset-before', match });
			const outcome = await account.run(unsubscribe, [{ email: TOPIC }]);
			expect(json(outcome)).toMatchObject([{ action: 'failed', email: TOPIC }]);
			expect(account.writes()).toHaveLength(1);
		});

		test.each(Object.entries({ ...operations, upsert: {} }))(
			'group-entry: holds nobody back from %s, unless the group is respected',
			async (_name, operation) => {
				const { account } = given;
				const { id } = account.add('ada@example.com');
				const outcome = await account.run(operation, [person(TOPIC, { id })]);
				expect(json(outcome)).not.toMatchObject([{ unsubscribedFrom: expect.anything() }]);
				expect(account.writes()).toHaveLength(1);
			},
		);

		test('holds back like any other if its group does not list it, or does not exist', async () => {
			const { account } = given;
			const { globalUnsubscribes } = account.state.tables;
			const left = ['only.there@example.com', 'no.group@example.com'];
			[GROUP, 99].forEach((unsubscribe_groups_id, index) =>
				globalUnsubscribes.add({ email_address: left[index] ?? '', unsubscribe_groups_id }, NOW),
			);
			const outcome = await account.run(
				{},
				[...left, TOPIC].map((email) => person(email)),
			);
			expect(json(outcome)).toMatchObject([
				...left.map((email) => ({
					...{ action: 'skipped', email, unsubscribedFrom: 'Global Unsubscribes' },
				})),
				{ action: 'created', email: TOPIC },
			]);
		});

		test('holds back like any other if its group lists it as deleted only', async () => {
			const { settings, tables } = given.account.state;
			settings.deletes = 'kept';
			const emails = ['back@example.com', 'left.again@example.com'];
			const group = { unsubscribe_groups_id: GROUP };
			for (const email_address of emails)
				tables.groupRecipients.remove(
					tables.groupRecipients.add({ email_address, ...group }, NOW).id,
				);
			tables.globalUnsubscribes.add({ email_address: 'left.again@example.com', ...group }, NOW);
			const outcome = await given.account.run(
				{},
				emails.map((email) => person(email)),
			);
			expect(json(outcome)).toMatchObject([
				{ action: 'created', email: 'back@example.com' },
				{ action: 'skipped', email: 'left.again@example.com' },
			]);
		});

		test('stops the run if the list of its group cannot be read', async () => {
			const { account } = given;
			const match = { path: '/unsubscribes-groups/recipients-list' };
			account.state.faults.add({ kind: 'failed', times: 99, match });
			const { error } = await account.run({}, [person('ada@example.com')]);
			expect(error?.description).toContain(
				'The list of unsubscribes could not be read (Unsubscribe Group 51)',
			);
			expect(account.writes()).toEqual([]);
		});

		test('of a respected group counts as an entry of the group, also if the group does not list it', async () => {
			const { account } = given;
			const { tables } = account.state;
			const email_address = 'only.there@example.com';
			tables.globalUnsubscribes.add({ email_address, unsubscribe_groups_id: GROUP }, NOW);
			const options = { unsubscribeGroups: [GROUP, 52] };
			tables.unsubscribeGroups.add({ id: 52, group_name: 'News' }, NOW);
			const outcome = await account.run({ options }, [person(TOPIC), person(email_address)]);
			expect(json(outcome)).toEqual(
				[TOPIC, email_address].map((email) => ({
					action: 'skipped',
					email,
					reason: 'unsubscribed',
					unsubscribedAt,
					unsubscribedFrom: `Unsubscribe Group ${GROUP}`,
				})),
			);
			expect(account.writes()).toEqual([]);
		});
	},
);

describe('an entry of another group among the global unsubscribes', () => {
	const campaigns = useService();
	const other = 52;
	beforeEach(() => {
		const { settings, tables } = campaigns.service.state;
		settings.groupEntries = 'number';
		tables.unsubscribeGroups.add({ id: other, group_name: 'News' }, NOW);
	});
	const leave = (email_address: string, unsubscribe_groups_id: number) =>
		campaigns.service.state.tables.groupRecipients.add(
			{ email_address, unsubscribe_groups_id },
			NOW,
		);

	test('does not leave anybody out of an audience', async () => {
		const { tables } = campaigns.service.state;
		for (const email of ['b@example.com', 'c@example.com']) {
			tables.contacts.add({ contact_type_id: 21, email, country: GERMANY }, NOW);
		}
		leave('b@example.com', other);
		leave('c@example.com', 51);
		const { items } = await campaigns.service.run(checkNew);
		expect(items[0]?.json).toMatchObject({
			canSend: true,
			audienceCount: 2,
			leftOut: { globalUnsubscribes: 0, unsubscribeGroup: 1 },
		});
	});

	test('does not leave anybody out of a test', async () => {
		plantTesters(campaigns.service);
		for (const address of TESTERS) leave(address, other);
		const { items } = await campaigns.service.run(sendTest);
		expect(items[0]?.json).toMatchObject({ sent: true, recipients: TESTERS });
	});

	test('leaves out of an audience and of a test whoever its group does not list', async () => {
		const { tables } = campaigns.service.state;
		plantTesters(campaigns.service);
		const [first = '', second] = TESTERS;
		const email = 'd@example.com';
		tables.contacts.add({ contact_type_id: 21, email, country: GERMANY }, NOW);
		leave('b@example.com', other);
		for (const email_address of [first, email]) {
			tables.globalUnsubscribes.add({ email_address, unsubscribe_groups_id: other }, NOW);
		}
		const checked = await campaigns.service.run(checkNew);
		expect(checked.items[0]?.json).toMatchObject({
			audienceCount: 1,
			leftOut: { globalUnsubscribes: 1, unsubscribeGroup: 0 },
		});
		const sent = await campaigns.service.run(sendTest);
		expect(sent.items[0]?.json).toMatchObject({ sent: true, recipients: [second] });
	});

	test('cannot be chosen as a global unsubscribe', async () => {
		leave('no.more@example.com', other);
		const { listSearch } = new EmailMarketing().methods ?? {};
		const context = editorContext({}, { baseUrl: campaigns.service.baseUrl, ...keys });
		const found = await listSearch?.searchGlobalUnsubscribes?.call(context);
		expect(found?.results).toEqual([{ name: 'no.more@example.com (2026-03-02)', value: '100001' }]);
	});

	test('is not deleted in place of a global one', async () => {
		leave('no.more@example.com', other);
		const { id } = leave(TOPIC, other);
		const remove = (address: string): IDataObject => ({
			resource: 'globalUnsubscribe',
			operation: 'delete',
			globalUnsubscribeId: chosen(address, 'email'),
		});
		const { items } = await campaigns.service.run(remove('no.more@example.com'));
		expect(items[0]?.json).toMatchObject({ deleted: true, id: 100001 });
		const { error } = await campaigns.service.run(remove(TOPIC));
		expect(error?.message).toBe(
			`"Global Unsubscribe" was not found: no record has the email ${TOPIC}`,
		);
		expect(campaigns.service.state.tables.groupRecipients.get(id)).toBeDefined();
	});
});
