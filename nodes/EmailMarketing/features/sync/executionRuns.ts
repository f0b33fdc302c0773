import type { IDataObject } from 'n8n-workflow';

/** What a run is about, for later runs of the same execution. */
export interface NotedRun {
	items: number;
	/** Address keys of those whom its items name; absent if they may be anyone. */
	named?: string[];
}

/** What is known of the earlier runs of an execution. */
export interface EarlierRuns {
	/** Whether one of them did not say whom its items name. */
	isIncomplete: boolean;
	isUncertain: boolean;
	/** Address keys. */
	named: ReadonlySet<string>;
	/** How many items they had. */
	items: number;
}

/** Where the runs of one execution tell each other what they are about. */
export class ExecutionRuns {
	readonly earlier: EarlierRuns;
	private readonly data: { syncRuns?: Record<string, NotedRun> };
	private readonly runIndex: number;

	/**
	 * @param data what n8n keeps for the node until the execution has ended
	 * @param runIndex how often the node has run before
	 */
	constructor(data: IDataObject, runIndex: number) {
		this.data = data;
		this.runIndex = runIndex;
		const runs = Array.from({ length: runIndex }, (_, index) => this.data.syncRuns?.[index]);
		this.earlier = {
			isIncomplete: runs.includes(undefined),
			isUncertain: runs.some((run) => run !== undefined && run.named === undefined),
			named: new Set(runs.flatMap((run) => run?.named ?? [])),
			items: runs.reduce((sum, run) => sum + (run?.items ?? 0), 0),
		};
	}

	note(run: NotedRun): void {
		(this.data.syncRuns ??= {})[this.runIndex] = run;
	}
}
