import { realClock } from './clock';
import type { Clock } from './clock';
import { GrowingLimit } from './growingLimit';
import type { Try } from './growingLimit';
import { Pace } from './pace';
import { Queue } from './queue';
import { raceAbort } from './raceAbort';

/** What became of a try. */
export type TryOutcome =
	| { kind: 'answered' | 'failed' }
	/** The service had too much to do. */
	| { kind: 'overloaded' }
	/** There were too many requests, at a time or within a time. */
	| { kind: 'limited'; retryAfterMs?: number };

/** A request that may be sent. */
export interface Permit extends Try {
	isOpen: boolean;
}

interface AdmissionOptions {
	/** A fixed number of requests at a time; absent to follow what the service takes. */
	parallel?: number;
	clock?: Clock;
}

/**
 * Decides when a request of a run may be sent: not more than the limit at a time, not during a pause that the service
 * asked for, and not faster than the service accepts. One for all requests of a run.
 */
export class Admission {
	readonly clock: Clock;
	private readonly growing: GrowingLimit | undefined;
	private readonly fixed: number;
	private readonly pace = new Pace();
	private readonly waiting = new Queue<() => void>();
	/** Places that are taken, by requests under way or about to be. */
	private taken = 0;
	private underWay = 0;
	/** 0 if there is no pause. */
	private heldUntil = 0;
	private holder: Error | undefined;
	private holding: Promise<void> | undefined;
	/** Since when the service asks for one pause after the other, and accepts nothing in between. */
	private heldSince: number | undefined;

	constructor({ parallel, clock = realClock }: AdmissionOptions) {
		this.clock = clock;
		this.growing = parallel === undefined ? new GrowingLimit() : undefined;
		this.fixed = parallel ?? 0;
	}

	/** How many requests may be under way at a time. */
	get limit(): number {
		return this.growing?.limit ?? this.fixed;
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
		if (this.taken >= this.limit) {
			await new Promise<void>((resolve) => this.waiting.add(resolve));
		} else {
			this.taken++;
		}
		if (!(await this.isDue(mostMs, signal))) {
			this.free();
			return undefined;
		}
		this.underWay++;
		const round = this.growing?.sent();
		return { kind, startedAt: this.clock.now(), parallel: this.underWay, round, isOpen: true };
	}

	/** The response has arrived, or none will. Only the first call counts. */
	leave(permit: Permit, outcome: TryOutcome): void {
		if (!permit.isOpen) return;
		permit.isOpen = false;
		const now = this.clock.now();
		if (outcome.kind === 'answered') {
			this.growing?.answered(permit, now);
			this.pace.accept(permit.startedAt);
			this.heldSince = undefined;
		} else if (outcome.kind === 'overloaded') {
			this.growing?.refused(permit, now, true);
		} else if (outcome.kind === 'limited') {
			const isCount = outcome.retryAfterMs === undefined && !this.pace.isLearned;
			this.growing?.refused(permit, now, isCount);
			this.pace.refuse(permit.startedAt, outcome.retryAfterMs);
		} else {
			this.growing?.failed(permit);
		}
		this.underWay--;
		this.free();
	}

	/** Nothing is sent for so long, for the reason given. */
	hold(ms: number, reason: Error): void {
		const until = this.clock.now() + ms;
		this.heldSince ??= this.clock.now();
		if (until <= this.heldUntil) return;
		this.heldUntil = until;
		this.holder = reason;
	}

	/** What is left of the pause, in milliseconds. */
	get heldMs(): number {
		return Math.max(0, this.heldUntil - this.clock.now());
	}

	/** The reason of the pause; undefined if there is none. */
	get heldBy(): Error | undefined {
		return this.heldUntil > 0 ? this.holder : undefined;
	}

	private async isDue(mostMs: number, signal: AbortSignal | undefined): Promise<boolean> {
		for (;;) {
			if (signal?.aborted) return false;
			if (this.heldUntil > 0) {
				if (this.isHeldLongerThan(mostMs)) return false;
				await raceAbort((this.holding ??= this.waitOut()), signal);
				continue;
			}
			if (this.growing === undefined) return true;
			const { at, start } = this.pace.reserve(this.clock.now());
			const ms = at - this.clock.now();
			if (ms > 0) await raceAbort(this.clock.pause(ms), signal);
			if (signal?.aborted || this.heldUntil > 0) continue;
			if (start(this.clock.now())) return true;
		}
	}

	/** All pauses since the last accepted request count as one: a run must not wait for each of its requests anew. */
	private isHeldLongerThan(mostMs: number): boolean {
		const heldMs = this.heldMs;
		const waitedMs = this.clock.now() - (this.heldSince ?? Infinity);
		return heldMs > 0 && heldMs + Math.max(0, waitedMs) > mostMs;
	}

	/** If the pause has become longer meanwhile, each request decides again whether it waits. */
	private async waitOut(): Promise<void> {
		const until = this.heldUntil;
		await this.clock.pause(this.heldMs);
		this.holding = undefined;
		if (this.heldUntil > until) return;
		this.heldUntil = 0;
		this.pace.resume(this.clock.now());
	}

	private free(): void {
		this.taken--;
		while (this.taken < this.limit) {
			const next = this.waiting.take();
			if (next === undefined) return;
			this.taken++;
			next();
		}
	}
}
