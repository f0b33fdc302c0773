import { performance } from 'node:perf_hooks';

const tickMs = 1_000;

/**
 * Ends a case that hangs. The limits are of the time that this process waits and of the time that it computes, and
 * not of the time on the clock, so that a busy machine ends none: all that a case waits for is in this process too.
 */
export class CaseLimit {
	private readonly maxIdleMs: number;
	private readonly maxCpuMs: number;
	private readonly timer: NodeJS.Timeout;
	private startedIdle = 0;
	private startedCpu = 0;
	/** As the last tick found it: to ask for it takes longer than many a case. */
	private cpuMs = cpuMs();
	private refuse: ((error: unknown) => void) | undefined;

	constructor({ maxIdleMs = 20_000, maxCpuMs = 30_000 } = {}) {
		this.maxIdleMs = maxIdleMs;
		this.maxCpuMs = maxCpuMs;
		this.timer = setInterval(() => this.look(), tickMs);
	}

	/** @throws Error if the case does not come to an end in time */
	async hold(work: () => Promise<void>): Promise<void> {
		const started = performance.now();
		this.startedIdle = idleMs();
		this.startedCpu = this.cpuMs;
		const hung = new Promise<never>((_, reject) => (this.refuse = reject));
		await Promise.race([work(), hung]);
		this.refuse = undefined;
		// While a case computes without a pause there is no tick.
		if (performance.now() - started > tickMs) this.judge();
	}

	end(): void {
		clearInterval(this.timer);
	}

	private look(): void {
		try {
			this.judge();
		} catch (error) {
			this.refuse?.(error);
		}
	}

	/** @throws Error if the case took too long */
	private judge(): void {
		this.cpuMs = cpuMs();
		const waited = idleMs() - this.startedIdle;
		const computed = this.cpuMs - this.startedCpu;
		if (waited > this.maxIdleMs) throw new Error(`It waited for ${Math.round(waited / 1000)} s.`);
		if (computed > this.maxCpuMs) {
			throw new Error(`It computed for ${Math.round(computed / 1000)} s.`);
		}
	}
}

const idleMs = () => performance.eventLoopUtilization().idle;

function cpuMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}
