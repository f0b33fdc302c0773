import { coerceText } from '../util/coerce';
import { withLock } from '../util/mutex';
import type { RunContext } from './runContext';

/**
 * Runs what reads lists and then adds to them while no other execution of this n8n does the same. The lists are locked
 * in one order everywhere, so that no two executions wait for each other.
 *
 * @param lists their names
 * @throws Cancelled; what `work` throws
 */
export async function exclusively<T>(
	run: RunContext,
	lists: readonly string[],
	work: () => Promise<T>,
): Promise<T> {
	const baseUrl = coerceText(run.credential?.baseUrl);
	const locked = [...lists]
		.sort()
		.reduceRight(
			(inner, list) => async () => await withLock(`${baseUrl} ${list}`, run.signal, inner),
			work,
		);
	return await locked();
}
