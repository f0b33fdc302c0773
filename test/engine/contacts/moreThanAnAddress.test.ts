import { limits, removal } from '../../../scripts/lib/workflow-json.ts';
import { chosen } from '../rows';
import { planOf } from './planned';
import { address, people, removed, ScheduledSync } from './scheduledSync';
import { json, useAccount } from './support';

const given = useAccount({ emptyParents: 'success' });
const GROUP = 51;
const SEGMENT = 301;
const WRITTEN = ['Ada <ada@example.com>', '<ada@example.com>', 'mailto:ada@example.com'];

beforeEach(() => {
	const { unsubscribeGroups, segments } = given.account.state.tables;
	unsubscribeGroups.add({ id: GROUP, group_name: 'Former' }, 0);
	segments.add({ id: SEGMENT, segment_name: 'VIP' }, 0);
});

const members = () =>
	given.account.state.tables.groupRecipients.all().map(({ email_address: email }) => email);

describe('somebody whom the input names stays, however their contact is written:', () => {
	const options = { ...limits({ maxRemovalPercent: 100 }), ...removal({ removeAfter: 1 }) };
	const taken = { email: ['The email has already been taken.'] };

	test.each(WRITTEN)('%s, if the service takes both for one', async (email) => {
		given.account.add(email);
		given.account.add(address('bob'));
		const match = { method: 'POST', path: '/contacts/add' } as const;
		given.account.state.faults.add({ kind: 'failed', match, errors: taken });
		const sync = { operation: 'sync', missing: 'delete', options };
		await given.account.run(sync, [{ email: address('ada'), country: 'DE' }, ...people('bob')]);
		expect(given.account.emails()).toEqual([email, address('bob')]);
	});

	test('the contact that the sync added, as others add the same person once more', async () => {
		const sync = new ScheduledSync(given);
		await sync.run(people('ada', 'bob'));
		given.account.add('Ada <ada@example.com>');
		for (let execution = 0; execution < 3; execution++) {
			await sync.run([{ email: 'Ada <ada@example.com>', country: 'DE' }, ...people('bob')]);
		}
		expect(given.account.emails()).toContain(address('ada'));
	});

	test('in an earlier run of the execution', async () => {
		given.account.add('Ada <ada@example.com>');
		given.account.add(address('bob'));
		const sync = new ScheduledSync(given, {
			options: removal({ removeAfter: 1, onlyAddedBySync: false }),
		});
		const runs = await sync.runEach('branches', [people('ada'), people('bob')]);
		expect(removed(...runs)).toEqual([]);
	});

	test('in a segment', async () => {
		const { segmentRecipients } = given.account.state.tables;
		const names = { first_name: 'A', last_name: 'B' };
		segmentRecipients.add({ segment_id: SEGMENT, email: 'Ada <ada@example.com>', ...names }, 0);
		const match = { method: 'POST', path: '/segment/email/store' } as const;
		given.account.state.faults.add({ kind: 'failed', match, errors: taken });
		await given.account.run(
			{
				...{ resource: 'segment', operation: 'syncRecipients', segmentId: chosen(SEGMENT) },
				...{ missing: 'delete', options },
			},
			[{ email: address('ada'), ...names }],
		);
		expect(segmentRecipients.all()).toHaveLength(1);
	});
});

describe('a missing contact is added to the unsubscribe group', () => {
	const sync = {
		...{ operation: 'sync', missing: 'addToUnsubscribeGroup' },
		missingUnsubscribeGroupId: chosen(GROUP),
		options: limits({ maxRemovalPercent: 100 }),
	};

	test.each(WRITTEN)('by the address alone: %s, also with Apply Plan', async (email) => {
		given.account.add(email);
		given.account.add(address('bob'));
		const planned = await planOf(given.account, sync, people('bob'));
		const plain = { action: 'addedToGroup', email };
		expect(json(await given.account.run(sync, people('bob')))).toContainEqual(
			expect.objectContaining(plain),
		);
		expect(members()).toEqual([address('ada')]);
		given.account.state.tables.groupRecipients.clear();
		await given.account.run({ operation: 'applyPlan' }, planned);
		expect(members()).toEqual([address('ada')]);
	});

	test('whose entry there is marked as deleted', async () => {
		given.account.add(address('ada'));
		given.account.add(address('bob'));
		const deleted = { deleted_at: '2026-03-02T10:00:00.000000Z' };
		const entry = { email_address: address('ada'), unsubscribe_groups_id: GROUP, ...deleted };
		given.account.state.tables.groupRecipients.add(entry, 0);
		await given.account.run(sync, people('bob'));
		expect(given.account.writes()).toEqual([
			[
				'POST /unsubscribes-groups/manually-add',
				{ unsubscribe_groups_id: String(GROUP), email_address: address('ada') },
			],
		]);
	});
});
