import { NodeApiError } from 'n8n-workflow';
import type { IPollFunctions, JsonObject } from 'n8n-workflow';

import { pollClient } from '../api/client';
import type { TimeLimit } from '../api/client';
import { endpoints } from '../api/endpoints';
import type { KeyedEndpoint } from '../api/endpoints';
import { toFailure, toNodeApiError } from '../api/errors';
import type { Fields } from '../api/form';
import { fetchList } from '../api/lists';
import { coerceText, isId, isObject, isUtr } from '../util/coerce';
import type { TriggerState } from './state';
import type { Row, SourceName } from './types';

interface WatchedList {
	endpoint: KeyedEndpoint;
	query?: Fields;
	/** What the user calls its records. */
	noun: string;
}

const LISTS = {
	singleSends: { endpoint: endpoints.singleSend.getAll, noun: 'single sends' },
	automations: { endpoint: endpoints.automation.getAll, noun: 'automations' },
	senders: { endpoint: endpoints.sender.getAll, noun: 'senders' },
	contacts: { endpoint: endpoints.contact.getAll, noun: 'contacts' },
	globalUnsubscribes: { endpoint: endpoints.globalUnsubscribe.getAll, noun: 'global unsubscribes' },
} as const;

function listOf(source: SourceName): WatchedList {
	if (Object.hasOwn(LISTS, source)) return LISTS[source as keyof typeof LISTS];
	const [kind, id] = source.split(':');
	return kind === 'group'
		? {
				endpoint: endpoints.unsubscribeGroup.getRecipients,
				query: { groupId: id },
				noun: 'recipients of the unsubscribe group',
			}
		: {
				endpoint: endpoints.segment.getRecipients,
				query: { segment_id: id },
				noun: 'recipients of the segment',
			};
}

export const nounOf = (source: SourceName) => listOf(source).noun;

/** Without an id, or a utr where that is the key, a row cannot be distinguished from others. */
function isUsable(row: unknown, source: SourceName): row is Row {
	if (!isObject(row) || !isId(coerceText(row.id))) return false;
	const needsUtr = source === 'singleSends' || source === 'automations';
	return !needsUtr || (typeof row.utr === 'string' && isUtr(row.utr));
}

async function readRows(
	context: IPollFunctions,
	source: SourceName,
	timeLimit: TimeLimit | undefined,
): Promise<Row[]> {
	const { endpoint, query, noun } = listOf(source);
	const rows: unknown[] = await fetchList(pollClient(context, timeLimit), endpoint, query).catch(
		(error: unknown) => {
			throw toNodeApiError(context.getNode(), toFailure(error, endpoint));
		},
	);
	const unusable = rows.findIndex((row) => !isUsable(row, source));
	if (unusable !== -1) {
		throw new NodeApiError(
			context.getNode(),
			{},
			{
				message: `Unexpected response: entry ${unusable + 1} of the list of ${noun} has no valid ID or UTR`,
				description:
					'The response may have been altered in transit. The next poll reads the list again, and no event is lost.',
			},
		);
	}
	return rows as Row[];
}

function tookTooLong(context: IPollFunctions, source: SourceName, budgetMs: number): NodeApiError {
	return new NodeApiError(
		context.getNode(),
		{},
		{
			message: `The list of ${nounOf(source)} took longer than the ${budgetMs / 1000} seconds that n8n allows for a poll`,
			description:
				'The next poll reads the list again, and no event is lost. If this keeps happening, increase N8N_SCHEDULER_POLL_TIMEOUT in n8n.',
		},
	);
}

function limitOf(timeLeft: number): TimeLimit {
	const ms = Math.max(1, Math.floor(timeLeft));
	return { ms, signal: AbortSignal.timeout(ms) };
}

export interface ReadLists {
	rows: Map<SourceName, Row[]>;
	/** The list to start with next time, where the time ran out before it. */
	next?: SourceName;
}

/**
 * Reads each list once, one after the other, within the time that n8n allows a poll.
 *
 * @throws NodeApiError when a list cannot be read completely
 */
export async function readLists(
	context: IPollFunctions,
	sources: SourceName[],
	state: TriggerState,
): Promise<ReadLists> {
	// Older versions of n8n set no limit.
	const budgetMs =
		typeof context.getPollBudgetMs === 'function' ? context.getPollBudgetMs() : undefined;
	const started = performance.now();
	const first = Math.max(0, state.next === undefined ? 0 : sources.indexOf(state.next));
	const rows = new Map<SourceName, Row[]>();
	for (const source of [...sources.slice(first), ...sources.slice(0, first)]) {
		const timeLeft = () => (budgetMs ?? Infinity) - (performance.now() - started);
		if (rows.size > 0 && timeLeft() <= 0) return { rows, next: source };
		const timeLimit = budgetMs === undefined ? undefined : limitOf(timeLeft());
		try {
			rows.set(source, await readRows(context, source, timeLimit));
		} catch (error) {
			if (timeLimit?.signal.aborted) {
				if (rows.size > 0) return { rows, next: source };
				throw tookTooLong(context, source, budgetMs ?? 0);
			}
			throw new NodeApiError(context.getNode(), error as JsonObject);
		}
	}
	return { rows };
}
