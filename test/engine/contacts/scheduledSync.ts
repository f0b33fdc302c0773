import type { IDataObject, INode, IRun } from 'n8n-workflow';

import { limits } from '../../../scripts/lib/workflow-json.ts';
import {
	nodeHash,
	type StoredSyncState,
} from '../../../nodes/EmailMarketing/features/sync/memory/syncState';
import { outcomeOf, runWorkflow, type Execution, type Outcome, type Step } from '../engine';
import { json, TYPE, type Account } from './support';

export const address = (name: string) => `${name}@example.com`;

export const people = (...names: string[]): IDataObject[] =>
	names.map((name) => ({ email: address(name), country: 'DE' }));

/** How the node of a workflow gets several inputs in one execution. */
export type Shape = 'branches' | 'loop' | 'calls';

export type How = Partial<
	Pick<Execution, 'mode' | 'executionId' | 'parent' | 'baseUrl' | 'credential' | 'signal'>
> & {
	/** In place of those of the workflow; `options` are added to those that it has. */
	parameters?: IDataObject;
	node?: Partial<INode>;
};

interface Memory {
	syncState: StoredSyncState;
}

let workflows = 0;
let executions = 0;

const SYNC = 'Email Marketing';

/** A workflow that syncs: n8n keeps its static data from one execution to the next. */
export class ScheduledSync {
	staticData: IDataObject = {};
	private readonly nodeId = `sync ${++workflows}`;
	private readonly account: () => Account;
	private readonly parameters: IDataObject;

	/** @param parameters by default, missing contacts are deleted, however many there are */
	constructor(given: { account: Account }, parameters: IDataObject = {}) {
		this.account = () => given.account;
		this.parameters = parameters;
		// As in a real service, no ID is used twice, though each test begins with an empty one.
		given.account.state.tables.contacts.nextId = 2_000_000 + workflows * 1_000;
	}

	/** The workflow after a restart of n8n, of which only the static data is left: the node and its memory get another ID. */
	restarted(): ScheduledSync {
		const again = new ScheduledSync({ account: this.account() }, this.parameters);
		again.staticData = again.own(this.staticData);
		return again;
	}

	/** Static data of another node as that of this one. */
	own(staticData: IDataObject): IDataObject {
		const data = structuredClone(staticData) as unknown as Record<string, Memory>;
		for (const { syncState } of Object.values(data))
			syncState.node = nodeHash(`test:${this.nodeId}`);
		return data as unknown as IDataObject;
	}

	/** An execution in which the node runs once. */
	async attempt(items: IDataObject[], how: How = {}): Promise<Outcome> {
		return outcomeOf(await this.start([this.step(how)], items, how), SYNC);
	}

	async run(items: IDataObject[], how: How = {}): Promise<Outcome> {
		const outcome = await this.attempt(items, how);
		expect(outcome.error).toBeUndefined();
		return outcome;
	}

	/** One execution in which the node gets several inputs. @returns what each run put out */
	async runEach(shape: Shape, inputs: IDataObject[][], how: How = {}): Promise<Outcome[]> {
		if (shape === 'calls') {
			const parent = { executionId: `caller ${++executions}`, mode: 'trigger' as const };
			const outcomes: Outcome[] = [];
			for (const items of inputs) {
				outcomes.push(await this.run(items, { parent, mode: 'integrated', ...how }));
			}
			return outcomes;
		}
		const run = await this.start(
			shape === 'loop' ? this.loop(inputs, how) : this.branches(inputs, how),
			[{}],
			how,
		);
		const results = run.data.resultData.runData[SYNC] ?? [];
		expect(run.data.resultData.error).toBeUndefined();
		return results.map((_, index) => outcomeOf(run, SYNC, index));
	}

	/** An execution of which a later branch fails. */
	async failInBranches(inputs: IDataObject[][], how: How = {}): Promise<void> {
		const run = await this.start(this.branches(inputs, how), [{}], how);
		expect(run.data.resultData.error).toBeDefined();
	}

	private step({ parameters: changed = {}, node }: How): Step {
		const { options: given, ...parameters } = this.parameters;
		const { options: added, ...others } = changed;
		return {
			name: SYNC,
			node: { id: this.nodeId, ...node },
			parameters: {
				resource: 'contact',
				operation: 'sync',
				contactTypeId: { __rl: true, mode: 'id', value: String(TYPE) },
				fields: { mappingMode: 'autoMapInputData', value: null },
				missing: 'delete',
				...parameters,
				...others,
				options: {
					...limits({ maxRemovalPercent: 100 }),
					...(given as IDataObject),
					...(added as IDataObject),
				},
			},
		};
	}

	private branches(inputs: IDataObject[][], how: How): Step[] {
		const sources = inputs.map((items, n) => ({
			name: `Source ${n}`,
			type: 'source' as const,
			parameters: { items },
			to: [SYNC],
		}));
		const start = { name: 'Start', type: 'reader' as const, parameters: {} };
		return [{ ...start, to: sources.map(({ name }) => name) }, ...sources, this.step(how)];
	}

	private loop(batches: IDataObject[][], how: How): Step[] {
		const loop = { name: 'Loop', type: 'loop' as const, parameters: { batches }, to: [SYNC] };
		return [loop, { ...this.step(how), to: ['Loop'] }];
	}

	private async start(steps: Step[], items: IDataObject[], how: How): Promise<IRun> {
		const { mode = 'trigger', executionId = String(++executions), parent, baseUrl } = how;
		const { credential, signal } = how;
		return await runWorkflow({
			baseUrl: baseUrl ?? this.account().sandbox.baseUrl,
			steps,
			items: items.map((one) => ({ json: one })),
			...{ mode, executionId, parent, credential, signal },
			staticData: this.staticData,
		});
	}
}

export const actions = (outcome: Outcome) =>
	json(outcome).map(({ action, email, reason }) => [action, email, reason]);

/** Whom a run, or an execution, removed. */
export const removed = (...outcomes: Outcome[]) =>
	outcomes
		.flatMap(json)
		.flatMap(({ action, email }) =>
			['deleted', 'moved', 'addedToGroup'].includes(String(action)) ? [email] : [],
		);
