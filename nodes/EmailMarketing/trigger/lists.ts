import type { IPollFunctions, NodeApiError } from 'n8n-workflow';

import { CircuitBreaker } from '../service/circuitBreaker';
import { listClient } from '../service/client';
import type { TimeLimit } from '../service/client';
import type { CredentialResult } from '../service/credential';
import { toFailure, toNodeApiError } from '../service/errors';
import { ServiceError } from '../service/failure';
import { retriesFailures } from '../params/givenOption';
import type { Failure } from '../service/failure';
import { fetchList } from '../service/lists';
import type { RecordKind } from '../records/recordKind';
import { records } from '../records/records';
import { coerceText, isId, isObject, isUtr } from '../util/coerce';
import { isSnapshotSource, keyOf } from './events';
import { kindOf, listOf } from './sources';
import type { ListName, SourceName } from './sources';
import type { Row } from './types';

/** What people call the records of a list. */
const NOUNS: Record<ListName, string> = {
	singleSends: 'campaigns',
	automations: 'automations',
	senders: 'senders',
	contacts: 'contacts',
	globalUnsubscribes: 'global unsubscribes',
	group: 'recipients of the unsubscribe group',
	segment: 'recipients of the segment',
};

export const nounOf = (source: SourceName) => NOUNS[listOf(source)];

/** Without an id, or a utr if that is the key, a row cannot be distinguished from others. */
function isUsable(row: unknown, source: SourceName): row is Row {
	if (!isObject(row) || !isId(coerceText(row.id))) return false;
	const needsUtr = isSnapshotSource(source) && keyOf(source) === 'utr';
	return !needsUtr || (typeof row.utr === 'string' && isUtr(row.utr));
}

async function readRows(
	context: IPollFunctions,
	source: SourceName,
	credential: CredentialResult,
	{ timeLimit, breaker }: { timeLimit: TimeLimit | undefined; breaker: CircuitBreaker },
): Promise<Row[]> {
	const { list, parent }: RecordKind = records[kindOf(listOf(source))];
	const query = parent && { [parent.field]: source.split(':')[1] };
	const retries = retriesFailures(context.getNode());
	const requestOptions = context.getNodeParameter('requestOptions', {});
	const options = { retries, isInteractive: false, timeLimit, breaker, requestOptions };
	const client = listClient(context, options, credential);
	const rows: unknown[] = await fetchList(client, list, query);
	const unusable = rows.findIndex((row) => !isUsable(row, source));
	if (unusable !== -1) {
		throw new ServiceError({
			code: 'entry-without-id',
			message: `Unexpected response: entry ${unusable + 1} of the list of ${nounOf(source)} has no valid ID or UTR`,
			description:
				'The response may have been altered in transit. The next poll reads the list again.',
			effect: 'none',
		});
	}
	return rows as Row[];
}

const tookTooLong = (source: SourceName, budgetMs: number): Failure => ({
	code: 'poll-timeout',
	message: `The list of ${nounOf(source)} took longer than the ${budgetMs / 1000} seconds that n8n allows for a poll`,
	description:
		'The next poll reads the list again. If this keeps happening, increase N8N_SCHEDULER_POLL_TIMEOUT and N8N_SCHEDULER_LEASE_DURATION in n8n.',
	effect: 'none',
});

/** What n8n names as the budget of a poll outside of its scheduler, where it does not end a poll. */
const UNLIMITED_MS = 5 * 60_000;

/** How long the scheduler of n8n lets a poll take, in milliseconds; undefined without it. */
export function budgetOf(context: IPollFunctions): number | undefined {
	// Older versions of n8n have no scheduler.
	const budgetMs =
		typeof context.getPollBudgetMs === 'function' ? context.getPollBudgetMs() : undefined;
	return budgetMs === UNLIMITED_MS ? undefined : budgetMs;
}

function limitOf(timeLeft: number): TimeLimit {
	const ms = Math.max(1, Math.floor(timeLeft));
	return { ms, signal: AbortSignal.timeout(ms) };
}

export interface ReadFailure {
	error: NodeApiError;
	/** Whether n8n's time for the poll was over. The list itself may be fine. */
	isTooSlow: boolean;
}

export interface ReadLists {
	rows: Map<SourceName, Row[]>;
	failures: Map<SourceName, ReadFailure>;
	/** The list to start with next time, if the time ran out or the service did not respond. */
	next?: SourceName;
}

/**
 * Reads each list once, one after the other, within the time that n8n allows a poll, and until the service stops
 * responding. If the time runs out during a list, the next poll starts with it, so that it gets the full time. If it
 * already had the full time, the next poll starts with the list after it.
 *
 * @param credential the same for all, so that they are of one account even if somebody changes it meanwhile
 * @param first the list to start with
 */
export async function readLists(
	context: IPollFunctions,
	sources: SourceName[],
	credential: CredentialResult,
	first?: SourceName,
): Promise<ReadLists> {
	const budgetMs = budgetOf(context);
	const started = performance.now();
	const start = first === undefined ? 0 : Math.max(0, sources.indexOf(first));
	const ordered = [...sources.slice(start), ...sources.slice(0, start)];
	const rows: ReadLists['rows'] = new Map();
	const failures: ReadLists['failures'] = new Map();
	const breaker = new CircuitBreaker();
	for (const [index, source] of ordered.entries()) {
		const timeLeft = (budgetMs ?? Infinity) - (performance.now() - started);
		if (index > 0 && (timeLeft <= 0 || breaker.isTripped)) return { rows, failures, next: source };
		const timeLimit = budgetMs === undefined ? undefined : limitOf(timeLeft);
		try {
			rows.set(source, await readRows(context, source, credential, { timeLimit, breaker }));
		} catch (error) {
			const isTooSlow = timeLimit?.signal.aborted === true;
			const failure = isTooSlow
				? tookTooLong(source, budgetMs ?? 0)
				: toFailure(error, { changesData: false });
			failures.set(source, { isTooSlow, error: toNodeApiError(context.getNode(), failure) });
			if (isTooSlow) {
				return { rows, failures, next: index === 0 ? (ordered[1] ?? source) : source };
			}
		}
	}
	return { rows, failures };
}
