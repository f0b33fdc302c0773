import type { TriggerState } from './state';

/** How long n8n may take to save reported events before they are reported again, in milliseconds. */
export const SAVE_GRACE_MS = 20_000;

interface PollLock {
	held: boolean;
	/** The newest state seen; where it came with events, the one before, since n8n may fail to save them. */
	newest?: TriggerState;
	/** `changes` of the state from which the last events were reported, and when. */
	reported?: { from: number; at: number };
}

const locks = new Map<string, PollLock>();

/**
 * Runs one poll of a node at a time: nothing in n8n keeps a slow poll from overlapping the next one.
 * The second one does nothing; a later poll finds what it would have found.
 *
 * @param key identifies the node
 * @returns null when another poll of the node is running
 */
export async function withPollLock<T>(
	key: string,
	work: (lock: PollLock) => Promise<T>,
): Promise<T | null> {
	const lock = locks.get(key) ?? { held: false };
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
 * The state to start from. The one that n8n provides may be older than what this process has seen:
 * durable cursors are read before a poll starts and saved after it has returned, and after an
 * interruption n8n starts all polls that are due at once.
 *
 * @returns null while n8n is saving the events that were reported from that state. If that save has
 *   failed permanently, a later poll has to report the same events again.
 */
export function stateToStartFrom(
	{ newest, reported }: PollLock,
	stored: TriggerState,
): TriggerState | null {
	const state = newest && newest.changes > stored.changes ? newest : stored;
	const isBeingSaved =
		reported && state.changes <= reported.from && performance.now() - reported.at < SAVE_GRACE_MS;
	return isBeingSaved ? null : state;
}

export function recordPoll(
	lock: PollLock,
	{ before, after, hasEvents }: { before: TriggerState; after: TriggerState; hasEvents: boolean },
): void {
	lock.newest = hasEvents ? before : after;
	if (hasEvents) lock.reported = { from: before.changes, at: performance.now() };
}
