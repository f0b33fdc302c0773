import { differingCustomFields, parseCustomValues } from '../../records/customFields';
import type { ErrorCode } from '../../service/errorCode';
import { coerceText, sameText } from '../../util/coerce';
import { addressKey } from '../../util/email';
import { CONTACT_FIELDS, FIELD_LABELS, type ContactField } from '../contacts/fields';
import type { ListedContact, PlannedRow } from '../contacts/types';
import { failedRow } from '../contacts/contactWrites';
import type { Directory } from '../contacts/identify';
import { LOST_BUT_LISTED, NOT_LISTED, REJECTED_BUT_LISTED } from '../../run/writer/verify';

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
	const changes = Object.entries(row.changes ?? {}).filter(
		([field]) => field !== 'country' || !row.isCountryUncompared,
	);
	// The service may ignore empty values, and write the others.
	const written = changes.filter(([, { to }]) => to !== '');
	const shown = Object.fromEntries(written.length > 0 ? written : changes);
	return contact !== undefined && showsChanges(contact, { ...row, changes: shown });
}

/** A create whose outcome only the list shows: it may have succeeded, or its address may be taken. */
export interface Create {
	/** The row as planned. */
	row: PlannedRow;
	/** After an import, nothing shows which rows of the file the service accepted (21). */
	answer: 'succeeded' | 'refused' | 'lost' | 'imported';
	/** Whether it was refused alone after its batch, of which the service may have written a part. */
	wasRejectedTogether?: boolean;
	/** The code of the failure. */
	code?: ErrorCode;
	/** The failure as sentences; '' if there was none. */
	problem: string;
	/** Whether the response of the import was lost. */
	isLost?: boolean;
	/** Whether an import may still create the contact later. */
	mayAppear?: boolean;
}

/** Contacts exactly as this run sent them, with the address of a contact with a lower ID. */
export interface Duplicates {
	/** Highest ID first. At most one of them is removed. */
	ids: number[];
	/** The row if one was removed. */
	removed: PlannedRow;
	/** The row if others had already removed all of them. */
	gone: PlannedRow;
	/** The row if one could not be removed. */
	kept: (id: number, problem: string) => PlannedRow;
}

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
		differingCustomFields(customValues, customFields, true).length > 0
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
	const names = differingCustomFields(customValues, customFields, true);
	return names.length === 0
		? ''
		: `The import did not store these custom fields as they are in the file: ${names.join(', ')}`;
}

const FOUND = 'Another run or source added this address at the same time';
const FOUND_OTHERWISE =
	'Another run or source added this address at the same time, with other values. Run again to update it';

const outcome = (
	{ item, email, customFields, customFieldsNotWritten }: PlannedRow,
	action: 'created' | 'unchanged',
	contact: ListedContact | undefined,
	reason?: string,
): PlannedRow => {
	const differing =
		contact && customFields ? differingCustomFields(contact.customValues, customFields, true) : [];
	const notWritten = [...(customFieldsNotWritten ?? []), ...differing];
	return {
		...{ item, action, email, contactId: contact?.id, reason },
		...(notWritten.length > 0 && { customFieldsNotWritten: notWritten }),
	};
};

const listOf = (contacts: readonly ListedContact[]): string =>
	contacts.map(({ id }) => id).join(', ');

/** The row for a contact of another run or source: this run created none, or removed its own. */
function foundRow(row: PlannedRow, contact: ListedContact): PlannedRow {
	const reason = showsChanges(contact, row) ? FOUND : FOUND_OTHERWISE;
	return outcome(row, 'unchanged', contact, reason);
}

function notListed({ row, answer, code, problem, mayAppear = false }: Create): PlannedRow {
	if (answer === 'succeeded') return row;
	if (answer === 'refused') return failedRow(row, code, problem);
	if (answer === 'lost') return failedRow(row, code, `${problem} ${NOT_LISTED}`);
	const sentences = [
		'The contact was not found after the import',
		withoutStop(problem),
		mayAppear ? 'This contact may still appear: check the service before you run this again' : '',
	];
	return failedRow(row, 'import-missing', sentences.filter(Boolean).join('. '));
}

