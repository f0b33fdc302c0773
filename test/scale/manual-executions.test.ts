import type { Execution, WorkflowJson } from '../../scripts/lib/n8n-client.ts';
import { chain, node, typeOf } from '../n8n/test-n8n.ts';
import { sharedCluster } from './setup/shared.ts';
import { address, countActions, emptySandbox, people, syncNode, TYPE } from './sync.ts';

jest.setTimeout(1_800_000);

const cluster = sharedCluster();

// What n8n 3 always does.
beforeAll(async () => await cluster.restart({ OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' }));
afterAll(async () => await cluster.restart({}));

beforeEach(async () => await emptySandbox(cluster.sandbox));
afterEach(async () => expect(await cluster.sandbox.violations()).toEqual([]));

/** Runs a workflow by hand, on a worker, and gives what its last node put out. */
async function runByHand(workflow: WorkflowJson) {
	const [first, last] = [workflow.nodes[0], workflow.nodes.at(-1)];
	const { id } = await cluster.n8n.save(workflow);
	const execution: Execution = await cluster.n8n.client.run(id, first?.name ?? '');
	expect(execution.status).toBe('success');
	expect(cluster.workers).toContain(await cluster.workerOf(execution.id));
	const runs = execution.data.resultData.runData[last?.name ?? ''] ?? [];
	return runs.flatMap((run) => run.data?.main?.[0] ?? []).map(({ json }) => json);
}

const start = node('Start', 'n8n-nodes-base.manualTrigger');

test('a sync that is started by hand runs on a worker', async () => {
	const rows = await runByHand({
		...chain('By hand', [start, syncNode()]),
		pinData: { Start: people(0, 20).map((json) => ({ json })) },
	});
	expect(countActions(rows)).toEqual({ created: 20 });
	const contacts = await cluster.sandbox.records('contacts');
	expect(contacts.map(({ email }) => email)).toEqual(people(0, 20).map((_, n) => address(n)));
});

test('a file that a worker keeps in the database is imported', async () => {
	const file = node('File', 'n8n-nodes-base.convertToFile', {}, { typeVersion: 1.1 });
	const contactTypeId = { __rl: true, mode: 'id', value: String(TYPE) };
	const importing = node('Import', typeOf('emailMarketing'), {
		...{ resource: 'contact', operation: 'importCsv', contactTypeId, binaryPropertyName: 'data' },
	});
	const rows = await runByHand({
		...chain('Import by hand', [start, file, importing]),
		pinData: { Start: [{ json: { email: 'imported@example.com', country: 'Germany' } }] },
	});
	expect(rows).toHaveLength(1);
	const contacts = await cluster.sandbox.records('contacts');
	expect(contacts.map(({ email }) => email)).toEqual(['imported@example.com']);
});

test('the trigger shows a test event of a worker', async () => {
	await cluster.sandbox.add('singleSends', { single_send_name: 'Spring' });
	const watch = node('Watch', typeOf('emailMarketingTrigger'), { events: ['singleSendCreated'] });
	const rows = await runByHand(chain('Test event', [watch]));
	expect(rows).toMatchObject([{ record: { single_send_name: 'Spring' } }]);
});
