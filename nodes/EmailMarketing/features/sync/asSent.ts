import { differingCustomFields, parseCustomValues } from '../../records/customFields';
import { coerceText } from '../../util/coerce';
import { sameText } from '../../util/values';
import { CONTACT_FIELDS, FIELD_LABELS, type ContactField } from '../contacts/fields';
import type { ListedContact, PlannedRow } from '../contacts/types';

type Sent = Pick<PlannedRow, 'body' | 'changes' | 'customFields'>;

/** The list shows the name of a country, so a country without a known name counts as different. */
const valueSent = (field: ContactField, { body, changes }: Sent): string =>
	(field === 'country' ? changes?.country?.to : undefined) ?? body?.[field] ?? '';

/** The fields that differ from the sent values. The email cannot differ, because the contact was found by it. */
const differingFields = (contact: ListedContact, sent: Sent): ContactField[] =>
	CONTACT_FIELDS.filter(
		(field) => field !== 'email' && !sameText(coerceText(contact[field]), valueSent(field, sent)),
	);

function hasOtherCustomFields(
	{ customValues }: ListedContact,
	{ customFields = [] }: Sent,
): boolean {
	return (
		parseCustomValues(customValues).size !== customFields.length ||
		differingCustomFields(customValues, customFields).length > 0
	);
}

/** Whether the contact has exactly the values that were sent, and no others. */
export function isAsSent(contact: ListedContact, sent: Sent): boolean {
	if (!sent.body || hasOtherCustomFields(contact, sent)) return false;
	if (coerceText(contact.alt_email).trim() !== '') return false;
	return differingFields(contact, sent).length === 0;
}

/** The fields that differ after an import, as a sentence without a full stop; '' if none does. */
export function otherValues(contact: ListedContact, sent: Sent): string {
	const fields = differingFields(contact, sent).map((field) => FIELD_LABELS[field]);
	return fields.length === 0 ? '' : `The import stored other values in ${fields.join(', ')}`;
}

/** The same for custom fields. */
export function otherCustomFields({ customValues }: ListedContact, { customFields }: Sent): string {
	const names = differingCustomFields(customValues, customFields);
	return names.length === 0
		? ''
		: `The import did not store these custom fields as they are in the file: ${names.join(', ')}`;
}
