/** First in, first out. An array takes as long to `shift` as it has entries, once there are some 50,000. */
export class Queue<T> {
	private incoming: T[] = [];
	/** Reversed: the next one is at the end. */
	private outgoing: T[] = [];

	get length(): number {
		return this.incoming.length + this.outgoing.length;
	}

	add(entry: T): void {
		this.incoming.push(entry);
	}

	/** Removes the entry that was added first; undefined if there is none. */
	take(): T | undefined {
		if (this.outgoing.length === 0) {
			this.outgoing = this.incoming.reverse();
			this.incoming = [];
		}
		return this.outgoing.pop();
	}
}