/** The row if the list has the address, but no new contact with exactly the values that were sent. */
function withoutOwn(create: Create, listed: ListedContact[], isNew: boolean): PlannedRow {
	const { row, answer } = create;
	const [first] = listed as [ListedContact];
	if (answer === 'lost') return foundRow(row, first);
	if (listed.length > 1) {
		return outcome(
			row,
			'created',
			undefined,
			`IDs ${listOf(listed)} have this address, and it is unclear which of them this run added. None was removed`,
		);
	}
	if (isNew && answer === 'imported') return importedRow(create, first);
	// It is new, so it is this run's contact, even if the service changed some values.
	if (isNew) return outcome(row, 'created', first);
	if (answer === 'imported') return foundRow(row, first);
	return outcome(row, 'created', undefined, othersLeft(listed));
}

function importedRow(create: Create, contact: ListedContact): PlannedRow {
	const { row } = create;
	const values = otherValues(contact, row);
	const advice = values && 'Check the contact, or run again to update it';
	const customFields = otherCustomFields(contact, row);
	const reason = joined([lostNote(create), values, advice, customFields]);
	return outcome(row, 'created', contact, reason);
}

const withoutStop = (text: string): string => text.replace(/\.$/, '');

const joined = (sentences: Array<string | undefined>): string | undefined =>
	sentences.filter(Boolean).join('. ') || undefined;

const othersLeft = (contacts: readonly ListedContact[]): string =>
	`Other IDs with this address are left unchanged: ${listOf(contacts)}`;

const lostNote = ({ answer, isLost }: Create): string | undefined =>
	answer === 'lost' || isLost ? LOST_BUT_LISTED : undefined;

/**
 * The row of a refused create whose contact is in the list anyway. If it is new and as sent, the request with others may
 * have written it. Another run may have, too, so nobody owns it.
 */
function refusedRow(create: Create, listed: ListedContact[], isNew: boolean): PlannedRow {
	const { row, wasRejectedTogether } = create;
	const [first, ...others] = listed as [ListedContact, ...ListedContact[]];
	const isPlanned = isNew && others.length === 0 && isAsSent(first, row);
	if (!isPlanned || wasRejectedTogether !== true) return foundRow(row, first);
	return { ...outcome(row, 'created', first, REJECTED_BUT_LISTED), mayBeOfOthers: true };
}

function ownRow(create: Create, own: ListedContact, listed: ListedContact[]): PlannedRow {
	const others = listed.filter((contact) => contact !== own);
	const also = others.length > 0 ? othersLeft(others) : undefined;
	return outcome(create.row, 'created', own, joined([lostNote(create), also]));
}

/**
 * Decides the outcome of a create. If several contacts have its address, the one with the lowest ID stays. Overlapping
 * runs reach the same result independently, because each removes one contact for each one that it created, highest ID
 * first. A contact that existed before the run, or differs from the sent values, is never removed.
 *
 * @param listed the contacts of the type with the address after the write, lowest ID first
 * @param isBefore whether a contact existed before the run
 */
export function judgeCreate(
	create: Create,
	listed: ListedContact[],
	isBefore: (id: number) => boolean,
): PlannedRow | Duplicates {
	const { row, answer } = create;
	const [first] = listed;
	if (!first) return notListed(create);
	if (answer === 'refused') return refusedRow(create, listed, !isBefore(first.id));
	const own = listed.filter((contact) => !isBefore(contact.id) && isAsSent(contact, create.row));
	if (own.length === 0) return withoutOwn(create, listed, !isBefore(first.id));
	const later = own.filter((contact) => contact !== first).reverse();
	if (later.length === 0) return ownRow(create, first, listed);
	const isFirstOwn = own.length > later.length;
	const found = foundRow(row, first);
	const about = `IDs ${listOf(listed)} have this address, because another run or source added it at the same time`;
	return {
		ids: later.map(({ id }) => id),
		removed: found,
		gone: isFirstOwn ? ownRow(create, first, [first]) : found,
		kept: (id, problem) =>
			outcome(row, 'created', undefined, `${about}. Removing ID ${id} failed: ${problem}`),
	};
}
