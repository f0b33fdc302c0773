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
