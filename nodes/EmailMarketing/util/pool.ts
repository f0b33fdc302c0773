import { sleep } from 'n8n-workflow';

import { raceAbort } from './promises';

export interface PoolOptions {
	/** Tasks under way at the same time, which may change. */
	parallel: () => number;
	/** After so many tasks have started, the next ones wait (n8n's Batching). */
	throttle?: { size: number; pauseMs: number };
	/** Nothing starts once it is aborted. */
	signal?: AbortSignal;
	/** Waits before a batch. */
	pause?: (ms: number) => Promise<unknown>;
}

/** Thrown if the execution was canceled, once all tasks under way have ended. */
export class Cancelled extends Error {
	constructor() {
		super('The execution was canceled');
		this.name = 'Cancelled';
	}
}

/** A number of slots that may change at any time. Callers wait for a free one, first come, first served. */
export class Slots {
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

/** Runs tasks: only so many at a time, and spaced out in batches. A task must not wait for another one of its pool. */
export class Pool {
	private readonly options: PoolOptions;
	private readonly slots: Slots;
	private started = 0;
	private gate: Promise<unknown> = Promise.resolve();

	constructor(options: PoolOptions) {
		this.options = options;
		this.slots = new Slots(options.parallel);
	}

	/**
	 * Runs one task when a slot is free. A task that waits for its next try keeps its slot; otherwise every task would
	 * try a service that is down.
	 *
	 * @throws Cancelled if the signal was aborted before the task started
	 */
	async run<T>(task: () => Promise<T>): Promise<T> {
		await this.slots.take();
		try {
			await this.turn();
			this.check();
			return await task();
		} finally {
			this.slots.free();
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
		const errors: unknown[] = [];
		const workers: Array<Promise<void>> = [];
		const mayStart = () => next < tasks.length && errors.length === 0;
		const worker = async () => {
			while (mayStart()) {
				const task = tasks[next++] as T;
				await this.run(async () => {
					if (errors.length === 0) await work(task);
				}).catch((error: unknown) => errors.push(error));
				addWorkers();
			}
		};
		// The limit may have risen.
		const addWorkers = () => {
			while (workers.length < this.options.parallel() && mayStart()) workers.push(worker());
		};
		addWorkers();
		for (let ended = 0; ended < workers.length; ended++) await workers[ended];
		if (errors.length > 0) throw errors[0];
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
