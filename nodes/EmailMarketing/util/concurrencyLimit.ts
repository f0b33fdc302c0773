import { realClock } from './clock';
import type { Clock } from './clock';
import { Slots } from './pool';
import { RateLimiter } from './rateLimiter';

export const parallelAtFirst = 16;
export const mostParallel = 256;

/** Slow responses, or none at all, never lower the limit below this. Up to it, response times count as usual. */
const fewest = 8;

/**
 * The minimum number of responses in a round, so that its mean and its share of refusals are no coincidence. Many
 * refusals end a round earlier.
 */
const shortestRound = 32;

/**
 * A round is congested if more than this share is refused; two rounds in a row, if they take this many times the usual
 * time.
 */
const congested = { refused: 1 / 8, slow: 1.6 };

/** A response counts as at most this many times the usual time, so a few slow ones are no congestion. */
const slowest = 2;

/** RFC 9438: what is left after congestion, how steeply it grows again, and by how much at most, here by rounds. */
const cubic = { beta: 0.7, steepness: 0.4, mostGrowth: 1.5 };

/** What became of a try; `overloaded` and `limited` are refusals. */
export type TryOutcome =
	| { kind: 'answered' | 'failed' | 'overloaded' }
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

interface LimitOptions {
	/** A fixed number of requests at a time; absent to follow what the service takes. */
	parallel?: number;
	/** Names the service; absent if no run is to begin with what another has found. */
	service?: string;
	clock?: Clock;
}

/** What a service took last; the next run in this process begins with it for an hour, as connections of TCP do (RFC 9040). */
const lastOf = new Map<string, { limit: number; at: number }>();
const memoryMs = 3_600_000;

const newRound = (until: number) => ({ until, answered: 0, refused: 0, times: 0, most: 0 });

/**
 * How many requests of a run may be under way: TCP's CUBIC (RFC 9438) with its slow start, counted in round trips. A
 * round ends when a request that was sent in it succeeds. Until then, the slot of a refused request is not given to
 * another one, so the slots left at the end are what the service took. Two rounds that take longer than usual are
 * congestion too, as in TCP Vegas: the service took as many as it would serve in the usual time.
 */
export class ConcurrencyLimit {
	readonly rate: RateLimiter;
	readonly clock: Clock;
	private readonly isFixed: boolean;
	private readonly service: string | undefined;
	private readonly slots = new Slots(() => this.limit);
	private current: number;
	/** The highest limit so far. */
	private peak: number;
	private sent = 0;
	private underWay = 0;
	/** Below it, the limit doubles in each round: slow start. */
	private threshold = mostParallel;
	/** What the service took at the last congestion, and the good rounds since. */
	private best = mostParallel;
	private goodRounds = 0;
	private slowRounds = 0;
	/** Requests with lower numbers were sent before the last congestion, and say nothing new about it. */
	private from = 0;
	private round = newRound(0);
	/** By kind: the mean response time while few requests are under way. */
	private readonly usual = new Map<string, { ms: number; count: number }>();

	constructor({ parallel, service, clock = realClock }: LimitOptions) {
		this.clock = clock;
		this.rate = new RateLimiter(clock);
		this.isFixed = parallel !== undefined;
		this.service = service;
		const { limit, at } = lastOf.get(service ?? '') ?? { limit: 0, at: 0 };
		const isRecent = clock.now() - at < memoryMs;
		this.current = parallel ?? Math.max(parallelAtFirst, isRecent ? limit : 0);
		this.peak = this.current;
	}

	/** Requests that may be under way. */
	get limit(): number {
		const { answered, refused } = this.round;
		const left = this.current - refused;
		// If all are refused, it does not matter how many there are.
		const least = left < 1 && answered === 0 ? Math.min(fewest, this.current) : 1;
		return Math.floor(Math.max(left, least));
	}

	/** Items that may be under way. Some wait to try again after a refusal, and must not keep others from their turn. */
	get items(): number {
		return Math.min(this.peak, 4 * this.limit);
	}

