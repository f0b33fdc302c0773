import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { groupBy } from '../../util/groups';
import { labelOf } from '../../util/labels';
import { quote, truncateList } from '../../util/text';
import type { ErrorCode } from '../../service/errorCode';
import { unsubscribeOf } from '../consent/guard';
import type { RowAction, PlannedRow } from '../contacts/types';

export type Report = 'all' | 'changes' | 'summary';

/** The words of the output. */
export type Verbs = Record<RowAction, string>;

/** What a run did, or would do with "Dry Run". */
export const syncVerbs = (dryRun: boolean): Verbs => ({
	created: dryRun ? 'wouldCreate' : 'created',
	updated: dryRun ? 'wouldUpdate' : 'updated',
	unchanged: 'unchanged',
	skipped: 'skipped',
	moved: dryRun ? 'wouldMove' : 'moved',
	addedToGroup: dryRun ? 'wouldAddToGroup' : 'addedToGroup',
	deleted: dryRun ? 'wouldDelete' : 'deleted',
	failed: 'failed',
});

/** The same for recipient lists. */
export const recipientVerbs = (dryRun: boolean): Verbs => ({
	...syncVerbs(dryRun),
	created: dryRun ? 'wouldAdd' : 'added',
	deleted: dryRun ? 'wouldRemove' : 'removed',
});

/** Identifies a run afterwards. */
interface RunRecord {
	/** See `RunContext.runId`. */
	runId: string;
	/** What identifies the list, such as `{ contactTypeId: 21 }`. */
	list: IDataObject;
	/** When the outcome of the rows without a write was known, in ISO 8601. */
	plannedAt: string;
}

export interface OutputOptions {
	/** Which rows are returned. Failures are always returned if they are routed to the error output. */
	report: Report;
	verbs: Verbs;
	dryRun: boolean;
	/** The key for the ID of a row, if it is not a contact. */
	idName?: string;
	/** Fields of the whole run, before those of each row. */
	summary?: IDataObject;
	/** Report failures as errors, for the error output; otherwise they are items like the others. */
	failuresAsErrors: boolean;
	/** The item to pair contacts to that no item names; 0 if omitted. */
	firstIndex?: number;
	/** Makes the rows a ledger. */
	record?: RunRecord;
	/** The additional columns with which a row of a dry run can be written later. */
	toApply?: (row: PlannedRow) => IDataObject;
}

const UNCHANGED: ReadonlySet<RowAction> = new Set(['unchanged', 'skipped']);

/** The reason of rows that have none of their own: n8n's table shows an empty text as "empty", in red. */
function outcomeInWords({ action, changes = {} }: PlannedRow): string {
	switch (action) {
		case 'created':
			return 'new';
		case 'updated':
			return `changed: ${truncateList(Object.keys(changes).map(labelOf), shownFields)}`;
		case 'unchanged':
			return 'no changes';
		default:
			return '';
	}
}

const shownFields = 5;

/** The order of the keys is that of the columns in n8n's table, so the first ones are always there. */
function toJson(row: PlannedRow, options: OutputOptions): IDataObject {
	const { verbs, dryRun, record, toApply, idName = 'contactId' } = options;
	const { action, email, contactId, field, suppression, changes, body } = row;
	const { unsubscribeGroupId, customFieldsNotWritten } = row;
	const isShown = action === 'updated' || (dryRun && action === 'created');
	return {
		action: verbs[action],
		email,
		reason: row.reason || outcomeInWords(row),
		...(changes && isShown && { changedFields: changes as IDataObject }),
		...(contactId !== undefined && { [idName]: contactId }),
		...(field !== undefined && { field }),
		...unsubscribeOf(suppression),
		...(dryRun && { dryRun }),
		...(customFieldsNotWritten && { customFieldsNotWritten: [...customFieldsNotWritten] }),
		...(body && action === 'moved' && { newContactTypeId: body.contact_type_id }),
		...(row.newCountryId !== undefined && { newCountryId: row.newCountryId }),
		...(unsubscribeGroupId !== undefined && { unsubscribeGroupId }),
		...(record && {
			runId: record.runId,
			at: row.at ?? record.plannedAt,
			...record.list,
		}),
		...toApply?.(row),
	};
}

export function countsOf(rows: readonly PlannedRow[]): Record<RowAction, number> {
	const none = Object.keys(syncVerbs(false)).map((action) => [action, 0]);
	const counts = Object.fromEntries(none) as Record<RowAction, number>;
	for (const { action } of rows) counts[action]++;
	return counts;
}

export const actions = (counts: Record<RowAction, number>) =>
	Object.entries(counts) as Array<[RowAction, number]>;

/** How many rows were skipped for which reason. */
export function skipsOf(rows: readonly PlannedRow[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { action, reason = '' } of rows) {
		if (action !== 'skipped') continue;
		const [kind = ''] = reason.split(':', 1);
		counts.set(kind, (counts.get(kind) ?? 0) + 1);
	}
	return counts;
}

const kindsInWords = (
	kinds: ReadonlyMap<string, number>,
	counted: (kind: string, count: number) => string,
): string =>
	[...kinds].map(([kind, count]) => (kinds.size === 1 ? kind : counted(kind, count))).join(', ');

