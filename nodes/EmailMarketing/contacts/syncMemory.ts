import type { RunContext } from '../engine/runContext';
import { coerceText } from '../util/coerce';
import { rememberRun, type FinishedRun } from './rememberRun';
import {
	readStoredState,
	stateOf,
	withState,
	type StoredSyncState,
	type SyncState,
} from './syncState';

/** What a sync remembers between its runs. */
export interface SyncMemory {
	state: SyncState;
	/** Whether n8n keeps what this run adds to it. */
	isSaved: boolean;
	/** Notes a run that has ended. */
	save(run: FinishedRun): void;
}

/** The state after the last run of each node in this process. */
const newest = new Map<string, StoredSyncState>();

/**
 * The newer of two states. The one that n8n provides may be older than what this process has seen: n8n reads it when an
 * execution starts, and saves it when the execution has ended. Where n8n provides none, as to workers in queue mode, the
 * one of this process is not enough: other workers have others.
 */
function newerOf(provided: unknown, seen: StoredSyncState | undefined): unknown {
	const { changes } = (provided ?? { changes: Infinity }) as StoredSyncState;
	return seen !== undefined && seen.changes > changes ? seen : provided;
}

/**
 * Reads what the node remembers of a contact type, from n8n's static data of the workflow. n8n saves nothing of a manual
 * execution. A retry with the original workflow begins without the static data, and to look at it is enough for n8n to
 * replace what it has saved: a retry leaves it alone.
 */
export function openMemory(run: RunContext, contactTypeId: number): SyncMemory {
	const { nodeKey, mode, credential } = run;
	const staticData = mode === 'retry' ? {} : run.staticData;
	const isSaved = mode !== 'manual' && mode !== 'retry';
	const account = `${coerceText(credential?.baseUrl)} ${coerceText(credential?.publicKey)}`;
	const seen = mode === 'retry' ? undefined : newest.get(nodeKey);
	const stored = readStoredState(newerOf(staticData.syncState, seen), account);
	const state = stateOf(stored, contactTypeId);
	return {
		state,
		isSaved,
		save(finished) {
			if (!isSaved) return;
			rememberRun(state, finished);
			const next = withState(stored, contactTypeId, state, finished.items.length);
			newest.set(nodeKey, next);
			staticData.syncState = { ...next };
		},
	};
}
