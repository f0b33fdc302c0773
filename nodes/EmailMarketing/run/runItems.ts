import type { INodeExecutionData } from 'n8n-workflow';

import { bulkDelete } from './bulkDelete';
import { actionOf } from './itemActions';
import type { Operation, PreparedRequest, Written } from './operation';
import type { Outcome, Sent } from './writer/outcome';
import { allFailed, outputOf, skippedHint } from './output/runOutput';
import { beginAll, finishAll, isRefused, refuseAhead } from './prepare';
import type { RunContext } from './runContext';
import { write } from './writer/write';

/**
 * Runs an operation for all items of a run: all requests are prepared, then sent. Every item of the output, and every
 * failure, is paired to its input item.
 *
 * @throws NodeError unless the node is set to continue; nothing more is sent then
 * @throws Cancelled if the execution was canceled
 */
export async function runItems(
	run: RunContext,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const error = invalidOption(run);
	if (error !== undefined) return outputOf(run, allFailed(run, error));
	const begun = await beginAll(run, operation);
	const isInTurn = operation.plan?.record !== undefined;
	const prepared = await (isInTurn ? refuseAhead : finishAll)(run, operation, begun);
	run.pool.check();
	if (isRefused(run, prepared)) run.halt();
	const sent = await (operation.isBulkDelete ? bulkDelete : sendAll)(run, operation, prepared);
	if (operation.endpoint.changesData) run.showHint(skippedHint(sent));
	return outputOf(run, sent);
}

/** Why an option for all items cannot be used. */
export function invalidOption(run: RunContext): unknown {
	try {
		void run.pool;
	} catch (error) {
		return error;
	}
	return undefined;
}

/** One action for each item. */
async function sendAll(
	run: RunContext,
	operation: Operation,
	prepared: readonly PreparedRequest[],
): Promise<Sent> {
	const actions = prepared.map((request) => actionOf(run, operation, request));
	const outcomes = await write(run, actions);
	await operation.plan?.complete?.(run, writtenOf(prepared, outcomes));
	const done = outcomes.filter(({ kind }) => kind === 'items').length;
	return { outcomes, unit: 'items', done, total: outcomes.length };
}

function writtenOf(prepared: readonly PreparedRequest[], outcomes: readonly Outcome[]): Written[] {
	return prepared.flatMap((request, position) => {
		const outcome = outcomes[position];
		return request.kind === 'send' && request.draft.isMade && outcome?.kind === 'items'
			? [{ draft: request.draft, items: outcome.items }]
			: [];
	});
}
