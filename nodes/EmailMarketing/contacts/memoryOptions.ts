import type { IDataObject } from 'n8n-workflow';

import type { RunContext } from '../engine/runContext';
import { coerceText } from '../util/coerce';
import { openMemory, type SyncMemory } from './syncMemory';
import { MAX_KNOWN_CONTACTS } from './syncState';
import type { SyncOptions } from './syncOptions';
import type { MissingPolicy, Plan, PlanOptions } from './types';

/** The options that depend on what the sync remembers of earlier runs. */
type MemoryOptions = Pick<PlanOptions, 'onlyAddedBySync' | 'recreateRemoved'>;

export const memoryOptionsOf = (options: IDataObject, missing: MissingPolicy): MemoryOptions => ({
	onlyAddedBySync: missing.kind !== 'ignore' && options.onlyAddedBySync !== false,
	recreateRemoved: options.recreateRemoved === true,
});

/** The field of the input with external IDs; '' if there is none. */
export const externalIdField = (options: IDataObject): string =>
	coerceText(options.externalIdField).trim();

/** Opens the memory where an option depends on it. */
export async function memoryFor(
	run: RunContext,
	options: IDataObject,
	{ contactTypeId, onlyAddedBySync }: PlanOptions,
): Promise<SyncMemory | undefined> {
	const isNeeded = onlyAddedBySync || externalIdField(options) !== '';
	return isNeeded ? await openMemory(run, contactTypeId) : undefined;
}

/** What to know about the memory after a run, as sentences for the output of the node. */
export function memoryNotes(
	{ state, isSaved }: SyncMemory,
	{ onlyAddedBySync, dryRun }: SyncOptions,
	{ notAddedCount }: Plan,
): string[] {
	const notes: string[] = [];
	if (onlyAddedBySync && state.isBaseline) {
		notes.push(
			'First run with "Only What This Sync Added": no contact counts as added by this sync yet.',
		);
	}
	if (notAddedCount > 0) {
		notes.push(
			`Missing contacts left unchanged, since this sync did not add them: ${notAddedCount}`,
		);
	}
	if (!isSaved && !dryRun) {
		notes.push(
			'A manual execution does not save which contacts it added or their external IDs. Later runs treat them as not added by this sync.',
		);
	}
	if (state.isFull) {
		notes.push(
			`The sync remembers at most ${MAX_KNOWN_CONTACTS} contacts. Later runs treat the others as not added by this sync.`,
		);
	}
	return notes;
}
