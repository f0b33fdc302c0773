import type { RunContext } from '../../run/runContext';
import { ExecutionRuns, type EarlierRuns, type NotedRun } from './executionRuns';
import { openMemory, type SyncMemory } from './memory/syncMemory';
import type { SyncOptions } from './syncOptions';
import type { ExecutionFacts, SyncExecution } from './types';

/** The facts about this execution and earlier ones that a sync depends on. */
export interface SyncContext {
	execution: SyncExecution;
	/** Absent if no option needs it. */
	memory?: SyncMemory;
	/** Leaves a note for later runs of the execution. */
	note(run: NotedRun): void;
}

/** Without a memory, an execution counts as the first one. */
export function executionOf(
	known: Pick<ExecutionFacts, 'isRetry' | 'isManual' | 'mayRunAgain'>,
	earlier: EarlierRuns,
	{ state, run, isLate = false }: Partial<SyncMemory> = {},
): SyncExecution {
	const isKnown = state !== undefined && run !== undefined;
	return {
		facts: {
			...known,
			isIncomplete: earlier.isIncomplete,
			isCalled: run !== undefined && run.id !== run.call,
			isCalledRepeatedly: isKnown && state.isCalledRepeatedly(run),
			isOverlapped: isLate || (isKnown && state.isOverlapped(run)),
			isFirst: state?.isFirst ?? true,
		},
		isNew: !isKnown || state.isNew(run),
		earlier,
	};
}

/** Opens the memory if an option needs it, and notes there that the run has begun, unless it is a dry run. */
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
