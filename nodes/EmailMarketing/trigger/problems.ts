import type { IPollFunctions } from 'n8n-workflow';

import { toNodeApiError } from '../service/errors';
import { isSnapshotSource } from './events';
import type { MassAbsence } from './events';
import { budgetOf, nounOf } from './lists';
import type { ReadFailure } from './lists';
import type { SourceName } from './sources';
import type { Problem } from './pollLock';
import type { TriggerState } from './state';

interface Polled {
	before: TriggerState;
	/** From the state after the poll. */
	failing: TriggerState['failing'];
	failures: ReadonlyMap<SourceName, ReadFailure>;
	massAbsences: MassAbsence[];
	unreadableMs: number;
	now: number;
	isPublishing: boolean;
	/** See `Watch`. */
	account: string | undefined;
}

const polledIn = new WeakSet<IPollFunctions>();

/**
 * Why n8n polls: to publish the workflow, because it has started, or as scheduled; to be called once in each poll. Later
 * polls have the same context, or come from the scheduler.
 */
export function reasonForPoll(context: IPollFunctions): 'publishing' | 'starting' | 'schedule' {
	const isFirst = !polledIn.has(context);
	polledIn.add(context);
	const isStart = ['init', 'leadershipChange'].includes(context.getActivationMode());
	if (!isFirst || budgetOf(context) !== undefined) return 'schedule';
	return isStart ? 'starting' : 'publishing';
}

/**
 * Whether a list was ever read with the current keys. A first read only remembers what exists, so earlier events may be
 * lost, unless its records show that only the keys of the same account changed.
 */
function isKnown(
	source: SourceName,
	{ before: { records, entries }, account }: Pick<Polled, 'before' | 'account'>,
): boolean {
	const known = isSnapshotSource(source) ? records[source] : entries[source];
	return known !== undefined && (known.account ?? account) === (account ?? known.account);
}

/**
 * Whether a list keeps the workflow from being published, because no poll has succeeded since it was chosen. Taking too
 * long does not, because the list may have had only little of the time.
 */
function isBlocking(
	source: SourceName,
	{ isTooSlow }: ReadFailure,
	polled: Pick<Polled, 'before' | 'account' | 'isPublishing'>,
): boolean {
	const isNew = !isKnown(source, polled) && polled.before.failing[source] === undefined;
	return polled.isPublishing && isNew && !isTooSlow;
}

/** What happens to the events of a list that cannot be read, and what to do. */
function remedyFor(isListKnown: boolean, blocks: boolean): string {
	if (blocks) {
		return 'It has never been read with the current keys, so its events cannot be recognized yet. Publish the workflow once it can be read, or remove the events of this list.';
	}
	const others =
		'The next poll reads all lists again. Events of the other lists are reported as usual';
	return isListKnown
		? `${others}; those of this list follow once it can be read.`
		: `${others}; those of this list may be lost until it has been read with the current keys.`;
}

/**
 * Problems that the user should know about although the poll succeeds, by their subject. While a workflow is being
 * published, only those that block it are included.
 */
export function problemsOf(context: IPollFunctions, polled: Polled): Map<string, Problem> {
	const node = context.getNode();
	const { failing, failures, massAbsences, unreadableMs, now, isPublishing } = polled;
	const problems = new Map<string, Problem>();
	if (massAbsences.length > 0 && !isPublishing) {
		const lists = massAbsences.map(
			({ source, missing, of }) => `${missing} of ${of} ${nounOf(source)}`,
		);
		const error = toNodeApiError(node, {
			code: 'records-missing',
			effect: 'none',
			message: `${lists.join(' and ')} have been missing from their list for three polls`,
			description:
				'Check the service. If the next three polls do not find them either, they are reported as deleted.',
		});
		// Other numbers are another problem: further records are missing, and only this poll finds that.
		problems.set(`missing ${lists.join()}`, { error, isFoundOnce: true });
	}
	for (const [source, failure] of failures) {
		const isListKnown = isKnown(source, polled);
		const isOverdue = now - (failing[source] ?? now) >= unreadableMs;
		if (!isOverdue && (isListKnown || failure.isTooSlow)) continue;
		const blocks = isBlocking(source, failure, polled);
		if (isPublishing && !blocks) continue;
		const { message, description } = failure.error;
		const since = new Date(failing[source] ?? NaN).toISOString();
		// Without its HTTP status: after a 401 or 403, n8n would not poll the other lists for half an hour either.
		const error = toNodeApiError(node, {
			code: 'list-unreadable',
			effect: 'none',
			message: `The list of ${nounOf(source)} has been unreadable since ${since}: ${message}`,
			description: `${description ?? ''} ${remedyFor(isListKnown, blocks)}`.trim(),
		});
		problems.set(`failing ${source}`, { error, ...(blocks && { isBlocking: true }) });
	}
	return problems;
}
