import type { IDataObject } from 'n8n-workflow';

import { choiceOf, textOption } from '../../../params/givenOption';
import type { RunContext } from '../../../run/runContext';
import { isOn } from '../../../params/values';
import { coerceText } from '../../../util/coerce';
import { truncateList } from '../../../util/text';
import type { SyncContext } from '../syncContext';
import { isCounted } from '../plan/planLimits';
import { MAX_KNOWN_CONTACTS } from './syncState';
import type { MissingPolicy, Plan, SyncOptions } from '../types';

/** The options that need the sync's memory of earlier runs. */
type MemoryOptions = Pick<
	SyncOptions,
	'removeAfter' | 'onlyAddedBySync' | 'recreateRemoved' | 'externalIdField'
>;

const removeAfter = ['1', '2', '3'] as const;

/**
 * @throws InvalidInput if the external ID field is empty or not text, or for another number of executions
 */
export const memoryOptionsOf = (
	{ isCalled }: Pick<RunContext, 'isCalled'>,
	options: IDataObject,
	missing: MissingPolicy,
): MemoryOptions => {
	const rules = (options.removal as { rules?: IDataObject } | undefined)?.rules ?? {};
	const chosen = choiceOf(coerceText(rules.removeAfter ?? 2), 'Remove After', removeAfter);
	return {
		// The first of several calls cannot be told from the only one, so only earlier executions count.
		removeAfter: Number(chosen) + (isCalled ? 1 : 0),
		onlyAddedBySync:
			missing.kind !== 'ignore' && isOn(rules.onlyAddedBySync, 'Only Added by Sync', true),
		recreateRemoved: isOn(rules.recreateRemoved, 'Recreate Removed'),
		externalIdField: textOption(options, 'externalIdField', 'External ID Field'),
	};
};

/** Turning off "Only Added by Sync" affects everybody, so the way for some of them comes first. */
const removeSome = (list: SyncOptions['list']): string =>
	`To remove only some of them, ${list ? 'take them off the list by hand' : 'delete them by hand or with Contact > Delete'}`;

/** What turning off "Only Added by Sync" means. */
const whoeverAdded = (entries: string): string =>
	`: all missing ${entries} may then be removed, whoever added them`;

/** What the published workflow would do with the missing contacts that this execution leaves unchanged. */
function publishedNote(
	{ preview, held, notAddedCount }: Plan,
	removeAfter: number,
	entries: string,
): string {
	// A published execution would remove nobody either, for another reason.
	if (!preview && held && held.count > 0) return '';
	const { removed = [], counted = [], limit } = preview ?? {};
	const would = [
		...(removed.length > 0 ? [`remove ${removed.length} (${truncateList(removed)})`] : []),
		...(counted.length > 0
			? [
					`count ${counted.length} as missing (${truncateList(counted)}; removed once missing from ${removeAfter} executions in a row)`,
				]
			: []),
	];
	const ownOnly = `it removes only ${entries} that it added itself, not those added by manual executions or others`;
	if (would.length === 0)
		return notAddedCount > 0
			? ` The published workflow would leave them unchanged, too, because ${ownOnly}.`
			: '';
	const others =
		notAddedCount > 0
			? ` It would leave the other ${notAddedCount} unchanged, because ${ownOnly}.`
			: '';
	const stop = limit === undefined ? '' : ` But a limit would stop it: ${limit}.`;
	return ` With the same input, the published workflow would ${would.join(', and ')}.${stop}${others}`;
}

/**
 * Everything that keeps a manual execution from removing whoever is missing, so that people who try a sync need not find
 * it out one by one, and what the published workflow would do. Undefined if it keeps nobody, or something else does.
 */
