import { toText } from '../util/values';
import type { ContactInput } from './fields';
import type { SyncState } from './syncState';
import type { ListedContact, PlannedRow } from './types';

/** The reason of rows whose contact the sync knows, but the service no longer has. */
export const REMOVED_IN_SERVICE = 'removed in the service';

/** What is left of a run for the next one. */
export interface FinishedRun {
	items: readonly ContactInput[];
	/** The outcomes, not the plan: what failed is not remembered. */
	rows: readonly PlannedRow[];
	/** The contacts of the type before the run. */
	contacts: readonly ListedContact[];
	/** Whether the input has all contacts that there should be, not a part of them. */
	isWhole: boolean;
}

const textOf = (value: unknown): string => {
	const text = toText(value);
	return typeof text === 'string' ? text : '';
};

/** Forgets who was removed, and, where the input is whole or room is short, who is in neither input nor service. */
function forget(state: SyncState, { rows, contacts, isWhole }: FinishedRun): void {
	const removed = rows
		.filter(
			({ item, action }) => item === undefined && (action === 'deleted' || action === 'moved'),
		)
		.map(({ email }) => email);
	if (isWhole || !state.hasRoomFor(rows.length)) {
		state.keepOnly([...contacts.map(({ email }) => email), ...rows.map(({ email }) => email)]);
	}
	for (const email of removed) state.forget(email);
}

/** Notes in the state whom a run created, updated, found unchanged and removed. */
export function rememberRun(state: SyncState, run: FinishedRun): void {
	const { items, rows } = run;
	const inInput = rows.flatMap((row) =>
		row.item === undefined ? [] : [{ row, externalId: textOf(items[row.item]?.externalId) }],
	);
	const gone = inInput.filter(({ row }) => row.reason === REMOVED_IN_SERVICE);
	for (const { row, externalId } of gone) {
		if (externalId !== '') state.renameByExternalId(externalId, row.email);
	}
	for (const { row } of gone) state.disown(row.email);
	forget(state, run);
	for (const { row } of inInput) {
		const { action, email, contactId: id, changes } = row;
		const from = action === 'updated' ? changes?.email?.from : undefined;
		if (from) state.rename(from, { id, email });
	}
	for (const { row, externalId } of inInput) {
		const { action, email, contactId: id } = row;
		if (action === 'created') state.remember({ id, email }, { isNew: true, externalId });
		if (action !== 'updated' && action !== 'unchanged') continue;
		state.remember({ id, email }, { externalId });
	}
}
