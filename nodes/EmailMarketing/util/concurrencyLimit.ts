import { realClock } from './clock';
import type { Clock } from './clock';
import { Places } from './places';
import { RateLimiter } from './rateLimiter';

export const parallelAtFirst = 16;
export const mostParallel = 256;

/** Neither slow responses nor chance refusals make it fewer, and up to here usual response times are measured. */
const fewest = 8;

/** Answers in a round at least, for a mean that a few slow ones do not move. */
const shortestRound = 16;

/** A round that takes so many times as long as usual is congestion. */
const slow = 1.5;

/** A share of refusals that is no chance, in an average over about so many answers. */
const mostByChance = 0.12;
const memory = 64;

/** By how many standard errors a round is slower than usual if that is no chance. */
const certainty = 2;

/** RFC 9438: what is left after congestion, and how steeply it grows again, here by rounds. */
const beta = 0.7;
const steepness = 0.4;

/** What became of a try. */
export type TryOutcome =
	| { kind: 'answered' | 'failed' }
	/** The service had too much to do. */
	| { kind: 'overloaded' }
	/** There were too many requests, at a time or within a time. */
	| { kind: 'limited'; retryAfterMs?: number };

/** A request that may be sent. */
export interface Permit {
	/** Requests of one kind take about as long as each other. */
	kind: string;
	startedAt: number;
	/** Requests under way when it was sent, with itself. */
	parallel: number;
	/** The round of requests that it is part of, if any. */
	round: number;
	isOpen: boolean;
}

interface Usual {
	ms: number;
	variance: number;
	count: number;
}

const newRound = (number: number, size: number) => ({
	...{ number, size, sent: 0, left: 0, full: 0, answered: 0, times: 0, squares: 0, doubt: 0 },
});

/**
 * How many requests of a run may be under way: TCP's CUBIC (RFC 9438) with its slow start, counted in rounds of
 * requests. Slow start adds one for each answer, which doubles the limit with each round trip. Congestion is a refusal,
 * or a round that takes longer than usual, as in Vegas; it lowers the limit to 70 %, once a round, and within a few rounds
 * it is back at where it was. Only where more are refused than by chance, each refusal halves it, down to one.
 */
export class ConcurrencyLimit {
	readonly rate: RateLimiter;
	readonly clock: Clock;
	private readonly isFixed: boolean;
	private readonly places = new Places(() => this.limit);
	private current: number;
	private underWay = 0;
	private isSlowStart = true;
	private congestedAt = -Infinity;
	/** The limit at the last congestion, and the good rounds since. */
	private best = mostParallel;
	private goodRounds = 0;
	private refusedShare = 0;
	private round = newRound(0, shortestRound);
	/** By kind: the response times while few requests are under way. */
	private readonly usual = new Map<string, Usual>();

	/** @param parallel a fixed number of requests at a time; absent to follow what the service takes */
	constructor({ parallel, clock = realClock }: { parallel?: number; clock?: Clock }) {
		this.clock = clock;
		this.rate = new RateLimiter(clock);
		this.isFixed = parallel !== undefined;
		this.current = parallel ?? parallelAtFirst;
	}

	get limit(): number {
		return Math.floor(this.current);
	}

	/**
	 * Waits until a request may be sent.
	 *
	 * @param mostMs the longest pause that the request can wait for
	 * @returns undefined if it may not be sent: the signal was aborted, or the pause is longer
	 */
	async enter(
		kind: string,
		mostMs: number,
		signal: AbortSignal | undefined,
	): Promise<Permit | undefined> {
		await this.places.take();
		if (!(await this.rate.isDue(mostMs, signal))) {
			this.places.free();
			return undefined;
		}
		const { round } = this;
		const number = round.sent++ < round.size ? round.number : -1;
		const startedAt = this.clock.now();
		return { kind, startedAt, parallel: ++this.underWay, round: number, isOpen: true };
	}

