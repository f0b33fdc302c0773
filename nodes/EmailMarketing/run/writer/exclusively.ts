import { withLock } from '../../util/mutex';
import type { RunContext } from '../runContext';

/**
 * Runs work while no other execution of this n8n does anything with the same lists or records. They are locked in one
 * order everywhere, so that no two executions wait for each other.
 *
 * @param lists names of lists that are read and then added to, or of a record that is read and then updated
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