	/**
	 * Waits until a request may be sent.
	 *
	 * @param mostMs the longest pause that the request can wait for
	 * @returns undefined if it may not be sent: the signal was aborted, or the pause is longer
	 */
	async enter(kind: string, mostMs: number, signal?: AbortSignal): Promise<Permit | undefined> {
		await this.slots.take();
		if (!(await this.rate.isDue(mostMs, signal))) {
			this.slots.free();
			return undefined;
		}
		const [number, startedAt] = [this.sent++, this.clock.now()];
		this.rate.start(startedAt);
		return { kind, number, startedAt, parallel: ++this.underWay, isOpen: true };
	}

	/** The response has arrived, or none will. Only the first call counts. */
	leave(permit: Permit, outcome: TryOutcome): void {
		if (!permit.isOpen) return;
		permit.isOpen = false;
		const { kind } = outcome;
		if (kind === 'answered') this.rate.accept();
		if (kind === 'limited') this.rate.refuse(permit.startedAt, outcome.retryAfterMs);
		const isNews = !this.isFixed && permit.number >= this.from;
		if (isNews && kind !== 'failed') this.follow(permit, kind === 'answered');
		this.underWay--;
		this.slots.free();
	}

	private follow(permit: Permit, isAnswered: boolean): void {
		const { round } = this;
		round.most = Math.max(round.most, permit.parallel);
		if (!isAnswered) {
			round.refused++;
			return;
		}
		const ratio = this.compare(permit);
		round.answered++;
		round.times += Math.min(slowest, ratio);
		const isUsed = 2 * permit.parallel >= this.current;
		const isGood = isUsed && ratio <= congested.slow;
		if (isGood && this.current < this.threshold) this.set(this.current + 1);
		const isLong = round.answered + round.refused >= shortestRound;
		const isSure = isLong || round.refused > congested.refused * shortestRound;
		if (isSure && permit.number >= round.until) this.endRound();
	}

	/** @returns how long a response took compared with the usual */
	private compare({ kind, parallel, startedAt }: Permit): number {
		const ms = this.clock.now() - startedAt;
		const usual = this.usual.get(kind) ?? { ms: 0, count: 0 };
		if (parallel <= fewest || usual.count === 0) {
			usual.count = Math.min(64, usual.count + 1);
			usual.ms += (ms - usual.ms) / usual.count;
			this.usual.set(kind, usual);
		}
		return ms / Math.max(1, usual.ms);
	}

	private endRound(): void {
		const { answered, refused, times, most } = this.round;
		const isUsed = 2 * most >= this.current;
		this.slowRounds = times > congested.slow * answered ? this.slowRounds + 1 : 0;
		const left = this.current - refused;
		const isRefused = refused > congested.refused * (answered + refused);
		if (isRefused) this.shrink(left, left < 1 ? fewest : 1);
		else if (this.slowRounds > 1) this.shrink((this.current * answered) / times, fewest);
		else if (this.slowRounds === 0 && isUsed && this.current >= this.threshold) this.grow();
		this.round = newRound(this.sent);
	}

	/** If nothing was taken, it takes a slow start to find out what is again. */
	private shrink(taken: number, least: number): void {
		this.threshold = taken < 1 ? this.current * cubic.beta : 0;
		this.best = taken < 1 ? this.current : taken;
		this.goodRounds = 0;
		this.slowRounds = 0;
		this.from = this.sent;
		this.set(Math.max(Math.min(this.current, least), taken * cubic.beta));
	}

	private grow(): void {
		const plateau = Math.cbrt((this.best * (1 - cubic.beta)) / cubic.steepness);
		const next = this.best + cubic.steepness * (++this.goodRounds - plateau) ** 3;
		this.set(Math.min(this.current * cubic.mostGrowth, Math.max(this.current, next)));
	}

	private set(limit: number): void {
		this.current = Math.min(mostParallel, limit);
		this.peak = Math.max(this.peak, this.current);
		if (this.service) lastOf.set(this.service, { limit: this.current, at: this.clock.now() });
	}
}
