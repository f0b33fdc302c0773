import { together } from '../transport/together';

/** How fast writes go out. */
export interface PaceOptions {
	/** Writes under way at the same time. */
	atATime: number;
	/** Pause after this many writes; no pauses when absent (n8n's batching). */
	batchSize?: number;
	batchIntervalMs?: number;
	pause: (ms: number) => Promise<unknown>;
	signal?: AbortSignal;
}

/** Thrown when the execution was cancelled; what was under way has been waited for. */
export class Cancelled extends Error {
	constructor() {
		super('The execution was cancelled');
		this.name = 'Cancelled';
	}
}

/** Lets writes out: a few at a time, with the pauses between batches, and none after a cancellation. */
export class Pace {
	private readonly options: PaceOptions;
	private started = 0;
	private gate: Promise<unknown> = Promise.resolve();

	constructor(options: PaceOptions) {
		this.options = options;
	}

	/**
	 * Runs `write` for each task. Batches are counted over all calls of one pace.
	 *
	 * @param tasks what to write
	 * @param write writes one task; must not throw for a failure of that task alone: no other is begun then
	 * @throws Cancelled when the execution was cancelled before all tasks were started
	 */
	async each<T>(tasks: readonly T[], write: (task: T) => Promise<void>): Promise<void> {
		let next = 0;
		let cancelled = false;
		let failed = false;
		const worker = async () => {
			while (next < tasks.length && !cancelled && !failed) {
				const task = tasks[next++] as T;
				await this.turn();
				cancelled ||= this.options.signal?.aborted ?? false;
				if (cancelled || failed) return;
				await write(task).catch((error: unknown) => {
					failed = true;
					throw error;
				});
			}
		};
		const workers = Math.min(this.options.atATime, tasks.length);
		await together(Array.from({ length: workers }, worker));
		if (cancelled) throw new Cancelled();
	}

	/** @throws Cancelled when the execution was cancelled */
	check(): void {
		if (this.options.signal?.aborted) throw new Cancelled();
	}

	private async turn(): Promise<void> {
		const { batchSize = 0, batchIntervalMs = 0, pause } = this.options;
		const first = this.started === 0;
		if (!first && batchSize > 0 && batchIntervalMs > 0 && this.started % batchSize === 0) {
			this.gate = this.gate.then(async () => await pause(batchIntervalMs));
		}
		this.started++;
		await this.gate;
	}
}
