import { createHash } from 'crypto';

import type { IDataObject } from 'n8n-workflow';

import { coerceText } from '../../../util/coerce';
import { isSettled } from '../../contacts/contactWrites';
import { TEXT_FIELDS } from '../../contacts/fields';
import type { ListedContact, PlannedRow } from '../../contacts/types';
import type { Plan } from '../types';

/**
 * A hash of all values of a contact (18) that a sync writes, short enough for a table or an email. It begins with a
 * letter, since a sheet may take a text such as `-1e5` for a formula or a number.
 */
export function contactVersion(contact: ListedContact): string {
	const values = ['email', 'contact_type_id', 'country', ...TEXT_FIELDS] as const;
	const texts = values.map((field) => coerceText(contact[field]).trim());
	return `v${createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 11)}`;
}

/** The additional columns that "Apply Plan" needs. All rows to write have them, since a table keeps only its own columns. */
export function columnsToApply(
	{ contacts, limit }: Plan,
	versionKey: 'contactVersion' | 'recipientVersion',
): (row: PlannedRow) => IDataObject {
	const isOfContacts = versionKey === 'contactVersion';
	const byId = new Map(contacts.map((contact) => [contact.id, contact]));
	return (row) => {
		if (isSettled(row)) return {};
		const contact = byId.get(row.contactId ?? 0);
		return {
			...(contact && { [versionKey]: contactVersion(contact) }),
			overLimit: limit !== undefined,
			...(isOfContacts &&
				row.action === 'created' && { customFields: Object.fromEntries(row.customFields ?? []) }),
		};
	};
}
