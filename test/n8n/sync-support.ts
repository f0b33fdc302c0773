import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type TestN8n, chain, node, resetSandbox, sandbox, typeOf } from './harness.ts';

export const TYPE = 21;
export const GERMANY = 85;

/** Empties the sandbox, and adds the contact type that contacts are synced into. */
export async function resetContactType(): Promise<void> {
	await resetSandbox();
	await sandbox.add('contactTypes', { id: TYPE, name: 'Customers' });
}

export const parameters = (changed: INodeParameters = {}): INodeParameters => ({
	resource: 'contact',
	operation: 'sync',
	contactTypeId: { __rl: true, mode: 'id', value: String(TYPE) },
	fields: { mappingMode: 'autoMapInputData', value: null },
	...changed,
});

export const address = (n: number) => `person${n}@example.com`;

export const people = (
	count: number,
	changed: (n: number) => IDataObject = () => ({}),
): IDataObject[] =>
	Array.from({ length: count }, (_, n) => ({
		'E-Mail': address(n),
		'First Name': `Ann ${n}`,
		Country: 'DE',
		...changed(n),
	}));

export function countActions(items: Array<{ json: IDataObject }>): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { json } of items) {
		const action = String(json.action);
		counts[action] = (counts[action] ?? 0) + 1;
	}
	return counts;
}

export const contactCount = async () => (await sandbox.counts()).contacts;

/** Starts 1,000 creates that take their time, and waits until 300 are done. */
export async function startCreates(
	on: TestN8n,
): Promise<{ workflowId: string; executionId: string }> {
	await sandbox.configure({ latencyMs: 500 });
	const start = node('Start', 'n8n-nodes-base.manualTrigger');
	const action = node('Sync', typeOf('emailMarketing'), parameters());
	const { id } = await on.save({
		...chain('1,000 creates', [start, action]),
		pinData: { Start: people(1_000).map((json) => ({ json })) },
	});
	const executionId = await on.client.startRun(id, start.name);
	while ((await contactCount()) < 300) await sleep(20);
	return { workflowId: id, executionId };
}
