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
	/** What came into it, where that was kept. */
	input?: IDataObject[];
	/** The node failed; of a trigger, n8n stores such a poll as an execution of its own. */
	failed: boolean;
	/** What the execution ended with, where it failed. */
	error: string | undefined;
}

/** How n8n begins the message of an execution that it gives up because its worker is gone. */
const givenUp = 'This execution failed to be processed too many times';

/** Main found the worker gone, and wrote an empty execution over what was saved. */
export const isGivenUp = ({ status, error }: Stored) =>
	status === 'error' && error?.startsWith(givenUp) === true;

/** Its process was killed before its end. */
export const isCut = (stored: Stored) => stored.status === 'crashed' || isGivenUp(stored);

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

const timesOf = ({ id, status, createdAt, startedAt, stoppedAt }: ExecutionSummary) => ({
	id: Number(id),
	status,
	createdAt: Date.parse(createdAt),
	startedAt: Date.parse(startedAt ?? createdAt),
	stoppedAt: Date.parse(stoppedAt ?? startedAt ?? createdAt),
});

/** The executions of one workflow, read again and again. */
export class ExecutionLog {
	private readonly workflow: SavedWorkflow;
	private readonly node: string;
	/** The node before it. */
	private readonly source: string | undefined;
	private readonly known = new Map<string, Stored>();
	/** What was saved of executions that had not ended. */
	private readonly begun: Map<string, IDataObject[] | undefined>;
	private open: Stored[] = [];

	/**
	 * @param node whose output counts
	 * @param before a log that has read the same executions before they ended
	 */
	constructor(workflow: SavedWorkflow, node: string, before?: ExecutionLog) {
		this.workflow = workflow;
		this.node = node;
		this.source = workflow.nodes.at(
			workflow.nodes.findIndex(({ name }) => name === node) - 1,
		)?.name;
		this.begun = new Map(before?.begun);
	}

	/** The executions that have ended, oldest first; reads those that are new. */
	async read(client: N8nClient): Promise<Stored[]> {
		const open: Stored[] = [];
		for (const summary of await client.allExecutions(this.workflow.id)) {
			const { id, status } = summary;
			if (this.known.has(id)) continue;
			if (!unfinished.has(status)) {
				this.known.set(id, await this.stored(client, summary));
				continue;
			}
			if (!this.begun.has(id)) {
				this.begun.set(id, itemsOf((await client.execution(id)).data, this.node));
			}
			open.push({
				...timesOf(summary),
				failed: false,
				error: undefined,
				items: this.begun.get(id),
			});
		}
		this.open = open;
		return this.last();
	}

	/** Those that had not ended at the last reading, with what they hold. */
	unfinished(): Stored[] {
		return this.open;
	}

	/** What the last reading found. */
	last(): Stored[] {
		return [...this.known.values()].sort((a, b) => a.id - b.id);
	}

	private async stored(client: N8nClient, summary: ExecutionSummary): Promise<Stored> {
		const { id, status } = summary;
		const { data } = await client.execution(id);
		// Of a kill in the middle of a node, n8n makes an error of that node.
		const failed =
			status !== 'crashed' && data.resultData.runData[this.node]?.[0]?.error !== undefined;
		const stored = {
			...timesOf(summary),
			items: failed ? undefined : itemsOf(data, this.node),
			input: this.source === undefined ? undefined : itemsOf(data, this.source),
			failed,
			error: data.resultData.error?.message,
		};
		if (isGivenUp(stored)) return { ...stored, items: this.begun.get(id) };
		// A worker that is started again says so, and main may still give the execution up.
		if (status === 'crashed') this.begun.set(id, stored.items);
		return stored;
	}
}

/** One for each workflow. */
export interface Logs {
	sync: ExecutionLog;
	everything: ExecutionLog;
	completed: ExecutionLog;
}
