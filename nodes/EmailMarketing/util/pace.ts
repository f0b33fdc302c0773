/** Accepted requests that tell a rate limit from a service that takes nothing just now. */
const fewestAccepted = 10;

/** For the network, which does not carry all requests equally fast. */
const margin = 1.02;

/** How long a learned rate is kept before a higher one is tried; doubled each time that is refused. */
const firstProbeMs = 60_000;
const shortestProbeMs = 5_000;
const probeFactor = 1.25;

/** While one refusal is all that is known: it may have been by chance. */
const firstProbeFactor = 2;

/** For counting anew after a pause of which nobody said how long it has to be. */
const longEnoughMs = 5_000;

/** Retry-After is in whole seconds. */
const roundedMs = 1000;

/** Some such seconds, in which one too many makes little difference. */
const longMs = 4 * roundedMs;

/** By how much at least a rate that was refused is lowered: less with each refusal, and little if it was measured. */
const firstBackOff = 0.6;
const leastBackOff = 1.03;

/** A pause that is so short is worth no second refusal to be sure of the rate. */
const shortPauseMs = 2_000;

/** The length of the window, from what has passed up to its end at the latest; Retry-After is rounded up. */
const windowOf = (ms: number): number => 1000 * Math.max(1, Math.floor(ms / 1000));

interface Refusal {
	/** When the first refused request was sent, and when the last one was. */
	startedAt: number;
	lastAt: number;
	retryAfterMs?: number;
	count: number;
	/** Requests sent after the first refused one and accepted. A window that is used up accepts none. */
	acceptedAfter: number;
}

/**
 * Learns how many requests a service takes in which time, from the answer 429 and what was accepted before it, and
 * spaces out the requests accordingly: as many as were accepted in each window of time, evenly.
 */
export class Pace {
	/** When the last requests started, one for each that the window takes; empty while no limit is known. */
	private starts: number[] = [];
	private position = 0;
	private windowMs = 0;
	/** Since when requests are counted. */
	private since: number | undefined;
	private accepted = 0;
	/** What was refused since the last pause. */
	private refusal: Refusal | undefined;
	private refusals = 0;
	private resumed = { at: Infinity, accepted: 0 };
	private probe = { at: Infinity, everyMs: firstProbeMs, goodWindowMs: 0 };

	get isLearned(): boolean {
		return this.starts.length > 0;
	}

	accept(startedAt: number): void {
		this.accepted++;
		if (this.refusal && startedAt > this.refusal.startedAt) this.refusal.acceptedAfter++;
	}

	refuse(startedAt: number, retryAfterMs: number | undefined): void {
		this.refusal ??= { startedAt, lastAt: startedAt, retryAfterMs, count: 0, acceptedAfter: 0 };
		this.refusal.count++;
		this.refusal.lastAt = Math.max(this.refusal.lastAt, startedAt);
	}

	/** The pause after refusals is over. */
	resume(now: number): void {
		const { refusal } = this;
		if (refusal === undefined) return;
		this.refusal = undefined;
		this.forgetEarlier(refusal);
		if (refusal.acceptedAfter < refusal.count) this.adapt(now, refusal);
		this.resumed = { at: now, accepted: this.accepted };
		this.spread(now);
	}

	/**
	 * Reserves the next start.
	 *
	 * @returns when it is due, and what to call then: it returns whether the reservation holds, which a pause ends
	 */
	reserve(now: number): { at: number; start: (now: number) => boolean } {
		this.since ??= now;
		if (!this.isLearned) return { at: now, start: () => true };
		const { starts, position } = this;
		const last = starts[position] ?? 0;
		// A rate that is not used to the full need not be higher.
		if (now >= this.probe.at && last + this.windowMs > now) this.speedUp(now);
		const at = Math.max(now, last + this.windowMs);
		starts[position] = at;
		this.position = (position + 1) % starts.length;
		const start = (actual: number) => {
			starts[position] = Math.max(at, actual);
			return starts === this.starts;
		};
		return { at, start };
	}

	/** A single refusal may be by chance. If the pause was long, it takes another one: that takes no time from a window. */
	private adapt(now: number, refusal: Refusal): void {
		const { count, retryAfterMs = Infinity } = refusal;
		this.refusals++;
		const isClear = this.refusals > 1 || (count > 1 && retryAfterMs <= shortPauseMs);
		if (this.isLearned) this.slowDown(now, refusal);
		else if (isClear && this.accepted >= fewestAccepted) this.learn(now, refusal);
	}

	/** Counts from the last pause on, if the window was over after it. */
	private forgetEarlier({ startedAt, retryAfterMs }: Refusal): void {
		const { at, accepted } = this.resumed;
		const isOver = retryAfterMs !== undefined || startedAt - at >= longEnoughMs;
		const fewest = Math.max(fewestAccepted, accepted / 2);
		if (at > startedAt || !isOver || this.accepted - accepted < fewest) return;
		this.since = at;
		this.accepted -= accepted;
		this.resumed.accepted = 0;
	}

	/** In how many milliseconds the requests were accepted. */
	private measuredMs(refusal: Refusal): number {
		const { startedAt, lastAt, retryAfterMs } = refusal;
		const since = this.since ?? startedAt;
		const busyMs = startedAt - since;
		// The window is over some time after the last refusal; the usual window is a second.
		if (retryAfterMs === undefined) return Math.max(1000, lastAt - since) * margin;
		if (this.isExact(refusal)) return (busyMs + retryAfterMs - roundedMs / 2) * margin;
		// The window began with the first request, unless requests were accepted for longer than the pause.
		return (busyMs <= retryAfterMs ? windowOf(busyMs + retryAfterMs) : busyMs) * margin;
	}

	/** Whether whole windows have passed since the last pause, to within the second by which it may have been too long. */
	private isExact({ startedAt, retryAfterMs }: Refusal): boolean {
		if (retryAfterMs === undefined || this.since !== this.resumed.at) return false;
		return startedAt + retryAfterMs - this.since >= longMs;
	}

	private learn(now: number, refusal: Refusal): void {
		this.starts = new Array<number>(this.accepted).fill(-Infinity);
		this.windowMs = this.measuredMs(refusal);
		this.probe.at = now + this.probe.everyMs;
	}

	private slowDown(now: number, refusal: Refusal): void {
		const { probe } = this;
		if (probe.goodWindowMs > 0) {
			this.windowMs = probe.goodWindowMs;
			probe.goodWindowMs = 0;
			probe.everyMs *= 2;
		} else if (this.accepted > 0) {
			const measuredMs = (this.measuredMs(refusal) * this.starts.length) / this.accepted;
			// Refusals that only go on do not say that the rate was too high.
			const isNew = this.accepted - this.resumed.accepted >= fewestAccepted;
			const least = this.isExact(refusal) ? leastBackOff : 1 + firstBackOff / this.refusals;
			this.windowMs = Math.max(isNew ? this.windowMs * least : this.windowMs, measuredMs);
		}
		probe.at = now + probe.everyMs;
	}

	private speedUp(now: number): void {
		this.probe.goodWindowMs = this.windowMs;
		this.windowMs /= this.refusals > 1 ? probeFactor : firstProbeFactor;
		this.probe.at = now + Math.max(shortestProbeMs, (this.refusals > 1 ? 2 : 1) * this.windowMs);
	}

	/** As if the last requests had started evenly, so that the next ones do. */
	private spread(now: number): void {
		const { starts, windowMs } = this;
		this.position = 0;
		this.starts = starts.map(
			(_start, index) => now - windowMs + (index * windowMs) / starts.length,
		);
	}
}
