import type { ErrorCode } from '../../service/errorCode';
import { isDeleted } from '../../records/recordKind';
import {
	addressesIn,
	clearAddress,
	keysIn,
	knownAddress,
	readingsOf,
	spellingsToSend,
} from '../../util/addressesIn';
import { addressKey } from '../../util/email';
import { addTo } from '../../util/groups';
import { mayBeAnyones } from '../../util/mayBeAnyones';
import { quote, sanitize } from '../../util/text';
import { coerceText, textOrJson, toText, wholeNumbersIn } from '../../util/coerce';
import type { FieldProblem } from './changes';
import { FIELD_LABELS, type MappedContact } from './fields';
import type { ContactRules, ListedContact } from './types';

/** The contact that an item means: an existing one, or a new one if `contact` is absent. */
export interface Identified {
	contact?: ListedContact;
	/** The address that the contact will have. */
	email: string;
	/** Whether it is the address that the contact has already. */
	keepsEmail: boolean;
	/** The contact with its external ID, if it is another one: the person may have unsubscribed with its address. */
	remembered?: ListedContact;
	/** Whether the contact with its external ID no longer exists. */
	isGone?: boolean;
	note?: string;
	/** Keys of further addresses that the item may mean: none of these people is missing from the input. */
	named?: readonly string[];
}

export interface Unidentified extends FieldProblem {
	email: string;
	/** The contact that the item means nonetheless. */
	contact?: ListedContact;
	/** The email or ID of the item cannot be read, so it may mean anyone. */
	mayBeAnyone?: true;
	named?: readonly string[];
}

export interface Directory {
	/** Live contacts of the contact type. */
	contacts: ListedContact[];
	byEmail: ReadonlyMap<string, ListedContact>;
	/** Ids of further contacts with the same address, which are left unchanged. */
	duplicates: ReadonlyMap<string, number[]>;
	byId: ReadonlyMap<number, ListedContact>;
	/** The contact type of a contact that is of another type. */
	otherTypeOf: (id: number) => string | undefined;
	/** By address key: why it is unclear which contact has the address. */
	unclear: ReadonlyMap<string, string>;
	/** Two addresses with the same key are the same contact's. */
	keyOf: (address: string) => string;
	/** The address that a text is, if it may be added. */
	addressOf: (text: string) => string | undefined;
	/** The spellings of an address that must all be on the list: those that are sent for an unsubscribe. */
	spellingsOf: (address: string) => string[];
}

/**
 * Indexes the contacts of one type, out of all contacts. Those that are deleted are ignored. If an address occurs
 * several times within the type, the contact with the lowest id is used. Unclear contacts are left out, but their
 * addresses are noted.
 */
export function createDirectory(
	all: readonly ListedContact[],
	contactTypeId: number,
	list: { keyOf?: Directory['keyOf']; suppresses: boolean } = { suppresses: false },
): Directory {
	const { keyOf = addressKey, suppresses } = list;
	const addressOf = suppresses ? knownAddress : clearAddress;
	const spellingsOf = suppresses ? spellingsToSend : () => [];
	const contacts: ListedContact[] = [];
	const otherTypes = new Map<number, string>();
	const unclear = new Map<string, string>();
	for (const contact of all) {
		if (isDeleted(contact)) continue;
		if (contact.unclear !== undefined) {
			for (const one of readingsOf(contact.email)) unclear.set(addressKey(one), contact.unclear);
			continue;
		}
		if (Number(contact.contact_type_id) === contactTypeId) contacts.push(contact);
		else otherTypes.set(contact.id, String(contact.contact_type_id));
	}
	contacts.sort((a, b) => a.id - b.id);
	const byEmail = new Map<string, ListedContact>();
	const duplicates = new Map<string, number[]>();
	const byId = new Map<number, ListedContact>();
	for (const contact of contacts) {
		byId.set(contact.id, contact);
		const key = keyOf(contact.email);
		if (byEmail.has(key)) addTo(duplicates, key, contact.id);
		else byEmail.set(key, contact);
	}
	const otherTypeOf = (id: number) => otherTypes.get(id);
	return {
		...{ contacts, byEmail, duplicates, byId, otherTypeOf, unclear },
		...{ keyOf, addressOf, spellingsOf },
	};
}

