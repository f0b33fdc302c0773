/** A number of places that may change at any time. Whoever finds none waits, first come, first served. */
export class Places {
	private readonly limit: () => number;
	private taken = 0;
	/** An array takes as long to `shift` as it has entries, once there are some 50,000. */
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
