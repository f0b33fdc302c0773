import { chain, n8n, node, resetSandbox, sandbox, violations } from './harness.ts';

const start = node('Start', 'n8n-nodes-base.manualTrigger');

beforeEach(resetSandbox);

describe('running workflows', () => {
	it('gives the items, times and errors of each node', async () => {
		const set = node(
			'Set',
			'n8n-nodes-base.set',
			{ mode: 'raw', jsonOutput: '={{ { double: $json.value * 2 } }}' },
			{ typeVersion: 3.4 },
		);
		const stop = node('Stop', 'n8n-nodes-base.stopAndError', { errorMessage: 'Enough' });
		const { status, nodes, error } = await n8n.runWorkflow({
			...chain('Items and an error', [start, set, stop]),
			pinData: { Start: [{ json: { value: 1 } }, { json: { value: 2 } }] },
		});
		expect(status).toBe('error');
		expect(nodes.Set?.items.map(({ json }) => json)).toEqual([{ double: 2 }, { double: 4 }]);
		expect(nodes.Set?.executionTimeMs).toBeGreaterThanOrEqual(0);
		expect(nodes.Stop?.error?.message).toBe('Enough');
		expect(error?.message).toBe('Enough');
	});

	it('tells the items of the error output from the others', async () => {
		const request = node(
			'Request',
			'n8n-nodes-base.httpRequest',
			{ url: '={{ $json.url }}' },
			{ typeVersion: 4.2, onError: 'continueErrorOutput' },
		);
		const { status, nodes } = await n8n.runWorkflow({
			...chain('Error output', [start, request]),
			pinData: {
				Start: [
					{ json: { url: `${sandbox.url}/__sandbox/violations` } },
					{ json: { url: `${sandbox.url}/__sandbox/nothing-here` } },
				],
			},
		});
		expect(status).toBe('success');
		expect(nodes.Request?.errorItems).toHaveLength(1);
	});
});

describe('the sandbox', () => {
	it('is the same for n8n and the tests, and is emptied between them', async () => {
		await sandbox.add('contactTypes', { name: 'Customers' });
		expect(await sandbox.records('contactTypes')).toMatchObject([{ name: 'Customers' }]);
		await resetSandbox();
		expect(await sandbox.records('contactTypes')).toEqual([]);
		expect(await violations()).toEqual([]);
	});
});
