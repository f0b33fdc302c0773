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
	private refuse: ((error: Error) => void) | undefined;

	constructor({ maxIdleMs = 20_000, maxCpuMs = 30_000 } = {}) {
		this.maxIdleMs = maxIdleMs;
		this.maxCpuMs = maxCpuMs;
		this.timer = setInterval(() => this.look(), tickMs);
	}

	/** @throws Error if the case does not come to an end in time */
	async hold(work: () => Promise<void>): Promise<void> {
		this.startedIdle = idleMs();
		this.startedCpu = cpuMs();
		const hung = new Promise<never>((_, reject) => (this.refuse = reject));
		await Promise.race([work(), hung]);
		this.refuse = undefined;
		// Nothing else runs while a case computes without a pause.
		const why = this.excess();
		if (why !== undefined) throw new Error(why);
	}

	end(): void {
		clearInterval(this.timer);
	}

	private look(): void {
		const why = this.excess();
		if (why !== undefined) this.refuse?.(new Error(why));
	}

	private excess(): string | undefined {
		const waited = idleMs() - this.startedIdle;
		if (waited > this.maxIdleMs) return `It waited for ${Math.round(waited / 1000)} s.`;
		const computed = cpuMs() - this.startedCpu;
		return computed > this.maxCpuMs
			? `It computed for ${Math.round(computed / 1000)} s.`
			: undefined;
	}
}

const idleMs = () => performance.eventLoopUtilization().idle;

function cpuMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}
