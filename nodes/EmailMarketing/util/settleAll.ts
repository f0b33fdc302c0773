/**
 * Waits for all, also when one of them fails: nothing goes on once the node has failed.
 *
 * @throws what the first in the list that failed threw
 */
export async function settleAll<T extends readonly unknown[] | []>(
	tasks: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
	await Promise.allSettled(tasks);
	return await Promise.all(tasks);
}
