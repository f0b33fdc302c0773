import type { TriggerState } from './state';

/** How long a poll with a state from before the last events gives way, in milliseconds. */
export const SAVE_GRACE_MS = 20_000;

interface Turn {
	polling: boolean;
	/** The newest state that does not count events as told which n8n may have failed to save. */
	newest?: TriggerState;
	/** `changes` of the state from which the last events were told, and when. */
	told?: { from: number; at: number };
}

const turns = new Map<string, Turn>();

/**
 * Runs one poll of a node at a time: nothing in n8n stops a slow one from meeting the next. The
 * second gives way; what it would have found is found by the next.
 *
 * @param key names the node
 * @returns null when another poll of the node is under way
 */
export async function withPollLock<T>(
	key: string,
	work: (turn: Turn) => Promise<T>,
): Promise<T | null> {
	const turn = turns.get(key) ?? { polling: false };
	if (turn.polling) return null;
	turns.set(key, turn);
	turn.polling = true;
	try {
		return await work(turn);
	} finally {
		turn.polling = false;
	}
}

/**
 * The state to go on from. What n8n hands over may be older than what this process has seen:
 * durable cursors are read before a poll starts and saved after it has returned, and after a
 * standstill n8n starts all polls that are due at once.
 *
 * @returns null when n8n is about to save the events told from that state. Where that save has
 *   failed for good, a later poll has to tell the same events again.
 */
export function stateToGoOnFrom({ newest, told }: Turn, stored: TriggerState): TriggerState | null {
	const state = newest && newest.changes > stored.changes ? newest : stored;
	const isBeingSaved =
		told && state.changes <= told.from && performance.now() - told.at < SAVE_GRACE_MS;
	return isBeingSaved ? null : state;
}

/** Notes what a poll has made of a state. */
export function recordPoll(
	turn: Turn,
	{ before, after, tells }: { before: TriggerState; after: TriggerState; tells: boolean },
): void {
	turn.newest = tells ? before : after;
	if (tells) turn.told = { from: before.changes, at: performance.now() };
}
