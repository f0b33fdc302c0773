import type { INodeExecutionData } from 'n8n-workflow';

import { choiceParam } from '../../params/givenOption';
import type { RunContext } from '../../run/runContext';
import { isDeleted } from '../../records/recordKind';
import {
	actions,
	countsOf,
	hintOf,
	recipientVerbs,
	skipsOf,
	syncVerbs,
	toItems,
	type OutputOptions,
	type Report,
} from './output';
import type { PlannedRow } from '../contacts/types';
import { addressKey } from '../../util/email';
import { quote, truncateList } from '../../util/text';
import { customFieldWarnings } from './csvImportOption';
import { raisesOf } from './limitOptions';
import type { Medians } from './memory/lastRuns';
import { NOT_CERTAIN } from './plan/planMissing';
import type { ExceededLimit, Plan, SyncOptions } from './types';

/** @throws InvalidInput for an unknown choice, with which the node would return nothing after its writes */
export const reportOf = (run: RunContext): Report =>
	choiceParam(run, 'options.report', 'Output', ['all', 'changes', 'summary']);

/** The results that a run returns. */
interface SyncOutcome {
	rows: readonly PlannedRow[];
	/** Absent if an earlier run planned the rows. */
	plan?: Plan;
	/** Further notes about the run, as sentences. */
	notes: readonly string[];
	/** ISO 8601. */
	plannedAt: string;
	/** The options that identify the list. */
	options: Pick<SyncOptions, 'contactTypeId' | 'list' | 'dryRun' | 'missing' | 'csvImport'>;
	/** Of earlier runs. */
	medians?: Medians;
	toApply?: OutputOptions['toApply'];
}

/** The limit that would stop the run, and how to raise it. */
const stopOf = ({ reason, toRaise }: ExceededLimit): string =>
	toRaise.length === 0
		? reason
		: `${reason}. If this is intended, raise ${raisesOf(toRaise)} under "Limits" in Options`;

/** A warning that names the items because of which nobody is removed: if they stay, nobody ever is. */
function unreadableWarnings(
	rows: readonly PlannedRow[],
	{ unreadable, missingCount }: Plan,
	{ missing, list }: Pick<SyncOptions, 'missing' | 'list'>,
): string[] {
	// Where nobody is removed anyway, rows do not say it.
	const isHeld = missing.kind !== 'ignore' && missingCount > 0 && unreadable.length > 0;
	if (!isHeld && !rows.some(({ reason }) => reason === NOT_CERTAIN)) return [];
	const entries = list ? 'recipients' : 'contacts';
	const items = unreadable.map(({ item, email }) =>
		email === '' ? `item ${item}` : `item ${item} (${quote(email)})`,
	);
	const which =
		items.length > 0
			? `these items can't be read and could refer to any of them: ${truncateList(items)}`
			: 'an unreadable item in an earlier run of this node in this execution could refer to any of them';
	return [
		`Missing ${entries} are not removed, because ${which}. Correct these items. If a person has no email, leave the email empty.`,
	];
}

/** A note on new contacts of people whom the list that was read has in another contact type, too. */
function otherTypeNotes(
	rows: readonly PlannedRow[],
	{ listed }: Pick<Plan, 'listed'>,
	contactTypeId: number,
): string[] {
	const created = new Map(
		rows.flatMap(({ action, email }) => (action === 'created' ? [[addressKey(email), email]] : [])),
	);
	if (created.size === 0) return [];
	const elsewhere = new Set<string>();
	for (const contact of listed) {
		if (isDeleted(contact) || Number(contact.contact_type_id) === contactTypeId) continue;
		const own = created.get(addressKey(contact.email));
		if (own !== undefined) elsewhere.add(own);
	}
	if (elsewhere.size === 0) return [];
	return [
		`New contacts whose email is also in another contact type: ${elsewhere.size} (${truncateList([...elsewhere])}). "Person: Find" shows them all`,
	];
}

/** Returns the output of a run, and shows its hints. `started` is in epoch milliseconds. */
export function returnOutcome(
	run: RunContext,
	report: Report,
	started: number,
	{ rows, plan, notes: ownNotes, plannedAt, options, medians, toApply }: SyncOutcome,
): INodeExecutionData[] {
	const { contactTypeId, list, dryRun } = options;
	const isOfContacts = plan !== undefined && list === undefined;
	const elsewhere = isOfContacts ? otherTypeNotes(rows, plan, contactTypeId) : [];
	// A saved plan keeps the reasons of the run that planned it, and that run has said it.
	const warnings = plan ? unreadableWarnings(rows, plan, options) : [];
	const further = [...ownNotes, ...elsewhere];
	const when = dryRun ? 'dryRun' : plan ? 'run' : 'plan';
	const lost = customFieldWarnings(rows, options.csvImport, when);
	const notes = [...warnings, ...further, ...lost];
	const verbs = list ? recipientVerbs(dryRun) : syncVerbs(dryRun);
	const isWarning = plan?.limit !== undefined || rows.some(({ action }) => action === 'failed');
	run.showHint(
		hintOf(rows, { verbs, dryRun }, plan?.limit && stopOf(plan.limit)),
		isWarning ? 'warning' : 'info',
	);
	for (const warning of warnings) run.showHint(warning, 'warning');
	for (const note of further) run.showHint(note);
	for (const warning of lost) run.showHint(warning, 'warning');
	const identity = list?.ids ?? { contactTypeId };
	const { runId, requestsSent: requests } = run;
	const startedAt = new Date(started).toISOString();
	const record = { runId, list: identity, plannedAt };
	return toItems(rows, {
		...{ report, verbs, dryRun, record, toApply },
		...(list && { idName: 'recipientId' }),
		...(report === 'summary' && {
			summary: {
				...Object.fromEntries(
					actions(countsOf(rows)).map(([action, count]) => [verbs[action], count]),
				),
				...(plan && {
					[list ? 'recipientsBefore' : 'contactsBefore']: plan.contacts.length,
					missingFromInput: plan.missingCount,
					...(plan.notAdded.length > 0 && { notAddedBySync: plan.notAdded.length }),
					...(plan.removedNextCount > 0 && { wouldBeRemovedNext: plan.removedNextCount }),
				}),
				dryRun,
				...(plan?.limit && { limit: plan.limit.reason }),
				...(notes.length > 0 && { notes }),
				skippedReasons: Object.fromEntries(skipsOf(rows)),
				...(medians && { medians: { ...medians } }),
				...{ runId, startedAt, durationMs: Date.now() - started, requests },
				...identity,
			},
		}),
		failuresAsErrors: run.node.onError === 'continueErrorOutput',
		firstIndex: run.firstIndex,
	});
}
