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
