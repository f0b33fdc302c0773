import type { INodeExecutionData } from 'n8n-workflow';

import type { Operation } from './operation';
import { allFailed, outputOf, skippedHint } from './output/runOutput';
import { beginAll } from './prepare';
import type { RunContext } from './runContext';
import { writeAll } from './writer';
import type { Writer } from './writer';

/**
 * Runs an operation for all items of a run: all requests are prepared, then sent a few at a time. Every item of the
 * output, and every failure, is paired to its input item.
 *
 * @throws NodeError unless the node is set to continue; nothing more is sent then
 * @throws Cancelled if the execution was canceled
 */
export async function runItems(
	run: RunContext,
	operation: Operation,
	write: Writer = writeAll,
): Promise<INodeExecutionData[]> {
	const error = invalidOption(run);
	if (error !== undefined) return outputOf(run, allFailed(run, error));
	const begun = await beginAll(run, operation);
	const sent = await write(run, operation, begun);
	if (operation.endpoint.changesData) run.showHint(skippedHint(sent));
	return outputOf(run, sent);
}

/** Why an option that holds for all items cannot be used. */
export function invalidOption(run: RunContext): unknown {
	try {
		void run.pool;
	} catch (error) {
		return error;
	}
	return undefined;
}
