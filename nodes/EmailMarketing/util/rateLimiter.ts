import type { Clock } from './clock';
import { raceAbort } from './promises';

/** The minimum number of accepted requests that distinguishes a rate limit from an outage. */
const fewestTaken = 10;

/** Older ones than these say nothing new about a rate. */
const mostTaken = 4_000;

/** Tolerance for network jitter. */
const margin = 1.02;

/** After a pause that is so short, no second refusal is needed to be sure of the rate. */
const shortPauseMs = 2_000;

/**
 * A rate that is refused in a new window is lowered at least by this factor. A rate that holds for `goodMs` is raised by
 * the other.
 */
const leastDecrease = 1.07;
const increase = 1.25;
const firstGoodMs = 60_000;

interface Refusal {
	startedAt: number;
	retryAfterMs?: number;
	count: number;
}

/**
 * When the requests of a run may start: not during a pause that the service asks for, and evenly spaced at the rate that
 * it accepts, as GCRA (a leaky bucket) does. The rate is learned from refusals: a window ends when a pause does, so the
 * rate is that of the densest stretch of requests up to that end that were not refused. A slow request before them makes
 * no stretch denser, and a rate that comes out too high is refused and measured again.
 */
export class RateLimiter {
	private readonly clock: Clock;
	/** 0 if there is no pause. */
	private heldUntil = 0;
	private holder: Error | undefined;
	private holding: Promise<void> | undefined;
	/** Since when the service asks for one pause after the other, and accepts nothing in between. */
	private heldSince: number | undefined;
	private resumedAt = 0;
	/** When the requests started that were not refused so far. */
	private readonly taken: number[] = [];
	/** The first refusal since the last pause, and how many there were. */
	private refusal: Refusal | undefined;
	private hasRefused = false;
	/** Between two starts; 0 while no rate is known. */
	private everyMs = 0;
	private nextAt = 0;
	/** How long a rate must be good before a higher one is tried: doubled each time that one is refused. */
	private goodMs = firstGoodMs;
	private increaseAt = 0;

	constructor(clock: Clock) {
		this.clock = clock;
	}

	/** What is left of the pause, in milliseconds. */
	get heldMs(): number {
		return Math.max(0, this.heldUntil - this.clock.now());
	}

	/** The reason of the pause; undefined if there is none. */
	get heldBy(): Error | undefined {
		return this.heldUntil > 0 ? this.holder : undefined;
	}

	/** Nothing is sent for so long, for the reason given. */
	hold(ms: number, reason: Error): void {
		const until = this.clock.now() + ms;
		this.heldSince ??= this.clock.now();
		if (until <= this.heldUntil) return;
		this.heldUntil = until;
		this.holder = reason;
	}

	/** @returns whether a request may be sent now: the signal was not aborted, and the pause was not longer */
	async isDue(mostMs: number, signal: AbortSignal | undefined): Promise<boolean> {
		while (!signal?.aborted) {
			if (this.heldUntil > 0) {
				if (this.isHeldLongerThan(mostMs)) return false;
				await raceAbort((this.holding ??= this.waitOut()), signal);
			} else {
				const ms = this.reserve(this.clock.now());
				if (ms <= 0) return true;
				const { resumedAt } = this;
				await raceAbort(this.clock.pause(ms), signal);
				const isUnheld = this.heldUntil === 0 && resumedAt === this.resumedAt;
				if (isUnheld) return signal?.aborted !== true;
			}
		}
		return false;
	}

	start(startedAt: number): void {
		this.taken.push(startedAt);
		if (this.taken.length > mostTaken) this.taken.shift();
	}

	accept(): void {
		this.heldSince = undefined;
	}

	refuse(startedAt: number, retryAfterMs: number | undefined): void {
		this.refusal ??= { startedAt, retryAfterMs, count: 0 };
		this.refusal.count++;
		const index = this.taken.lastIndexOf(startedAt);
		if (index >= 0) this.taken.splice(index, 1);
	}

	/** All pauses since the last accepted request count as one, so a run does not wait the full time for each request. */
	private isHeldLongerThan(mostMs: number): boolean {
		const waitedMs = this.clock.now() - (this.heldSince ?? Infinity);
		return this.heldMs > 0 && this.heldMs + Math.max(0, waitedMs) > mostMs;
	}

	/** If the pause has become longer meanwhile, each request decides again whether it waits. */
	private async waitOut(): Promise<void> {
		const until = this.heldUntil;
		await this.clock.pause(this.heldMs);
		this.holding = undefined;
		if (this.heldUntil > until) return;
		this.heldUntil = 0;
		if (this.refusal) this.learn(this.refusal);
		this.refusal = undefined;
		this.resumedAt = this.clock.now();
		this.nextAt = this.resumedAt;
	}

	/** A single refusal may be by chance. If the pause was long, it takes another one: that takes no time from a window. */
	private learn({ startedAt, retryAfterMs, count }: Refusal): void {
		const isSure = this.hasRefused || (count > 1 && (retryAfterMs ?? Infinity) <= shortPauseMs);
		this.hasRefused = true;
		if (!isSure || this.taken.length < fewestTaken) return;
		if (this.everyMs > 0) this.goodMs *= 2;
		// Windows are whole seconds; Retry-After is rounded up to one.
		const end = startedAt + (retryAfterMs ?? 1000) - 1000;
		const each = this.taken.map((start, index) => {
			const windowMs = 1000 * Math.max(1, Math.ceil((end - start) / 1000));
			return windowMs / (this.taken.length - index);
		});
		const isNewWindow = (this.taken.at(-1) ?? 0) > this.resumedAt;
		const least = this.everyMs * (isNewWindow ? leastDecrease : 1);
		this.everyMs = Math.max(margin * Math.min(...each), least);
		this.increaseAt = this.clock.now() + this.goodMs;
	}

	/** @returns in how many milliseconds the next start is due */
	private reserve(now: number): number {
		if (this.everyMs === 0) return 0;
		// A rate that is not used to the full need not be higher.
		if (now >= this.increaseAt && this.nextAt > now) {
			this.everyMs /= increase;
			this.increaseAt = now + this.goodMs;
		}
		const at = Math.max(now, this.nextAt);
		this.nextAt = at + this.everyMs;
		return at - now;
	}
}
