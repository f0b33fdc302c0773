import type { INodeExecutionData } from 'n8n-workflow';

import { truncateList } from '../../util/text';
import { withHelp } from '../help';
import { errorItem, itemError } from '../nodeError';
import { runOutcomeOf } from '../writer/outcome';
import { messageOf } from '../writer/verify';
import type { Outcome, RunOutcome } from '../writer/outcome';
import type { RunContext } from '../runContext';

/**
 * The output of a run, paired to its items.
 *
 * @throws NodeError for the first failure, unless the node is set to continue
 */
export function outputOf(run: RunContext, sent: RunOutcome): INodeExecutionData[] {
	return sent.outcomes.flatMap((outcome, position) => {
		const item = run.items[position];
		if (item === undefined || outcome.kind === 'notSent') return [];
		if (outcome.kind === 'items') {
			for (const one of outcome.items) one.pairedItem = { item: item.index };
			return outcome.items;
		}
		const error = itemError(run, outcome.error, item);
		if (run.continueOnFail) return [errorItem(error, item.index)];
		error.description = [
			error.description,
			failedItems(run, sent),
			progress(sent, item.index, position),
		]
			.filter((sentence) => sentence)
			.join(' ');
		error.context.runIndex = run.runIndex;
		// The editor shows descriptions as HTML; agents read them as they are.
		throw run.isTool ? error : withHelp(error);
	});
}

/** Reasons of other items that a message names. */
const shownReasons = 3;

/** The failed items, if there is more than one, with the reasons that the error itself does not tell. */
function failedItems({ items }: RunContext, { outcomes }: RunOutcome): string {
	const failed = outcomes.flatMap((outcome, position) =>
		outcome.kind === 'failed'
			? [{ item: String(items[position]?.index), reason: reasonIn(outcome.error) }]
			: [],
	);
	const [first] = failed;
	if (first === undefined || failed.length === 1) return '';
	const reported = new Set([first.reason]);
	const others = failed.filter(({ reason }) => !reported.has(reason) && reported.add(reason));
	const reasons = others
		.slice(0, shownReasons)
		.map(({ item, reason }) => `Item ${item}: ${reason}.`);
	return [
		countOf(
			failed.map(({ item }) => item),
			outcomes.length,
		),
		...reasons,
	].join(' ');
}

const reasonIn = (error: unknown): string => messageOf(error).replace(/\.$/, '');

function countOf(failed: string[], count: number): string {
	if (failed.length < count) return `${failed.length} items failed: ${truncateList(failed)}.`;
	return failed.length === 2 ? 'Both items failed.' : `All ${failed.length} items failed.`;
}

/** The outcome of the other items of a run that stops at this one. */
function progress(
	{ outcomes, unit, done, total }: RunOutcome,
	itemIndex: number,
	failedPosition: number,
): string {
	if (outcomes.length <= 1) return '';
	const failed = outcomes.filter(({ kind }) => kind === 'failed').length;
	const uncertain = outcomes.filter(
		(outcome, position) =>
			position !== failedPosition && outcome.kind === 'failed' && outcome.effect === 'unknown',
	).length;
	const open =
		uncertain === 0
			? ''
			: `${uncertain} other ${uncertain === 1 ? 'item' : 'items'} may have succeeded, too. `;
	if (done === 0 && uncertain === 0) {
		return failed === outcomes.length ? '' : `None of the ${outcomes.length} items was completed.`;
	}
	return (
		`${done} of ${total} ${unit === 'IDs' ? 'IDs were deleted' : 'items were completed'} before item ${itemIndex} failed. ${open}` +
		'To continue after failures, set "On Error" of this node to "Continue (using error output)".'
	);
}

/** How many items were skipped, by reason, such as "2 skipped: unsubscribed"; '' if none was. */
export function skippedHint({ outcomes }: RunOutcome): string {
	const counts = new Map<string, number>();
	for (const outcome of outcomes) {
		const skipped = outcome.kind === 'items' ? outcome.items[0]?.json.skipped : undefined;
		if (typeof skipped === 'string') counts.set(skipped, (counts.get(skipped) ?? 0) + 1);
	}
	return [...counts].map(([reason, count]) => `${count} skipped: ${reason}`).join(', ');
}

/** The output if no item can be started, because an option for all of them cannot be used; undefined if all can be. */
export function invalidOption(run: RunContext): INodeExecutionData[] | undefined {
	try {
		void run.pool;
	} catch (error) {
		const failed = run.items.map((): Outcome => ({ kind: 'failed', error, effect: 'none' }));
		return outputOf(run, runOutcomeOf(failed));
	}
	return undefined;
}
