import type {
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IRunExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

/** What n8n's contexts have in 1.123 and 2.41, beyond the interface for nodes. */
interface Internals {
	runExecutionData?: IRunExecutionData;
	additionalData?: { rootExecutionMode?: WorkflowExecuteMode };
	workflow?: { staticData?: IDataObject };
}

/** How n8n runs a node, and what it keeps for it. */
export class NodeContext {
	/** As n8n passes it to the node. */
	readonly context: IExecuteFunctions | IExecutePaginationFunctions;

	constructor(context: IExecuteFunctions | IExecutePaginationFunctions) {
		this.context = context;
	}

	protected get internals(): Internals {
		return this.context as Internals;
	}

	get runIndex(): number {
		return (this.context as IExecuteFunctions).getWorkflowDataProxy(0).$runIndex;
	}

	/** Names the run: n8n's execution, and which run of the node it is where the node stands in a loop. */
	get runId(): string {
		return `${this.executionId}-${this.runIndex}`;
	}

	/** Data that n8n keeps for this node between two executions of the workflow, except manual ones. */
	get staticData(): IDataObject {
		return this.context.getWorkflowStaticData('node');
	}

	/**
	 * Whether there is some, or n8n does not show it. Merely reading it would make n8n create it, and save it for the
	 * whole workflow.
	 */
	get hasStaticData(): boolean {
		const { staticData } = this.internals.workflow ?? {};
		return !staticData || staticData[`node:${this.context.getNode().name}`] !== undefined;
	}

	/** Identifies the node within this n8n. */
	get nodeKey(): string {
		return `${this.context.getWorkflow().id ?? ''}:${this.context.getNode().id}`;
	}

	/** How the execution was started, such as `trigger`, or `manual` in the editor. */
	get mode(): WorkflowExecuteMode {
		return this.context.getMode();
	}

	/**
	 * The mode of the calling workflow, if another workflow called this one. Older versions of n8n show only its source.
	 */
	get callerMode(): WorkflowExecuteMode {
		const { additionalData, runExecutionData } = this.internals;
		const { source } = runExecutionData?.parentExecution?.executionContext ?? {};
		const caller = additionalData?.rootExecutionMode ?? source ?? this.mode;
		// A retry keeps the call of the execution that it repeats.
		return this.mode === 'retry' && caller !== 'evaluation' ? this.mode : caller;
	}

	/** n8n's execution of this workflow. */
	get executionId(): string {
		return this.context.getExecutionId();
	}

	/** When n8n started the execution, in milliseconds; undefined if n8n does not show it. */
	get startedAt(): number | undefined {
		const { runData = {} } = this.internals.runExecutionData?.resultData ?? {};
		const times = Object.values(runData).flatMap(([run]) => run?.startTime ?? []);
		return times.length === 0 ? undefined : Math.min(...times);
	}

	/** The execution of the calling workflow, if another workflow called this one. */
	get outerExecutionId(): string {
		return this.context.getExecutionContext()?.parentExecutionId ?? this.executionId;
	}

	get isCalled(): boolean {
		return this.outerExecutionId !== this.executionId;
	}

	/**
	 * Whether the calling workflow was itself called. Its calls may then belong to one execution, which n8n does not show.
	 */
	get isCalledByCalled(): boolean {
		const { parentExecution } = this.internals.runExecutionData ?? {};
		return parentExecution?.executionContext?.parentExecutionId !== undefined;
	}

	/** Data that n8n keeps for this node until the execution has ended, even while it waits. */
	get executionData(): IDataObject {
		return this.dataOf('node');
	}

	/** The same for all nodes of the execution. */
	get flowData(): IDataObject {
		return this.dataOf('flow');
	}

	/** For its own agents, n8n keeps none. */
	private dataOf(owner: 'node' | 'flow'): IDataObject {
		const { runExecutionData } = this.internals;
		const isKept = !runExecutionData || runExecutionData.executionData;
		return isKept ? (this.context.getContext(owner) as IDataObject) : {};
	}

	/**
	 * Whether n8n may run this node again in this execution, with other items: it is part of a loop, or a node that leads
	 * to it still waits to run. If n8n does not show what waits, the answer is yes.
	 */
	get mayRunAgain(): boolean {
		const { context } = this;
		const { executionData: waiting } = this.internals.runExecutionData ?? {};
		if (!waiting) return true;
		const { name } = context.getNode();
		const leading = new Set([name, ...context.getParentNodes(name).map((node) => node.name)]);
		return [
			...context.getChildNodes(name).map((node) => node.name),
			...waiting.nodeExecutionStack.map(({ node }) => node.name),
			...Object.keys(waiting.waitingExecution),
		].some((node) => leading.has(node));
	}
}
