/**
 * Waits for all, even if one of them fails, so that nothing continues after the node has failed.
 *
 * @throws the error of the first one in the list that failed
 */
export async function settleAll<T extends readonly unknown[] | []>(
	tasks: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
	await Promise.allSettled(tasks);
	return await Promise.all(tasks);
}
