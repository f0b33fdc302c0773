import type { IDataObject } from 'n8n-workflow';

import type { RunContext } from '../engine/runContext';
import { textOption } from '../params/givenOption';
import { openMemory, type SyncMemory } from './syncMemory';
import { MAX_KNOWN_CONTACTS } from './syncState';
import type { SyncOptions } from './syncOptions';
import type { MissingPolicy, Plan } from './types';

/** The options that depend on what the sync remembers of earlier runs. */
type MemoryOptions = Pick<SyncOptions, 'onlyAddedBySync' | 'recreateRemoved' | 'externalIdField'>;

/** @throws InvalidInput for an external ID field that is empty or no text */
export const memoryOptionsOf = (options: IDataObject, missing: MissingPolicy): MemoryOptions => ({
	onlyAddedBySync: missing.kind !== 'ignore' && options.onlyAddedBySync !== false,
	recreateRemoved: options.recreateRemoved === true,
	externalIdField: textOption(options, 'externalIdField', 'External ID Field'),
});

/** Opens the memory where an option depends on it. */
export function memoryFor(
	run: RunContext,
	{ contactTypeId, onlyAddedBySync, externalIdField, maxInputDecreasePercent }: SyncOptions,
): SyncMemory | undefined {
	const isNeeded =
		onlyAddedBySync || Boolean(externalIdField) || maxInputDecreasePercent !== undefined;
	return isNeeded ? openMemory(run, contactTypeId) : undefined;
}

/** What to know about the memory after a run, as sentences for the output of the node. */
export function memoryNotes(
	{ state, isSaved }: SyncMemory,
	{ onlyAddedBySync, maxInputDecreasePercent, dryRun }: SyncOptions,
	{ notAddedCount }: Plan,
): string[] {
	const isFirst = state.isBaseline;
	const notes: Array<[isShown: boolean, note: string]> = [
		[
			isFirst && onlyAddedBySync,
			'This node remembers no earlier run, so no contact counts as added by this sync yet. If this appears after every run, n8n runs in queue mode: move the node to a sub-workflow.',
		],
		[
			isFirst && maxInputDecreasePercent !== undefined,
			'"Max Input Decrease (Percent)" was not checked, because this node remembers no earlier run.',
		],
		[
			notAddedCount > 0,
			`Missing contacts left unchanged, because this sync did not add them: ${notAddedCount}`,
		],
		[
			!isSaved && !dryRun,
			'n8n does not save what this execution adds to the memory of the sync, because it is manual or a retry. Later runs treat its new contacts as not added by this sync.',
		],
		[
			state.isFull,
			`The sync remembers at most ${MAX_KNOWN_CONTACTS} contacts. It treats all others as not added by this sync.`,
		],
	];
	return notes.filter(([isShown]) => isShown).map(([, note]) => note);
}
