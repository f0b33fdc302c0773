import type { IDataObject } from 'n8n-workflow';
import { reconcile } from './account.ts';
import { sharedCluster } from './setup/shared.ts';
import { summary } from './setup/summary.ts';
import { GERMANY, SyncWorkflow, countActions, emptySandbox, people } from './sync.ts';

jest.setTimeout(1_800_000);

const cluster = sharedCluster();
const { sandbox } = cluster;

/** Each sync has a contact type of its own: those of one type wait for each other. */
const types = [31, 32, 33, 34];

type Inputs = Map<number, IDataObject[]>;

const inputsOf = (size: number): Inputs =>
	new Map(types.map((type, n) => [type, people(n * 10_000, n * 10_000 + size)]));

/** Runs all syncs, which wait for one another in the queue where there are more of them than workers. */
async function runAll(inputs: Inputs, action: string): Promise<number> {
	const syncs = await Promise.all(
		types.map(async (type) => {
			const contactTypeId = { __rl: true, mode: 'id', value: String(type) };
			return await SyncWorkflow.activate(cluster, { contactTypeId });
		}),
	);
	const executionIds = await cluster.startTogether(
		async () =>
			await Promise.all(
				syncs.map(async (sync, n) => await sync.start(inputs.get(types[n] ?? 0) ?? [])),
			),
	);
	const times: number[] = [];
	for (const [n, sync] of syncs.entries()) {
		const { error, items } = await sync.workflow.ended(executionIds[n] ?? '');
		expect(error).toBeUndefined();
		expect(countActions(items)).toEqual({ [action]: inputs.get(types[n] ?? 0)?.length });
		const { startedAt, stoppedAt } = await cluster.n8n.client.execution(executionIds[n] ?? '');
		times.push(Date.parse(startedAt ?? ''), Date.parse(stoppedAt ?? ''));
	}
	return (Math.max(...times) - Math.min(...times)) / 1_000;
}

const kinds = [
	{ what: 'new contacts, the service answers at once', action: 'created', size: 2_500, latency: 0 },
	{ what: 'new contacts, it answers after 100 ms', action: 'created', size: 1_000, latency: 100 },
	{ what: 'unchanged contacts', action: 'unchanged', size: 10_000, latency: 0 },
];

describe.each([1, 2])('four syncs at once, workers: %i', (workers) => {
	beforeAll(async () => {
		const [, second] = cluster.workers;
		if (workers === 1) await second?.stop();
	});
	afterAll(async () => await cluster.startWorkers());

	test.each(kinds)('$what', async ({ what, action, size, latency }) => {
		await emptySandbox(sandbox);
		const inputs = inputsOf(size);
		for (const type of types) await sandbox.add('contactTypes', { id: type, name: `Type ${type}` });
		if (action === 'unchanged') {
			const contacts = [...inputs].flatMap(([contact_type_id, items]) =>
				items.map((item) => ({
					contact_type_id,
					country: GERMANY,
					email: String(item['E-Mail']),
					first_name: String(item['First Name']),
				})),
			);
			await sandbox.control('POST', '/seed', { contacts });
		}
		await sandbox.configure({ latencyMs: latency });
		const seconds = await runAll(inputs, action);
		await sandbox.configure({ latencyMs: 0 });
		const contacts = size * types.length;
		summary().measured({ what, contacts, workers, seconds, contactsPerSecond: contacts / seconds });
		await reconcile(sandbox, inputs);
	});
});
