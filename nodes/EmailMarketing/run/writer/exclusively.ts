import { withLock } from '../../util/mutex';
import type { RunContext } from '../runContext';

/**
 * Runs work that reads lists and then adds to them, while no other execution of this n8n does the same. Lists are
 * locked in one order everywhere, so that no two executions wait for each other.
 *
 * @param lists their names
 * @throws Cancelled; what `work` throws
 */
export async function exclusively<T>(
	run: Pick<RunContext, 'service' | 'signal'>,
	lists: readonly string[],
	work: () => Promise<T>,
): Promise<T> {
	const locked = lists
		.map((list) => `${run.service} ${list}`)
		.sort()
		.reduceRight((inner, queue) => async () => await withLock(queue, run.signal, inner), work);
	return await locked();
}
