import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

/** What a run is about, for later runs of the same execution. */
export interface NotedRun {
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
}

/** Where the runs of one execution tell each other what they are about. */
export class ExecutionRuns {
	readonly earlier: EarlierRuns;
	private readonly data: { syncRuns?: Record<string, NotedRun> };
	private readonly keyOf: (runIndex: number) => string;
	private readonly runIndex: number;

	/**
	 * @param data what n8n keeps for the node until the execution has ended
	 * @param runIndex how often the node has run before
	 * @param account tells the account of the run apart from others
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
