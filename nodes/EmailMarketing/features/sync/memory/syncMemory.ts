import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import { NodeContext } from '../../../run/nodeContext';
import type { RunContext } from '../../../run/runContext';
import { operationError } from '../../../service/errors';
import { latestTime } from '../../../util/clock';
import { createDirectory } from '../../contacts/identify';
import { mediansOf, withRun, type Medians } from './lastRuns';
import { rememberRun, removalsIn, type FinishedRun } from './rememberRun';
import {
	isOfNewerVersion,
	isReadable,
	readStoredState,
	stateOf,
	typeKey,
	withType,
	type RunOfExecution,
	type StoredSyncState,
	type SyncState,
} from './syncState';
import type { ListedContact, PlannedRow } from '../../contacts/types';

/** The list that a memory is for. */
interface MemoryScope {
	/** The ID of the contact type, or the key of a recipient list. */
	key: string;
	/** The contact type of its entries. */
	contactTypeId: number;
	/** The field of the items that has an external ID. */
	externalIdField?: string;
}

/** The memory of a sync between its runs. */
export interface SyncMemory {
	state: SyncState;
	/** Whether it counts for those who are missing: the run has the whole input of its execution. */
	raises: boolean;
	run: RunOfExecution;
	/** Whether n8n saves the changes of this run. */
	isSaved: boolean;
	/** Whether a later execution has begun, or been counted, already: n8n sometimes tries an execution again after it. */
	isOverlapped: boolean;
	/** Of the latest runs; undefined if there are too few. */
	medians?: Medians;
	/** Forgets contacts that any sync removed, so that they can be created again. */
	forgetRemoved(contacts: readonly ListedContact[]): void;
	/** Notes that a run has begun. If it never ends, it may have named anybody, so nobody counts as missing so far. */
	begin(): void;
	/** Notes whom a run is about to remove. If it never ends, they may be gone because of it. */
	noteRemovals(rows: readonly PlannedRow[]): void;
	save(run: FinishedRun): void;
}

/** The latest state of each node in this process. */
const newest = new Map<string, StoredSyncState>();

/** When that state was saved, on the clock of n8n's start times (ms). */
const savedAt = new Map<string, number>();

function saveNewest(nodeKey: string, state: StoredSyncState): void {
	newest.set(nodeKey, state);
	savedAt.set(nodeKey, latestTime());
}

/** The number of the latest execution that has begun in this process, by node and list, even if it failed. */
const latestBegun = new Map<string, number>();

/** The ID of the latest run of this process that is among the last runs, by node and list. */
const latestCounted = new Map<string, string>();

/**
 * The newer of two states. The state from n8n may be older than the one in this process: n8n reads it when an execution
 * starts, and saves it when the execution has ended. Workers in queue mode get no state from n8n. The state of their
 * process is not used either, because each worker has a different one.
 */
function newerOf(provided: unknown, seen: StoredSyncState | undefined): unknown {
	const { changes } = (provided ?? { changes: Infinity }) as StoredSyncState;
	return seen !== undefined && seen.changes > changes ? seen : provided;
}

/** Whether n8n had no state to give to an execution, because it began before the first one had ended. */
function overlapsWithFirst(node: NodeContext): boolean {
	if (node.mode === 'retry' || node.staticData.syncState !== undefined) return false;
	const { startedAt = Infinity } = node;
	return startedAt <= (savedAt.get(node.nodeKey) ?? 0);
}

/** The latest state that a run of the node can know. */
function latestOf(node: NodeContext): unknown {
	const seen = newest.get(node.nodeKey);
	if (node.mode === 'retry' || overlapsWithFirst(node)) return seen;
	return newerOf(node.staticData.syncState, seen);
}

/**
 * n8n saves no state for a manual execution, a retry has the input of an earlier execution, and an evaluation has one row
 * of a dataset.
 */
export const isUncounted = (mode: WorkflowExecuteMode): boolean =>
	['manual', 'retry', 'evaluation'].includes(mode);

/**
 * Reads the memory of a list from n8n's static data of the workflow. n8n does not save it after a manual execution. A
 * retry with the original workflow starts without static data, and merely reading it would make n8n overwrite the saved
 * data. So a retry uses only the state of this process.
 *
 * @param isIncomplete whether an earlier run of the execution is not known
 */
