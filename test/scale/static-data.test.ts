import { chain, node } from '../n8n/test-n8n.ts';
import { ProductionWorkflow, call, called, webhook } from './production.ts';
import { sharedCluster } from './setup/shared.ts';
import type { Worker } from './worker.ts';

jest.setTimeout(1_800_000);

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

function twoWorkers(): [Worker, Worker] {
	const [first, second] = cluster.workers;
	if (!first || !second) throw new Error('There are no two workers');
	return [first, second];
}

// What the memory of a sync has to reckon with on this version of n8n.
test('n8n 2.41.1 saves the static data of a worker, and the next production run begins without it', async () => {
	const [first, second] = twoWorkers();
	const workflow = await ProductionWorkflow.activate(
		cluster.n8n,
		chain('Counter', [webhook('Start'), counter()]),
	);
	for (const worker of [first, first, second]) {
		expect(await runOn(worker, workflow)).toEqual([{ found: null }]);
		expect((await cluster.staticData(workflow.id)).Count).toEqual({ count: 1 });
	}
});

test('a workflow that another one calls reads what it saved on the other worker, also after a restart', async () => {
	const [first, second] = twoWorkers();
	const inner = await cluster.n8n.activate(chain('Inner', [called(), counter()]));
	const workflow = await ProductionWorkflow.activate(
		cluster.n8n,
		chain('Outer', [webhook('Start'), call(inner.id)]),
	);
	expect(await runOn(first, workflow)).toEqual([{ found: null }]);
	expect(await runOn(second, workflow)).toEqual([{ found: 1 }]);
	await cluster.restart();
	expect(await runOn(first, workflow)).toEqual([{ found: 2 }]);
	expect((await cluster.staticData(inner.id)).Count).toEqual({ count: 3 });
});
