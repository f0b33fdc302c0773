import { addressKey, isAddress } from '../util/email';
import { quote, sanitize } from '../util/text';
import { toText } from '../util/values';
import type { FieldProblem } from './changes';
import { FIELD_LABELS, type ContactInput } from './fields';
import type { ListedContact, PlanOptions } from './types';

/** Which contact an item is about: an existing one, or a new one when `contact` is absent. */
export interface Identified {
	contact?: ListedContact;
	/** The address that the contact will have. */
	email: string;
	/** Whether it is the address that the contact has already. */
	keepsEmail: boolean;
	/** Whether the contact that had its external ID is no longer there. */
	isGone?: boolean;
	note?: string;
}

export interface Unidentified extends FieldProblem {
	email: string;
	/** The contact that the item is about anyway. */
	contact?: ListedContact;
	/** What would say whom the item is about cannot be read: without `contact`, it may be about anyone. */
	mayBeAnyone?: true;
}

export interface Directory {
	/** Live contacts of the contact type. */
	contacts: ListedContact[];
	byEmail: ReadonlyMap<string, ListedContact>;
	/** Ids of further contacts with the same address, which are left as they are. */
	duplicates: ReadonlyMap<string, number[]>;
	byId: ReadonlyMap<number, ListedContact>;
	/** The contact type of a contact that is of another type. */
	otherTypeOf: (id: number) => string | undefined;
}

/**
 * Indexes the contacts of one type, out of all contacts. Those with `deleted_at` are treated as not there. Where one
 * address occurs several times within the type, the contact with the lowest id stands for it.
 */
export function createDirectory(all: readonly ListedContact[], contactTypeId: number): Directory {
	const contacts: ListedContact[] = [];
	const otherTypes = new Map<number, string>();
	for (const contact of all) {
		if (contact.deleted_at) continue;
		if (Number(contact.contact_type_id) === contactTypeId) contacts.push(contact);
		else otherTypes.set(contact.id, String(contact.contact_type_id));
	}
	contacts.sort((a, b) => a.id - b.id);
	const byEmail = new Map<string, ListedContact>();
	const duplicates = new Map<string, number[]>();
	const byId = new Map<number, ListedContact>();
	for (const contact of contacts) {
		byId.set(contact.id, contact);
		const key = addressKey(contact.email);
		if (!byEmail.has(key)) {
			byEmail.set(key, contact);
			continue;
		}
		const known = duplicates.get(key);
		if (known) known.push(contact.id);
		else duplicates.set(key, [contact.id]);
	}
	return { contacts, byEmail, duplicates, byId, otherTypeOf: (id) => otherTypes.get(id) };
}

function fail(
	field: 'email' | 'contact_id',
	problem: string,
	email: string,
	contact?: ListedContact,
): Unidentified {
	return { problem, field: FIELD_LABELS[field], email, contact };
}

/** Completes the sentence "Email …". */
export const notAnAddress = (email: string): string =>
	`${quote(email)} is not an email address. Correct it`;

function byAddress(email: string, directory: Directory): Identified | Unidentified {
	if (email === '') return fail('email', 'is missing. Map the column that contains it', '');
	const key = addressKey(email);
	const contact = directory.byEmail.get(key);
	if (contact) {
		const duplicates = directory.duplicates.get(key);
		const note =
			duplicates &&
			`Other contacts with this address are left unchanged: ${sanitize(duplicates.join(', '), 60)}`;
		return { contact, email: contact.email, keepsEmail: true, note };
	}
	if (!isAddress(email)) return fail('email', notAnAddress(email), email);
	return { email, keepsEmail: false };
}

const withId = (id: unknown, { byId }: Directory): ListedContact | undefined =>
	typeof id === 'string' && /^\d+$/.test(id) ? byId.get(Number(id)) : undefined;

function byContactId(
	idText: string,
	email: string,
	directory: Directory,
): Identified | Unidentified {
	const contact = withId(idText, directory);
	if (!contact) {
		const type = directory.otherTypeOf(Number(idText));
		const where = type === undefined ? '' : `. It belongs to contact type ${type}`;
		return fail(
			'contact_id',
			`${sanitize(idText, 60)} does not exist in this contact type${where}`,
			email,
		);
	}
	const sameAddress = email === '' || addressKey(email) === addressKey(contact.email);
	if (sameAddress) return { contact, email: contact.email, keepsEmail: true };
	if (!isAddress(email)) return fail('email', notAnAddress(email), email, contact);
	const owner = directory.byEmail.get(addressKey(email));
	if (owner) {
		const problem = `${sanitize(email, 60)} already belongs to contact ${owner.id}. Set "Match By" to "Email"`;
		return fail('email', problem, email, contact);
	}
	return { contact, email, keepsEmail: false };
}

function byAddressOrId(
	input: ContactInput,
	directory: Directory,
	matchBy: PlanOptions['matchBy'],
): Identified | Unidentified {
	const email = toText(input.values.email);
	if (typeof email !== 'string') {
		const id = matchBy === 'contactId' ? toText(input.contactId) : '';
		return { ...fail('email', email.problem, '', withId(id, directory)), mayBeAnyone: true };
	}
	if (matchBy === 'contactId') {
		const id = toText(input.contactId);
		if (typeof id !== 'string') return fail('contact_id', id.problem, email);
		if (id !== '') return byContactId(id, email, directory);
	}
	return byAddress(email, directory);
}

/**
 * Finds the contact that an item is about. An item without an id is matched by address even where `matchBy` is the id,
 * so that a second run finds what the first one created. An item that cannot be read is about a contact nonetheless, if
 * the rest of it says so: that contact is not missing from the input.
 */
export function identify(
	input: ContactInput,
	directory: Directory,
	matchBy: PlanOptions['matchBy'],
): Identified | Unidentified {
	const found = byAddressOrId(input, directory, matchBy);
	if (!input.unreadable) return found;
	const { email, contact } = found;
	return { ...input.unreadable, email, contact, ...(email === '' && { mayBeAnyone: true }) };
}

/** Where several items are about one contact, the last one wins: for each of the others, the item that does. */
export function findSuperseded(
	identified: ReadonlyArray<Identified | Unidentified>,
): ReadonlyMap<number, number> {
	const lastForContact = new Map<number, number>();
	const lastForAddress = new Map<string, number>();
	identified.forEach((row, item) => {
		if (row.contact) lastForContact.set(row.contact.id, item);
		if (isNewAddress(row)) lastForAddress.set(addressKey(row.email), item);
	});
	const superseded = new Map<number, number>();
	identified.forEach((row, item) => {
		if ('problem' in row) return;
		const forContact = row.contact && lastForContact.get(row.contact.id);
		const forAddress = isNewAddress(row) ? lastForAddress.get(addressKey(row.email)) : undefined;
		const winner = Math.max(forContact ?? item, forAddress ?? item);
		if (winner !== item) superseded.set(item, winner);
	});
	return superseded;
}

const isNewAddress = (row: Identified | Unidentified): boolean =>
	!('problem' in row) && !row.keepsEmail;
