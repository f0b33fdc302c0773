import { LatencyRounds } from './latency';

export const parallelAtFirst = 10;
export const mostParallel = 64;

/** The most rounds without a refusal before one more is tried where the service refused before. */
const mostPatience = 64;

/** One try of a request. */
export interface Try {
	/** Requests of one kind take about as long as each other. */
	kind: string;
	startedAt: number;
	/** Requests under way when it was sent, with itself. */
	parallel: number;
	/** The round of response times that it is part of. */
	round?: number;
}

/**
 * How many requests may be under way: AIMD with slow start, as TCP Reno has it, and a bound on response times, as Vegas
 * has it. AIMD, since a refusal is the one signal that means the same at every service; Vegas alone would take n8n's
 * own event loop for a slow service, and a gradient follows every change of response times, whatever its reason.
 *
 * Slow start adds one for each answer, which doubles the limit with each response time, up to the number at which the
 * service refused. From there on it is raised by little, and after each further refusal more rarely. A refusal halves
 * it once, however many requests under way are refused with it. Rounds that take twice as long as usual lower it by a
 * fifth, never below 10, which is where the usual is measured again.
 */
export class GrowingLimit {
	private current = parallelAtFirst;
	/** Slow start ends here. */
	private threshold = mostParallel;
	private step = 1;
	/** Good rounds to wait for before the limit is raised above the threshold. */
	private patience = 1;
	private goodRounds = 0;
	private isTrying = false;
	private isFast = true;
	/** Answers of the round that came while the limit was in use. */
	private full = 0;
	private droppedAt = -Infinity;
	private answersSinceDrop = 0;
	/** Where all are refused, the service is down, and how many it takes is not known. */
	private tellsCount = false;
	private readonly latency = new LatencyRounds();

	get limit(): number {
		return this.current;
	}

	sent(): number | undefined {
		return this.latency.enter(this.current);
	}

	failed({ round }: Try): void {
		if (this.latency.leave(round)) this.endRound();
	}

	answered({ kind, startedAt, parallel, round }: Try, now: number): void {
		if (startedAt > this.droppedAt) this.answersSinceDrop++;
		const isFull = 2 * parallel >= this.current;
		if (isFull) this.full++;
		if (isFull && this.isFast && this.current < this.threshold) this.current++;
		if (this.latency.add(round, kind, now - startedAt)) this.endRound();
	}

	/** @param isCount whether it says something about the number at a time, and not only about their rate */
	refused(permit: Try, now: number, isCount: boolean): void {
		const { startedAt, parallel } = permit;
		this.failed(permit);
		const isSameEvent = startedAt <= this.droppedAt;
		if (!isSameEvent) {
			this.tellsCount = isCount && this.answersSinceDrop > 0;
			this.drop(now);
		}
		if (this.tellsCount) {
			this.threshold = Math.max(this.current, Math.min(this.threshold, parallel - 1));
		}
	}

	private drop(now: number): void {
		this.current = Math.max(1, Math.floor(this.current / 2));
		if (this.answersSinceDrop > 0) this.patience = Math.min(mostPatience, this.patience * 2 + 2);
		this.settle();
		this.droppedAt = now;
		this.answersSinceDrop = 0;
	}

	private endRound(): void {
		const verdict = this.latency.close(this.current <= parallelAtFirst);
		this.isFast = verdict === 'fast';
		const wasFull = 2 * this.full >= this.current;
		this.full = 0;
		if (verdict === 'overloaded') this.shrink();
		else if (this.isFast && wasFull && this.current >= this.threshold) this.raise();
	}

	private shrink(): void {
		this.current = Math.max(
			Math.min(this.current, parallelAtFirst),
			Math.floor(this.current * 0.8),
		);
		this.threshold = Math.min(this.threshold, this.current);
		this.settle();
	}

	private settle(): void {
		this.step = 1;
		this.goodRounds = 0;
		this.isTrying = false;
	}

	private raise(): void {
		if (this.isTrying) this.patience = 1;
		this.goodRounds++;
		if (this.goodRounds < this.patience) return;
		this.goodRounds = 0;
		this.isTrying = true;
		this.current = Math.min(mostParallel, this.current + this.step);
		this.threshold = this.current;
		this.step *= 2;
	}
}
