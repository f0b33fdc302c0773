import { hash, randomFrom } from '../sandbox/format.ts';

/** Choices that come out the same for the same seed. */
export class Random {
	private readonly seed: string;
	private readonly next: () => number;

	constructor(seed: string) {
		this.seed = seed;
		this.next = randomFrom(Number.parseInt(hash(seed).slice(0, 8), 16));
	}

	/** Choices of their own for one part, which do not depend on how often others choose. */
	of(part: string): Random {
		return new Random(`${this.seed}/${part}`);
	}

	/** From `low` up to `high`, whole numbers with both ends. */
	whole(low: number, high: number): number {
		return low + Math.floor(this.next() * (high - low + 1));
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	/** @throws Error when the list is empty */
	pick<T>(list: readonly T[]): T {
		const picked = list[this.whole(0, list.length - 1)];
		if (list.length === 0) throw new Error('There is nothing to choose from');
		return picked as T;
	}
}