function skipsInWords(rows: readonly PlannedRow[]): string {
	const total = countsOf(rows).skipped;
	if (total === 0) return '';
	return `${total} skipped: ${kindsInWords(skipsOf(rows), (reason, count) => `${count} ${reason}`)}`;
}

/**
 * The fields that failures are about, each with the values that are not accepted and the emails of the items, such as `:
 * Country not found: "Germny" (ada@example.com), Email not valid (nobody)`; '' if they are about none.
 */
export function failedFieldsInWords(rows: readonly PlannedRow[]): string {
	const kinds = groupBy(
		rows.filter(({ action }) => action === 'failed'),
		kindOfFailure,
	);
	const isAboutFields = [...kinds.keys()].some((kind) => kind !== OTHER);
	if (!isAboutFields) return '';
	const inWords = [...kinds].map(([kind, some]) => {
		const emails = [...new Set(some.map(({ email }) => email))].filter(Boolean);
		return `${kind}${valuesInWords(some)}${emails.length > 0 ? ` (${truncateList(emails)})` : ''}`;
	});
	return `: ${inWords.join(', ')}`;
}

const OTHER = 'other reasons';

/** What is wrong with the value of a field. */
const FAULTS: Partial<Record<ErrorCode, string>> = {
	'address-invalid': 'not valid',
	'country-ambiguous': 'ambiguous',
	'country-unknown': 'not found',
	'contact-country-unknown': 'not found',
	'default-country-invalid': 'not found',
};

function kindOfFailure({ code, field }: PlannedRow): string {
	if (field === undefined) return OTHER;
	if (code?.endsWith('-missing')) return `${field} missing`;
	const fault = code && FAULTS[code];
	return fault === undefined ? field : `${field} ${fault}`;
}

/** The values that are not accepted, each once and shortened, such as `: "Germny", "Frnce"`. */
function valuesInWords(rows: readonly PlannedRow[]): string {
	const values = new Set(rows.flatMap(({ value }) => (value === undefined ? [] : [quote(value)])));
	return values.size === 0 ? '' : `: ${truncateList([...values])}`;
}

const WORDS: Partial<Record<RowAction, string>> = {
	addedToGroup: 'added to the unsubscribe group',
};

/** What a dry run would do, such as `would create 3`. */
function plannedInWords(verb: string, count: number): string {
	if (verb === 'wouldAddToGroup') return `would add ${count} to the unsubscribe group`;
	return `would ${verb.slice('would'.length).toLowerCase()} ${count}`;
}

/** The outcome in one line, such as "3 created, 2 failed: Country missing (ada@example.com, bob@example.com); 2 skipped: unsubscribed"; '' for no rows. */
export function hintOf(
	rows: readonly PlannedRow[],
	{ verbs, dryRun }: Pick<OutputOptions, 'verbs' | 'dryRun'>,
	limitReason?: string,
): string {
	const wordsFor = (action: RowAction) =>
		dryRun && action === 'failed' ? 'would fail' : (WORDS[action] ?? verbs[action]);
	const counts = actions(countsOf(rows))
		.filter(([action, count]) => count > 0 && action !== 'skipped')
		.map(([action, count]) =>
			verbs[action].startsWith('would')
				? plannedInWords(verbs[action], count)
				: `${count} ${wordsFor(action)}`,
		);
	const done = `${counts.join(', ')}${failedFieldsInWords(rows)}`;
	const parts = [done, skipsInWords(rows)].filter((part) => part !== '');
	if (parts.length === 0) return '';
	const outcome = parts.join('; ');
	if (!dryRun) return outcome;
	const limit = limitReason ? ` A limit would stop the run: ${limitReason}.` : '';
	return `Dry run: ${outcome}. Nothing was written.${limit}`;
}

/** See `errorItem`. */
function toErrorJson(row: PlannedRow, options: OutputOptions): IDataObject {
	const item = row.item === undefined ? '' : ` [item ${row.item}]`;
	const { code, reason = 'Failed' } = row;
	return { error: { ...(code && { code }), message: `${reason}${item}`, ...toJson(row, options) } };
}

/** The node's output for the rows. A contact that no item names is paired to the first item. */
export function toItems(rows: readonly PlannedRow[], options: OutputOptions): INodeExecutionData[] {
	const { report, summary, failuresAsErrors, firstIndex = 0 } = options;
	const items: INodeExecutionData[] = [];
	if (summary) {
		items.push({
			json: summary,
			pairedItem: rows.flatMap(({ item }) => (item === undefined ? [] : [{ item }])),
		});
	}
	for (const row of rows) {
		const asError = failuresAsErrors && row.action === 'failed';
		const isReported = report === 'all' || (report === 'changes' && !UNCHANGED.has(row.action));
		if (!isReported && !asError) continue;
		items.push({
			json: asError ? toErrorJson(row, options) : toJson(row, options),
			// n8n would add the keys of the first item to a failure that is not about it.
			pairedItem: asError && row.item === undefined ? [] : { item: row.item ?? firstIndex },
		});
	}
	return items;
}
