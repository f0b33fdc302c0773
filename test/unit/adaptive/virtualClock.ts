import type { Clock } from '../../../nodes/EmailMarketing/util/clock';

interface Timer {
	at: number;
	ring: () => void;
}

const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));

/** Time that passes only when everything waits for it. */
export class VirtualClock implements Clock {
	private time = 0;
	private timers: Timer[] = [];

	readonly now = (): number => this.time;

	readonly pause = async (ms: number): Promise<void> =>
		await new Promise((ring) => this.insert({ at: this.time + ms, ring }));

	/** Lets time pass until the work is done. */
	async runUntil<T>(work: Promise<T>): Promise<T> {
		let isDone = false;
		const done = work.finally(() => (isDone = true));
		for (;;) {
			await turn();
			if (isDone) return await done;
			const next = this.timers.shift();
			if (next === undefined) throw new Error('Nothing is left to wait for');
			this.time = next.at;
			next.ring();
			while (this.timers[0]?.at === this.time) this.timers.shift()?.ring();
		}
	}

	private insert(timer: Timer): void {
		let place = this.timers.length;
		while (place > 0 && (this.timers[place - 1] as Timer).at > timer.at) place--;
		this.timers.splice(place, 0, timer);
	}
}
