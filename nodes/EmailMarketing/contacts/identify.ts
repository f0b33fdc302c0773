import { FIELD_LABELS, type ContactInput } from './fields';
import { sanitize, quote } from '../util/text';
import type { ListedContact, PlanOptions } from './types';
import { addressKey, isAddress, toText } from '../util/values';

/** Which contact an item is about: an existing one, or a new one when `contact` is absent. */
export interface Identified {
	contact?: ListedContact;
	/** The address that the contact will have. */
	email: string;
	/** Whether the service has the address already: it is that of the contact. */
	keepsEmail: boolean;
	note?: string;
}

export interface Unidentified {
	problem: string;
	field: string;
	email: string;
	/** The contact that the item is about all the same. */
	contact?: ListedContact;
}

export interface Directory {
	/** Live contacts of the contact type. */
	contacts: ListedContact[];
	byEmail: ReadonlyMap<string, ListedContact>;
	/** Ids of further contacts with the same address, which are left as they are. */
	doubles: ReadonlyMap<string, number[]>;
	byId: ReadonlyMap<number, ListedContact>;
	typeOf: (id: number) => string | undefined;
}

/**
 * Indexes the contact list. Contacts with `deleted_at` are treated as not there. Where one address occurs several
 * times within the contact type, the contact with the lowest id stands for it.
 *
 * @param all the contacts of all types
 * @param contactTypeId the type to work on
 * @returns the contacts of that type by address and id
 */
export function createDirectory(all: readonly ListedContact[], contactTypeId: number): Directory {
	const contacts: ListedContact[] = [];
	const elsewhere = new Map<number, string>();
	for (const contact of all) {
		if (contact.deleted_at) continue;
		if (Number(contact.contact_type_id) === contactTypeId) contacts.push(contact);
		else elsewhere.set(contact.id, String(contact.contact_type_id));
	}
	contacts.sort((a, b) => a.id - b.id);
	const byEmail = new Map<string, ListedContact>();
	const doubles = new Map<string, number[]>();
	const byId = new Map<number, ListedContact>();
	for (const contact of contacts) {
		byId.set(contact.id, contact);
		const key = addressKey(contact.email);
		const others = doubles.get(key);
		if (!byEmail.has(key)) byEmail.set(key, contact);
		else if (others) others.push(contact.id);
		else doubles.set(key, [contact.id]);
	}
	return { contacts, byEmail, doubles, byId, typeOf: (id) => elsewhere.get(id) };
}

function fail(
	field: 'email' | 'contact_id',
	problem: string,
	email: string,
	contact?: ListedContact,
): Unidentified {
	return { problem, field: FIELD_LABELS[field], email, ...(contact && { contact }) };
}

/** Completes the sentence "Email …". */
export const notAnAddress = (email: string): string =>
	`${quote(email)} is not an email address. Correct it`;

function byAddress(email: string, directory: Directory): Identified | Unidentified {
	if (email === '') return fail('email', 'is missing. Map the column that holds the address', '');
	const key = addressKey(email);
	const contact = directory.byEmail.get(key);
	if (contact) {
		const doubles = directory.doubles.get(key);
		return {
			contact,
			email: contact.email,
			keepsEmail: true,
			...(doubles && {
				note: `The address also belongs to contact ${sanitize(doubles.join(', '), 60)}, left as is`,
			}),
		};
	}
	if (!isAddress(email)) return fail('email', notAnAddress(email), email);
	return { email, keepsEmail: false };
}

function byContactId(
	idText: string,
	email: string,
	directory: Directory,
): Identified | Unidentified {
	const contact = /^\d+$/.test(idText) ? directory.byId.get(Number(idText)) : undefined;
	if (!contact) {
		const type = directory.typeOf(Number(idText));
		const where = type === undefined ? '' : `. It is a contact of type ${type}`;
		return fail(
			'contact_id',
			`${sanitize(idText, 60)} is not a contact of this contact type${where}`,
			email,
		);
	}
	const sameAddress = email === '' || addressKey(email) === addressKey(contact.email);
	if (sameAddress) return { contact, email: contact.email, keepsEmail: true };
	if (!isAddress(email)) return fail('email', notAnAddress(email), email, contact);
	const owner = directory.byEmail.get(addressKey(email));
	if (owner) {
		const problem = `${sanitize(email, 60)} belongs to contact ${owner.id} already. Match by email`;
		return fail('email', problem, email, contact);
	}
	return { contact, email, keepsEmail: false };
}

/**
 * Finds the contact that an item is about.
 *
 * @param input what the item says
 * @param directory the contacts of the type
 * @param matchBy by address, or by contact id; an item without an id is always matched by address, so that a second
 * run finds what the first one created
 * @returns the contact, or why there is none
 */
export function identify(
	input: ContactInput,
	directory: Directory,
	matchBy: PlanOptions['matchBy'],
): Identified | Unidentified {
	if (input.unreadable) return { ...input.unreadable, email: '' };
	const email = toText(input.values.email);
	if (typeof email !== 'string') return fail('email', email.problem, '');
	if (matchBy === 'contactId') {
		const id = toText(input.contactId);
		if (typeof id !== 'string') return fail('contact_id', id.problem, email);
		if (id !== '') return byContactId(id, email, directory);
	}
	return byAddress(email, directory);
}

/**
 * Decides which item speaks for a contact where several do: the last one.
 *
 * @param identified the result of `identify` for each item
 * @returns for each item that is overruled, the item that wins
 */
export function findOverruled(
	identified: ReadonlyArray<Identified | Unidentified>,
): ReadonlyMap<number, number> {
	const lastForContact = new Map<number, number>();
	const lastForAddress = new Map<string, number>();
	identified.forEach((row, item) => {
		if (row.contact) lastForContact.set(row.contact.id, item);
		if (isNewAddress(row)) lastForAddress.set(addressKey(row.email), item);
	});
	const overruled = new Map<number, number>();
	identified.forEach((row, item) => {
		if ('problem' in row) return;
		const forContact = row.contact && lastForContact.get(row.contact.id);
		const forAddress = isNewAddress(row) ? lastForAddress.get(addressKey(row.email)) : undefined;
		const winner = Math.max(forContact ?? item, forAddress ?? item);
		if (winner !== item) overruled.set(item, winner);
	});
	return overruled;
}

const isNewAddress = (row: Identified | Unidentified): boolean =>
	!('problem' in row) && !row.keepsEmail;
