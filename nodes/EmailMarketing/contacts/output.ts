import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Action, Plan, PlannedRow } from './types';

export type Report = 'all' | 'changes' | 'summary';

/** What is called how in the output. */
export type Verbs = Record<Action, string>;

/** What a run did, or with "Dry Run" would do. */
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

/** Adding to a list creates no record of its own. */
export const addVerbs: Verbs = { ...syncVerbs(false), created: 'added' };

export interface OutputOptions {
	report: Report;
	verbs: Verbs;
	dryRun: boolean;
	/** Report failures as errors, for the error output; otherwise they are items like the others. */
	failuresAsErrors: boolean;
}

const UNCHANGED: ReadonlySet<Action> = new Set(['unchanged', 'skipped']);

/** The order of the keys is that of the columns in n8n's table, so the first ones are always there. */
function toJson(row: PlannedRow, { verbs, dryRun }: OutputOptions): IDataObject {
	const { action, reason = '', email, contactId, field, suppression, changes, body } = row;
	const { unsubscribeGroupId } = row;
	return {
		action: verbs[action],
		email,
		reason,
		...(contactId !== undefined && { contactId }),
		...(field !== undefined && { field }),
		...(suppression?.date !== undefined && { unsubscribedAt: suppression.date }),
		...(suppression && { unsubscribedFrom: suppression.list }),
		...(dryRun && { dryRun }),
		...(changes && action === 'updated' && { changedFields: changes as IDataObject }),
		...(body && action === 'moved' && { newContactTypeId: body.contact_type_id }),
		...(unsubscribeGroupId !== undefined && { unsubscribeGroupId }),
	};
}

function countsOf(rows: readonly PlannedRow[]): Record<Action, number> {
	const counts: Record<Action, number> = {
		created: 0,
		updated: 0,
		unchanged: 0,
		skipped: 0,
		moved: 0,
		addedToGroup: 0,
		deleted: 0,
		failed: 0,
	};
	for (const { action } of rows) counts[action]++;
	return counts;
}

const actions = (counts: Record<Action, number>) =>
	Object.entries(counts) as Array<[Action, number]>;

function summaryOf(
	rows: readonly PlannedRow[],
	plan: Plan | undefined,
	{ verbs, dryRun }: OutputOptions,
): IDataObject {
	const counts = actions(countsOf(rows)).map(([action, count]) => [verbs[action], count]);
	return {
		...(Object.fromEntries(counts) as IDataObject),
		...(plan && { contactsBefore: plan.contactCount, missingFromInput: plan.missingCount }),
		dryRun,
		...(plan?.limit && { limit: plan.limit.reason }),
	};
}

const WORDS: Partial<Record<Action, string>> = { addedToGroup: 'added to the unsubscribe group' };

/** The outcome in one line, such as "3 created, 1 skipped, 1 failed"; '' for no rows. */
export function hintOf(
	rows: readonly PlannedRow[],
	{ verbs, dryRun }: Pick<OutputOptions, 'verbs' | 'dryRun'>,
): string {
	const counts = actions(countsOf(rows))
		.filter(([, count]) => count > 0)
		.map(([action, count]) => `${count} ${WORDS[action] ?? (dryRun ? action : verbs[action])}`);
	if (counts.length === 0) return '';
	return dryRun ? `Dry run, nothing was written: ${counts.join(', ')}` : counts.join(', ');
}

// n8n sends an item whose only key is `error` to the error output, and adds the keys of the input item to it; of an
// item with an error object it would keep the message alone.
function toErrorJson(row: PlannedRow, options: OutputOptions): IDataObject {
	const item = row.item === undefined ? '' : ` [item ${row.item}]`;
	return { error: { message: `${row.reason ?? 'Failed'}${item}`, ...toJson(row, options) } };
}

/**
 * The node's output for the rows; the plan is for the summary. A contact that no item names is paired to the first
 * item.
 */
export function toItems(
	rows: readonly PlannedRow[],
	plan: Plan | undefined,
	options: OutputOptions,
): INodeExecutionData[] {
	const { report, failuresAsErrors } = options;
	const items: INodeExecutionData[] = [];
	if (report === 'summary') {
		items.push({
			json: summaryOf(rows, plan, options),
			pairedItem: rows.flatMap(({ item }) => (item === undefined ? [] : [{ item }])),
		});
	}
	for (const row of rows) {
		const asError = failuresAsErrors && row.action === 'failed';
		const isReported = report === 'all' || (report === 'changes' && !UNCHANGED.has(row.action));
		if (!isReported && !asError) continue;
		items.push({
			json: asError ? toErrorJson(row, options) : toJson(row, options),
			pairedItem: { item: row.item ?? 0 },
		});
	}
	return items;
}
