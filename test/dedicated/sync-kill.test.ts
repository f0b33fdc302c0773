import { type DedicatedN8n, sandbox, startDedicatedN8n, violations } from '../n8n/harness.ts';
import { contactCount, countActions, resetContactType, startCreates } from '../n8n/sync-support.ts';

jest.setTimeout(1_800_000);

let n8n: DedicatedN8n;
beforeAll(async () => {
	await resetContactType();
	n8n = await startDedicatedN8n();
});
afterAll(async () => {
	await n8n.stop();
	expect(await violations()).toEqual([]);
});

test('after a kill in the middle of 1,000 creates, running the workflow again creates the rest, and nobody twice', async () => {
	const { workflowId } = await startCreates(n8n);
	await n8n.kill();
	expect(await contactCount()).toBeLessThan(1_000);

	await sandbox.configure({ latencyMs: 0 });
	await n8n.start();
	const { data } = await n8n.client.run(workflowId, 'Start', 500_000);
	const items = data.resultData.runData.Action?.[0]?.data?.main?.[0] ?? [];
	const after = await sandbox.records('contacts');
	expect(new Set(after.map(({ email }) => email)).size).toBe(1_000);
	expect(after).toHaveLength(1_000);
	const { created = 0, unchanged = 0 } = countActions(items);
	expect(created + unchanged).toBe(1_000);
	expect(unchanged).toBeGreaterThanOrEqual(300);
});
