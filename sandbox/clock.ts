/** A clock that runs beside the real one and can be moved, stopped and read. All times are milliseconds, UTC. */
export class Clock {
	private offset = 0;
	private stoppedAt: number | null = null;

	now(): number {
		return this.stoppedAt ?? Date.now() + this.offset;
	}

	get frozen(): boolean {
		return this.stoppedAt !== null;
	}

	set(now: number): void {
		if (this.stoppedAt !== null) this.stoppedAt = now;
		this.offset = now - Date.now();
	}

	advance(ms: number): void {
		this.set(this.now() + ms);
	}

	freeze(on: boolean): void {
		const now = this.now();
		this.stoppedAt = on ? now : null;
		this.offset = now - Date.now();
	}

	reset(): void {
		this.offset = 0;
		this.stoppedAt = null;
	}
}
