import { coerceText } from '../util/coerce';
import type { SyncApi } from './api';
import { createDirectory, type Directory } from './identify';
import type { ListedContact, PlannedRow } from './types';
import { addressKey, sameText } from '../util/values';

/** A write that was sent. */
export interface Written {
	/** Which row it was for. */
	index: number;
	/** Why it is not certain that the service carried it out. */
	doubt?: string;
	/** Part of a file: the service does not say which rows it took (#21), so there is always doubt. */
	imported?: true;
}

export interface SettleOptions {
	contactTypeId: number;
	newIds: boolean;
}

/** Whether the contact has what the row was to write. The country is compared by what the list shows. */
function hasChanges(contact: ListedContact, { changes = {} }: PlannedRow): boolean {
	return Object.entries(changes).every(([field, { from, to }]) => {
		const current = coerceText(contact[field as keyof typeof changes]);
		if (field === 'email') return addressKey(current) === addressKey(to);
		// A country without a known name cannot be compared with the name in the list.
		if (field === 'country' && /^\d+$/.test(to)) return current !== from;
		return sameText(current, to);
	});
}

/** What the list says about a row: its contact id when it was carried out, otherwise nothing. */
function effect(row: PlannedRow, directory: Directory): { contactId?: number } | undefined {
	if (row.action === 'deleted') return directory.byId.has(row.contactId ?? 0) ? undefined : {};
	if (row.action === 'created') {
		const contact = directory.byEmail.get(addressKey(row.email));
		return contact && { contactId: contact.id };
	}
	const contact = directory.byId.get(row.contactId ?? 0);
	return contact && hasChanges(contact, row) ? {} : undefined;
}

function settleRow(row: PlannedRow, written: Written, directory: Directory): PlannedRow {
	const { item, email, contactId } = row;
	const found = effect(row, directory);
	if (found) {
		const lost = written.doubt !== undefined && !written.imported;
		return {
			...row,
			...found,
			...(lost && { reason: 'The answer was lost, but the list shows that it was carried out' }),
		};
	}
	if (written.doubt === undefined) return row;
	const known = { item, email, ...(contactId !== undefined && { contactId }) };
	const reason = written.imported
		? ['not found after import', written.doubt].filter((part) => part).join('. ')
		: `${written.doubt} The list read afterwards shows that it was not carried out.`;
	return { ...known, action: 'failed', reason };
}

function inDoubt(row: PlannedRow, written: Written, problem: string): PlannedRow {
	if (written.doubt === undefined) return row;
	const { item, email, contactId } = row;
	const reason = `${written.doubt || 'The file was imported.'} The list could not be read afterwards (${problem}). Run again: what is there is not written twice.`;
	return { item, email, ...(contactId !== undefined && { contactId }), action: 'failed', reason };
}

/**
 * Finds out about writes whose outcome is not certain, and the ids of new contacts if asked for, by one read of the
 * list; none when there is nothing to find out.
 *
 * @param rows what was to be done
 * @param written the writes that were sent and not refused
 * @param api the service
 * @param options contact type, and whether to look up new ids
 * @returns the rows as they turned out
 */
export async function settle(
	rows: PlannedRow[],
	written: readonly Written[],
	api: Pick<SyncApi, 'listContacts'>,
	options: SettleOptions,
): Promise<PlannedRow[]> {
	const open = written.filter(
		({ index, doubt }) =>
			doubt !== undefined || (options.newIds && rows[index]?.action === 'created'),
	);
	if (open.length === 0) return rows;
	const settled = [...rows];
	const settleAll = (one: (row: PlannedRow, entry: Written) => PlannedRow) => {
		for (const entry of open) {
			const row = rows[entry.index];
			if (row) settled[entry.index] = one(row, entry);
		}
		return settled;
	};
	let contacts: ListedContact[];
	try {
		contacts = await api.listContacts();
	} catch (error) {
		const problem = error instanceof Error ? error.message : String(error);
		return settleAll((row, entry) => inDoubt(row, entry, problem));
	}
	const directory = createDirectory(contacts, options.contactTypeId);
	return settleAll((row, entry) => settleRow(row, entry, directory));
}
