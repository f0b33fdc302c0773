import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { exclusively } from '../../../run/writer/exclusively';
import type { RunContext } from '../../../run/runContext';
import { applyPlan } from './applyPlan';
import { csvImportOf, customFieldHints } from '../csvImportOption';
import { reportOf, returnOutcome } from '../summary';
import { readPlanRows, refuseLimited, type SavedPlanRow } from './planRows';
import { syncReads } from '../../contacts/syncReads';
import { respectedListsOfRun } from '../../consent/suppressions';
import { writtenLists, type SyncOptions } from '../syncOptions';
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

/** How the plan removes missing contacts. One plan removes all of them in the same way. */
function missingPolicyOf(rows: readonly SavedPlanRow[]): MissingPolicy {
	for (const { row, newContactTypeId } of rows) {
		const { action, unsubscribeGroupId } = row;
		if (action === 'deleted') return { kind: 'delete' };
		if (unsubscribeGroupId !== undefined)
			return { kind: 'addToUnsubscribeGroup', unsubscribeGroupId };
		if (newContactTypeId !== undefined) {
			return { kind: 'moveToContactType', contactTypeId: newContactTypeId };
		}
	}
	return { kind: 'ignore' };
}

function optionsOf(
	run: RunContext,
	options: IDataObject,
	rows: readonly SavedPlanRow[],
	contactTypeId: number,
): SyncOptions {
	// Approved custom fields are imported or the row fails, because an existing contact cannot get them later.
	const hasCustomFields = rows.some(({ row }) => row.customFields?.length);
	const customFields = { ...(hasCustomFields && { customFields: 'importOrFail' }), ...options };
	const csvImport = csvImportOf(run, customFields);
	return {
		contactTypeId,
		matchBy: 'contactId',
		emptyValues: 'clear',
		missing: missingPolicyOf(rows),
		// Approved removals take the place of the sync's memory: nobody else is removed.
		onlyAddedBySync: true,
		recreateRemoved: true,
		removeAfter: 1,
		maxDeletionPercent: 100,
		...respectedListsOfRun(run),
		dryRun: false,
		...(csvImport && { csvImport }),
	};
}

/** Contact: Apply Plan. */
export async function applyPlanRows(run: RunContext): Promise<INodeExecutionData[]> {
	const started = Date.now();
	const given = run.param('options', {}) as IDataObject;
	const planRows = rowsOf(run, given);
	const contactTypeId = planRows[0]?.contactTypeId ?? 0;
	const options = optionsOf(run, given, planRows, contactTypeId);
	const report = reportOf(given);
	const { rows, notes, plannedAt } = await exclusively(
		run,
		writtenLists(options),
		async () => await applyPlan(planRows, syncReads(run), options, run),
	);
	const output = returnOutcome(run, report, started, { rows, notes, plannedAt, options });
	for (const hint of customFieldHints(rows, options.csvImport)) run.showHint(hint, 'warning');
	return output;
}
