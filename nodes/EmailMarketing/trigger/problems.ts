import type { IPollFunctions } from 'n8n-workflow';

import { toNodeApiError } from '../service/errors';
import type { MassAbsence } from './events';
import { nounOf } from './lists';
import type { ReadFailure } from './lists';
import type { SourceName } from './sources';
import type { Problem } from './pollLock';
import type { TriggerState } from './state';

interface Polled {
	before: TriggerState;
	/** Whether the node has never completed a poll. */
	isFirst: boolean;
	/** From the state after the poll. */
	failing: TriggerState['failing'];
	failures: ReadonlyMap<SourceName, ReadFailure>;
	massAbsences: MassAbsence[];
	unreadableMs: number;
	now: number;
}

/**
 * A list that was never read is a problem immediately, so that publishing the workflow fails. Taking too long is not,
 * because the list may have had only little of the time.
 */
function isOverdue(
	source: SourceName,
	{ isTooSlow }: ReadFailure,
	{ before, failing, unreadableMs, now }: Polled,
) {
	const isKnown = Object.hasOwn({ ...before.records, ...before.entries }, source);
	return now - (failing[source] ?? now) >= unreadableMs || (!isKnown && !isTooSlow);
}

/** Problems that the user should know about although the poll succeeds, by their subject. */
export function problemsOf(context: IPollFunctions, polled: Polled): Map<string, Problem> {
	const node = context.getNode();
	const { isFirst, failing, failures, massAbsences } = polled;
	const problems = new Map<string, Problem>();
	if (massAbsences.length > 0) {
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
		if (!isOverdue(source, failure, polled)) continue;
		const { message, description } = failure.error;
		const since = new Date(failing[source] ?? NaN).toISOString();
		// Without its HTTP status: after a 401 or 403, n8n would not poll the other lists for half an hour either.
		const error = toNodeApiError(node, {
			code: 'list-unreadable',
			effect: 'none',
			message: `The list of ${nounOf(source)} has been unreadable since ${since}: ${message}`,
			description: `${description ?? ''} ${
				isFirst
					? 'The workflow was not published. Publish it once the list can be read, or remove the events of this list.'
					: 'The next poll reads all lists again. Events of the other lists are reported as usual; those of this list follow once it can be read.'
			}`.trim(),
		});
		problems.set(`failing ${source}`, { error });
	}
	return problems;
}
