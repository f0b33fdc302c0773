import { setTimeout as sleep } from 'node:timers/promises';
import { chain, type DedicatedN8n, node, startDedicatedN8n } from '../n8n/harness.ts';

describe('a dedicated n8n', () => {
	let own: DedicatedN8n;

	beforeAll(async () => {
		own = await startDedicatedN8n();
	});
	afterAll(() => own.stop());

	it('keeps its active workflows over a kill', async () => {
		const webhook = node(
			'Webhook',
			'n8n-nodes-base.webhook',
			{ path: 'count', httpMethod: 'GET' },
			{ typeVersion: 2, webhookId: 'count' },
		);
		const { id } = await own.activate(chain('Counted', [webhook]));
		const callUntilAnswered = async () => {
			while (!(await fetch(`${own.client.url}/webhook/count`)).ok) await sleep(100);
		};
		await callUntilAnswered();
		await own.waitForExecutions(id, 1);
		await own.kill();
		await expect(callUntilAnswered()).rejects.toThrow('fetch failed');
		await own.start();
		await callUntilAnswered();
		await own.waitForExecutions(id, 2);
		expect(await own.countExecutions(id)).toBe(2);
	});
});
