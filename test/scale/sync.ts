import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { Contact } from '../../sandbox/model.ts';
import type { SandboxClient } from '../../scripts/lib/sandbox-client.ts';
import { chain, node, typeOf } from '../n8n/test-n8n.ts';
import type { Cluster } from './cluster.ts';
import { type ProductionRun, ProductionWorkflow, call, called, webhook } from './production.ts';
import type { Worker } from './worker.ts';

export const TYPE = 21;
export const GERMANY = 85;

export const address = (n: number) => `person${n}@example.com`;

/** Items for a sync. */
export const people = (
	from: number,
	to: number,
	changed: (n: number) => IDataObject = () => ({}),
): IDataObject[] =>
	Array.from({ length: to - from }, (_, index) => from + index).map((n) => ({
		'E-Mail': address(n),
		'First Name': `Ann ${n}`,
		Country: 'DE',
		...changed(n),
	}));

export const syncNode = (parameters: INodeParameters = {}) =>
	node('Sync', typeOf('emailMarketing'), {
		resource: 'contact',
		operation: 'sync',
		contactTypeId: { __rl: true, mode: 'id', value: String(TYPE) },
		fields: { mappingMode: 'autoMapInputData', value: null },
		...parameters,
	});

/** Empties the sandbox, down to the contact type that is synced. */
export async function emptySandbox(sandbox: SandboxClient): Promise<void> {
	await sandbox.reset();
	await sandbox.add('contactTypes', { id: TYPE, name: 'Customers' });
}

/** The contacts that a sync of these people would have made. */
export async function seedPeople(sandbox: SandboxClient, from: number, to: number): Promise<void> {
	const contacts: Array<Partial<Contact>> = people(from, to).map((item) => ({
		contact_type_id: TYPE,
		country: GERMANY,
		email: String(item['E-Mail']),
		first_name: String(item['First Name']),
	}));
	await sandbox.control('POST', '/seed', { contacts });
}

/** Puts people on the global unsubscribe list, in capitals, which must make no difference. */
export async function unsubscribe(sandbox: SandboxClient, addresses: string[]): Promise<void> {
	const globalUnsubscribes = addresses.map((email) => ({ email_address: email.toUpperCase() }));
	await sandbox.control('POST', '/seed', { globalUnsubscribes });
}

export function countActions(items: IDataObject[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { action } of items) counts[String(action)] = (counts[String(action)] ?? 0) + 1;
	return counts;
}

/** A workflow whose webhook passes the items of each call to the node. */
async function activateCalls(cluster: Cluster, last: INode): Promise<ProductionWorkflow> {
	const split = node('Split', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.items' });
	const json = chain('Sync of each call', [webhook('Start'), split, last]);
	return await ProductionWorkflow.activate(cluster.n8n, json);
}

/** A sync that runs in production, with the items that each call brings. */
export class SyncWorkflow {
	readonly workflow: ProductionWorkflow;
	/** The workflow that has the sync node: this one, or the one that it calls. */
	readonly syncWorkflowId: string;
	private readonly cluster: Cluster;

	private constructor(cluster: Cluster, workflow: ProductionWorkflow, syncWorkflowId: string) {
		this.cluster = cluster;
		this.workflow = workflow;
		this.syncWorkflowId = syncWorkflowId;
	}

	static async activate(cluster: Cluster, parameters?: INodeParameters): Promise<SyncWorkflow> {
		const workflow = await activateCalls(cluster, syncNode(parameters));
		return new SyncWorkflow(cluster, workflow, workflow.id);
	}

	/** With the sync node in a workflow of its own, which the first one calls. */
	static async activateWithSubWorkflow(
		cluster: Cluster,
		parameters?: INodeParameters,
	): Promise<SyncWorkflow> {
		const inner = await cluster.n8n.activate(chain('Sync', [called(), syncNode(parameters)]));
		const workflow = await activateCalls(cluster, call(inner.id));
		return new SyncWorkflow(cluster, workflow, inner.id);
	}

	/** Begins a sync, on one worker where one is named, and leaves it running. @returns its execution */
	async start(items: IDataObject[], where: { worker?: Worker } = {}): Promise<string> {
		const begin = async () => await this.workflow.start({ items });
		const { worker } = where;
		if (worker === undefined) return await begin();
		return await this.cluster.onlyOn(worker, async () => {
			const executionId = await begin();
			await worker.begins(executionId);
			return executionId;
		});
	}

	/** Runs a sync to its end, on one worker where one is named. */
	async run(items: IDataObject[], where: { worker?: Worker } = {}): Promise<ProductionRun> {
		return await this.workflow.ended(await this.start(items, where));
	}

	/** What n8n has saved for the sync node. */
	async memory(): Promise<Record<string, unknown>> {
		return (await this.cluster.staticData(this.syncWorkflowId)).Sync ?? {};
	}
}
