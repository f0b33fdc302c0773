import type { N8nClient, SavedWorkflow } from '../../scripts/lib/n8n-client.ts';
import { ExecutionLog } from '../executions.ts';
import { findingsIn } from './evidence.ts';

const items = [{ json: { event: 'x', record: {} } }];
/** Saved with what the trigger is to put out, as n8n does before it begins. */
const waiting = {
	resultData: { runData: {} },
	executionData: {
		nodeExecutionStack: [{ node: { name: 'Watch' }, source: null, data: { main: [items] } }],
	},
};
const errorOf = (message: string) => ({ resultData: { runData: {}, error: { message } } });
const inNode = (data: object) => ({
	...data,
	resultData: { runData: { Watch: [{ error: { message: 'Oh' } }] }, error: { message: 'Oh' } },
});

/** An n8n that has one execution, which the test changes. */
function n8nWith(status: string, data: object) {
	const now = { status, data };
	const times = { createdAt: new Date(0), startedAt: new Date(0), stoppedAt: new Date(0) };
	const client = {
		allExecutions: async () => [{ id: '1', status: now.status, ...times }],
		execution: async () => ({ data: now.data }),
	} as unknown as N8nClient;
	return { now, client };
}

const workflow = { id: 'w', nodes: [{ name: 'Watch' }] } as SavedWorkflow;
const given = [{ event: 'x', record: {} }];

test.each<[string, string, object, boolean, object[] | undefined]>([
	['crashed in the trigger', 'crashed', inNode(waiting), false, given],
	['crashed before it began', 'crashed', waiting, false, given],
	['of a poll that failed', 'error', inNode({}), true, undefined],
])('an execution %s', async (_what, status, data, failed, expected) => {
	const { client } = n8nWith(status, data);
	const [stored] = await new ExecutionLog(workflow, 'Watch').read(client);
	expect(stored).toMatchObject({ failed });
	expect(stored?.items).toEqual(expected);
});

test.each(['running', 'crashed'])(
	'what an execution held while it was %s is known when n8n gave it up',
	async (status) => {
		const { now, client } = n8nWith(status, waiting);
		const log = new ExecutionLog(workflow, 'Watch');
		await log.read(client);
		now.status = 'error';
		now.data = errorOf('This execution failed to be processed too many times and …');
		const again = new ExecutionLog(workflow, 'Watch', log);
		expect(await again.read(client)).toMatchObject([{ failed: false, items: given }]);
		expect(await new ExecutionLog(workflow, 'Watch').read(client)).toMatchObject([
			{ failed: false, items: undefined },
		]);
	},
);

test('an execution that has not ended is known with what it holds', async () => {
	const { now, client } = n8nWith('running', waiting);
	const log = new ExecutionLog(workflow, 'Watch');
	expect(await log.read(client)).toEqual([]);
	expect(log.unfinished()).toMatchObject([{ id: 1, status: 'running', items: given }]);
	const polls = { everything: { ended: [], open: log.unfinished() } };
	expect(findingsIn({ polls, end: 40_000 })).toEqual([
		{ promise: 'Every run ends', what: 'execution 1, which began at 0, has not ended' },
	]);
	expect(findingsIn({ polls, end: 20_000 })).toEqual([]);
	now.status = 'success';
	await log.read(client);
	expect(log.unfinished()).toEqual([]);
});
