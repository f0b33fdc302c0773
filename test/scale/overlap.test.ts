import type { IDataObject } from 'n8n-workflow';
import { ExecutionLog } from '../../soak/executions.ts';
import { historyOf } from '../../soak/history.ts';
import { tablesOf } from '../../soak/service.ts';
import { NO_PROMISES, type Finding, type Tables } from '../histories/evidence.ts';
import { check } from '../histories/index.ts';
import { reconcile } from './account.ts';
import { sharedCluster } from './setup/shared.ts';
import { SyncWorkflow, TYPE, countActions, emptySandbox, people, seedPeople } from './sync.ts';
import { until } from './until.ts';

jest.setTimeout(1_800_000);

const cluster = sharedCluster();
const { sandbox } = cluster;

beforeAll(async () => await cluster.setConcurrency(4));
afterAll(async () => await cluster.setConcurrency(1));

/** The same people four times, and four times partly different ones: any two inputs have some in common. */
const inputs = [0, 0, 0, 0, 50, 100, 150, 200].map((from) => people(from, from + 300));

/** How many syncs have read the contacts. */
const reads = async () =>
	(await sandbox.journal()).filter(
		({ path, outcome }) => path === '/contacts/list' && outcome !== null,
	).length;

/** What the checkers of histories find in syncs that have ended. */
async function findingsIn(syncs: SyncWorkflow[], first: Tables): Promise<Finding[]> {
	const logs = syncs.map(({ workflow }) => new ExecutionLog(workflow.saved, 'Sync'));
	const read = logs.map(async (log) => await log.read(cluster.n8n.client));
	const ended = (await Promise.all(read)).flat();
	const workers = new Map<number, string>();
	for (const { id } of ended) {
		workers.set(id, (await cluster.workerOf(String(id)))?.name ?? 'no worker');
	}
	const [start, end] = [0, Date.now()];
	const entries = historyOf({
		...{ start, end, first, journal: await sandbox.journal(), syncs: { ended, open: [] } },
		...{ isAlone: false, ranOn: ({ id }) => ({ process: workers.get(id) ?? '' }) },
	});
	const kept = {
		...{ workflow: 'sync', list: `contacts ${TYPE}`, isRetried: false },
		removal: { missing: 'ignore', removeAfter: 1, onlyAddedBySync: true },
		compares: ['first_name', 'country'],
		settlesAt: people(0, 500).map((item) => ({
			...{ email: item['E-Mail'], first_name: item['First Name'], country: item.Country },
		})),
	};
	const promises = { ...NO_PROMISES, lists: [kept], suppressing: ['global'] };
	return check({ entries, first, last: await tablesOf(sandbox), promises, start, end });
}

const key = ({ email }: IDataObject) => String(email);

test.each(['allow', 'refuse'] as const)(
	'eight syncs at once on both workers: everybody is there once, and no row failed (the service: %s several contacts of one address)',
	async (duplicateEmail) => {
		await emptySandbox(sandbox);
		// So slow that no sync ends before one on the other worker has begun as well.
		await sandbox.configure({ duplicateEmail, latencyMs: 2_000 });
		await seedPeople(sandbox, 450, 500);
		const first = await tablesOf(sandbox);
		const syncs = await Promise.all(inputs.map(() => SyncWorkflow.activate(cluster)));
		// They wait in the queue until all of them are there.
		const executionIds = await cluster.startTogether(
			async () =>
				await Promise.all(syncs.map(async (sync, n) => await sync.start(inputs[n] ?? []))),
		);
		await until('a sync on each worker', async () => (await reads()) >= 2);
		expect((await sandbox.counts()).contacts).toBeLessThan(300);
		await sandbox.configure({ latencyMs: 30 });
		const runs = await Promise.all(
			syncs.map(async (sync, n) => await sync.workflow.ended(executionIds[n] ?? '')),
		);
		const workers = await Promise.all(executionIds.map(async (id) => await cluster.workerOf(id)));
		expect(new Set(workers)).toEqual(new Set(cluster.workers));

		expect(await findingsIn(syncs, first)).toEqual([]);
		for (const [n, run] of runs.entries()) {
			expect(run.error).toBeUndefined();
			// One row for each person of the input, whichever run has added them.
			expect(run.items.map(key).sort()).toEqual(
				(inputs[n] ?? []).map((item) => String(item['E-Mail'])).sort(),
			);
			const { created = 0, unchanged = 0, ...rest } = countActions(run.items);
			expect(rest).toEqual({});
			expect(created + unchanged).toBe(300);
		}
		await reconcile(sandbox, people(0, 500));
	},
);
