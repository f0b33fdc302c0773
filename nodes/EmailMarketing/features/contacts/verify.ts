import { coerceText } from '../../util/coerce';
import { addressKey } from '../../util/email';
import { sameText } from '../../util/values';
import type { Directory } from './identify';
import type { ListedContact, PlannedRow } from './types';

/** Completes the sentence "Run again: …". */
export const RERUN_CONTACTS = 'people already on the list are not written twice.';

/** Whether the contact has the values of the row. Countries are compared as the list shows them. */
export function showsChanges(contact: ListedContact, { changes = {} }: PlannedRow): boolean {
	return Object.entries(changes).every(([field, { from, to }]) => {
		const current = coerceText(contact[field as keyof typeof changes]);
		if (field === 'email') return addressKey(current) === addressKey(to);
		// A country without a known name cannot be compared with the name in the list.
		if (field === 'country' && /^\d+$/.test(to)) return current !== from;
		return sameText(current, to);
	});
}

/** Whether the contacts read afterwards show that an update, a move or a deletion succeeded. */
export function isWritten(directory: Directory, row: PlannedRow): boolean {
	const contact = directory.byId.get(row.contactId ?? 0);
	if (row.action === 'deleted') return contact === undefined;
	if (row.action === 'moved') {
		return Number(directory.otherTypeOf(row.contactId ?? 0)) === row.body?.contact_type_id;
	}
	return contact !== undefined && showsChanges(contact, row);
}
