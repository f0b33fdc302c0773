import { durableCursors } from '../../scripts/lib/n8n-process.ts';
import { Campaigns } from './campaigns.ts';
import { sharedCluster } from './setup/shared.ts';
import { summary } from './setup/summary.ts';
import { emptySandbox } from './sync.ts';

jest.setTimeout(1_800_000);

const cluster = sharedCluster();

// An execution whose result PostgreSQL did not save stays "running", with its items. Every minute, n8n looks for such
// ones, which by default it does every three hours, and ends them.
const recovery = { N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1' };

beforeAll(async () => await cluster.restart({ ...durableCursors, ...recovery }));
afterAll(async () => await cluster.restart({}));
beforeEach(async () => await emptySandbox(cluster.sandbox));

test('the trigger with durable cursors: workers run each event once', async () => {
	const campaigns = await Campaigns.watch(cluster, 10);
	for (let round = 0; round < 10; round++) {
		// Some between two polls, and some while one is under way.
		await campaigns.move(3);
		if (round % 2 === 0) await campaigns.looks(1);
	}
	await campaigns.reconcile();
	for (const id of await campaigns.executionIds()) {
		expect(cluster.workers).toContain(await cluster.workerOf(id));
	}
});

test('PostgreSQL restarted between polls: no event is lost, and none comes twice', async () => {
	const campaigns = await Campaigns.watch(cluster, 12);
	const ended: string[] = [];
	for (let restart = 0; restart < 3; restart++) {
		await campaigns.move(4);
		await campaigns.looks(restart);
		await cluster.postgres.stop();
		await campaigns.move(4);
		await cluster.postgres.start();
		ended.push(...(await cluster.recover()));
		await campaigns.move(4);
		await campaigns.looks(2);
	}
	summary().note(
		`PostgreSQL restarted three times between polls, started again: ${ended.join(', ') || 'nothing'}.`,
	);
	await campaigns.reconcile();
});
