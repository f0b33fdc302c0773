import type { IDataObject } from 'n8n-workflow';

import { customValuesOf, parseCustomValues } from '../../records/customFields';
import { addressesOf, knownAddress } from '../../util/addressesIn';
import { coerceText, isEmpty, toJson } from '../../util/coerce';
import { editDistance } from '../../util/editDistance';
import { addressKey, hasDottedDomain, keyboardAddress } from '../../util/email';
import { groupBy } from '../../util/groups';
import { quote } from '../../util/text';
import { numbered } from './places';
import type { Found } from './places';

/** What the service has, without the records that are marked as deleted. */
interface Lists {
	contacts: readonly Found[];
	/** Which of the contacts are checked, and compared with each other. */
	isChosen: (contact: Found) => boolean;
	segmentRecipients: readonly Found[];
	/** The list that somebody has unsubscribed from, by address key. */
	unsubscribed: ReadonlyMap<string, string>;
}

interface Contact extends Found {
	email: string;
	/** With keyboard characters, as a new contact has it; '' if the email is no address, as is the key. */
	address: string;
	/** See `addressKey`. */
	key: string;
	/** Whether the email is the address alone, so that it can be sent to. */
	isClear: boolean;
}

interface Prepared extends Lists {
	contacts: readonly Contact[];
	byKey: ReadonlyMap<string, readonly Contact[]>;
	/** By contact type and address key, also those that are not chosen: one of them may have the right address. */
	all: ReadonlyMap<string, readonly Contact[]>;
	/** Those of them whose email is the address alone. */
	clear: ReadonlyMap<string, readonly Contact[]>;
	/** Of those with the same address in a contact type, all but the one to keep. */
	superfluous: ReadonlySet<Contact>;
	/** Contact type and address key of each address that a fix gives a contact. */
	corrected: Set<string>;
}

interface Finding {
	description: string;
	contacts: readonly Contact[];
	/** The operation, with its parameters, that corrects it; absent if a person has to decide. */
	fix?: IDataObject | null;
	/** That of the first contact, unless given. */
	email?: string;
}

type Rule = (lists: Prepared) => Finding[];

function contactOf(found: Found): Contact {
	const email = coerceText(found.record.email);
	const address = keyboardAddress(knownAddress(email) ?? '');
	const isClear = address !== '' && address === email.trim();
	return { ...found, email, address, isClear, key: addressKey(address) };
}

/** Whoever has no address is in no group. */
const groupContacts = (contacts: readonly Contact[], keyOf: (contact: Contact) => string) =>
	groupBy(contacts, (contact) => (contact.key === '' ? undefined : keyOf(contact)));

/** What the service gives each contact, and what duplicates have in common. */
const notCompared = /^(?:(?:user_|contact_type_)?id|contact_type|email|fullname|\w+_at)$/;

/** What would be lost with a contact. */
const valuesOf = ({ record }: Contact): string[] => [
	...Object.entries({ ...record, custom_field: null })
		.filter(([name, value]) => !notCompared.test(name) && !isEmpty(value))
		.map(([name, value]) => `${name} ${toJson(value)}`),
	...[...parseCustomValues(customValuesOf(record))].map(
		([name, text]) => `custom field ${name} ${text}`,
	),
];

/** Deletes contacts, except those with a value that the one to keep does not have. */
function deletion(kept: Contact, others: readonly Contact[]): IDataObject | undefined {
	const values = new Set(valuesOf(kept));
	const contactIds = others
		.filter((other) => valuesOf(other).every((value) => values.has(value)))
		.map(({ id }) => numbered(id));
	if (contactIds.length === 0) return undefined;
	return { resource: 'contact', operation: 'deleteMany', contactIds };
}

/**
 * Corrects the email of a contact, or deletes the contact if another one of its type has the correct email. Absent if
 * another contact has the same address in a longer text, is corrected to it, or is to be kept in place of this one: a
 * person has to decide.
 */
