/**
 * Waits for something, but no longer than until the signal is aborted.
 *
 * @returns false when it was aborted
 */
export async function raceAbort(
	something: Promise<unknown>,
	signal: AbortSignal | undefined,
): Promise<boolean> {
	const listening = new AbortController();
	const aborted = new Promise<void>((resolve) => {
		signal?.addEventListener('abort', () => resolve(), { once: true, signal: listening.signal });
	});
	if (!signal?.aborted) await Promise.race([something, aborted]);
	listening.abort();
	return !signal?.aborted;
}

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
