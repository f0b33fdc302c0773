interface Turn {
	polling: boolean;
	/** `emits` of the state from which the last events of this node were told. */
	emittedFrom?: number;
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

/**
 * Whether the state is one from which this process has emitted already, so that the save of the
 * one after it may still be under way (durable cursors save after the poll has returned). Says so
 * once only: where the save has failed, the next poll has to emit the same events again.
 */
export function isBeingSaved(turn: Turn, emits: number): boolean {
	const isStale = turn.emittedFrom === emits;
	delete turn.emittedFrom;
	return isStale;
}