function manualNote(
	plan: Plan,
	{ removeAfter, missing, list }: SyncOptions,
	publishedDelay: number,
): string | undefined {
	const { notAddedCount, held, leftUnchanged, unreadable } = plan;
	// No option would have it remove anybody.
	if (unreadable.length > 0) return undefined;
	const count = notAddedCount + (held?.count ?? 0);
	if (count === 0 || held?.isUntilRemoveAfter1 === false) return undefined;
	// Unsubscribe lists have no such option.
	if (missing.kind === 'ignore' || list?.suppresses) return undefined;
	const entries = list ? 'recipients' : 'contacts';
	const examples = [...leftUnchanged, ...(count > leftUnchanged.length ? ['…'] : [])].join(', ');
	const steps = [
		...(removeAfter > 1 ? ['set "Remove After" to "1 Execution"'] : []),
		...(notAddedCount > 0 ? ['turn off "Only Added by Sync"'] : []),
	].join(' and ');
	const remedy =
		notAddedCount > 0
			? `${removeSome(list)}. To have manual executions remove all of them, ${steps} under "Removal" in Options${whoeverAdded(entries)}.`
			: `To have manual executions remove them, ${steps} under "Removal" in Options.`;
	return `Missing ${entries} left unchanged by this manual execution: ${count} (${examples}).${publishedNote(plan, removeAfter + publishedDelay, entries)} ${remedy} Limits still apply: by default, at most 10 percent may be removed.`;
}

/** Notes about the memory for the output of the node, as sentences. */
export function memoryNotes(
	{ execution: { facts, publishedDelay }, memory }: SyncContext,
	options: SyncOptions,
	plan: Plan,
): string[] {
	if (!memory) return [];
	const { isFirst, isRetry, isEvaluation } = facts;
	const { notAddedCount, removedNextCount, held, preview, uncomparedCount, recreatedCount } = plan;
	const { missing, removeAfter, onlyAddedBySync, externalIdField, dryRun, list } = options;
	const isLasting = onlyAddedBySync || Boolean(externalIdField);
	const removesNobody = missing.kind !== 'ignore' && (onlyAddedBySync || removeAfter > 1);
	const isUncounted = isRetry || isEvaluation;
	const isManual = !memory.isSaved && !isUncounted;
	const removesNobodyYet = isFirst && !isUncounted && removesNobody;
	const entries = list ? 'recipients' : 'contacts';
	const notAdded = `Missing ${entries} left unchanged, because this sync did not add them (manual executions do not count): ${notAddedCount}`;
	const notRemoved = `Missing ${entries} left unchanged, because ${held?.why}: ${held?.count}`;
	const manual = isManual ? manualNote(plan, options, publishedDelay) : undefined;
	const notes: Array<[isShown: boolean, note: string]> = [
		[manual !== undefined, manual ?? ''],
		[
			isRetry,
			'This execution is a retry. It removes nobody, and creates nobody who may have been removed in the service.',
		],
		[
			removesNobodyYet && !isManual,
			'This node remembers no earlier run, so nobody is removed. If this appears after every run, move the node to a sub-workflow: in queue mode, or in a workflow with a polling trigger, n8n does not keep its memory.',
		],
		[
			held !== undefined && held.count > 0 && !manual,
			dryRun && removeAfter > 1 && !preview
				? `${notRemoved}. To see in a dry run who would be removed, set "Remove After" to "1 Execution" under "Removal" in Options.`
				: notRemoved,
		],
		[
			isManual &&
				dryRun &&
				removeAfter > 1 &&
				publishedDelay === 0 &&
				plan.rows.some((row) => isCounted(row, 'removals')),
			'This dry run shows what the published workflow would remove. Manual executions remove nobody.',
		],
		[
			removedNextCount > 0,
			`${list ? 'Recipients' : 'Contacts'} that the next execution will remove, unless they are back in the input or a limit stops it: ${removedNextCount}`,
		],
		[
			notAddedCount > 0 && !manual,
			// Unsubscribe lists have no such option.
			list?.suppresses
				? notAdded
				: `${notAdded}. ${removeSome(list)}. To include all of them, turn off "Only Added by Sync" under "Removal" in Options${whoeverAdded(entries)}.`,
		],
		[
			uncomparedCount > 0,
			`New contacts whose external ID could not be compared, because this node remembers no earlier run: ${uncomparedCount}. If the email of one of them has changed, that person now has two contacts.`,
		],
		[
			recreatedCount > 0,
			`New ${entries} that had previously been removed in the service: ${recreatedCount}`,
		],
		[
			isManual && (removesNobodyYet ? !manual : isLasting && !dryRun),
			`Manual executions are not remembered: new ${entries} do not count as added by this sync. Executions of the published workflow are remembered.`,
		],
		[
			memory.state.isFull,
			`The sync remembers at most ${MAX_KNOWN_CONTACTS} ${entries}, and never removes others. To include more, split the sync. If most of them are in lists that this node no longer syncs, replace it with a copy, which starts with an empty memory.`,
		],
	];
	return notes.filter(([isShown]) => isShown).map(([, note]) => note);
}
