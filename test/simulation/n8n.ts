import type {
	IDataObject,
	IExecuteData,
	INode,
	INodeExecutionData,
	IPairedItemData,
	IPollFunctions,
} from 'n8n-workflow';

import type { Random } from '../../soak/random.ts';
import { ALONE, executeContext, pollContext, type Place } from './contexts.ts';
import { countOfItems } from '../histories/executions.ts';
import type { History } from '../histories/history.ts';
import type { Loaded, PublishedCode } from './published.ts';
import type { Owner, Scheduler } from './scheduler.ts';
import type { Network } from './service.ts';

/**
 * How n8n keeps the position of a trigger. `durable` saves it together with the execution, or not at all. `plain` saves
 * it as the execution is created, one beside the other, and only if there are events.
 */
export const CURSORS = ['durable', 'plain'] as const;
export type Cursors = (typeof CURSORS)[number];

export interface N8nOptions {
	cursors: Cursors;
	/** Whether two main processes take turns. */
	mains: 1 | 2;
	trigger: INode;
	workflows: Workflow[];
}

/** What n8n runs on a schedule. */
export interface Workflow {
	name: string;
	everyMs: number;
	retryOnFail: boolean;
	/** Whether it runs on when the trouble is over. */
	runsOn: boolean;
	/**
	 * @param isQuiet whether the trouble is over, and everybody leaves everything as it is
	 * @returns what one execution runs; undefined if there is nothing to do
	 */
	begin: (isQuiet: boolean) => Execution | undefined;
}

/** How a node gets its items in several runs: in one execution, or in those of a workflow that others call. */
export const SHAPES = ['branches', 'loop', 'calls', 'nestedCalls'] as const;
export type Shape = (typeof SHAPES)[number];

/** Items in several runs. */
export interface Split {
	shape: Shape;
	/** How many items each run gets. */
	counts: number[];
	/** How many runs there are before another node of the execution fails. */
	failsAfter?: number;
}

export interface Execution {
	/** One after the other, each with the output of the one before. */
	nodes: INode[];
	items: INodeExecutionData[];
	/** For a single node. */
	split?: Split;
	/** What the service has of what the items are about. */
	look?: () => IDataObject;
}

const minute = 60_000;
const pollBudgetMs = 45_000;
/** n8n gives up a poll that takes longer. */
const pollTimeoutMs = 56_000;
const maxTries = 3;
const triggerWorkflow = 'watch';

class Main implements Owner {
	isDead = false;
	readonly name: string;
	readonly code: Loaded;
	/** The static data of the trigger's workflow, as this process has it in memory. */
	staticData: IDataObject = {};
	/** The context of its polls. */
	pollContext?: IPollFunctions;
	/** Whether it polls on the schedule. */
	isActive = false;
	/** How often it has become the leader. */
	term = 0;
	/** How many executions are under way. */
	executions = 0;

	constructor(name: string, load: (owner: Owner) => Loaded) {
		this.name = name;
		this.code = load(this);
	}
}

type NodeError = Error & { description?: string | null; context?: IDataObject };
const failure = (error: unknown): IDataObject => {
	const { message, description, context } = error as NodeError;
	const { code = null, itemIndex } = context ?? {};
	return {
		...{ code, message: message.slice(0, 300), itemIndex },
		description: description?.split('<a ')[0]?.slice(0, 500),
	};
};

const pairOf = ({ pairedItem }: INodeExecutionData) =>
	(pairedItem as IPairedItemData | undefined)?.item ?? -1;

const isOfCalls = ({ shape }: Pick<Split, 'shape'>) => shape === 'calls' || shape === 'nestedCalls';

/** An execution of a workflow that calls this one, and that another one called. */
const calledBy = (top: string, id: string) => ({ executionId: `${id} caller`, calledBy: top });

