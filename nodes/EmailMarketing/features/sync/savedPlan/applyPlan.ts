import type { Pool } from '../../../util/pool';
import { settleAll } from '../../../util/settleAll';
import type { SyncRun } from '../../contacts/contactWrites';
import type { SyncReads } from '../../contacts/syncReads';
import { writePlan, type Execution } from '../writer';
import { checkedRow, currentOf, isThere, type CurrentContacts } from './planCheck';
import { isSettled, placeOf, type SavedPlanRow } from './planRows';
import { readGroupMembers, readingGroupsOnce } from '../plan/readAndPlan';
import { checkConsent } from '../../consent/guard';
import { readSuppressions } from '../../consent/suppressions';
import type { SyncOptions } from '../syncOptions';
import { clearApproved } from '../removalGate';
import type { ClearedBody, ListedContact, PlannedRow } from '../../contacts/types';
import type { Suppressions } from '../../consent/types';

/** How contacts are compared with the plan: in the list (18), or in the details of each (22). */

/** The details of so many contacts take about as long as a list of 100,000: docs/scaling.md has the figures. */
const MOST_DETAILS = 100;

export interface AppliedPlan extends Execution {
	/** When all contacts had been compared with the plan, in ISO 8601. */
	checkedAt: string;
}

/** Only the list shows whether an address is taken. */
function needsList(rows: readonly SavedPlanRow[]): boolean {
	return rows.some((planRow) => planRow.write !== undefined && placeOf(planRow) !== undefined);
}

async function readDetails(
	api: SyncReads,
	pool: Pool,
	rows: readonly SavedPlanRow[],
): Promise<Map<number, ListedContact>> {
	const byId = new Map<number, ListedContact>();
	const ids = rows.flatMap(({ row }) => row.contactId ?? []);
	await pool.each(ids, async (id) => {
		const contact = await api.contactDetails(id);
		if (isThere(contact)) byId.set(id, contact);
	});
	return byId;
}

/** Nobody is written who has unsubscribed since the plan was made. */
function withConsent(
	{ row, seen, ...rest }: SavedPlanRow,
	suppressions: Suppressions,
): SavedPlanRow<ClearedBody> {
	const { item, email, contactId, body, ...planned } = row;
	const known = { item, email, contactId };
	const consent = checkConsent(suppressions, email, seen?.email);
	if ('suppression' in consent) {
		return {
			...rest,
			seen,
			row: { ...known, action: 'skipped', reason: 'unsubscribed', ...consent },
		};
	}
	const cleared = body && { body: { ...body, email: consent.cleared } };
	return { ...rest, seen, row: { ...planned, ...known, ...cleared } };
}

interface Current extends Pick<CurrentContacts, 'byId' | 'owners'> {
	/** All contacts of the account, if the list was read. */
	listed: ListedContact[];
}

async function readCurrent(
	rows: readonly SavedPlanRow[],
	api: SyncReads,
	pool: Pool,
): Promise<Current> {
	const isListNeeded = needsList(rows);
	const byDetails = !isListNeeded && rows.length <= MOST_DETAILS;
	const contacts = byDetails || rows.length === 0 ? [] : await api.listContacts();
	const current = { ...currentOf(contacts, rows), listed: contacts };
	return byDetails ? { ...current, byId: await readDetails(api, pool, rows) } : current;
}

/**
 * Writes the rows of a dry run whose contacts still are what it saw. Nothing is read if there is nothing to
 * write.
 *
 * @throws Cancelled; what the reads throw, before any write
 */
export async function applyPlan(
	rows: readonly SavedPlanRow[],
	reads: SyncReads,
	options: SyncOptions,
	run: SyncRun,
): Promise<AppliedPlan> {
	const open = rows.filter(({ row }) => !isSettled(row.action));
	if (open.length === 0) {
		return { rows: rows.map(asSettled), notes: [], checkedAt: new Date().toISOString() };
	}
	const reader = readingGroupsOnce(reads);
	const [suppressions, groupMembers] = await settleAll([
		readSuppressions(reader, options),
		readGroupMembers(reader, options.missing),
	] as const);
	const consented = new Map(open.map((planRow) => [planRow, withConsent(planRow, suppressions)]));
	const toCheck = [...consented.values()].filter(({ row }) => !isSettled(row.action));
	const { listed, ...contacts } = await readCurrent(toCheck, reads, run.pool);
	const current = { ...contacts, groupMembers };
	const checked = rows.map((planRow) => {
		const own = consented.get(planRow);
		if (own === undefined) return asSettled(planRow);
		return isSettled(own.row.action) ? own.row : checkedRow(own, current);
	});
	const checkedAt = new Date().toISOString();
	run.pool.check();
	const removal = clearApproved(checked);
	const executed = await writePlan(checked, { reads, run, options, before: listed, removal });
	return { ...executed, checkedAt };
}

/** A row that nothing is to be written for. */
function asSettled({ row: { body: _, ...row } }: SavedPlanRow): PlannedRow {
	return row;
}
