import { sleep } from 'n8n-workflow';

/** Tests replace it with one that does not wait. */
export interface Clock {
	/** Milliseconds; only differences mean something. */
	now: () => number;
	pause: (ms: number) => Promise<unknown>;
}

export const realClock: Clock = {
	now: () => performance.now(),
	pause: async (ms) => await sleep(ms),
};

/** How far the system clock is ahead of the one that is never set. */
let lead = Date.now() - performance.now();
let reached = -Infinity;

/** The time that the system clock has reached, in epoch milliseconds, even if it has been set back since. */
export function latestTime(): number {
	const [now, elapsed] = [Date.now(), performance.now()];
	const before = lead;
	lead = now - elapsed;
	if (lead < before) reached = Math.max(reached, Math.floor(before + elapsed));
	return Math.max(now, reached);
}