/** An execution that is under way. */
interface Running {
	main: Main;
	workflow: Workflow;
	/** Its number in the history. */
	run: number;
	executionId: string;
	/** In milliseconds since 1970. */
	startedAt: number;
	staticData: IDataObject;
	nodeContext: IDataObject;
	look: () => IDataObject | undefined;
}

/** A row of the output, with the index of its item. */
interface Row {
	json: IDataObject;
	item: number;
}

/** A model of what n8n promises to a node, and of what it does not. */
export class N8n {
	/** What n8n's database holds, as JSON. */
	private readonly saved = { cursor: '{}', staticData: '{}' };
	/** Of each workflow. */
	private readonly savedData = new Map<string, string>();
	private mains: Main[] = [];
	private starts = 0;
	private isScheduled = false;
	private executions = 0;
	private failedPolls = 0;
	private skippedPolls = 0;
	/** The next commit fails, as where the database is locked. */
	failNextCommit = false;
	/** Whether the trouble is over. */
	isQuiet = false;
	/** Whether no more executions begin. */
	isEnding = false;
	/** So many polls that are due start at once. */
	pollsAtOnce = 1;
	/** Every state of the trigger that was saved. */
	readonly states: string[] = [];
	private readonly options: N8nOptions;
	private readonly code: PublishedCode;
	private readonly scheduler: Scheduler;
	private readonly history: History;
	private readonly network: Network;
	private readonly random: Random;
	private readonly wallClock: () => number;

	constructor(
		options: N8nOptions,
		parts: {
			code: PublishedCode;
			scheduler: Scheduler;
			history: History;
			network: Network;
			random: Random;
			wallClock: () => number;
		},
	) {
		this.options = options;
		this.code = parts.code;
		this.scheduler = parts.scheduler;
		this.history = parts.history;
		this.network = parts.network;
		this.random = parts.random;
		this.wallClock = parts.wallClock;
	}

	get isUp(): boolean {
		return this.mains.length > 0;
	}

	get isExecuting(): boolean {
		return this.mains.some(({ executions }) => executions > 0);
	}

	/** Starts all mains that are down. */
	start(): void {
		while (this.mains.length < this.options.mains) {
			const main = this.newMain();
			this.mains.push(main);
			if (this.mains[0] === main) this.lead(main);
		}
		if (this.isScheduled) return;
		this.isScheduled = true;
		this.every(minute, minute, (main) => {
			if (!main.isActive) return;
			for (let count = 0; count < this.pollsAtOnce; count++) void this.poll(main, 'scheduled');
			this.pollsAtOnce = 1;
		});
		for (const workflow of this.options.workflows) {
			const { everyMs, runsOn } = workflow;
			// Not before the trigger has seen what is there first.
			this.every(this.random.whole(3 * minute, everyMs), everyMs, (main) => {
				if (!this.isEnding && (runsOn || !this.isQuiet)) void this.execute(main, workflow);
			});
		}
	}

	/** On the leader, if there is one. */
	private every(firstMs: number, ms: number, run: (main: Main) => void): void {
		this.scheduler.after(firstMs, () => {
			const [main] = this.mains;
			if (main) run(main);
			this.every(ms, ms, run);
		});
	}

	private newMain(): Main {
		const { scheduler, wallClock } = this;
		const name = `main ${++this.starts}`;
		const random = this.random.of(name);
		return new Main(name, (owner) => this.code.load({ scheduler, owner, random, wallClock }));
	}

	/** SIGKILL; a second main takes over. */
	kill(): void {
		const main = this.mains.shift();
		if (!main) return;
		main.isDead = true;
		this.history.note(main.name, 'killed');
		const [next] = this.mains;
		if (next) this.lead(next);
	}

	/** The other main becomes the leader, and this one goes on living. */
	handOver(): void {
		const [main, other] = this.mains;
		if (!main || !other) return;
		main.isActive = false;
		this.mains = [other, main];
		this.history.note(other.name, 'leads');
		this.lead(other);
	}

