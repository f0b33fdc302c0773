import type { IDataObject } from 'n8n-workflow';

import { choiceOf, optionalText } from '../../../params/givenOption';
import type { Item } from '../../../params/item';
import type { RunContext } from '../../../run/runContext';
import { isOn } from '../../../params/values';
import { coerceText } from '../../../util/coerce';
import { truncateList } from '../../../util/text';
import type { SyncContext } from '../syncContext';
import { isCounted } from '../plan/planLimits';
import { MANUAL_HOLD } from '../removalGate';
import { MAX_KNOWN_CONTACTS } from './syncState';
import type { MissingPolicy, Plan, SyncOptions } from '../types';

/** The options that need the sync's memory of earlier runs. */
type MemoryOptions = Pick<
	SyncOptions,
	'removeAfter' | 'onlyAddedBySync' | 'recreateRemoved' | 'externalIdField'
>;

const removeAfter = ['1', '2', '3'] as const;

/**
 * @throws InvalidInput if the external ID field is not text, or for another number of executions
 */
export const memoryOptionsOf = (
	{ isCalled, items }: Pick<RunContext, 'isCalled' | 'items'>,
	options: IDataObject,
	missing: MissingPolicy,
): MemoryOptions => {
	const rules = (options.removal as { rules?: IDataObject } | undefined)?.rules ?? {};
	const chosen = choiceOf(coerceText(rules.removeAfter ?? 2), 'Remove After', removeAfter);
	const externalIdField = optionalText(
		items[0] as Item,
		'options.externalIdField',
		'External ID Field',
		'use no external ID',
	);
	return {
		// The first of several calls cannot be told from the only one, so only earlier executions count.
		removeAfter: Number(chosen) + (isCalled ? 1 : 0),
		onlyAddedBySync:
			missing.kind !== 'ignore' && isOn(rules.onlyAddedBySync, 'Only Added by Sync', true),
		recreateRemoved: isOn(rules.recreateRemoved, 'Recreate Removed'),
		externalIdField: externalIdField || undefined,
	};
};

/** Turning off "Only Added by Sync" affects everybody, so the way for some of them comes first. */
const removeSome = (list: SyncOptions['list']): string =>
	`To remove only some of them, ${list ? 'take them off the list by hand' : 'delete them by hand or with "Contact: Delete"'}`;

/** What turning off "Only Added by Sync" means. */
const whoeverAdded = (entries: string): string =>
	`: all missing ${entries} may then be removed, whoever added them`;

/** Notes about the memory for the output of the node, as sentences. */
export function memoryNotes(
	{ execution: { facts, delay }, memory }: SyncContext,
	options: SyncOptions,
	plan: Plan,
): string[] {
	if (!memory) return [];
	const { isFirst, isRetry, isEvaluation } = facts;
	const { notAdded, removedNextCount, removedLaterCount, limitLater } = plan;
	const { held, limit, uncomparedCount, recreatedCount } = plan;
	const { missing, removeAfter, onlyAddedBySync, externalIdField, dryRun, list } = options;
	const isLasting = onlyAddedBySync || Boolean(externalIdField);
	const removesNobody = missing.kind !== 'ignore' && (onlyAddedBySync || removeAfter > 1);
	const isUncounted = isRetry || isEvaluation;
	const isManual = !memory.isSaved && !isUncounted;
	const [entries, Entries] = list ? ['recipients', 'Recipients'] : ['contacts', 'Contacts'];
	const notAddedNote = `Missing ${entries} left unchanged, because the published workflow did not add them: ${notAdded.length} (${truncateList(notAdded)}). ${Entries} added by manual executions and retries do not count`;
	const isHeldByHand = held?.why === MANUAL_HOLD;
	const notes: Array<[isShown: boolean, note: string]> = [
		[
			isRetry,
			`This execution is a retry. It removes nobody, and creates nobody who may have been removed in the service.${isLasting ? ` It is not remembered: new ${entries} do not count as added by this sync.` : ''}`,
		],
		[
			isFirst && removesNobody && !isUncounted && !isManual,
			'This node remembers no earlier run, so nobody is removed. If this appears after every run, move the node to a sub-workflow: in queue mode, or in a workflow with a polling trigger, n8n does not keep its memory.',
		],
		[
			(held?.count ?? 0) > 0,
			`Missing ${entries} left unchanged, because ${held?.why}: ${held?.count}${isHeldByHand ? '. To see who the published workflow would remove, turn on "Dry Run".' : ''}`,
		],
		[
			isManual &&
				dryRun &&
				removeAfter > 1 &&
				limit === undefined &&
				plan.rows.some((row) => isCounted(row, 'removals')),
			'This dry run shows what the published workflow would remove. Manual executions remove nobody.',
		],
		[
			removedLaterCount > 0,
			`Missing ${entries} that the published workflow would remove once they are missing from ${removeAfter + delay} executions in a row: ${removedLaterCount}${limitLater ? `. A limit would then stop the run: ${limitLater.reason}` : ''}`,
		],
		[
			removedNextCount > 0 && !dryRun,
			`${Entries} that the next execution will remove, unless they are back in the input or a limit stops it: ${removedNextCount}`,
		],
		[
			// A retry may not know whom the published workflow has added.
			notAdded.length > 0 && !isRetry,
			// Unsubscribe lists have no such option.
			list?.suppresses
				? notAddedNote
				: `${notAddedNote}. ${removeSome(list)}. To include all of them, turn off "Only Added by Sync" under "Removal" in Options${whoeverAdded(entries)}.`,
		],
		[
			uncomparedCount > 0,
			`New contacts whose external ID could not be compared, because this node remembers no earlier run with this "External ID Field": ${uncomparedCount}. If the email of one of them has changed, that person ${dryRun ? 'would then have two contacts. Neither dry runs nor "Apply Plan" remember any external ID' : 'now has two contacts'}.`,
		],
		[
			recreatedCount > 0,
			`New ${entries} that had previously been removed in the service: ${recreatedCount}`,
		],
		[
			isManual && isLasting && !dryRun,
			`Manual executions are not remembered: new ${entries} do not count as added by this sync. Executions of the published workflow are remembered.`,
		],
		[
			memory.state.isFull,
			`The sync remembers at most ${MAX_KNOWN_CONTACTS} ${entries}, and never removes others. To include more, split the sync. If most of them are in lists that this node no longer syncs, replace it with a copy, which starts with an empty memory.`,
		],
	];
	return notes.filter(([isShown]) => isShown).map(([, note]) => note);
}
