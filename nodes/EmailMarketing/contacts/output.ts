import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Action, Plan, PlannedRow } from './types';

export type Report = 'all' | 'changes' | 'summary';

export interface OutputOptions {
	report: Report;
	dryRun: boolean;
	/** Report failures as errors, for the error output; otherwise they are items like the others. */
	failuresAsErrors: boolean;
}

const CHANGES: ReadonlySet<Action> = new Set(['created', 'updated', 'deleted', 'failed']);

function toJson(row: PlannedRow, dryRun: boolean): IDataObject {
	const { action, reason, email, contactId, field, suppression, changes } = row;
	return {
		action,
		...(reason !== undefined && { reason }),
		email,
		...(contactId !== undefined && { contactId }),
		...(field !== undefined && { field }),
		...(suppression && {
			unsubscribedAt: suppression.date,
			unsubscribedFrom: suppression.list,
		}),
		...(changes && action !== 'failed' && { changedFields: changes as IDataObject }),
		...(dryRun && { dryRun }),
	};
}

function summaryOf(
	rows: readonly PlannedRow[],
	plan: Plan | undefined,
	dryRun: boolean,
): IDataObject {
	const counts: Record<Action, number> = {
		created: 0,
		updated: 0,
		unchanged: 0,
		skipped: 0,
		deleted: 0,
		failed: 0,
	};
	for (const { action } of rows) counts[action]++;
	return {
		...counts,
		...(plan && { contactsBefore: plan.contactCount, missingFromInput: plan.missingCount }),
		dryRun,
		...(plan?.deletionLimit !== undefined && { brake: plan.deletionLimit }),
	};
}

// n8n sends an item whose only key is `error` to the error output, and adds the keys of the input item to it; of an
// item with an error object it would keep the message alone.
function toErrorJson(row: PlannedRow, dryRun: boolean): IDataObject {
	const item = row.item === undefined ? '' : ` [item ${row.item}]`;
	return { error: { message: `${row.reason ?? 'Failed'}${item}`, ...toJson(row, dryRun) } };
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
	const { report, dryRun, failuresAsErrors } = options;
	const items: INodeExecutionData[] = [];
	if (report === 'summary') {
		items.push({
			json: summaryOf(rows, plan, dryRun),
			pairedItem: rows.flatMap(({ item }) => (item === undefined ? [] : [{ item }])),
		});
	}
	for (const row of rows) {
		const asError = failuresAsErrors && row.action === 'failed';
		const isReported = report === 'all' || (report === 'changes' && CHANGES.has(row.action));
		if (!isReported && !asError) continue;
		items.push({
			json: asError ? toErrorJson(row, dryRun) : toJson(row, dryRun),
			pairedItem: { item: row.item ?? 0 },
		});
	}
	return items;
}