export function openMemory(run: RunContext, place: MemoryScope, isIncomplete: boolean): SyncMemory {
	const {
		nodeKey,
		mode,
		callerMode,
		account,
		runId,
		outerExecutionId: id,
		executionId: call,
	} = run;
	const staticData = mode === 'retry' ? undefined : run.staticData;
	const isSaved = !isUncounted(mode);
	// What n8n provides after a restart may be older than what it had saved: schedules and waits save earlier states.
	if (newest.get(nodeKey) === undefined) resetCounts(run, true);
	const begunAt = resets.get(nodeKey);
	const latest = latestOf(run);
	if (isOfNewerVersion(staticData?.syncState)) {
		throw operationError(
			run.node,
			'state-unreadable',
			'A newer version of this package saved the memory of this sync. It was left unchanged',
			{
				description:
					'Nothing was written. Update the package again. To stay with this version, duplicate this node and delete the original: the copy starts over, and removes nobody in its first run.',
			},
		);
	}
	const stored = readStoredState(latest, nodeKey);
	const key = typeKey(stored, account, place.key);
	const state = stateOf(stored, key, place.externalIdField);
	const list = `${nodeKey} ${key}`;
	// Manual executions, evaluations and retries do not count, nor do workflows that they call.
	const counts = !isUncounted(callerMode);
	const hasLater = Number(id) < (latestBegun.get(list) ?? 0);
	const isCounted = counts && !hasLater;
	const ofExecution = { id, call };
	// On a worker, others may have named people since.
	const isOverlapped = hasLater || overlapsWithFirst(run) || state.isOverlapped(ofExecution);
	const failed = failedCalls.get(nodeKey);
	const isCalledAgain =
		state.isCalledAgain(ofExecution) || (failed?.id === id && failed.call !== call);
	const isPart = run.mayRunAgain || isIncomplete || run.isCalledByCalled || isCalledAgain;
	const hasRaised = state.hasRaised(ofExecution) || state.hasRaisedSince(run.startedAt ?? Infinity);
	const raises = !isPart && !isOverlapped && !hasRaised;
	const { open, runs = [] } = stored.types[key] ?? {};
	// With "Retry On Fail", n8n tries the same run again: its last try counts in place of the one before.
	const earlierRuns = latestCounted.get(list) === runId ? runs.slice(0, -1) : runs;
	const startsOver = open !== undefined && open !== runId;
	if (startsOver) state.noteMissing([], false);

	const change = (changed: Parameters<typeof withType>[2]) => {
		if (!isSaved && stored !== latest) return;
		// A run for another contact type may have changed the state in the meantime.
		const now = newest.get(nodeKey);
		const isNewer = now?.salt === stored.salt && now.changes > stored.changes;
		const next = withType(isNewer ? now : stored, key, changed);
		saveNewest(nodeKey, next);
		if (staticData && isSaved) staticData.syncState = { ...next };
	};
	return {
		state,
		run: ofExecution,
		raises,
		isSaved,
		isOverlapped,
		medians: mediansOf(earlierRuns),
		forgetRemoved(contacts) {
			const removed = removedBySyncs(account, place);
			if (removed.size === 0) return;
			const { byId } = createDirectory(contacts, place.contactTypeId);
			state.forget(new Set([...removed].filter((id) => !byId.has(id))));
		},
		begin() {
			if (isCounted) latestBegun.set(list, Number(id) || 0);
			// A further try of the node must not find them missing again.
			change({ open: runId, ...(startsOver && { missing: {} }) });
		},
		noteRemovals(rows) {
			const ids = removalsIn(rows);
			if (ids.length === 0) return;
			state.noteRemoving(ids);
			change({ removed: [...state.removedIds] });
		},
		save(finished) {
			rememberRun(state, { id, call, counts, hasLater, isSaved, raises }, finished);
			// The counts were reset during this run.
			if (resets.get(nodeKey) !== begunAt) state.noteMissing([], false);
			markItemsNoted(run, run.items.length);
			const { items, rows, isStopped } = finished;
			const isNoted = isCounted && !isStopped;
			if (isNoted) latestCounted.set(list, runId);
			change({
				...state.toStored(),
				open: undefined,
				...(isNoted && { runs: withRun(earlierRuns, items.length, rows) }),
			});
		},
	};
}

/**
 * For each node, the latest call that ended without noting whom its items name. Later calls of the same execution count
 * as parts of the execution, not as the whole.
 */
const failedCalls = new Map<string, RunOfExecution>();

/** How often the counts of a node have started again in this process. */
const resets = new Map<string, number>();

/**
 * Starts the counts of missing contacts of all lists of a node again.
 *
 * @param isAtOnce otherwise, with the next run: a further try of the same run has the same input, so it counts on
 */
function resetCounts(node: NodeContext, isAtOnce: boolean): void {
	const { nodeKey, mode, outerExecutionId: id, executionId: call } = node;
	if (!isAtOnce) failedCalls.set(nodeKey, { id, call });
	resets.set(nodeKey, (resets.get(nodeKey) ?? 0) + 1);
	if (mode !== 'retry' && !node.hasStaticData) return;
	const stored = latestOf(node);
	if (!isReadable(stored)) return;
	const counting = Object.entries(stored.types).filter(
		([, { missing }]) => Object.keys(missing).length > 0,
	);
	const isSaved = !isUncounted(mode);
	const next = counting.reduce((state, [type, { open = node.runId }]) => {
		// Another run that did not end may have named others than a further try of this one.
		const isNow = isAtOnce || !isSaved || open !== node.runId;
		return withType(state, type, isNow ? { missing: {} } : { open });
	}, stored);
	saveNewest(nodeKey, next);
	if (isSaved && next !== stored) node.staticData.syncState = { ...next };
}

/** Of how many items it is noted whom they name, by what n8n passes to the node. */
const noted = new WeakMap<object, number>();

/** Notes that a run needs no count: whoever it names is known, or it is only a preview. */
export const markItemsNoted = ({ context }: NodeContext, count: number): void =>
	void noted.set(context, (noted.get(context) ?? 0) + count);

/**
 * Runs a sync, or anything else that a node with a memory does. Unless it notes whom all items name, whatever the reason,
 * anybody who counts as missing may be among them.
 */
export async function resetCountsUnlessNoted<T>(
	context: IExecuteFunctions,
	work: () => Promise<T>,
): Promise<T> {
	try {
		return await work();
	} finally {
		if ((noted.get(context) ?? 0) < context.getInputData().length)
			resetCounts(new NodeContext(context), false);
	}
}

/** The IDs of all contacts of the list that syncs in this process removed. */
function removedBySyncs(account: string, { key }: MemoryScope): Set<number> {
	const removed = new Set<number>();
	for (const stored of newest.values()) {
		const type = stored.types[typeKey(stored, account, key)];
		for (const id of type?.removed ?? []) removed.add(id);
	}
	return removed;
}
