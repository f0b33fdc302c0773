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

interface SlowRun {
	parameters: INodeParameters;
	items: IDataObject[];
	/** Whether as much is done as is waited for. */
	isUnderWay: () => Promise<boolean>;
}

/** Starts a run of the node "Action" whose requests take their time, and waits until some of them are done. */
export async function startSlowRun(
	on: TestN8n,
	{ parameters: given, items, isUnderWay }: SlowRun,
): Promise<{ workflowId: string; executionId: string }> {
	await sandbox.configure({ latencyMs: 500 });
	const start = node('Start', 'n8n-nodes-base.manualTrigger');
	const action = node('Action', typeOf('emailMarketing'), given);
	const { id } = await on.save({
		...chain('A slow run', [start, action]),
		pinData: { Start: items.map((json) => ({ json })) },
	});
	const executionId = await on.client.startRun(id, start.name);
	while (!(await isUnderWay())) await sleep(20);
	return { workflowId: id, executionId };
}

/** Starts 1,000 creates, and waits until so many are done. */
export const startCreates = async (
	on: TestN8n,
	{ done = 300, options = {} }: { done?: number; options?: INodeParameters } = {},
) =>
	await startSlowRun(on, {
		parameters: parameters({ options }),
		items: people(1_000),
		isUnderWay: async () => (await contactCount()) >= done,
	});
