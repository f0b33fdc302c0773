import type { Pool } from '../../../util/pool';
import { settleAll } from '../../../util/settleAll';
import type { SyncApi } from '../../contacts/syncPort';
import { Executor, type Execution } from '../writer';
import { checkedRow, currentOf, isThere, type CurrentContacts } from './planCheck';
import { isSettled, placeOf, type PlanRow } from './planRows';
import { readGroupMembers, readingGroupsOnce } from '../plan/readAndPlan';
import { suppressionOf } from '../../consent/suppressionOf';
import { readSuppressions } from '../../consent/suppressions';
import type { SyncOptions } from '../syncOptions';
import type { ListedContact, PlannedRow } from '../../contacts/types';
import type { Suppressions } from '../../consent/types';

/** How contacts are compared with the plan: in the list (18), or in the details of each (22). */

/** The details of so many contacts take about as long as a list of 100,000: docs/scaling.md has the figures. */
const MOST_DETAILS = 100;

export interface AppliedPlan extends Execution {
	/** When all contacts had been compared with the plan, in ISO 8601. */
	checkedAt: string;
}

/** Only the list shows whether an address is taken. */
function needsList(rows: readonly PlanRow[]): boolean {
	return rows.some((planRow) => planRow.write !== undefined && placeOf(planRow) !== undefined);
}

async function readDetails(
	api: SyncApi,
	pool: Pool,
	rows: readonly PlanRow[],
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
function skippedRow({ row, seen }: PlanRow, suppressions: Suppressions): PlannedRow | undefined {
	const suppression = suppressionOf(suppressions, row.email, seen?.email);
	if (!suppression) return undefined;
	const { item, email, contactId } = row;
	return { item, action: 'skipped', email, contactId, reason: 'unsubscribed', suppression };
}

interface Current extends Pick<CurrentContacts, 'byId' | 'owners'> {
	/** All contacts of the account, if the list was read. */
	listed: ListedContact[];
}

async function readCurrent(rows: readonly PlanRow[], api: SyncApi, pool: Pool): Promise<Current> {
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
	rows: readonly PlanRow[],
	api: SyncApi,
	options: SyncOptions,
	pool: Pool,
): Promise<AppliedPlan> {
	const open = rows.filter(({ row }) => !isSettled(row.action));
	if (open.length === 0) {
		return { rows: rows.map(({ row }) => row), notes: [], checkedAt: new Date().toISOString() };
	}
	const reader = readingGroupsOnce(api);
	const [suppressions, groupMembers] = await settleAll([
		readSuppressions(reader, options),
		readGroupMembers(reader, options.missing),
	] as const);
	const skipped = new Map(
		open.map((planRow) => [planRow, skippedRow(planRow, suppressions)] as const),
	);
	const toCheck = open.filter((planRow) => !skipped.get(planRow));
	const { listed, ...contacts } = await readCurrent(toCheck, api, pool);
	const current = { ...contacts, groupMembers };
	const checked = rows.map((planRow) => {
		if (isSettled(planRow.row.action)) return planRow.row;
		return skipped.get(planRow) ?? checkedRow(planRow, current);
	});
	const checkedAt = new Date().toISOString();
	pool.check();
	const executor = new Executor(checked, api, options, pool, listed);
	return { ...(await executor.run()), checkedAt };
}
