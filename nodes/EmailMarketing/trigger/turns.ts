/** How long a poll with a state from before the last events gives way, in milliseconds. */
export const SAVE_GRACE_MS = 20_000;

interface Turn {
	polling: boolean;
	/** `emits` of the state from which the last events of this node were told, and when. */
	emitted?: { from: number; at: number };
}

const turns = new Map<string, Turn>();

/**
 * Runs one poll of a node at a time: nothing in n8n stops a slow one from meeting the next. The
 * second gives way; what it would have found is found by the next.
 *
 * @param key names the node
 * @returns null when another poll of the node is under way
 */
export async function inTurn<T>(key: string, work: (turn: Turn) => Promise<T>): Promise<T | null> {
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

/** Notes that events were told from the state with this count of `emits`. */
export function noteEmitted(turn: Turn, emits: number): void {
	turn.emitted = { from: emits, at: performance.now() };
}

/**
 * Whether the state is one from which this process has just emitted. Durable cursors are read
 * before a poll starts and saved after it has returned, and after a standstill n8n starts all
 * polls that are due at once: those still have the old state. Where the save has failed for good,
 * a later poll sees the old state too, and has to emit the same events again.
 */
export function isBeingSaved({ emitted }: Turn, emits: number): boolean {
	return emitted?.from === emits && performance.now() - emitted.at < SAVE_GRACE_MS;
}