function fail(
	code: ErrorCode,
	field: 'email' | 'contact_id',
	problem: string,
	email: string,
	contact?: ListedContact,
): Unidentified {
	return { code, problem, field: FIELD_LABELS[field], email, contact };
}

/** The keys of the other address of a contact: it is the same person. A text such as "n/a" is nobody's. */
export const alternativeKeys = ({ alt_email: other }: ListedContact): string[] =>
	keysIn(coerceText(other)).filter((key) => key.includes('@'));

/**
 * For an address: the main addresses of the contacts, of any contact type, whose alternative email it is. It is the same
 * person.
 */
export type MainAddresses = (address: string) => string[];

export function mainAddresses(all: readonly ListedContact[]): MainAddresses {
	const byAlternative = new Map<string, string[]>();
	for (const contact of all) {
		if (isDeleted(contact)) continue;
		for (const key of alternativeKeys(contact)) addTo(byAlternative, key, contact.email);
	}
	return (address) => byAlternative.get(addressKey(address)) ?? [];
}

/** Completes the sentence "Email …". */
export const notAnAddress = (email: string): string =>
	`${quote(email)} is not an email address. Correct it`;

/** The address of an item, if it is one that the contact may get. */
function newAddress(
	email: string,
	directory: Directory,
	contact?: ListedContact,
): string | Unidentified {
	const { unclear, addressOf } = directory;
	const address = addressOf(email);
	if (address === undefined) {
		return {
			...fail('address-invalid', 'email', notAnAddress(email), email, contact),
			...(!contact && mayBeAnyones(email) && { mayBeAnyone: true }),
		};
	}
	const why = unclear.get(addressKey(address));
	if (why === undefined) return address;
	const problem = `belongs to a contact that the service lists ${why}. Check the contact in the service`;
	return fail('contact-unclear', 'email', problem, address, contact);
}

function byAddress(text: string, directory: Directory): Identified | Unidentified {
	if (text === '')
		return fail('address-missing', 'email', 'is missing. Map the column that contains it', '');
	const textKey = directory.keyOf(text);
	const email = directory.byEmail.has(textKey) ? text : newAddress(text, directory);
	if (typeof email !== 'string') return email;
	const key = email === text ? textKey : directory.keyOf(email);
	const contact = directory.byEmail.get(key);
	if (contact) {
		const isMissing = (one: string) => !directory.byEmail.has(directory.keyOf(one));
		const other = directory.spellingsOf(email).find(isMissing);
		if (other !== undefined) return { email: other, keepsEmail: false };
		const duplicates = directory.duplicates.get(key);
		const note =
			duplicates &&
			`Other IDs with this address are left unchanged: ${sanitize(duplicates.join(', '), 60)}`;
		return { contact, email: contact.email, keepsEmail: true, note };
	}
	return { email, keepsEmail: false };
}

const numbersIn = (id: unknown): string[] => (typeof id === 'string' ? wholeNumbersIn(id) : []);

/** The contacts that an ID may mean. */
const withIds = (id: unknown, { byId }: Directory): ListedContact[] =>
	numbersIn(id).flatMap((one) => byId.get(Number(one)) ?? []);

function withId(id: unknown, { byId }: Directory): ListedContact | undefined {
	const [number, other] = numbersIn(id);
	return number !== undefined && other === undefined ? byId.get(Number(number)) : undefined;
}

function byContactId(
	idText: string,
	text: string,
	directory: Directory,
): Identified | Unidentified {
	const contact = withId(idText, directory);
	const email = clearAddress(text) ?? text;
	if (!/^\d+$/.test(idText)) {
		const problem = `is ${quote(idText)}, which is not an ID. Map the ID that the service shows`;
		return { ...fail('contact-not-found', 'contact_id', problem, email), mayBeAnyone: true };
	}
	if (!contact) {
		const type = directory.otherTypeOf(Number(idText));
		const where = type === undefined ? '' : `. It belongs to contact type ${type}`;
		const problem = `${sanitize(idText, 60)} does not exist in this contact type${where}`;
		return {
			...fail('contact-not-found', 'contact_id', problem, email),
			...(clearAddress(text) === undefined && mayBeAnyones(text) && { mayBeAnyone: true }),
		};
	}
	const sameAddress = email === '' || addressKey(email) === addressKey(contact.email);
	if (sameAddress) return { contact, email: contact.email, keepsEmail: true };
	const read = newAddress(text, directory, contact);
	if (typeof read !== 'string') return read;
	const owner = directory.byEmail.get(addressKey(email));
	if (owner) {
		const problem = `${sanitize(email, 60)} already belongs to contact ${owner.id}. Set "Match By" to "Email"`;
		return fail('email-taken', 'email', problem, email, contact);
	}
	return { contact, email, keepsEmail: false };
}

