/** A process of n8n. What belongs to it no longer happens once it is dead. */
export interface Owner {
	readonly name: string;
	isDead: boolean;
}

interface Pending {
	at: number;
	order: number;
	owner?: Owner;
	/** Whether anything would notice. */
	isAwaited: () => boolean;
	run: () => void;
}

const isBefore = (a: Pending, b: Pending) => a.at < b.at || (a.at === b.at && a.order < b.order);

/** Lets all code run that waits for nothing but promises. */
const settled = async () => await new Promise((resolve) => setImmediate(resolve));

/** Everything that takes time in a simulation: one thing after the other, in an order that the seed decides. */
export class Scheduler {
	/** Milliseconds since the simulation began. */
	now = 0;
	steps = 0;
	private order = 0;
	private readonly heap: Pending[] = [];

	after(
		ms: number,
		run: () => void,
		{ owner, isAwaited = () => true }: Partial<Pick<Pending, 'owner' | 'isAwaited'>> = {},
	): void {
		const at = this.now + Math.max(0, ms);
		this.push({ at, order: this.order++, owner, isAwaited, run });
	}

	async pause(ms: number, owner?: Owner): Promise<void> {
		await new Promise<void>((resolve) => this.after(ms, resolve, { owner }));
	}

	/** @returns false when nothing is left to happen */
	async step(): Promise<boolean> {
		for (;;) {
			const next = this.pop();
			if (next === undefined) return false;
			if (next.owner?.isDead || !next.isAwaited()) continue;
			this.now = next.at;
			this.steps++;
			next.run();
			await settled();
			return true;
		}
	}

	private push(pending: Pending): void {
		const { heap } = this;
		let at = heap.length;
		while (at > 0) {
			const parent = (at - 1) >> 1;
			const above = heap[parent] as Pending;
			if (!isBefore(pending, above)) break;
			heap[at] = above;
			at = parent;
		}
		heap[at] = pending;
	}

	private pop(): Pending | undefined {
		const { heap } = this;
		const [first] = heap;
		const last = heap.pop();
		if (first === undefined || last === undefined || heap.length === 0) return first;
		let at = 0;
		for (;;) {
			let child = 2 * at + 1;
			if (child >= heap.length) break;
			const right = heap[child + 1];
			if (right && isBefore(right, heap[child] as Pending)) child++;
			if (!isBefore(heap[child] as Pending, last)) break;
			heap[at] = heap[child] as Pending;
			at = child;
		}
		heap[at] = last;
		return first;
	}
}
