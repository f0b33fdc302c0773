import type { Clock } from './clock';
import { raceAbort } from './raceAbort';

/** Accepted requests that tell a rate limit from a service that takes nothing just now. */
const fewestAccepted = 10;

/** Older ones than these say nothing new about a rate. */
const mostAccepted = 4_000;

/** For the network, which does not carry all requests equally fast. */
const margin = 1.02;

/** How long a learned rate is kept before a higher one is tried; doubled each time that is refused. */
const firstProbeMs = 60_000;
const probeFactor = 1.25;

/** While one refusal is all that is known: it may have been by chance. */
const firstProbeFactor = 2;

/** A pause that is so short is worth no second refusal to be sure of the rate. */
const shortPauseMs = 2_000;

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
 * When the requests of a run may start: not during a pause that the service asks for, and evenly spaced at the rate that
 * it accepts, as GCRA (a leaky bucket) does. The rate is learned from refusals: a window ends when a pause does, so the
 * rate is that of the densest stretch of accepted requests up to that end. A slow request before them makes no stretch
 * denser, and a rate that comes out too high is refused and measured again.
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
	/** When the accepted requests of this window started. */
	private accepted: number[] = [];
	/** What was refused since the last pause. */
	private refusal: Refusal | undefined;
	private refusals = 0;
	/** Between two starts; 0 while no rate is known. */
	private everyMs = 0;
	private nextAt = 0;
	private probe = { at: Infinity, everyMs: firstProbeMs, goodMs: 0 };

	constructor(clock: Clock) {
		this.clock = clock;
	}

	get isLearned(): boolean {
		return this.everyMs > 0;
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
		for (;;) {
			if (signal?.aborted) return false;
			if (this.heldUntil > 0) {
				if (this.isHeldLongerThan(mostMs)) return false;
				await raceAbort((this.holding ??= this.waitOut()), signal);
				continue;
			}
			const ms = this.reserve(this.clock.now());
			if (ms <= 0) return true;
			const { resumedAt } = this;
			await raceAbort(this.clock.pause(ms), signal);
			if (!signal?.aborted && this.heldUntil === 0 && resumedAt === this.resumedAt) return true;
		}
	}

	accept(startedAt: number): void {
		this.heldSince = undefined;
		this.accepted.push(startedAt);
		if (this.accepted.length > mostAccepted) this.accepted.splice(0, mostAccepted / 2);
		if (this.refusal && startedAt > this.refusal.startedAt) this.refusal.acceptedAfter++;
	}

	refuse(startedAt: number, retryAfterMs: number | undefined): void {
		this.refusal ??= { startedAt, lastAt: startedAt, retryAfterMs, count: 0, acceptedAfter: 0 };
		this.refusal.count++;
		this.refusal.lastAt = Math.max(this.refusal.lastAt, startedAt);
	}

	/** All pauses since the last accepted request count as one: a run must not wait for each of its requests anew. */
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
		const { refusal } = this;
		this.refusal = undefined;
		this.resumedAt = this.clock.now();
		this.nextAt = this.resumedAt;
		if (refusal && refusal.acceptedAfter < refusal.count) this.adapt(refusal);
	}

	/** A single refusal may be by chance. If the pause was long, it takes another one: that takes no time from a window. */
	private adapt(refusal: Refusal): void {
		const { count, retryAfterMs = Infinity } = refusal;
		this.refusals++;
		const isNew = this.accepted.length >= fewestAccepted;
		const { probe } = this;
		if (probe.goodMs > 0) {
			this.everyMs = probe.goodMs;
			probe.goodMs = 0;
			probe.everyMs *= 2;
		} else if (isNew && this.isLearned) {
			const least = count === 1 ? 1.03 : 1 + Math.min(0.1, 0.6 / this.refusals);
			this.everyMs = Math.max(this.measure(refusal), this.everyMs * least);
		} else if (isNew && (this.refusals > 1 || (count > 1 && retryAfterMs <= shortPauseMs))) {
			this.everyMs = this.measure(refusal);
		}
		probe.at = this.resumedAt + probe.everyMs;
	}

	/** Windows are whole seconds; Retry-After is rounded up to one. */
	private measure({ lastAt, startedAt, retryAfterMs }: Refusal): number {
		const end = retryAfterMs === undefined ? lastAt : startedAt + retryAfterMs - 1000;
		const starts = [...this.accepted].sort((one, other) => one - other);
		const each = starts.map((start, index) => {
			const windowMs = 1000 * Math.max(1, Math.ceil((end - start) / 1000));
			return windowMs / (starts.length - index);
		});
		return Math.min(...each) * margin;
	}

	/** @returns in how many milliseconds the next start is due */
	private reserve(now: number): number {
		if (!this.isLearned) return 0;
		// A rate that is not used to the full need not be higher.
		if (now >= this.probe.at && this.nextAt > now) this.speedUp(now);
		const at = Math.max(now, this.nextAt);
		this.nextAt = at + this.everyMs;
		return at - now;
	}

	private speedUp(now: number): void {
		this.probe.goodMs = this.everyMs;
		this.everyMs /= this.refusals > 1 ? probeFactor : firstProbeFactor;
		this.probe.at = now + this.probe.everyMs;
	}
}
