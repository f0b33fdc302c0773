import { PlanLimitError } from '../../../nodes/EmailMarketing/features/sync/syncContacts';
import type { MappedContact } from '../../../nodes/EmailMarketing/features/contacts/fields';
import type { SyncOptions } from '../../../nodes/EmailMarketing/features/sync/types';
import { Cancelled } from '../../../nodes/EmailMarketing/util/pool';
import { contact, item } from './builders';
import { InMemoryService, syncOptions } from './inMemoryService';
import { refusal, runOf, syncOnce } from './syncRun';

const inputs = [
	item('c1@example.com'),
	item('c2@example.com', { city: 'Bonn' }),
	item('new@example.com', { country: 'AT' }),
];

const run = async (
	service: InMemoryService,
	items: MappedContact[] = inputs,
	changed: Partial<SyncOptions> = {},
) => (await syncOnce(items, service, syncOptions(changed), runOf(service))).rows;

const actions = (rows: Awaited<ReturnType<typeof run>>) => rows.map(({ action }) => action);

test('only what differs is written, and the list is read again only after a create', async () => {
	const service = new InMemoryService();
	service.globalUnsubscribes = ['c3@example.com'];
	const rows = await run(service, [...inputs, item('C3@example.com', { city: 'Bonn' })]);
	expect(actions(rows)).toEqual(['unchanged', 'updated', 'created', 'skipped']);
	expect(service.reads.sort()).toEqual(['global unsubscribes', 'list', 'list', 'lookup']);
	expect(service.writes.sort()).toEqual(['create new@example.com', 'update 2']);
	expect(service.calls.at(-1)).toBe('list');

	service.calls = [];
	const again = [
		...inputs.slice(0, 1),
		item('c2@example.com', { city: 'Ulm' }),
		...inputs.slice(2),
	];
	expect(actions(await run(service, again))).toEqual(['unchanged', 'updated', 'unchanged']);
	expect(service.writes).toEqual(['update 2']);
	expect(service.reads.sort()).toEqual(['global unsubscribes', 'list', 'lookup']);
});

test('chosen unsubscribe groups are respected too, and the oldest entry gives the date', async () => {
	const service = new InMemoryService();
	service.groups = { 4: ['new@example.com'] };
	const rows = await run(service, inputs, { globalUnsubscribes: false, unsubscribeGroupIds: [4] });
	expect(rows[2]).toMatchObject({
		action: 'skipped',
		reason: 'unsubscribed',
		suppression: { list: 'Unsubscribe Group 4' },
	});
	expect(service.reads.sort()).toEqual(['group 4', 'list', 'lookup']);
});

test('new contacts get their ids from the list read afterwards', async () => {
	const rows = await run(new InMemoryService());
	expect(rows[2]).toMatchObject({ action: 'created', contactId: 100 });
});

test('a dry run writes nothing and shows the same plan', async () => {
	const service = new InMemoryService();
	const rows = await run(service, inputs, { dryRun: true, missing: { kind: 'delete' } });
	expect(actions(rows)).toEqual(['unchanged', 'updated', 'created', 'deleted']);
	expect(service.writes).toEqual([]);
	const overLimit = await run(service, inputs, {
		dryRun: true,
		missing: { kind: 'delete' },
		maxRemovals: 0,
	});
	expect(overLimit[3]?.reason).toMatch(
		/missing from the input; stopped by the limit: 1 of 3 contacts/,
	);
});

test('more deletions than allowed stop everything before the first write', async () => {
	const service = new InMemoryService();
	await expect(
		run(service, inputs, { missing: { kind: 'delete' }, maxRemovals: 0 }),
	).rejects.toThrow(PlanLimitError);
	expect(service.writes).toEqual([]);
});

describe('failures', () => {
	test('of one contact do not stop the others', async () => {
		const service = new InMemoryService();
		service.faults = [['update 2', 'rejected']];
		const rows = await run(service);
		expect(actions(rows)).toEqual(['unchanged', 'failed', 'created']);
		expect(rows[1]).toEqual({
			item: 1,
			action: 'failed',
			email: 'c2@example.com',
			contactId: 2,
			code: 'field-rejected',
			reason: 'The service rejected "Email".',
			at: expect.any(String) as string,
		});
	});

	test.each([
		['create', 'lost after', 2, 'created', /list is as planned/],
		['create', 'lost before', 2, 'failed', /broke off\. The list .* does not show this write/],
		['update', 'lost after', 1, 'updated', /the list is as planned/],
		['update', 'lost before', 1, 'failed', /does not show this write/],
	] as const)('a %s that is %s the service did it', async (call, fault, row, action, reason) => {
		const service = new InMemoryService();
		service.faults = [[call, fault]];
		const rows = await run(service);
		expect(rows[row]).toMatchObject({ action, reason: expect.stringMatching(reason) as string });
		expect(service.writes).toHaveLength(2);
		expect(service.reads.filter((read) => read === 'list')).toHaveLength(2);
	});

	test('a lost create that succeeded is returned with its id', async () => {
		const service = new InMemoryService();
		service.faults = [['create', 'lost after']];
		expect((await run(service))[2]).toMatchObject({ contactId: 100 });
	});

	test('an outcome that cannot be looked up is called failed, and says what to do', async () => {
		const service = new InMemoryService();
		service.faults = [['create', 'lost after']];
		service.failReadsAfter = 3;
		const rows = await run(service);
		expect(rows[2]?.action).toBe('failed');
		expect(rows[2]?.reason).toMatch(
			/could not be read afterwards \(The service is down\)\. Run again/,
		);
	});
});

