import type { IDataObject, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';
import type { ExecutionSummary, N8nClient, SavedWorkflow } from '../scripts/lib/n8n-client.ts';

/** One execution as n8n has stored it. */
export interface Stored {
	id: number;
	status: string;
	createdAt: number;
	/** When it was created, where it was saved and never begun. */
	startedAt: number;
	stoppedAt: number;
	/** What came out of the node that was asked for; undefined where nothing of it was kept. */
	items: IDataObject[] | undefined;
	/** The node failed; of a trigger, n8n stores such a poll as an execution of its own. */
	failed: boolean;
	/** What the execution ended with, where it failed. */
	error: string | undefined;
}

const unfinished = new Set(['new', 'running', 'waiting', 'unknown']);

const isArtificial = ({ json }: INodeExecutionData) => json.isArtificialRecoveredEventItem === true;

/** What a node put out, or, of a trigger, what it was to put out when n8n was killed. */
function itemsOf(data: IRunExecutionData, node: string): IDataObject[] | undefined {
	const ran = data.resultData.runData[node]?.[0]?.data?.main?.[0];
	const waiting = data.executionData?.nodeExecutionStack.find(
		(one) => one.node.name === node && one.source === null,
	);
	const items = ran && !ran.some(isArtificial) ? ran : waiting?.data.main?.[0];
	return items?.map(({ json }) => json);
}

/** The executions of one workflow, read again and again. */
export class ExecutionLog {
	private readonly workflow: SavedWorkflow;
	private readonly node: string;
	private readonly known = new Map<string, Stored>();

	/** @param node whose output counts */
	constructor(workflow: SavedWorkflow, node: string) {
		this.workflow = workflow;
		this.node = node;
	}

	/** The executions that have ended, oldest first; reads those that are new. */
	async read(client: N8nClient): Promise<Stored[]> {
		for (const summary of await client.allExecutions(this.workflow.id)) {
			if (unfinished.has(summary.status) || this.known.has(summary.id)) continue;
			this.known.set(summary.id, await this.stored(client, summary));
		}
		return this.last();
	}

	/** What the last reading found. */
	last(): Stored[] {
		return [...this.known.values()].sort((a, b) => a.id - b.id);
	}

	private async stored(client: N8nClient, summary: ExecutionSummary): Promise<Stored> {
		const { id, status, createdAt, startedAt, stoppedAt } = summary;
		const { data } = await client.execution(id);
		const failed = data.resultData.runData[this.node]?.[0]?.error !== undefined;
		return {
			id: Number(id),
			status,
			createdAt: Date.parse(createdAt),
			startedAt: Date.parse(startedAt ?? createdAt),
			stoppedAt: Date.parse(stoppedAt ?? startedAt ?? createdAt),
			items: failed ? undefined : itemsOf(data, this.node),
			failed,
			error: data.resultData.error?.message,
		};
	}
}

/** One for each workflow. */
export interface Logs {
	sync: ExecutionLog;
	everything: ExecutionLog;
	completed: ExecutionLog;
}