	/**
	 * Without durable cursors, the leader loads the workflow and polls at once, until that succeeds. With them, this
	 * happens only when the workflow is published; the state of that poll is saved only with events.
	 */
	private lead(main: Main): void {
		const isPlain = this.options.cursors === 'plain';
		main.isActive = !isPlain && this.starts > 1;
		if (main.isActive) return;
		main.term++;
		main.staticData = JSON.parse(this.saved.staticData) as IDataObject;
		void this.poll(main, 'activation').then(() => {
			if (main.isActive || this.mains[0] !== main) return;
			this.scheduler.after(this.random.whole(1, minute), () => this.lead(main), { owner: main });
		});
	}

	/** A write to n8n's database. */
	private async write(main: Main, effect: () => void): Promise<void> {
		await this.scheduler.pause(this.random.whole(1, 8), main);
		effect();
	}

	private async poll(main: Main, kind: 'activation' | 'scheduled'): Promise<void> {
		const { cursors, trigger } = this.options;
		const isDurable = cursors === 'durable';
		const isScheduled = kind === 'scheduled';
		if (isDurable && isScheduled && this.skippedPolls > 0) {
			this.skippedPolls--;
			return;
		}
		const { history, network, scheduler } = this;
		const before = this.saved.cursor;
		const staticData = isDurable ? (JSON.parse(before) as IDataObject) : main.staticData;
		const run = history.invoke(main.name, 'poll', { kind });
		const made = pollContext(
			{
				...{ owner: main, code: main.code, network, node: trigger, staticData, run },
				workflowId: triggerWorkflow,
				mode: 'trigger',
			},
			isDurable && isScheduled ? pollBudgetMs : undefined,
		);
		// Without its scheduler, n8n polls in the context in which it has published the workflow.
		const isNew = isDurable || !isScheduled || main.pollContext === undefined;
		const context = isNew ? made : Object.assign(main.pollContext as object, made);
		main.pollContext = context;
		const started = scheduler.now;
		const isGivenUp = () => isDurable && isScheduled && scheduler.now - started > pollTimeoutMs;
		// A main that has lost the lead since discards what it finds.
		const { term } = main;
		const isSuperseded = () => !isDurable && (this.mains[0] !== main || main.term !== term);
		try {
			const result = (await main.code.trigger().poll?.call(context)) ?? null;
			if (isGivenUp() || isSuperseded()) {
				return history.end(run, 'info', main.name, 'poll', { isDiscarded: true });
			}
			if (!isScheduled) main.isActive = this.mains[0] === main;
			this.failedPolls = 0;
			const items = result?.[0]?.map(({ json }) => json) ?? [];
			history.end(run, 'ok', main.name, 'poll', { events: items.length });
			const after = JSON.stringify(staticData);
			const isCommitted = after !== before && (isScheduled || items.length > 0);
			if (isDurable) {
				if (isCommitted) await this.commit(main, run, after, items);
			} else if (items.length > 0 || !isScheduled) await this.save(main, run, after, items);
		} catch (error) {
			history.end(run, 'fail', main.name, 'poll', failure(error));
			if (!isDurable) return;
			// n8n waits longer after each failure, up to half an hour.
			this.failedPolls++;
			this.skippedPolls = Math.min(30, 2 ** this.failedPolls - 1);
		}
	}

	/** Cursor and execution in one transaction. */
	private async commit(
		main: Main,
		run: number,
		state: string,
		items: IDataObject[],
	): Promise<void> {
		const id = this.history.invoke(main.name, 'emit', { events: items }, run);
		const isFailing = this.failNextCommit;
		this.failNextCommit = false;
		await this.write(main, () => {
			if (isFailing) return this.history.end(id, 'fail', main.name, 'emit');
			this.saved.cursor = state;
			this.states.push(state);
			this.history.end(id, 'ok', main.name, 'emit', { hasState: true, hasExecution: true });
		});
	}