function byAddressOrId(
	input: MappedContact,
	directory: Directory,
	matchBy: ContactRules['matchBy'],
): Identified | Unidentified {
	const email = toText(input.values.email);
	if (typeof email !== 'string') {
		const id = matchBy === 'contactId' ? toText(input.contactId) : '';
		const contact = withId(id, directory);
		return {
			...fail('single-value-expected', 'email', email.problem, '', contact),
			...(!contact && { mayBeAnyone: true }),
		};
	}
	if (matchBy === 'contactId') {
		const id = toText(input.contactId);
		if (typeof id !== 'string') {
			return {
				...fail('single-value-expected', 'contact_id', id.problem, email),
				mayBeAnyone: true,
			};
		}
		if (id !== '') return byContactId(id, email, directory);
	}
	return byAddress(email, directory);
}

/** An item that fails still means the contact with its ID, whatever "Match By" says. */
function withContactOfId(
	row: Identified | Unidentified,
	{ contactId }: MappedContact,
	directory: Directory,
): Identified | Unidentified {
	if (!('problem' in row) || row.contact) return row;
	const contact = withId(toText(contactId), directory);
	return contact ? { ...row, contact } : row;
}

/** Longer texts are no emails. */
const MAX_EMAILS_LENGTH = 1_000;

/**
 * The address and the ID by which an item is not matched name somebody as well, and so does the rest of its email. What
 * cannot be read in a further email names nobody: the item has another one.
 */
function withAllNamed(
	row: Identified | Unidentified,
	{ contactId, otherEmails = [], values }: MappedContact,
	directory: Directory,
): Identified | Unidentified {
	const own = withIds(toText(contactId), directory);
	const email = coerceText(values.email);
	const others = otherEmails.map(textOrJson).filter(({ length }) => length <= MAX_EMAILS_LENGTH);
	const addresses = [
		...(clearAddress(email) === undefined ? addressesIn(email) : []),
		...others.flatMap(addressesIn),
		...own.filter(({ id }) => id !== row.contact?.id).map((contact) => contact.email),
	];
	return addresses.length === 0 ? row : { ...row, named: addresses.map(addressKey) };
}

/**
 * Finds the contact that an item is about. An item without an id is matched by address even if `matchBy` is the id, so
 * that a second run finds the contacts that the first one created. An item that cannot be read still means a contact if
 * another part of it identifies one: that contact is not missing from the input.
 */
export function identify(
	input: MappedContact,
	directory: Directory,
	matchBy: ContactRules['matchBy'],
): Identified | Unidentified {
	const row = byAddressOrId(input, directory, matchBy);
	const found = withAllNamed(withContactOfId(row, input, directory), input, directory);
	if (!input.unreadable) return found;
	const { email, contact, named } = found;
	const isKey = input.unreadable.field === FIELD_LABELS.contact_id;
	const isAnyone = isKey || (email === '' && !contact) || isUncertain(found);
	return {
		...{ ...input.unreadable, email, contact },
		...(named && { named }),
		...(isAnyone && { mayBeAnyone: true }),
	};
}

/** Whether the item of a row may mean any contact. */
export const isUncertain = (row: Identified | Unidentified): boolean =>
	'problem' in row && row.mayBeAnyone === true;

/** The key that several items for one contact, or for one new address, share. Only one of them is written. */
export function claimsOf(
	row: Identified | Unidentified,
	{ keyOf }: Pick<Directory, 'keyOf'>,
): string[] {
	if ('problem' in row) return [];
	return [
		...(row.contact ? [`contact ${row.contact.id}`] : []),
		...(row.keepsEmail ? [] : [`address ${keyOf(row.email)}`]),
	];
}
