import type { RunContext } from '../../run/runContext';
import { shortHash } from '../../util/text';
import { isUncounted, markItemsNoted, openMemory, type SyncMemory } from './memory/syncMemory';
import type { SyncExecution, SyncOptions } from './types';

/** The facts about this execution and earlier ones that a sync depends on. */
export interface SyncContext {
	execution: SyncExecution;
	/** Absent if no option needs it. */
	memory?: SyncMemory;
	/** Tells later runs of the execution the address keys in the input; undefined if an item may mean anyone. */
	note(named: string[] | undefined): void;
}

interface NotedRun {
	named?: string[];
}

/** The notes of all runs of an execution. n8n keeps them until it has ended. */
function notesOf({ executionData, runIndex, account }: RunContext) {
	const data: { syncRuns?: Record<string, NotedRun> } = executionData;
	const name = shortHash(account, 8);
	const keyOf = (index: number) => `${name} ${index}`;
	return {
		earlier: Array.from({ length: runIndex }, (_, index) => data.syncRuns?.[keyOf(index)]),
		note(run: NotedRun) {
			(data.syncRuns ??= {})[keyOf(runIndex)] = run;
		},
	};
}

/**
 * Opens the memory if an option needs it, and notes there that the run has begun, unless it is a dry run. Without a
 * memory, an execution counts as the first one.
 */
export function openContext(
	run: RunContext,
	{ contactTypeId, list, missing, externalIdField, dryRun }: SyncOptions,
): SyncContext {
	const mayRemove = missing.kind !== 'ignore';
	const place = { key: list?.key ?? String(contactTypeId), contactTypeId, externalIdField };
	const { mayRunAgain, callerMode, isCalledByCalled } = run;
	const { earlier, note } = notesOf(run);
	const isIncomplete = earlier.includes(undefined);
	const memory = mayRemove || externalIdField ? openMemory(run, place, isIncomplete) : undefined;
	if (!dryRun) memory?.begin();
	// Trying a sync changes nothing.
	else if (isUncounted(callerMode)) markItemsNoted(run, run.items.length);
	return {
		memory,
		execution: {
			facts: {
				mayRunAgain,
				isRetry: callerMode === 'retry',
				isEvaluation: callerMode === 'evaluation',
				// A dry run shows what the next execution of the published workflow would do.
				isManual: callerMode === 'manual' && !dryRun,
				isIncomplete,
				isCalledByCalled,
				isCalledRepeatedly: memory?.state.isCalledRepeatedly(memory.run) === true,
				isOverlapped: memory?.isOverlapped === true,
				isFirst: !dryRun && (memory?.state.isFirst ?? true),
			},
			raises: memory?.raises ?? true,
			// Executions that another workflow calls remove one execution later.
			delay: dryRun && !run.isCalled && memory?.state.wasCalled === true ? 1 : 0,
			earlier: {
				isUncertain: earlier.some((noted) => noted !== undefined && noted.named === undefined),
				named: new Set(earlier.flatMap((noted) => noted?.named ?? [])),
			},
		},
		note(named) {
			if (mayRemove && mayRunAgain) note({ named });
		},
	};
}
