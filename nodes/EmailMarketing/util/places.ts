/** A number of slots that may change at any time. Callers wait for a free one, first come, first served. */
export class Places {
	private readonly limit: () => number;
	private taken = 0;
	/** `shift` takes time in proportion to the array, once it has about 50,000 entries. */
	private waiting: Array<() => void> = [];
	private next = 0;

	constructor(limit: () => number) {
		this.limit = limit;
	}

	async take(): Promise<void> {
		if (this.taken < this.limit() && this.next === this.waiting.length) this.taken++;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	free(): void {
		this.taken--;
		while (this.taken < this.limit() && this.next < this.waiting.length) {
			this.taken++;
			this.waiting[this.next++]?.();
		}
		if (this.next < this.waiting.length) return;
		this.waiting = [];
		this.next = 0;
	}
}
