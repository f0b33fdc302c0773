import { reconcile } from './account.ts';
import { watchUnsubscribed } from './consent.ts';
import { sharedCluster } from './setup/shared.ts';
import {
	SyncWorkflow,
	address,
	countActions,
	emptySandbox,
	people,
	seedPeople,
	unsubscribe,
} from './sync.ts';
import { until } from './until.ts';

jest.setTimeout(1_800_000);

const cluster = sharedCluster();
const { sandbox } = cluster;

beforeEach(async () => await emptySandbox(sandbox));
afterEach(async () => {
	await sandbox.configure({ latencyMs: 0 });
	await cluster.startWorkers();
});

test.each(['allow', 'refuse'] as const)(
	'a worker killed in the middle of a sync: the next run on the other adds the rest, and nobody twice (the service: %s several contacts of one address)',
	async (duplicateEmail) => {
		await sandbox.configure({ duplicateEmail });
		const [first, second] = cluster.workers;
		if (!first || !second) throw new Error('There are no two workers');
		// 0 to 99 and 1,900 to 1,999 unsubscribed, of whom 0 to 49 are in the service.
		await seedPeople(sandbox, 0, 50);
		const unsubscribed = [...Array(100).keys(), ...Array(100).keys()].map((n, index) =>
			address(index < 100 ? n : 1_900 + n),
		);
		await unsubscribe(sandbox, unsubscribed);
		const touched = await watchUnsubscribed(sandbox, unsubscribed);
		const items = people(0, 2_000, () => ({ City: 'Bonn' }));
		const sync = await SyncWorkflow.activate(cluster);
		const added = async () => (await sandbox.counts()).contacts - 50;

		await sandbox.configure({ latencyMs: 50 });
		const killed = await sync.start(items, { worker: first });
		await until('300 of them', async () => (await added()) >= 300);
		await first.kill();
		const before = await added();
		expect(before).toBeLessThan(1_800);
		await sandbox.configure({ latencyMs: 0 });

		const run = await sync.run(items, { worker: second });
		expect(run.error).toBeUndefined();
		const { created = 0, unchanged = 0, ...rest } = countActions(run.items);
		expect(rest).toEqual({ skipped: 200 });
		expect(created + unchanged).toBe(1_800);
		expect(unchanged).toBeGreaterThanOrEqual(before);
		expect(await added()).toBe(1_800);
		expect(await touched()).toEqual([]);

		// n8n gives up the killed execution and does not run it again.
		const { status } = await sync.workflow.ended(killed);
		expect(['error', 'crashed']).toContain(status);
		expect(await sync.workflow.executionIds()).toHaveLength(2);
		await reconcile(sandbox, [...people(0, 50), ...items.slice(100, 1_900)]);
	},
);