function correction(
	contact: Contact,
	email: string,
	{ all, clear, corrected, superfluous }: Prepared,
): IDataObject | undefined {
	const { id, listId, key } = contact;
	const place = `${listId} ${addressKey(email)}`;
	const twin = clear.get(place)?.find((other) => other !== contact);
	if (twin) return deletion(twin, [contact]);
	const isTaken = addressKey(email) !== key && all.has(place);
	if (isTaken || corrected.has(place) || superfluous.has(contact)) return undefined;
	corrected.add(place);
	return { resource: 'contact', operation: 'update', contactId: numbered(id), email };
}

/** Of those whose email is the address alone, the one with the most values is kept; of several, the oldest. */
const keptFirst = (contacts: readonly Contact[]): Contact[] =>
	[...contacts].sort(
		(a, b) =>
			Number(b.isClear) - Number(a.isClear) ||
			valuesOf(b).length - valuesOf(a).length ||
			Number(a.id) - Number(b.id),
	);

/** The contacts of each type with the same key, the one to keep first. */
const groupsOf = (contacts: readonly Contact[], keyOf = (key: string) => key): Contact[][] =>
	[...groupContacts(contacts, ({ listId, key }) => `${listId} ${keyOf(key)}`).values()].map(
		keptFirst,
	);

function duplicates(
	contacts: readonly Contact[],
	keyOf: (key: string) => string,
	what: string,
): Finding[] {
	return groupsOf(contacts, keyOf).flatMap((group) => {
		const [kept, ...others] = group;
		if (kept === undefined || others.length === 0) return [];
		const description = `${group.length} contacts in ${kept.list} ${what}`;
		return { description, contacts: group, fix: deletion(kept, others) };
	});
}

const forEachContact =
	(judge: (contact: Contact, lists: Prepared) => Omit<Finding, 'contacts'> | undefined): Rule =>
	(lists) =>
		lists.contacts.flatMap((contact) => {
			const finding = judge(contact, lists);
			return finding ? { contacts: [contact], ...finding } : [];
		});

/** What finds the problems of each kind. */
const rules = {
	duplicate: ({ contacts }) => duplicates(contacts, (key) => key, 'have the same address'),
	gmailVariant: ({ contacts }) =>
		duplicates(contacts, gmailKey, 'share a Gmail mailbox').filter(
			({ contacts: [first, ...others] }) => others.some(({ key }) => key !== first?.key),
		),
	inSeveralTypes: ({ byKey }) =>
		[...byKey.values()].flatMap((contacts) => {
			const lists = [...new Map(contacts.map(({ listId, list }) => [listId, list])).values()];
			if (lists.length === 1) return [];
			return { description: `In ${lists.length} contact types: ${lists.join(', ')}`, contacts };
		}),
	invalidEmail: forEachContact((contact, lists) => {
		const { email, address, isClear } = contact;
		if (isClear && hasDottedDomain(address)) return undefined;
		const fix = isClear || address === '' ? undefined : correction(contact, address, lists);
		if (email.trim() === '') return { description: 'No email address', fix };
		const problem = isClear
			? 'No dot after the @, so probably no email arrives'
			: 'Not an email address';
		return { description: `${problem}: ${quote(email)}`, fix };
	}),
	misspelledDomain: forEachContact((contact, lists) => {
		const meant = meantAddress(contact.key);
		if (meant === undefined) return undefined;
		return { description: `Probably meant: ${meant}`, fix: correction(contact, meant, lists) };
	}),
	missingName: forEachContact(({ record }) => {
		const isNamed = ['first_name', 'last_name'].every((name) => coerceText(record[name]).trim());
		return isNamed ? undefined : { description: 'First or last name missing' };
	}),
	roleAddress: forEachContact(({ key }) =>
		isRole(key) ? { description: 'Usually read by several people' } : undefined,
	),
	unsubscribedInSegment: ({ segmentRecipients, unsubscribed, byKey }) =>
		segmentRecipients.flatMap(({ id, listId, list: segment, record }) => {
			const email = coerceText(record.email);
			const keys = addressesOf(email).map(addressKey);
			const from = keys.map((key) => unsubscribed.get(key)).find((list) => list !== undefined);
			if (from === undefined) return [];
			const ids = { segmentId: numbered(listId), segmentRecipientId: numbered(id) };
			return {
				description: `Unsubscribed (${from}), but still in the segment ${segment}`,
				contacts: [...new Set(keys.flatMap((key) => byKey.get(key) ?? []))],
				fix: { resource: 'segment', operation: 'deleteRecipient', ...ids },
				email,
			};
		}),
} satisfies Record<string, Rule>;

