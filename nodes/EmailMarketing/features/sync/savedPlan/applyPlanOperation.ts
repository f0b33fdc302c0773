import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { exclusively } from '../../../run/writer/exclusively';
import type { RunContext } from '../../../run/runContext';
import { applyPlan } from './applyPlan';
import { csvImportOf } from '../csvImportOption';
import { reportOf, returnOutcome } from '../summary';
import { readPlanRows, refuseLimited, type SavedPlanRow } from './planRows';
import { syncReads } from '../../contacts/syncReads';
import { respectedListsOfRun } from '../../consent/suppressions';
import type { SyncOptions } from '../syncOptions';
import type { MissingPolicy } from '../types';

/** @throws InvalidInput that names the item */
function rowsOf(run: RunContext, options: IDataObject): SavedPlanRow[] {
	const rows = readPlanRows(
		run.items.map(({ json }) => json),
		(position) => run.items[position]?.index ?? position,
	);
	if (options.allowOverLimit !== true) refuseLimited(rows);
	return rows;
}

function missingPolicyOf(rows: readonly SavedPlanRow[]): MissingPolicy {
	const group = rows.find(({ row }) => row.unsubscribeGroupId !== undefined);
	const unsubscribeGroupId = group?.row.unsubscribeGroupId;
	if (unsubscribeGroupId === undefined) return { kind: 'ignore' };
	return { kind: 'addToUnsubscribeGroup', unsubscribeGroupId };
}

function optionsOf(
	run: RunContext,
	options: IDataObject,
	rows: readonly SavedPlanRow[],
	contactTypeId: number,
): SyncOptions {
	const csvImport = csvImportOf(run, options);
	return {
		contactTypeId,
		matchBy: 'contactId',
		emptyValues: 'clear',
		missing: missingPolicyOf(rows),
		// What was planned has been checked against these, and the memory is that of another node.
		onlyAddedBySync: false,
		recreateRemoved: true,
		removeAfter: 1,
		maxDeletionPercent: 100,
		...respectedListsOfRun(run),
		dryRun: false,
		...(csvImport && { csvImport }),
	};
}

/** The lists that no other execution may write at the same time. */
function writtenLists(rows: readonly SavedPlanRow[], contactTypeId: number): string[] {
	const types = rows.flatMap(({ row }) => row.body?.contact_type_id ?? []);
	const groups = rows.flatMap(({ row }) => row.unsubscribeGroupId ?? []);
	return [
		...new Set([contactTypeId, ...types].map((id) => `contacts ${id}`)),
		...new Set(groups.map((id) => `unsubscribe group ${id}`)),
	];
}

/** Contact: Apply Plan. */
export async function applyPlanRows(run: RunContext): Promise<INodeExecutionData[]> {
	const started = Date.now();
	const given = run.param('options', {}) as IDataObject;
	const planRows = rowsOf(run, given);
	const contactTypeId = planRows[0]?.contactTypeId ?? 0;
	const options = optionsOf(run, given, planRows, contactTypeId);
	const report = reportOf(given);
	const lists = writtenLists(planRows, contactTypeId);
	const { rows, notes, checkedAt } = await exclusively(
		run,
		lists,
		async () => await applyPlan(planRows, syncReads(run), options, run),
	);
	return returnOutcome(run, report, started, {
		rows,
		notes,
		plannedAt: checkedAt,
		contactTypeId,
		dryRun: false,
	});
}
