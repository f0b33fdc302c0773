import { sleep } from 'n8n-workflow';
import type { IExecuteData, IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceError } from '../api/envelope';
import type { CircuitBreaker } from '../api/retry';

import { coerceNumber } from '../util/coerce';

const defaultRequestsAtATime = 10;

/** What became of the write of an item in an earlier try of the node: its items, or why that is not known. */
export type Settled = INodeExecutionData[] | ServiceError;

/**
 * What the items of one execution of the node share. n8n starts all of them at once; here they
 * wait for each other, so that a mistake in the last item is found before the first one is sent,
 * and then go out a few at a time.
 */
export class Run {
	private readonly waiting: Array<() => void> = [];
	private readonly idleWaiters: Array<() => void> = [];
	private readonly readyWaiters: Array<() => void> = [];
	private readonly registered = new Set<number>();
	private arrived = 0;
	private active = 0;
	private loopEnded: Promise<void> | undefined;
	private readonly kept = new Map<string, unknown>();

	succeeded = 0;

	/** Shared by the requests of the run. */
	readonly others: CircuitBreaker = { open: false };

	private readonly halting = new AbortController();
	/** Aborted when nothing more may be sent. */
	readonly signal: AbortSignal;

	private readonly requestsAtATime: number;
	private readonly expected: number | undefined;
	/** By item; an item that is not there may be sent. */
	readonly settled: Map<number, Settled>;

	/**
	 * @param expected items of the input, or undefined where items need not wait for each other
	 * @param cancelled aborted when the execution is cancelled
	 * @param before the try of the node before this one
	 */
	constructor(
		requestsAtATime: number,
		expected: number | undefined,
		cancelled: AbortSignal | undefined,
		before: Run | undefined,
	) {
		this.requestsAtATime = requestsAtATime;
		this.expected = expected;
		this.settled = before?.settled ?? new Map<number, Settled>();
		this.signal = AbortSignal.any([this.halting.signal, ...(cancelled ? [cancelled] : [])]);
	}

	/** After the first failure that is not to be survived: what has not been sent yet stays unsent. */
	halt(): void {
		this.halting.abort();
	}

	get stopped(): boolean {
		return this.signal.aborted;
	}

	has(itemIndex: number): boolean {
		return this.registered.has(itemIndex);
	}

	register(itemIndex: number): void {
		this.registered.add(itemIndex);
	}

	get items(): number {
		return this.registered.size;
	}

	/** Waits until every item has been looked at. Resolves to false when nothing may be sent. */
	async ready(): Promise<boolean> {
		this.arrived++;
		if (this.expected === undefined) return !this.stopped;
		// The loop over the items has no pause in it, so after one turn of the clock it is over. Fewer
		// items than there are then means that one failed before it came here, and the node with it.
		this.loopEnded ??= sleep(0);
		await this.loopEnded;
		if (this.registered.size < this.expected) return false;
		if (this.arrived < this.registered.size) {
			await new Promise<void>((resolve) => this.readyWaiters.push(resolve));
		} else {
			for (const resolve of this.readyWaiters.splice(0)) resolve();
		}
		return !this.stopped;
	}

	/** Runs `task` when one of the places is free. */
	async limit<T>(task: () => Promise<T>): Promise<T> {
		if (this.active >= this.requestsAtATime) {
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		} else {
			this.active++;
		}
		try {
			return await task();
		} finally {
			const next = this.waiting.shift();
			if (next === undefined) this.active--;
			else next();
			if (this.active === 0) for (const resolve of this.idleWaiters.splice(0)) resolve();
		}
	}

	/** Makes something that all items of the run share, on first use. */
	keep<T>(key: string, make: () => T): T {
		if (!this.kept.has(key)) this.kept.set(key, make());
		return this.kept.get(key) as T;
	}

	/** Lets nothing more go out and waits for what is under way. */
	async stop(): Promise<void> {
		this.halt();
		if (this.active > 0) await new Promise<void>((resolve) => this.idleWaiters.push(resolve));
		// What has come back last still has to be counted.
		await sleep(0);
	}
}

/** How the requests of a run are spaced out. */
export interface Batching {
	size: number;
	pauseMs: number;
}

/** What `requestOptions.batching.batch` says, as n8n's own engine takes it; no pause where it is nonsense. */
export function toBatching(value: unknown): Batching {
	const batch = value as { batchSize?: unknown; batchInterval?: unknown } | null | undefined;
	const size = coerceNumber(batch?.batchSize);
	const pauseMs = coerceNumber(batch?.batchInterval);
	return { size: size > 0 ? Math.ceil(size) : 1, pauseMs: pauseMs > 0 ? pauseMs : 0 };
}

// n8n hands the same object to every item of one execution of a node, but also to every further try
// of "Retry On Fail", and to all calls of a tool that one run of an agent makes. An item that comes
// again therefore begins a new run. A further try has all items in it again, so what the tries before
// have written goes along; calls of a tool have nothing in common but the object.
const latestRuns = new WeakMap<IExecuteData, Run>();
const runsOfItems = new WeakMap<object, Run>();

/** Called once by every item while n8n goes through its input. */
export function joinRun(context: IExecuteSingleFunctions): Run {
	const executeData = context.getExecuteData();
	const itemIndex = context.getItemIndex();
	let run = latestRuns.get(executeData);
	if (run === undefined || run.has(itemIndex)) {
		run = new Run(
			requestsAtATime(context),
			expectedItems(context, executeData),
			context.getExecutionCancelSignal(),
			isCalledByAgent(context, executeData) ? undefined : run,
		);
		latestRuns.set(executeData, run);
	}
	run.register(itemIndex);
	runsOfItems.set(context, run);
	return run;
}

/** The run that an item has joined. */
export function runOf(context: IExecuteSingleFunctions): Run {
	return runsOfItems.get(context) ?? joinRun(context);
}

function requestsAtATime(context: IExecuteSingleFunctions): number {
	const value = coerceNumber(
		context.getNodeParameter('options.requestsAtATime', defaultRequestsAtATime),
	);
	return Number.isInteger(value) && value > 0 ? value : defaultRequestsAtATime;
}

/** Items wait for each other unless failures are survived, or the user spaces requests out. */
function expectedItems(
	context: IExecuteSingleFunctions,
	executeData: IExecuteData,
): number | undefined {
	if (context.continueOnFail()) return undefined;
	const { pauseMs } = toBatching(context.getNodeParameter('requestOptions.batching.batch', {}));
	if (pauseMs > 0) return undefined;
	// As a tool, the node gets the input of the agent here, not the one item of its own call.
	if (context.getNode().executeOnce === true || isTool(context)) return 1;
	return executeData.data.main?.[0]?.length;
}

/** n8n names the tool that it makes of a node so. */
export function isTool(context: Pick<IExecuteSingleFunctions, 'getNode'>): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** Whether an agent calls the node while it runs itself; others let n8n run it, as a node like any other. */
function isCalledByAgent(context: IExecuteSingleFunctions, { node }: IExecuteData): boolean {
	return isTool(context) && node.name !== context.getNode().name;
}
