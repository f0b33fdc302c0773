import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { type SavedWorkflow, type WorkflowJson, triggerOf } from '../../scripts/lib/n8n-client.ts';
import { type TestN8n, node } from '../n8n/test-n8n.ts';
import { until } from './until.ts';

const unfinished = ['new', 'running', 'waiting', 'unknown'];

/** A trigger of production executions, which is called at a path of its own: all files share one n8n. */
export function webhook(name: string) {
	const path = randomUUID();
	return node(
		name,
		'n8n-nodes-base.webhook',
		{ path, httpMethod: 'POST' },
		{ typeVersion: 2, webhookId: path },
	);
}

export interface ProductionRun {
	executionId: string;
	status: string;
	/** What the last node of the chain put out. */
	items: IDataObject[];
	/** What stopped the workflow. */
	error: string | undefined;
}

/** An active workflow of one chain of nodes, begun by a schedule or by calls of its webhook. */
export class ProductionWorkflow {
	private readonly n8n: TestN8n;
	readonly saved: SavedWorkflow;

	private constructor(n8n: TestN8n, saved: SavedWorkflow) {
		this.n8n = n8n;
		this.saved = saved;
	}

	static async activate(n8n: TestN8n, workflow: WorkflowJson): Promise<ProductionWorkflow> {
		return new ProductionWorkflow(n8n, await n8n.activate(workflow));
	}

	get id(): string {
		return this.saved.id;
	}

	/** Calls the webhook with JSON, or with a form, as soon as n8n has registered it. */
	async call(body: object): Promise<void> {
		const path = String(triggerOf(this.saved).parameters.path);
		const json = { 'content-type': 'application/json' };
		const content =
			body instanceof FormData ? { body } : { headers: json, body: JSON.stringify(body) };
		await until(`the webhook of ${this.saved.name}`, async () => {
			const url = `${this.n8n.client.url}/webhook/${path}`;
			const { ok, status } = await fetch(url, { method: 'POST', ...content });
			if (!ok && status !== 404) throw new Error(`n8n answered the webhook with ${status}`);
			return ok;
		});
	}

	/** The IDs of its executions, newest first. */
	async executionIds(): Promise<string[]> {
		return (await this.n8n.client.executions(this.id)).map(({ id }) => id);
	}

	/** @returns the ID of an execution that is not among `known` */
	async next(known: string[]): Promise<string> {
		return await until('an execution', async () =>
			(await this.executionIds()).find((id) => !known.includes(id)),
		);
	}

	/** Calls the webhook. @returns the ID of the execution, which has only begun or is queued */
	async start(body: object): Promise<string> {
		const known = await this.executionIds();
		await this.call(body);
		return await this.next(known);
	}

	/** Waits for the end of an execution, whether well or not. */
	async ended(executionId: string): Promise<ProductionRun> {
		await until(`the end of execution ${executionId}`, async () => {
			const executions = await this.n8n.client.executions(this.id);
			const found = executions.find(({ id }) => id === executionId);
			return found !== undefined && !unfinished.includes(found.status);
		});
		const { status, data } = await this.n8n.client.execution(executionId);
		const { runData, error } = data.resultData;
		const last = runData[this.saved.nodes.at(-1)?.name ?? ''] ?? [];
		const items = last.flatMap((run) => run.data?.main?.[0] ?? []).map(({ json }) => json);
		return { executionId, status, items, error: error?.message };
	}

	/** Calls the webhook and waits for the end of the execution. */
	async run(body: object): Promise<ProductionRun> {
		return await this.ended(await this.start(body));
	}

	/** Waits until none of its executions is left to run. */
	async idle(): Promise<void> {
		await until('the executions to end', async () => {
			const executions = await this.n8n.client.executions(this.id);
			return executions.every(({ status }) => !unfinished.includes(status));
		});
	}

	async deactivate(): Promise<void> {
		await this.n8n.client.deactivate(this.id);
	}
}

/** The node of a workflow that another one calls, which passes on the items that it is called with. */
export const called = () =>
	node(
		'Called',
		'n8n-nodes-base.executeWorkflowTrigger',
		{ inputSource: 'passthrough' },
		{ typeVersion: 1.1 },
	);

/** Calls another workflow with all items at once, and puts out what its last node puts out. */
export const call = (workflowId: string) =>
	node(
		'Call',
		'n8n-nodes-base.executeWorkflow',
		{ workflowId: { __rl: true, mode: 'id', value: workflowId } },
		{ typeVersion: 1.2 },
	);
