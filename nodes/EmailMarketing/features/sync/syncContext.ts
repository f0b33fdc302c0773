import type { RunContext } from '../../run/runContext';
import { ExecutionRuns, type EarlierRuns, type NotedRun } from './executionRuns';
import { openMemory, type SyncMemory } from './memory/syncMemory';
import type { SyncOptions } from './syncOptions';
import type { ExecutionFacts, SyncExecution } from './types';

/** What a run of a sync knows of its execution and of earlier ones. */
export interface SyncContext {
	execution: SyncExecution;
	/** Absent if nothing depends on it. */
	memory?: SyncMemory;
	/** Tells later runs of the execution what this one is about. */
	note(run: NotedRun): void;
}

/** What is known of the execution of a run. */
export function executionOf(
	known: Pick<ExecutionFacts, 'isRetry' | 'isManual' | 'mayRunAgain'>,
	earlier: EarlierRuns,
	{ state, run }: Partial<SyncMemory> = {},
): SyncExecution {
	const isKnown = state !== undefined && run !== undefined;
	return {
		facts: {
			...known,
			isIncomplete: earlier.isIncomplete,
			isCalled: run !== undefined && run.id !== run.call,
			isCalledRepeatedly: isKnown && state.isCalledRepeatedly(run),
			isOverlapped: isKnown && state.isOverlapped(run),
			isFirst: state?.isFirst ?? true,
		},
		isNew: !isKnown || state.isNew(run),
		earlier,
	};
}

/** Opens the memory where an option depends on it. Unless the run is a dry one, it counts as begun. */
export function openContext(
	run: RunContext,
	{ contactTypeId, list, missing, externalIdField, dryRun }: SyncOptions,
): SyncContext {
	const mayRemove = missing.kind !== 'ignore';
	const place = { key: list?.key ?? String(contactTypeId), contactTypeId };
	const memory = mayRemove || externalIdField ? openMemory(run, place) : undefined;
	const runs = new ExecutionRuns(run.executionData, run.runIndex, run.account);
	const { mayRunAgain, callerMode } = run;
	const isRetry = callerMode === 'retry';
	const isManual = callerMode === 'manual' && !dryRun;
	if (!dryRun) memory?.begin();
	return {
		memory,
		execution: executionOf({ mayRunAgain, isRetry, isManual }, runs.earlier, memory),
		note: (noted) => {
			if (mayRemove && mayRunAgain) runs.note(noted);
		},
	};
}
