import { chain, node } from '../n8n/test-n8n.ts';
import { ProductionWorkflow, webhook } from './production.ts';
import { sharedCluster } from './setup/shared.ts';
import type { Worker } from './worker.ts';

jest.setTimeout(600_000);

const cluster = sharedCluster();

/** Puts out what it finds, and counts on. */
const counter = () =>
	node(
		'Count',
		'n8n-nodes-base.code',
		{
			jsCode: `
				const data = $getWorkflowStaticData('node');
				const found = data.count ?? null;
				data.count = (found ?? 0) + 1;
				return [{ json: { found } }];
			`,
		},
		{ typeVersion: 2 },
	);

async function runOn(worker: Worker, workflow: ProductionWorkflow) {
	const { executionId, status, items } = await cluster.onlyOn(
		worker,
		async () => await workflow.run({}),
	);
	expect(status).toBe('success');
	expect(await cluster.workerOf(executionId)).toBe(worker);
	return items;
}

// What the memory of a sync has to reckon with on this version of n8n.
test('n8n 2.41.1 saves the static data of a worker, and the next production run begins without it', async () => {
	const [first, second] = cluster.workers;
	if (!first || !second) throw new Error('There are no two workers');
	const workflow = await ProductionWorkflow.activate(
		cluster.n8n,
		chain('Counter', [webhook('Start', 'count'), counter()]),
	);
	const saved = async () => (await cluster.staticData(workflow.id)).Count;

	expect(await runOn(first, workflow)).toEqual([{ found: null }]);
	expect(await saved()).toEqual({ count: 1 });
	expect(await runOn(first, workflow)).toEqual([{ found: null }]);
	expect(await runOn(second, workflow)).toEqual([{ found: null }]);
	expect(await saved()).toEqual({ count: 1 });

	await cluster.restart();
	expect(await saved()).toEqual({ count: 1 });
	expect(await runOn(second, workflow)).toEqual([{ found: null }]);
});
