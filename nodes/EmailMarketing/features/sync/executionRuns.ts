import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

/** A note that a run leaves for later runs of the same execution. */
export interface NotedRun {
	/** Address keys that its items name; absent if an item may mean anyone. */
	named?: string[];
}

/** The notes of all earlier runs of an execution. */
export interface EarlierRuns {
	/** Whether one of them left no note, for example because it failed. */
	isIncomplete: boolean;
	isUncertain: boolean;
	/** Address keys. */
	named: ReadonlySet<string>;
}

/** Shares the addresses in the input of each run with later runs of the execution, which then do not remove them. */
export class ExecutionRuns {
	readonly earlier: EarlierRuns;
	private readonly data: { syncRuns?: Record<string, NotedRun> };
	private readonly keyOf: (runIndex: number) => string;
	private readonly runIndex: number;

	/**
	 * @param data data that n8n keeps for the node until the execution has ended
	 * @param runIndex how often the node has already run in the execution
	 * @param account identifies the account
	 */
	constructor(data: IDataObject, runIndex: number, account: string) {
		this.data = data;
		this.runIndex = runIndex;
		const name = createHash('sha256').update(account).digest('base64url').slice(0, 8);
		this.keyOf = (index) => `${name} ${index}`;
		const runs = Array.from(
			{ length: runIndex },
			(_, index) => this.data.syncRuns?.[this.keyOf(index)],
		);
		this.earlier = {
			isIncomplete: runs.includes(undefined),
			isUncertain: runs.some((run) => run !== undefined && run.named === undefined),
			named: new Set(runs.flatMap((run) => run?.named ?? [])),
		};
	}

	note(run: NotedRun): void {
		(this.data.syncRuns ??= {})[this.keyOf(this.runIndex)] = run;
	}
}