export const problemNames = Object.keys(rules) as Array<keyof typeof rules>;

/** The problems of these kinds, one kind after the other. */
export function problemsIn(lists: Lists, wanted: readonly string[]): IDataObject[] {
	// A contact that is listed twice is no duplicate: the fix would delete the only one.
	const byId = new Map(lists.contacts.map((found, index) => [found.id || index, found]));
	const contacts = [...byId.values()].map(contactOf);
	const chosen = contacts.filter(lists.isChosen);
	const byKey = groupContacts(chosen, ({ key }) => key);
	const placeOf = ({ listId, key }: Contact) => `${listId} ${key}`;
	const all = groupContacts(contacts, placeOf);
	const clear = groupContacts(
		contacts.filter(({ isClear }) => isClear),
		placeOf,
	);
	const superfluous = new Set(groupsOf(contacts).flatMap((group) => group.slice(1)));
	const corrected = new Set<string>();
	const prepared = { ...lists, contacts: chosen, byKey, all, clear, superfluous, corrected };
	const findings = (problem: (typeof problemNames)[number]): IDataObject[] =>
		(rules[problem] as Rule)(prepared).map(
			({ description, contacts, email = contacts[0]?.email, fix = null }) => ({
				...{ problem, description, email, fix },
				contacts: contacts.map(({ id, email: own, listId, list }) => ({
					...{ id: numbered(id), email: own, contactTypeId: numbered(listId), contactType: list },
				})),
			}),
		);
	return problemNames.filter((problem) => wanted.includes(problem)).flatMap(findings);
}

const nameOf = (key: string): string => key.slice(0, key.lastIndexOf('@'));
const domainOf = (key: string): string => key.slice(key.lastIndexOf('@') + 1);

const bigDomains = 'gmail.com googlemail.com hotmail.com icloud.com outlook.com yahoo.com'.split(
	' ',
);

const sorted = (text: string): string => [...text].sort().join('');

/** Whether one character is missing, added or wrong, or two are swapped. */
function isMisspelled(domain: string, big: string): boolean {
	if (Math.abs(domain.length - big.length) > 1) return false;
	const distance = editDistance(domain, big);
	return distance === 1 || (distance === 2 && sorted(domain) === sorted(big));
}

/**
 * The address that somebody probably meant, with one of the big domains in place of one like it. Those with another
 * first letter are no slips but providers of their own: mail.com, ymail.com, cloud.com.
 *
 * @param key see `addressKey`
 */
export function meantAddress(key: string): string | undefined {
	const domain = domainOf(key);
	const meant = bigDomains.find((big) => big[0] === domain[0] && isMisspelled(domain, big));
	return meant && `${nameOf(key)}@${meant}`;
}

/** The mailboxes of RFC 2142, and others that usually more than one person reads. */
const roles = new Set(
	`abuse ftp hostmaster info marketing news noc postmaster sales security support usenet uucp webmaster www
	admin billing contact hello no-reply noreply office team`.split(/\s+/),
);

const isRole = (key: string): boolean => roles.has(nameOf(key).replace(/\+.*/, ''));

/** The same for all addresses of one Gmail mailbox, which takes no notice of dots and of what follows a plus. */
function gmailKey(key: string): string {
	if (!/^(?:gmail|googlemail)\.com$/.test(domainOf(key))) return key;
	return `${nameOf(key).replace(/\+.*|\./g, '')}@gmail.com`;
}
