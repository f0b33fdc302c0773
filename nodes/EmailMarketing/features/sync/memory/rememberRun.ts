import { externalIdOf } from './externalId';
import type { ContactInput } from '../../contacts/fields';
import type { RunOfExecution, SyncState } from './syncState';
import type { Plan } from '../types';
import type { ListedContact, PlannedRow, RowAction } from '../../contacts/types';

/** The reason of rows whose contact the sync remembers, but the service no longer has. */
export const REMOVED_IN_SERVICE = 'removed in the service';

/** The reason of rows that a retry does not create, because somebody may have removed the contact in the service. */
export const NOT_IN_RETRY =
	'not created in a retry: the node does not know whether this person was removed in the service';

/** The outcomes after which a contact has the address of its row. */
const REMEMBERED: ReadonlySet<RowAction> = new Set(['created', 'updated', 'unchanged']);

/** The results of a run that the memory needs. */
export interface FinishedRun {
	items: readonly ContactInput[];
	/** The outcomes instead of the plan, since failed writes are not remembered. Empty if nothing was written. */
	rows: readonly PlannedRow[];
	plan: Plan;
	/** Whether a limit stopped the run. */
	isStopped: boolean;
}

const textOf = (value: unknown): string => {
	const text = externalIdOf(value);
	return typeof text === 'string' ? text : '';
};

/**
 * Notes the missing and removed contacts of a run. If n8n saves the run, its created, updated and unchanged
 * contacts are noted as well.
 *
 * @param run also says whether executions of its mode count, whether a later one has begun, whether n8n saves it, and
 *   whether it raises the counts of missing contacts. What a manual execution creates does not count as added, also if
 *   that calls the workflow
 */
export function rememberRun(
	state: SyncState,
	run: RunOfExecution & {
		counts: boolean;
		hasLater: boolean;
		isSaved: boolean;
		raises: boolean;
	},
	{ items, rows, plan, isStopped }: FinishedRun,
): void {
	const isCounted = run.counts && !run.hasLater && !isStopped;
	const raises = isCounted && run.raises;
	state.noteMissing(plan.counted, raises);
	state.notePresent(plan.contacts);
	state.noteRemoved(removalsIn(rows));
	const uncertain = rows.filter(({ code }) => code === 'write-unverified');
	state.noteRemoving(idsOfMissing(uncertain));
	if (isCounted) state.count(run, raises);
	else if (run.counts) state.noteCall(run);
	if (run.isSaved) rememberRows(state, items, rows, plan, run.counts);
}

const idsOfMissing = (rows: readonly PlannedRow[]): number[] =>
	rows.flatMap(({ item, contactId }) => (item === undefined ? (contactId ?? []) : []));

/** The IDs of missing contacts that rows remove from the list. */
export const removalsIn = (rows: readonly PlannedRow[]): number[] =>
	idsOfMissing(rows.filter(({ action }) => action === 'deleted' || action === 'moved'));

function rememberRows(
	state: SyncState,
	items: readonly ContactInput[],
	rows: readonly PlannedRow[],
	plan: Plan,
	adds: boolean,
): void {
	const { contacts } = plan;
	const externalIds = new Map(items.map(({ item, externalId }) => [item, textOf(externalId)]));
	const inInput = rows.flatMap((row) =>
		row.item === undefined ? [] : [{ row, externalId: externalIds.get(row.item) ?? '' }],
	);
	const gone = inInput.filter(({ row }) => row.reason === REMOVED_IN_SERVICE);
	for (const { row, externalId } of gone) {
		if (externalId !== '') state.renameByExternalId(externalId, row.email);
	}
	for (const { row } of gone) state.disown(row.email);
	// Contacts in neither the input nor the service may have been removed by hand. They are forgotten only to make room.
	if (!state.hasRoomFor(rows)) state.keepOnly([...contacts, ...rows]);
	const { existing, known } = existingWithExternalId(state, plan, externalIds);
	const written = inInput.flatMap(({ row: { action, email, contactId: id } }) =>
		id !== undefined && REMEMBERED.has(action) ? [{ id, email }] : [],
	);
	const named = new Set(
		[...existing.map(({ contact }) => contact), ...known, ...written].map(({ id }) => id),
	);
	// Moved together, before any ID is noted: one by one, a contact that takes another's address would displace it.
	state.relocate(contacts.filter(({ id }) => named.has(id)));
	for (const { contact, externalId } of existing) state.remember(contact, { externalId });
	state.relocate(written);
	for (const { row, externalId } of inInput) {
		const { action, email, contactId: id, mayBeOfOthers } = row;
		if (!REMEMBERED.has(action)) continue;
		const isNew = adds && action === 'created' && mayBeOfOthers === undefined;
		state.remember({ id, email }, { isNew, externalId });
	}
}

/**
 * The existing contacts that items name, with their external IDs. These are noted whatever becomes of the item, so that
 * the person is known by a new address, too. An external ID of several people is nobody's. One that is known for another
 * contact stays with it until the item is written, as does that of an item by which the contact is known.
 *
 * @returns also the contacts that are known by the external IDs of the items
 */
function existingWithExternalId(
	state: SyncState,
	{ rows, contacts }: Plan,
	externalIds: ReadonlyMap<number, string>,
): { existing: Array<{ contact: ListedContact; externalId: string }>; known: ListedContact[] } {
	if (![...externalIds.values()].some((id) => id !== '')) return { existing: [], known: [] };
	const byId = new Map(contacts.map((contact) => [contact.id, contact]));
	const idOf = ({ item }: PlannedRow) => (item === undefined ? '' : (externalIds.get(item) ?? ''));
	const shared = new Set(
		rows.filter(({ code }) => code === 'external-id-shared').map((row) => idOf(row)),
	);
	const find = state.byExternalId({ contacts, byId });
	const byExternalId = new Map([...new Set(externalIds.values())].map((id) => [id, find(id)]));
	const known = [...byExternalId.values()].filter((contact) => contact !== undefined);
	const claimed = new Set(known.map(({ id }) => id));
	const existing = rows.flatMap((row) => {
		const externalId = idOf(row);
		const contact = row.contactId === undefined ? undefined : byId.get(row.contactId);
		if (!contact || externalId === '' || shared.has(externalId)) return [];
		const own = byExternalId.get(externalId);
		const isOthers = own === undefined ? claimed.has(contact.id) : own.id !== contact.id;
		return isOthers ? [] : [{ contact, externalId }];
	});
	return { existing, known };
}
