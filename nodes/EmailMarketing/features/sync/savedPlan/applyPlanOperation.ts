import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { exclusively } from '../../../run/writer/exclusively';
import type { RunContext } from '../../../run/runContext';
import { isOn } from '../../../params/values';
import { applyPlan } from './applyPlan';
import { csvImportOf } from '../csvImportOption';
import { reportOf, returnOutcome } from '../summary';
import { readPlanRows, refuseLimited, type SavedPlanRow } from './planRows';
import { requireSameOptions } from '../../../run/sameForAll';
import { syncReads, type SyncReads } from '../../contacts/syncReads';
import { respectedListsOfRun } from '../../consent/suppressions';
import { writtenLists } from '../syncOperations';
import type { MissingPolicy, RecipientList, SyncOptions } from '../types';

/**
 * @param list the list that the rows must be of; absent for contacts
 * @throws InvalidInput that names the item
 */
export function savedRows(run: RunContext, list?: RecipientList): SavedPlanRow[] {
	const rows = readPlanRows(run.items, list);
	requireSameOptions(run);
	const options = run.param('options', {}) as IDataObject;
	if (!isOn(options.allowOverLimit, 'Allow Plans Over a Limit')) refuseLimited(rows);
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

/** Approved removals take the place of the sync's memory: nobody else is removed. */
export const approvedOnly = {
	...{ onlyAddedBySync: true, recreateRemoved: true, removeAfter: 1, maxRemovalPercent: 100 },
	dryRun: false,
};

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
	// All rows of one dry run have the same country for contacts without one.
	const newCountryId = rows.find(({ row }) => row.newCountryId !== undefined)?.row.newCountryId;
	return {
		...{ contactTypeId, matchBy: 'contactId', emptyValues: 'clear' },
		...(newCountryId !== undefined && { defaultCountry: String(newCountryId) }),
		missing: missingPolicyOf(rows),
		...approvedOnly,
		...respectedListsOfRun(run),
		...(csvImport && { csvImport }),
	};
}

/** Writes the approved rows, and returns their outcomes. */
export async function writeSavedPlan(
	run: RunContext,
	planRows: readonly SavedPlanRow[],
	reads: SyncReads,
	options: SyncOptions,
): Promise<INodeExecutionData[]> {
	const started = Date.now();
	const report = reportOf(run);
	const { rows, notes, plannedAt } = await exclusively(
		run,
		writtenLists(options),
		async () => await applyPlan(planRows, reads, options, run),
	);
	return returnOutcome(run, report, started, { rows, notes, plannedAt, options });
}

/** Contact: Apply Plan. */
export async function applyPlanRows(run: RunContext): Promise<INodeExecutionData[]> {
	const planRows = savedRows(run);
	const contactTypeId = planRows[0]?.contactTypeId ?? 0;
	const given = run.param('options', {}) as IDataObject;
	const options = optionsOf(run, given, planRows, contactTypeId);
	return await writeSavedPlan(run, planRows, syncReads(run), options);
}