/** Contacts of which all but the first are missing, and the two chunks in which they are deleted. */
const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, n) => from + n);
const [first, second] = [range(2, 101), range(102, 150)];
const many = () => new InMemoryService(range(1, 150).map((id) => contact(id)));

describe('deletions', () => {
	const remove = { missing: { kind: 'delete' } } as const;
	const of = (ids: number[], action: string) => ids.map(() => action);

	test('go in chunks', async () => {
		const service = many();
		const rows = await run(service, inputs.slice(0, 1), remove);
		expect(actions(rows)).toEqual(['unchanged', ...of(first, 'deleted'), ...of(second, 'deleted')]);
		expect(service.writes).toEqual([`removeMany ${first}`, `removeMany ${second}`]);
		expect(service.contacts.map(({ id }) => id)).toEqual([1]);
	});

	test('of a rejected chunk go one by one, with a report for each', async () => {
		const service = many();
		service.faults = [
			[`removeMany ${second}`, 'rejected'],
			['remove 103', 'rejected'],
		];
		const rows = await run(service, inputs.slice(0, 1), remove);
		expect(rows.filter(({ action }) => action === 'failed')).toMatchObject([{ contactId: 103 }]);
		expect(service.contacts.map(({ id }) => id)).toEqual([1, 103]);
	});

	test.each([
		['lost after', 'deleted'],
		['lost before', 'failed'],
	] as const)('%s the service did it are looked up', async (fault, action) => {
		const service = many();
		service.faults = [[`removeMany ${first}`, fault]];
		const rows = await run(service, inputs.slice(0, 1), remove);
		expect(actions(rows)).toEqual(['unchanged', ...of(first, action), ...of(second, 'deleted')]);
	});
});

describe('the pool', () => {
	const twenty = Array.from({ length: 20 }, (_, n) => item(`n${n}@example.com`, { country: 1 }));

	test('only a few writes are under way at once', async () => {
		const service = new InMemoryService();
		await syncOnce(twenty, service, syncOptions(), runOf(service, { parallel: 4 }));
		expect(service.mostUnderWay).toBe(4);
		expect(service.writes).toHaveLength(20);
	});

	test('batches are spaced out', async () => {
		const service = new InMemoryService();
		const seen: Array<[ms: number, writes: number]> = [];
		const pause = async (ms: number) => void seen.push([ms, service.writes.length]);
		const pool = runOf(service, { parallel: 1, throttle: { size: 8, pauseMs: 500 }, pause });
		await syncOnce(twenty, service, syncOptions(), pool);
		expect(seen).toEqual([
			[500, 8],
			[500, 16],
		]);
	});

	test('a cancelled execution starts no more writes', async () => {
		const service = new InMemoryService();
		const controller = new AbortController();
		service.onWrite = () => {
			if (service.writes.length === 6) controller.abort();
		};
		const pool = runOf(service, { parallel: 3, signal: controller.signal });
		await expect(syncOnce(twenty, service, syncOptions(), pool)).rejects.toThrow(Cancelled);
		expect(service.writes.length).toBeLessThanOrEqual(8);
		expect(service.underWay).toBe(0);
	});

	test('an execution cancelled between bulk deletes reports no contact at all', async () => {
		const service = many();
		service.faults = [[`removeMany ${second}`, 'rejected']];
		const controller = new AbortController();
		service.onWrite = () => {
			if (service.writes.length === 2) controller.abort();
		};
		const pool = runOf(service, { parallel: 2, signal: controller.signal });
		const options = syncOptions({ missing: { kind: 'delete' } });
		await expect(syncOnce(inputs.slice(0, 1), service, options, pool)).rejects.toThrow(Cancelled);
		expect(service.writes).toEqual([`removeMany ${first}`, `removeMany ${second}`]);
		expect(service.contacts.map(({ id }) => id)).toEqual([1, ...second]);
	});
});

test('a deleted contact that the service restores instead of creating another one is the one created', async () => {
	const email = 'gone@example.com';
	const gone = contact(7, { email, first_name: '', deleted_at: '2026-01-01T00:00:00.000000Z' });
	const service = new InMemoryService([gone]);
	service.newId = () => {
		service.contacts = [];
		return 7;
	};
	const rows = await run(service, [item(email, { country: 'DE' })]);
	expect(rows).toMatchObject([{ action: 'created', contactId: 7, reason: undefined }]);
});

test('a missing contact that another run has just removed counts as deleted', async () => {
	const service = new InMemoryService([contact(1), contact(2)]);
	service.removeMany = async (ids) => {
		service.calls.push('removeMany');
		service.contacts = service.contacts.filter(({ id }) => !ids.includes(id));
		return await Promise.resolve(refusal('Record Not Found', { isNotFound: true }));
	};
	const rows = await run(service, [item('c1@example.com')], { missing: { kind: 'delete' } });
	expect(rows[1]).toMatchObject({ action: 'deleted', reason: 'missing from the input' });
	expect(service.writes).toEqual(['removeMany']);
	expect(service.reads.filter((call) => call === 'list')).toHaveLength(1);
});
