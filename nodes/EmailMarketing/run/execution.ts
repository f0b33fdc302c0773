import type {
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IRunExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

type Context = IExecuteFunctions | IExecutePaginationFunctions;

/** What n8n's contexts have in 1.123 and 2.41, beyond the interface for nodes. */
interface Internals {
	runExecutionData?: IRunExecutionData;
	additionalData?: { rootExecutionMode?: WorkflowExecuteMode };
}

/** Names the execution. All calls by another workflow belong to the execution of that workflow. */
export const executionOf = (context: Context): string =>
	context.getExecutionContext()?.parentExecutionId ?? context.getExecutionId();

/** How the execution was started, such as `trigger`. If another workflow calls this one, how that one was started. */
export const modeOf = (context: Context): WorkflowExecuteMode =>
	(context as Internals).additionalData?.rootExecutionMode ?? context.getMode();

/** Data that n8n keeps for the node until the execution has ended, even while it waits. */
export const executionData = (context: Context): IDataObject =>
	context.getContext('node') as IDataObject;

/**
 * Whether n8n may run the node again in this execution: it is part of a loop, or a node that leads to it still waits to
 * run. If n8n does not show what waits, the answer is yes.
 */
export function mayRunAgain(context: Context): boolean {
	const { executionData: waiting } = (context as Internals).runExecutionData ?? {};
	if (!waiting) return true;
	const { name } = context.getNode();
	const leading = new Set([name, ...context.getParentNodes(name).map((node) => node.name)]);
	return [
		...context.getChildNodes(name).map((node) => node.name),
		...waiting.nodeExecutionStack.map(({ node }) => node.name),
		...Object.keys(waiting.waitingExecution),
	].some((node) => leading.has(node));
}
