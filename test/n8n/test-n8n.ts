import type { INode, INodeExecutionData, ITaskData } from 'n8n-workflow';
import { credentialName, credentialType, packageName } from '../../scripts/lib/demo-data.ts';
import {
	type N8nClient,
	N8nRefusal,
	type SavedWorkflow,
	type WorkflowJson,
	triggerOf,
} from '../../scripts/lib/n8n-client.ts';
import { chain, node, typeOf } from '../../scripts/lib/workflow-json.ts';

export { chain, node, typeOf };

export interface NodeResult {
	/** What the first output gave. */
	items: INodeExecutionData[];
	/** What the error output gave; empty when the node has none. */
	errorItems: INodeExecutionData[];
	executionTimeMs: number;
	/** What stopped the node. */
	error: { message: string; description?: string | null; context?: Record<string, unknown> } | null;
}

export interface RunResult {
	status: string;
	/** Every node that ran, by its name. */
	nodes: Record<string, NodeResult>;
	/** What stopped the workflow. */
	error: NodeResult['error'];
}

function nodeResult(runs: ITaskData[], hasErrorOutput: boolean): NodeResult {
	const output = (index: number) => runs.flatMap((run) => run.data?.main?.[index] ?? []);
	return {
		items: output(0),
		errorItems: hasErrorOutput ? output(1) : [],
		executionTimeMs: runs.reduce((sum, run) => sum + run.executionTime, 0),
		error: runs.find((run) => run.error)?.error ?? null,
	};
}

/** n8n 1 and early n8n 2 refuse to begin what newer ones begin and end at once. */
function notBegun(error: unknown): undefined {
	const refused = error instanceof N8nRefusal && error.message.includes('workflow has issues');
	if (!refused) throw error;
}

/** An n8n with the package installed and a credential for the sandbox. */
export class TestN8n {
	client: N8nClient;
	readonly credentialId: string;

	constructor(client: N8nClient, credentialId: string) {
		this.client = client;
		this.credentialId = credentialId;
	}

	/** Saves a workflow with the credential put into each node of the package that names no other. */
	async save(workflow: WorkflowJson): Promise<SavedWorkflow> {
		const credentials = { [credentialType]: { id: this.credentialId, name: credentialName } };
		return await this.client.createWorkflow({
			...workflow,
			nodes: workflow.nodes.map((node) => {
				const named = node.credentials?.[credentialType];
				const usesIt = named ? !named.id : node.type.startsWith(`${packageName}.`);
				return usesIt ? { ...node, credentials: { ...node.credentials, ...credentials } } : node;
			}),
		});
	}

	/**
	 * Runs a workflow once, from its first trigger, as "Execute workflow" in the editor does.
	 *
	 * @returns the run, whether it succeeded or failed
	 * @throws Error when it has not ended after `timeoutMs`
	 */
	async runWorkflow(workflow: WorkflowJson, timeoutMs = 240_000): Promise<RunResult> {
		const trigger = triggerOf(workflow);
		const { id } = await this.save(workflow);
		const execution = await this.client.run(id, trigger.name, timeoutMs).catch(notBegun);
		if (execution === undefined) return { status: 'error', nodes: {}, error: null };
		const { status, data } = execution;
		const withErrorOutput = new Set(
			workflow.nodes
				.filter((node) => node.onError === 'continueErrorOutput')
				.map(({ name }) => name),
		);
		const nodes = Object.entries(data.resultData.runData).map(([name, runs]) => [
			name,
			nodeResult(runs, withErrorOutput.has(name)),
		]);
		return {
			status,
			nodes: Object.fromEntries(nodes) as Record<string, NodeResult>,
			error: data.resultData.error ?? null,
		};
	}

	/**
	 * Runs the action node alone.
	 *
	 * @param items the `json` of its input items
	 * @param rest other settings of the node, such as `onError`
	 */
	async runNode(
		parameters: INode['parameters'],
		items: INodeExecutionData['json'][] = [{}],
		rest: Partial<INode> = {},
	): Promise<NodeResult & { status: string }> {
		const start = node('Start', 'n8n-nodes-base.manualTrigger');
		const action = node('Email Marketing', typeOf('emailMarketing'), parameters, rest);
		const { status, nodes } = await this.runWorkflow({
			...chain('One node', [start, action]),
			pinData: { [start.name]: items.map((json) => ({ json })) },
		});
		const result = nodes[action.name];
		if (!result) throw new Error(`The node did not run; the execution ended with "${status}"`);
		return { ...result, status };
	}

	/** Saves a workflow and activates it, so that its triggers run by themselves. */
	async activate(workflow: WorkflowJson): Promise<SavedWorkflow> {
		return await this.client.activate(await this.save(workflow));
	}

	/** How many executions of a workflow have ended in success (or in `status`). */
	async countExecutions(workflowId: string, status = 'success'): Promise<number> {
		return await this.client.countExecutions(workflowId, status);
	}

	/** Waits until that many executions have ended in success. */
	async waitForExecutions(workflowId: string, count: number, timeoutMs = 240_000): Promise<void> {
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			const seen = await this.countExecutions(workflowId);
			if (seen >= count) return;
			if (Date.now() > deadline) {
				throw new Error(`${seen} executions of ${count} after ${timeoutMs / 1000} s`);
			}
			await new Promise((resolve) => setTimeout(resolve, 200));
		}
	}
}
