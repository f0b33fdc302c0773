/** Enough answers for a mean that a few slow ones do not move. The first to arrive are the fast ones. */
const shortestRound = 60;

/** Above this multiple of the usual response time nothing grows, and above the second one it shrinks. */
const slow = { mayGrow: 1.5, mustShrink: 2 };

export type Verdict = 'fast' | 'slow' | 'overloaded';

/** How far a mean is from the truth at most, in standard errors. */
const certainty = 2;

interface Sum {
	ms: number;
	squares: number;
	count: number;
}

interface Mean {
	ms: number;
	/** The square of its standard error. */
	variance: number;
}

function meanOf({ ms, squares, count }: Sum): Mean {
	const mean = ms / count;
	return { ms: mean, variance: Math.max(0, squares / count - mean * mean) / count };
}

const chanceOf = (one: Mean, other: Mean): number =>
	certainty * Math.sqrt(one.variance + other.variance);

/** The lower one; their middle if they differ by chance, since the lowest of many would be the luckiest. */
function lowerOf(one: Mean, other: Mean): Mean {
	if (Math.abs(one.ms - other.ms) > chanceOf(one, other)) return one.ms < other.ms ? one : other;
	return { ms: (one.ms + other.ms) / 2, variance: (one.variance + other.variance) / 4 };
}

/**
 * Judges response times by rounds of at least 60 answers. Each kind of request is compared with its own lowest mean of
 * a round, since a list takes longer than a write, and by more than what differs by chance.
 */
export class LatencyRounds {
	private readonly usual = new Map<string, Mean>();
	private readonly sums = new Map<string, Sum>();
	private answers = 0;
	/** How many requests sent in this round are part of it, and how many were. */
	private size = shortestRound;
	private sent = 0;
	private round = 0;

	/** @returns the round that a request sent now is part of, if any */
	enter(parallel: number): number | undefined {
		if (this.sent === 0) this.size = Math.max(shortestRound, parallel);
		return this.sent++ < this.size ? this.round : undefined;
	}

	/** Without a response, or with one that says nothing about response times. @returns whether the round is complete */
	leave(round: number | undefined): boolean {
		return round === this.round && ++this.answers >= this.size;
	}

	/** @returns whether the round is complete */
	add(round: number | undefined, kind: string, ms: number): boolean {
		if (round !== this.round) return false;
		const sum = this.sums.get(kind) ?? { ms: 0, squares: 0, count: 0 };
		sum.ms += ms;
		sum.squares += ms * ms;
		sum.count++;
		this.sums.set(kind, sum);
		return this.leave(round);
	}

	/** @param isLight few requests were under way: however long they took, that is how slow the service is */
	close(isLight: boolean): Verdict {
		let [actual, usual, chance] = [0, 0, 0];
		const means = [...this.sums].map(([kind, sum]) => ({ kind, mean: meanOf(sum) }));
		for (const { kind, mean } of means) {
			const count = this.sums.get(kind)?.count ?? 0;
			const before = this.usual.get(kind);
			const now = isLight || before === undefined ? mean : lowerOf(mean, before);
			this.usual.set(kind, now);
			actual += mean.ms * count;
			usual += now.ms * count;
			chance += chanceOf(mean, now) * count;
		}
		this.sums.clear();
		this.answers = 0;
		this.sent = 0;
		this.round++;
		if (actual <= slow.mayGrow * usual + chance) return 'fast';
		if (actual > slow.mustShrink * usual + chance) return 'overloaded';
		for (const { kind, mean } of means) this.approach(kind, mean);
		return 'slow';
	}

	/** What stays a little slow is the usual after some time; the first rounds may have been fast by chance. */
	private approach(kind: string, { ms, variance }: Mean): void {
		const usual = this.usual.get(kind);
		if (usual) this.usual.set(kind, { ms: usual.ms + (ms - usual.ms) / 4, variance });
	}
}
