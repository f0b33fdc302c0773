import { raceAbort } from './promises';
import { Cancelled } from './pool';

/** The end of the last run in each queue. */
const queues = new Map<string, Promise<void>>();

/**
 * Runs work that reads a list and then adds to it, one at a time. n8n lets runs of a workflow overlap, and after a
 * standstill starts all due runs together: each would find the same contacts missing, and create them.
 *
 * @param queue names the list
 * @param signal aborted when the execution is cancelled
 * @param work starts once all earlier work has ended, successfully or not
 * @returns what `work` returns
 * @throws Cancelled when the execution was cancelled while it waited; what `work` throws
 */
export async function withLock<T>(
	queue: string,
	signal: AbortSignal | undefined,
	work: () => Promise<T>,
): Promise<T> {
	const before = queues.get(queue);
	let leave = () => {};
	const left = new Promise<void>((resolve) => (leave = resolve));
	const end = before === undefined ? left : before.then(async () => await left);
	queues.set(queue, end);
	// One that gave up waiting has left, but those before it may still be at work.
	void end.then(() => {
		if (queues.get(queue) === end) queues.delete(queue);
	});
	try {
		if (before !== undefined && !(await raceAbort(before, signal))) throw new Cancelled();
		return await work();
	} finally {
		leave();
	}
}
