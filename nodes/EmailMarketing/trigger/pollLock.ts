import type { Reads } from './heartbeat';
import type { SourceName } from './sources';
import type { TriggerState } from './state';

/**
 * How long n8n may take to save reported events before they are reported again, in milliseconds. When n8n starts on a
 * busy machine, this can take half a minute.
 */
const SAVE_GRACE_MS = 60_000;
const HOUR_MS = 60 * 60_000;
/** Enough for about two months with one change a minute. */
const MAX_SEEN = 100_000;

interface PollLock {
	held: boolean;
	/** The newest state seen. If it came with events, also the one before, since n8n may fail to save them. */
	newest?: TriggerState;
	/** The IDs of the states that led to `newest`, as far as known: n8n may never save those of polls without events. */
	seen: Set<string>;
	/** When events were last reported from `newest`. */
	reportedAt?: number;
	/** The lists that could not be read since they were last read: a poll that fails saves no state. */
	unread: Set<SourceName>;
	/** The list to start with after such a poll. */
	next?: SourceName;
	/** When the last poll began, in milliseconds since 1970. */
	polledAt?: number;
	/** See `Reads`. */
	reads: Reads;
	/** Problems for which a poll failed, and when. */
	raised: Map<string, number>;
	/** That for which the last poll has failed; undefined after one that succeeded. */
	latest?: Problem;
}

const locks = new Map<string, PollLock>();

/**
 * Runs one poll of a node at a time: n8n does not keep a slow poll from overlapping the next one. The second one does
 * nothing, and a later poll finds its events.
 *
 * @param key identifies the node
 * @returns null when another poll of the node is running
 */
export async function withPollLock<T>(
	key: string,
	work: (lock: PollLock) => Promise<T>,
): Promise<T | null> {
	const lock = locks.get(key) ?? {
		held: false,
		seen: new Set(),
		unread: new Set(),
		reads: new Map(),
		raised: new Map(),
	};
	if (lock.held) return null;
	locks.set(key, lock);
	lock.held = true;
	try {
		return await work(lock);
	} finally {
		lock.held = false;
	}
}

/**
 * The state to start from. The one that n8n provides may be older than what this process has seen: durable cursors are
 * read before a poll starts and saved after it has returned, after an interruption n8n starts all polls that are due at
 * once, and without durable cursors only polls with events are saved. The state seen by this process is used if it
 * follows from the state that n8n provides; otherwise, another process has continued since.
 *
 * @returns null while n8n is saving the events that were reported from that state. If that save has failed permanently,
 *   a later poll has to report the same events again.
 */
export function stateToStartFrom(lock: PollLock, stored: TriggerState): TriggerState | null {
	const id = idOf(stored);
	if (lock.newest === undefined || (id !== undefined && !lock.seen.has(id))) {
		const newest = lock.newest && idOf(lock.newest);
		if (newest === undefined || !stored.lineage.includes(newest)) lock.seen.clear();
		for (const one of stored.lineage) lock.seen.add(one);
		lock.newest = stored;
		lock.reportedAt = undefined;
	}
	const { newest, reportedAt = -Infinity } = lock;
	return performance.now() - reportedAt < SAVE_GRACE_MS ? null : newest;
}

const idOf = ({ lineage }: TriggerState): string | undefined => lineage.at(-1);

export function recordPoll(
	lock: PollLock,
	{ before, after, hasEvents }: { before: TriggerState; after: TriggerState; hasEvents: boolean },
): void {
	lock.newest = hasEvents ? before : after;
	const id = idOf(lock.newest);
	if (id !== undefined) lock.seen.add(id);
	const [oldest] = lock.seen;
	if (oldest !== undefined && lock.seen.size > MAX_SEEN) lock.seen.delete(oldest);
	lock.reportedAt = hasEvents ? performance.now() : undefined;
	lock.latest = undefined;
}

export interface Problem {
	error: Error;
	/** Whether no later poll finds it, unless this one fails. */
	isFoundOnce?: true;
	/** Whether every poll fails with it. */
	isBlocking?: true;
}

/**
 * Fails the poll with a problem that the user should see. The next poll that succeeds continues, and reports the events
 * of this one. So a problem that later polls find as well is raised at most once an hour, and not before such a poll.
 *
 * @throws the first problem that is due
 */
export function raiseProblems(
	lock: PollLock,
	problems: ReadonlyMap<string, Problem>,
	now: number,
): void {
	const { raised, latest } = lock;
	for (const [key, problem] of problems) {
		const isSaid = latest !== undefined || Math.abs(now - (raised.get(key) ?? -Infinity)) < HOUR_MS;
		const mayPass = problem.isFoundOnce ? latest?.isFoundOnce : isSaid;
		if (mayPass && !problem.isBlocking) continue;
		raised.set(key, now);
		lock.latest = problem;
		throw problem.error;
	}
}
