import { sleep } from 'n8n-workflow';

import { raceAbort } from './raceAbort';
import { settleAll } from './settleAll';

export interface PoolOptions {
	/** Tasks under way at the same time. */
	parallel: number;
	/** After so many tasks have started, the next ones wait (n8n's Batching). */
	throttle?: { size: number; pauseMs: number };
	/** Nothing starts once it is aborted. */
	signal?: AbortSignal;
	pause?: (ms: number) => Promise<unknown>;
}

/** Thrown if the execution was canceled; what was under way has ended by then. */
export class Cancelled extends Error {
	constructor() {
		super('The execution was canceled');
		this.name = 'Cancelled';
	}
}

/** Runs tasks: only so many at a time, and spaced out in batches. A task must not wait for another one of its pool. */
export class Pool {
	private readonly options: PoolOptions;
	private readonly waiting: Array<() => void> = [];
	private active = 0;
	private started = 0;
	private gate: Promise<unknown> = Promise.resolve();

	constructor(options: PoolOptions) {
		this.options = options;
	}

	/**
	 * Runs one task when a slot is free.
	 *
	 * @throws Cancelled if the signal was aborted before the task started
	 */
	async run<T>(task: () => Promise<T>): Promise<T> {
		if (this.active >= this.options.parallel) {
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		} else {
			this.active++;
		}
		try {
			await this.turn();
			this.check();
			return await task();
		} finally {
			const next = this.waiting.shift();
			if (next === undefined) this.active--;
			else next();
		}
	}

	/**
	 * Runs `work` for each task, in order.
	 *
	 * @param work must not throw for a failure of that task alone: no other task starts then
	 * @throws Cancelled if the signal was aborted before all tasks had started
	 */
	async each<T>(tasks: readonly T[], work: (task: T) => Promise<void>): Promise<void> {
		let next = 0;
		let hasFailed = false;
		const worker = async () => {
			while (next < tasks.length && !hasFailed) {
				const task = tasks[next++] as T;
				await this.run(async () => {
					if (!hasFailed) await work(task);
				}).catch((error: unknown) => {
					hasFailed = true;
					throw error;
				});
			}
		};
		const workers = Math.min(this.options.parallel, tasks.length);
		await settleAll(Array.from({ length: workers }, worker));
	}

	/** @throws Cancelled */
	check(): void {
		if (this.options.signal?.aborted) throw new Cancelled();
	}

	private async turn(): Promise<void> {
		const { throttle, signal, pause = sleep } = this.options;
		if (throttle && this.started > 0 && this.started % throttle.size === 0) {
			this.gate = this.gate.then(async () => await raceAbort(pause(throttle.pauseMs), signal));
		}
		this.started++;
		await this.gate;
	}
}
