import { reconcile } from './account.ts';
import { sharedCluster } from './setup/shared.ts';
import { summary } from './setup/summary.ts';
import { SyncWorkflow, countActions, emptySandbox, people, seedPeople } from './sync.ts';
import { until } from './until.ts';

jest.setTimeout(1_800_000);

const cluster = sharedCluster();
const { sandbox } = cluster;

afterEach(async () => {
	await sandbox.configure({ latencyMs: 0 });
	await cluster.redis.start();
	await cluster.recover();
});

// n8n ends by itself when it has found no Redis for 10 seconds.
const outages = {
	'is restarted': async () => undefined,
	'is away until n8n gives up': async () =>
		await until('n8n to end', async () => cluster.down.length === 3),
};

test.each([
	['is restarted', 'allow'],
	['is restarted', 'refuse'],
	['is away until n8n gives up', 'allow'],
] as const)(
	'Redis %s in the middle of a sync: after the next run everybody is there once (the service: %s several contacts of one address)',
	async (outage, duplicateEmail) => {
		await emptySandbox(sandbox);
		await sandbox.configure({ duplicateEmail });
		await seedPeople(sandbox, 0, 50);
		const items = people(0, 2_000);
		const sync = await SyncWorkflow.activate(cluster);
		const added = async () => (await sandbox.counts()).contacts - 50;

		await sandbox.configure({ latencyMs: 50 });
		const interrupted = await sync.start(items);
		await until('300 of them', async () => (await added()) >= 300);
		// The sync must not be done before n8n ends: it sends more at a time than the first ten.
		await sandbox.configure({ latencyMs: 1_000 });
		await cluster.redis.stop();
		await outages[outage]();
		expect(await added()).toBeLessThan(1_950);
		await cluster.redis.start();
		const ended = await cluster.recover();
		await sandbox.configure({ latencyMs: 0 });
		const { status } = await sync.workflow.ended(interrupted);
		const restarted = ended.length === 0 ? 'nothing' : ended.join(', ');
		summary().note(
			`Redis ${outage} in the middle of a sync: the execution ended as "${status}", started again: ${restarted}.`,
		);

		const run = await sync.run(items);
		expect(run.error).toBeUndefined();
		const { created = 0, unchanged = 0, ...rest } = countActions(run.items);
		expect(rest).toEqual({});
		expect(created + unchanged).toBe(2_000);
		// A sync that n8n took up again would show here.
		expect(await sync.workflow.executionIds()).toHaveLength(2);
		await reconcile(sandbox, items);
	},
);
