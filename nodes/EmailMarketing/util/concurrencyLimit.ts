import { realClock } from './clock';
import type { Clock } from './clock';
import { Places } from './places';
import { RateLimiter } from './rateLimiter';

export const parallelAtFirst = 16;
export const mostParallel = 256;

/** Slow responses never make it fewer, and up to here usual response times are measured. */
const fewest = 8;

/** Responses in a round at least, for a mean and a share that are no chance. */
const shortestRound = 32;

/** Congestion: a round that takes so many times as long as usual, or of which so many requests are refused. */
const slow = 1.6;
const mostRefused = 0.15;

/** A response counts as so many times the usual at most: a few slow ones are no congestion. */
const slowest = 2;

/** RFC 9438: what is left after congestion, how steeply it grows again, and by how much at most, here by rounds. */
const beta = 0.7;
const steepness = 0.4;
const mostGrowth = 1.25;

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
	number: number;
	startedAt: number;
	/** Requests under way when it was sent, with itself. */
	parallel: number;
	isOpen: boolean;
}

/** What a service took last; the next run in this process begins with it for an hour, as connections of TCP do (RFC 9040). */
const lastOf = new Map<string, { limit: number; at: number }>();
const memoryMs = 3_600_000;

const newRound = (until: number) => ({
	...{ until, left: 0, answered: 0, refused: 0, times: 0, most: 0 },
});

/**
 * How many requests of a run may be under way: TCP's CUBIC (RFC 9438) with its slow start, counted in round trips. A
 * round ends with the first response to a request that was sent in it. Congestion is a round in which more requests are
 * refused than by chance or, as in TCP Vegas, one that takes longer than usual.
 */
export class ConcurrencyLimit {
	readonly rate: RateLimiter;
	readonly clock: Clock;
	private readonly isFixed: boolean;
	private readonly service: string | undefined;
	private readonly places = new Places(() => this.limit);
	private current: number;
	private sent = 0;
	private underWay = 0;
	private isSlowStart = true;
	/** The limit at the last congestion, and the good rounds since. */
	private best = mostParallel;
	private goodRounds = 0;
	private slowRounds = 0;
	/** Requests with lower numbers were sent before the last congestion, and say nothing new about it. */
	private from = 0;
	private round = newRound(0);
	/** By kind: the mean response time while few requests are under way. */
	private readonly usual = new Map<string, { ms: number; count: number }>();

	/**
	 * @param parallel a fixed number of requests at a time; absent to follow what the service takes
	 * @param service names the service; absent if no run is to begin with what another has found
	 */
	constructor({
		parallel,
		service,
		clock = realClock,
	}: {
		parallel?: number;
		service?: string;
		clock?: Clock;
	}) {
		this.clock = clock;
		this.rate = new RateLimiter(clock);
		this.isFixed = parallel !== undefined;
		this.service = service;
		const { limit, at } = lastOf.get(service ?? '') ?? { limit: 0, at: 0 };
		const isRecent = clock.now() - at < memoryMs;
		this.current = parallel ?? Math.max(parallelAtFirst, isRecent ? limit : 0);
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
		const [number, startedAt] = [this.sent++, this.clock.now()];
		return { kind, number, startedAt, parallel: ++this.underWay, isOpen: true };
	}

	/** The response has arrived, or none will. Only the first call counts. */
	leave(permit: Permit, outcome: TryOutcome): void {
		if (!permit.isOpen) return;
		permit.isOpen = false;
		if (outcome.kind === 'answered') this.rate.accept(permit.startedAt);
		if (outcome.kind === 'limited') this.rate.refuse(permit.startedAt, outcome.retryAfterMs);
		if (!this.isFixed) this.follow(permit, outcome);
		this.underWay--;
		this.places.free();
	}

	private follow(permit: Permit, outcome: TryOutcome): void {
		const { round } = this;
		if (outcome.kind === 'answered') {
			const ratio = this.compare(permit, this.clock.now() - permit.startedAt);
			const isUsed = 2 * permit.parallel >= this.current;
			if (this.isSlowStart && isUsed && ratio <= slow) this.set(this.current + 1);
			round.answered++;
			round.times += Math.min(slowest, ratio);
		}
		if (permit.number < this.from) return;
		if (this.isRefusal(outcome)) round.refused++;
		round.left++;
		round.most = Math.max(round.most, permit.parallel);
		const isOver = round.left >= shortestRound && permit.number >= round.until;
		const few = mostRefused * Math.max(shortestRound, this.current / 2);
		if (isOver || round.refused > few) this.endRound();
	}

	/** Too many within a time are no fewer if fewer are under way. */
	private isRefusal(outcome: TryOutcome): boolean {
		if (outcome.kind !== 'limited') return outcome.kind === 'overloaded';
		return !this.rate.isLearned && outcome.retryAfterMs === undefined;
	}

	/** @returns how long a response took compared with the usual */
	private compare({ kind, parallel }: Permit, ms: number): number {
		const usual = this.usual.get(kind) ?? { ms: 0, count: 0 };
		if (parallel <= fewest || usual.count === 0) {
			usual.count = Math.min(64, usual.count + 1);
			usual.ms += (ms - usual.ms) / usual.count;
			this.usual.set(kind, usual);
		}
		return ms / Math.max(1, usual.ms);
	}

	private endRound(): void {
		const { left, answered, refused, times, most } = this.round;
		this.slowRounds = times > slow * answered ? this.slowRounds + 1 : 0;
		const accepted = 1 - refused / Math.max(left, most);
		if (refused > mostRefused * left) this.shrink(most * accepted, 1);
		else if (this.slowRounds > 1) this.shrink(this.current, fewest);
		else if (this.slowRounds === 0 && !this.isSlowStart && 2 * most >= this.current) this.grow();
		this.round = newRound(this.sent);
	}

	private shrink(best: number, least: number): void {
		this.best = best;
		this.isSlowStart = false;
		this.goodRounds = 0;
		this.slowRounds = 0;
		this.from = this.sent;
		this.set(Math.max(Math.min(this.current, least), best * beta, this.current / 2));
	}

	private grow(): void {
		const plateau = Math.cbrt((this.best * (1 - beta)) / steepness);
		const next = this.best + steepness * (++this.goodRounds - plateau) ** 3;
		this.set(Math.min(this.current * mostGrowth, Math.max(this.current, next)));
	}

	private set(limit: number): void {
		this.current = Math.min(mostParallel, limit);
		if (this.service) lastOf.set(this.service, { limit: this.current, at: this.clock.now() });
	}
}
