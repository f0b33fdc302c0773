import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until `look` gives something other than undefined, false or null. Against hangs only: a busy machine takes its time.
 *
 * @throws Error that names `what`, when nothing has come after `timeoutMs`
 */
export async function until<T>(
	what: string,
	look: () => Promise<T | undefined | false | null>,
	timeoutMs = 600_000,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const found = await look();
		if (found !== undefined && found !== false && found !== null) return found;
		if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs / 1000} s for ${what}`);
		await sleep(100);
	}
}
