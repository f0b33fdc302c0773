import type { WorkflowExecuteMode } from 'n8n-workflow';

import type { RunContext } from '../../../run/runContext';
import { operationError } from '../../../service/errors';
import { createDirectory } from '../../contacts/identify';
import { rememberRun, type FinishedRun } from './rememberRun';
import {
	isOfNewerVersion,
	readStoredState,
	stateOf,
	typeKey,
	withType,
	type RunOfExecution,
	type StoredSyncState,
	type SyncState,
} from './syncState';
import type { ListedContact } from '../../contacts/types';

/** The list that is remembered. */
interface Place {
	/** The ID of the contact type, or the name of another list. */
	key: string;
	/** That of its entries. */
	contactTypeId: number;
}

/** What a sync remembers between its runs. */
export interface SyncMemory {
	state: SyncState;
	run: RunOfExecution;
	/** Whether n8n keeps what this run adds to it. */
	isSaved: boolean;
	/** Whether it is part of an execution that counts. */
	isCounted: boolean;
	/** Forgets who is gone because some sync removed them, so that they can come back. */
	forgetRemoved(contacts: readonly ListedContact[]): void;
	/** Notes that a run has begun. If it never ends, its items may have named anybody. */
	begin(): void;
	save(run: FinishedRun): void;
}

/** The state after the last run of each node in this process; none after a run that could not read what n8n has saved. */
const newest = new Map<string, StoredSyncState | undefined>();

/**
 * The newer of two states. The one that n8n provides may be older than what this process has seen: n8n reads it when an
 * execution starts, and saves it when the execution has ended. Where n8n provides none, as to workers in queue mode, the
 * one of this process is not enough: other workers have others.
 */
function newerOf(provided: unknown, seen: StoredSyncState | undefined): unknown {
	const { changes } = (provided ?? { changes: Infinity }) as StoredSyncState;
	return seen !== undefined && seen.changes > changes ? seen : provided;
}

/** n8n saves nothing of a manual execution, and a retry has an input of earlier. */
const isUncounted = (mode: WorkflowExecuteMode): boolean => mode === 'manual' || mode === 'retry';

/**
 * Reads what the node remembers of a list, from n8n's static data of the workflow. n8n saves nothing of a manual
 * execution. A retry with the original workflow begins without the static data, and to look at it is enough for n8n to
 * replace what it has saved: a retry knows only what this process does.
 */
export function openMemory(run: RunContext, place: Place): SyncMemory {
	const { nodeKey, mode, callerMode, account, runId, executionId: id, callId: call } = run;
	const staticData = mode === 'retry' ? undefined : run.staticData;
	const isSaved = !isUncounted(mode);
	const isCounted = !isUncounted(callerMode);
	const seen = newest.get(nodeKey);
	const latest = staticData ? newerOf(staticData.syncState, seen) : seen;
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
	const stored = readStoredState(latest);
	const key = typeKey(stored, account, place.key);
	const state = stateOf(stored, key);
	const { open } = stored.types[key] ?? {};
	const isOpen = open !== undefined && open !== runId;
	const wasUnread = newest.has(nodeKey) && seen === undefined;
	if (isOpen || wasUnread) state.noteMissing([], false);

	const change = (changed: Parameters<typeof withType>[2]) => {
		if (!isSaved && stored !== latest) {
			if (mode === 'retry' && !seen) newest.set(nodeKey, undefined);
			return;
		}
		// A run on another contact type may have ended since.
		const now = newest.get(nodeKey);
		const isNewer = now?.salt === stored.salt && now.changes > stored.changes;
		const next = withType(isNewer ? now : stored, key, changed);
		newest.set(nodeKey, next);
		if (staticData && isSaved) staticData.syncState = { ...next };
	};
	return {
		state,
		run: { id, call },
		isSaved,
		isCounted,
		forgetRemoved(contacts) {
			const removed = removedBySyncs(account, place);
			if (removed.size === 0) return;
			const { byId } = createDirectory(contacts, place.contactTypeId);
			state.forget(new Set([...removed].filter((id) => !byId.has(id))));
		},
		begin: () => change({ open: runId }),
		save(finished) {
			rememberRun(state, { id, call, isCounted, isSaved }, finished);
			change({ ...state.toStored(), open: undefined });
		},
	};
}

/** The contacts that a sync in this process removed. */
function removedBySyncs(account: string, { key }: Place): Set<number> {
	const removed = new Set<number>();
	for (const stored of newest.values()) {
		const type = stored?.types[typeKey(stored, account, key)];
		for (const id of type?.removed ?? []) removed.add(id);
	}
	return removed;
}