	/** State and execution, one beside the other. */
	private async save(main: Main, run: number, state: string, items: IDataObject[]): Promise<void> {
		const id = this.history.invoke(main.name, 'emit', { events: items }, run);
		const note = (what: IDataObject) =>
			this.history.note(main.name, 'saved', { ...what, emit: id });
		const saving = this.write(main, () => {
			this.saved.staticData = state;
			this.states.push(state);
			note({ hasState: true });
		});
		const creating = this.write(main, () => {
			if (items.length > 0) note({ hasExecution: true });
		});
		await Promise.all([saving, creating]);
		this.history.end(id, 'ok', main.name, 'emit', { hasState: true, hasExecution: true });
	}

	private async execute(main: Main, workflow: Workflow): Promise<void> {
		const { name, begin } = workflow;
		const begun = begin(this.isQuiet);
		if (!begun) return;
		const { nodes, items, split, look = () => undefined } = begun;
		const executionId = String(++this.executions);
		const run = this.history.invoke(main.name, 'execution', {
			...{ workflow: name, items: items.map(({ json }) => json) },
			...{ parameters: nodes[0]?.parameters as IDataObject, before: look() },
			...(split &&
				isOfCalls(split) && {
					calls: split.failsAfter ?? split.counts.length,
					isCutShort: split.failsAfter !== undefined,
				}),
		});
		const staticData = this.dataOf(workflow);
		const startedAt = this.wallClock();
		const execution: Running = {
			...{ main, workflow, run, executionId, startedAt, staticData, nodeContext: {}, look },
		};
		// Where others call the workflow, each call saves its own data.
		const isCalled = split !== undefined && isOfCalls(split);
		const end = async (type: 'ok' | 'fail', data: IDataObject) => {
			if (!isCalled) await this.saveData(main, workflow, staticData);
			this.history.end(run, type, main.name, 'execution', data);
		};
		main.executions++;
		try {
			const isWhole = split
				? await this.runInParts(execution, nodes as [INode], items, split)
				: await this.runNodes(execution, nodes, items);
			await end(isWhole ? 'ok' : 'fail', {});
		} catch (error) {
			await end('fail', failure(error));
		} finally {
			main.executions--;
		}
	}

	private readonly dataOf = ({ name }: Workflow) =>
		JSON.parse(this.savedData.get(name) ?? '{}') as IDataObject;

	private async saveData(main: Main, { name }: Workflow, data: IDataObject): Promise<void> {
		await this.write(main, () => this.savedData.set(name, JSON.stringify(data)));
	}

	private noteOutput(
		{ main, run, look }: Running,
		node: INode,
		hints: string[],
		rows: Row[],
	): void {
		this.history.note(main.name, 'output', {
			...{ run, operation: node.parameters.operation, hints, after: look() },
			items: rows.map(({ json }) => json),
			of: rows.map(({ item }) => item),
		});
	}

	private async runNodes(
		execution: Running,
		nodes: INode[],
		given: INodeExecutionData[],
	): Promise<true> {
		const { main, nodeContext } = execution;
		let items = given;
		/** The first items, by the index of those that they became. */
		let origins = items.map((_, index) => index);
		for (const node of nodes) {
			const hints: string[] = [];
			const output = await this.runOnce(execution, node, items, { ...ALONE, nodeContext }, hints);
			const rows = output.map((one) => ({ json: one.json, item: origins[pairOf(one)] ?? -1 }));
			this.noteOutput(execution, node, hints, rows);
			const end = countOfItems(output.map(pairOf));
			// The others leave through the error output.
			const passed = output.filter(({ json }) => !json.error);
			origins = passed.map((one) => {
				const position = output.indexOf(one);
				return position < end ? (rows[position]?.item ?? -1) : -1;
			});
			items = passed;
			// A plan waits for its approval.
			if (node !== nodes.at(-1)) {
				await this.scheduler.pause(this.random.whole(0, 4 * minute), main);
			}
		}
		return true;
	}