	/** The response has arrived, or none will. Only the first call counts. */
	leave(permit: Permit, outcome: TryOutcome): void {
		if (!permit.isOpen) return;
		permit.isOpen = false;
		if (outcome.kind === 'answered') this.rate.accept(permit.startedAt);
		if (!this.isFixed) this.follow(permit, outcome);
		this.underWay--;
		this.places.free();
	}

	private follow(permit: Permit, outcome: TryOutcome): void {
		const { round } = this;
		const now = this.clock.now();
		const isOfRound = permit.round === round.number;
		if (outcome.kind === 'answered') {
			const isFull = 2 * permit.parallel >= this.current;
			const { ratio, doubt } = this.compare(permit, now - permit.startedAt);
			this.refusedShare -= this.refusedShare / memory;
			if (isFull && this.isSlowStart) this.current = Math.min(mostParallel, this.current + 1);
			if (isOfRound) {
				round.answered++;
				round.times += ratio;
				round.squares += ratio * ratio;
				round.doubt += doubt * ratio ** 2;
				if (isFull) round.full++;
			}
		} else if (outcome.kind !== 'failed') {
			this.refused(permit, outcome, now);
		}
		if (isOfRound && ++round.left >= round.size) this.endRound(now);
	}

	private refused(permit: Permit, outcome: TryOutcome, now: number): void {
		if (outcome.kind === 'limited') this.rate.refuse(permit.startedAt, outcome.retryAfterMs);
		// Too many within a time are no fewer if fewer are under way.
		if (this.rate.isLearned) return;
		this.refusedShare += (1 - this.refusedShare) / memory;
		const hasPause = outcome.kind === 'limited' && outcome.retryAfterMs !== undefined;
		if (hasPause && this.refusedShare <= mostByChance) return;
		// Those sent within the same round trip say nothing new, however soon they are refused.
		const roundTripMs = this.usual.get(permit.kind)?.ms ?? 0;
		if (permit.startedAt > this.congestedAt + roundTripMs) this.shrink(now);
	}

	/** How long a response took compared with the usual, and how uncertain the usual is. */
	private compare({ kind, parallel }: Permit, ms: number): { ratio: number; doubt: number } {
		const usual = this.usual.get(kind) ?? { ms: 0, variance: 0, count: 0 };
		if (parallel <= fewest || usual.count === 0) {
			usual.count = Math.min(64, usual.count + 1);
			const off = ms - usual.ms;
			usual.ms += off / usual.count;
			usual.variance += (off * (ms - usual.ms) - usual.variance) / usual.count;
			this.usual.set(kind, usual);
		}
		const mean = Math.max(1, usual.ms);
		return { ratio: ms / mean, doubt: usual.variance / mean ** 2 / usual.count };
	}

	private endRound(now: number): void {
		const { number, left, full, answered, times, squares, doubt } = this.round;
		const ratio = answered === 0 ? 1 : times / answered;
		const variance =
			answered === 0 ? 0 : Math.max(0, squares / answered - ratio ** 2 + doubt) / answered;
		if (ratio > slow + certainty * Math.sqrt(variance)) this.shrink(now);
		else if (!this.isSlowStart && 2 * full >= left) this.grow();
		this.round = newRound(number + 1, Math.max(shortestRound, this.limit));
	}

	private shrink(now: number): void {
		const isChance = this.refusedShare <= mostByChance;
		const least = isChance ? Math.min(this.current, fewest) : 1;
		const isLower = this.current < this.best;
		this.best = isLower ? (this.current * (1 + beta)) / 2 : this.current;
		this.current = Math.max(least, this.current * (isChance ? beta : 0.5));
		if (!isChance) this.best = this.current;
		this.congestedAt = now;
		this.isSlowStart = false;
		this.goodRounds = 0;
	}

	private grow(): void {
		const plateau = Math.cbrt((this.best * (1 - beta)) / steepness);
		const next = this.best + steepness * (++this.goodRounds - plateau) ** 3;
		this.current = Math.min(mostParallel, Math.max(this.current, next));
	}
}