	/** @returns whether all runs were begun */
	private async runInParts(
		execution: Running,
		[node]: readonly [INode],
		items: INodeExecutionData[],
		{ shape, counts, failsAfter }: Split,
	): Promise<boolean> {
		const { main, workflow, executionId, nodeContext } = execution;
		const isCalled = isOfCalls({ shape });
		const hints: string[] = [];
		const ofItems: Row[] = [];
		const ofMissing: Row[] = [];
		let first = 0;
		try {
			for (const [runIndex, count] of counts.entries()) {
				if (runIndex === failsAfter) return false;
				const own = items.slice(first, first + count);
				const id = isCalled ? String(++this.executions) : executionId;
				const calling = shape === 'calls' ? { executionId } : calledBy(executionId, id);
				const called = {
					...execution,
					executionId: id,
					startedAt: isCalled ? this.wallClock() : execution.startedAt,
					staticData: isCalled ? this.dataOf(workflow) : execution.staticData,
				};
				const place: Place = isCalled
					? { ...ALONE, nodeContext: {}, parent: calling }
					: {
							...{ runIndex, nodeContext, isInLoop: shape === 'loop' },
							hasMore: shape === 'branches' && runIndex < counts.length - 1,
						};
				const running = this.runOnce(called, node, own, place, hints);
				const output = await running.finally(async () => {
					if (isCalled) await this.saveData(main, workflow, called.staticData);
				});
				const end = countOfItems(output.map(pairOf));
				for (const [position, one] of output.entries()) {
					const pair = pairOf(one);
					if (position >= end) ofMissing.push({ json: one.json, item: 0 });
					else ofItems.push({ json: one.json, item: pair < 0 ? -1 : first + pair });
				}
				first += count;
				await this.scheduler.pause(this.random.whole(0, minute), main);
			}
			return true;
		} finally {
			this.noteOutput(execution, node, hints, [...ofItems, ...ofMissing]);
		}
	}

	private async runOnce(
		{ main, workflow, run, executionId, startedAt, staticData }: Running,
		node: INode,
		items: INodeExecutionData[],
		place: Place,
		hints: string[],
	): Promise<INodeExecutionData[]> {
		const executeData = { node, data: { main: [items] }, source: null } as IExecuteData;
		const work = async () =>
			await this.runNode(main, {
				...{ node, items, executionId, startedAt, executeData, staticData, run, place },
				workflowId: workflow.name,
				hint: (message) => hints.push(message),
			});
		return await this.retrying(main, work, workflow.retryOnFail ? maxTries : 1);
	}

	/** n8n also runs a node again whose first item is a failure. */
	private async retrying(
		main: Main,
		work: () => Promise<INodeExecutionData[]>,
		tries: number,
	): Promise<INodeExecutionData[]> {
		for (let left = tries; ; left--) {
			try {
				const output = await work();
				if (left <= 1 || !output[0]?.json.error) return output;
				this.history.note(main.name, 'node failed', output[0].json);
			} catch (error) {
				if (left <= 1) throw error;
				this.history.note(main.name, 'node failed', failure(error));
			}
			await this.scheduler.pause(1000, main);
		}
	}

	private async runNode(
		main: Main,
		given: {
			node: INode;
			items: INodeExecutionData[];
			executionId: string;
			startedAt: number;
			executeData: IExecuteData;
			staticData: IDataObject;
			run: number;
			place: Place;
			workflowId: string;
			hint: (message: string) => void;
		},
	): Promise<INodeExecutionData[]> {
		const { resource, operation } = given.node.parameters;
		const work = main.code.node().customOperations?.[String(resource)]?.[String(operation)];
		if (!work) throw new Error(`There is no ${String(resource)}: ${String(operation)}`);
		const context = executeContext({
			...{ owner: main, code: main.code, network: this.network, mode: 'trigger' },
			...given,
		});
		const output = (await work.call(context)) as INodeExecutionData[][];
		return output[0] ?? [];
	}
}
