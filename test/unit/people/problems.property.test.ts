import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { foundIn } from '../../../nodes/EmailMarketing/features/people/places';
import {
	meantAddress,
	problemNames,
	problemsIn,
} from '../../../nodes/EmailMarketing/features/people/problems';

interface Person {
	id: number;
	type: number;
	email: string;
	first_name: string;
	last_name: string;
	city: string;
	plan: string;
}
interface Recipient {
	id: number;
	segment: number;
	email: string;
}

const text = (...values: string[]) => fc.constantFrom(...values);
const plain = text('a.da@gmail.com', 'ada@gmail.com', 'bo@example.com', 'cy@example.org');
const anyEmail = fc.oneof(
	plain,
	text('ADA@Gmail.com', 'ada+news@googlemail.com', ' bo@example.com', 'BO@EXAMPLE.COM'),
	text('ada@gmial.com', 'cy@gmai.com', 'info@example.org', 'no-reply+1@example.org'),
	text('Bo <bo@example.com>', 'nobody', 'cy@localhost', ''),
);
const anyPerson = (email: fc.Arbitrary<string>): fc.Arbitrary<Person> =>
	fc.record({
		id: fc.integer({ min: 1, max: 30 }),
		type: fc.constantFrom(21, 22),
		email,
		first_name: text('', 'Ada', ' '),
		last_name: text('', 'Moss'),
		city: text('', 'Bonn'),
		plan: text('', 'gold'),
	});
const people = fc.uniqueArray(anyPerson(anyEmail), { maxLength: 12, selector: ({ id }) => id });
const recipients = fc.uniqueArray(
	fc.record({ id: fc.nat(30), segment: fc.constantFrom(301, 302), email: anyEmail }),
	{ maxLength: 5, selector: ({ id }) => id },
);
const gone = fc.uniqueArray(plain, { maxLength: 2 });

function find(
	contacts: readonly Person[],
	entries: readonly Recipient[] = [],
	unsubscribed: readonly string[] = [],
	wanted: readonly string[] = problemNames,
): IDataObject[] {
	return problemsIn(
		{
			contacts: contacts.map(({ type, plan, ...rest }) => {
				const record = {
					...{ ...rest, contact_type_id: type, contact_type: { name: `Type ${type}` } },
					custom_field: { field_1: { field_name: 'plan', field_value: plan } },
				};
				return foundIn({ place: 'contact', readAt: '' }, record, 'email');
			}),
			isChosen: () => true,
			segmentRecipients: entries.map(({ id, segment, email }) => {
				const parent = { id: segment, segment_name: `Segment ${segment}` };
				const source = { place: 'segmentRecipient' as const, parent, readAt: '' };
				return foundIn(source, { id, email }, 'email');
			}),
			unsubscribed: new Map(unsubscribed.map((email) => [email, 'Global Unsubscribes'])),
		},
		wanted,
	);
}

/** What each contact means, written down for the few addresses above. */
const addressOf = (email: string) => {
	const inner = email
		.replace(/^Bo <(.*)>$/, '$1')
		.trim()
		.toLowerCase();
	return inner.includes('@') ? inner : '';
};
const mailboxOf = (email: string) =>
	/^a\.?da(?:\+news)?@(?:gmail|googlemail)\.com$/.test(addressOf(email)) ? 'ada' : addressOf(email);
const corrected: Record<string, string> = {
	'ada@gmial.com': 'ada@gmail.com',
	'cy@gmai.com': 'cy@gmail.com',
};
const values = ({ first_name, last_name, city, plan }: Person) => [
	first_name,
	last_name,
	city,
	plan,
];

type Row = [problem: string, contactIds: number[]];

/** Every pair of contacts is compared. */
function naively(
	contacts: readonly Person[],
	entries: readonly Recipient[],
	left: string[],
): Row[] {
	const rows: Row[] = [];
	const sharing = (one: Person, by: (email: string) => string, sameType: boolean) =>
		contacts.filter(
			(other) =>
				by(one.email) !== '' &&
				by(other.email) === by(one.email) &&
				(!sameType || other.type === one.type),
		);
	const idsOf = (group: readonly Person[]) => group.map(({ id }) => id).sort((a, b) => a - b);
	for (const one of contacts) {
		const isFirst = (group: readonly Person[]) => group[0] === one && group.length > 1;
		const same = sharing(one, addressOf, true);
		if (isFirst(same)) rows.push(['duplicate', idsOf(same)]);
		const mailbox = sharing(one, mailboxOf, true);
		const isVaried = mailbox.some(({ email }) => addressOf(email) !== addressOf(one.email));
		if (isFirst(mailbox) && isVaried) rows.push(['gmailVariant', idsOf(mailbox)]);
		const anywhere = sharing(one, addressOf, false);
		if (isFirst(anywhere) && anywhere.some(({ type }) => type !== one.type)) {
			rows.push(['inSeveralTypes', idsOf(anywhere)]);
		}
		const address = addressOf(one.email);
		if (!address.includes('.') || one.email.includes('<')) rows.push(['invalidEmail', [one.id]]);
		if (corrected[address]) rows.push(['misspelledDomain', [one.id]]);
		if (one.first_name.trim() === '' || one.last_name === '') rows.push(['missingName', [one.id]]);
		if (/^(?:info|no-reply)/.test(address)) rows.push(['roleAddress', [one.id]]);
	}
	for (const { email } of entries) {
		const address = addressOf(email);
		if (!left.includes(address)) continue;
		const those = contacts.filter((one) => addressOf(one.email) === address);
		rows.push(['unsubscribedInSegment', idsOf(those)]);
	}
	return rows;
}

const idsIn = ({ contacts }: IDataObject) =>
	(contacts as IDataObject[]).map(({ id }) => Number(id)).sort((a, b) => a - b);
const sorted = (rows: Row[]) => rows.map((row) => JSON.stringify(row)).sort();

it('finds what comparing every pair of contacts finds, and nothing else', () => {
	const kinds = new Set<string>();
	fc.assert(
		fc.property(people, recipients, gone, (contacts, entries, left) => {
			const findings = find(contacts, entries, left);
			for (const { problem } of findings) kinds.add(String(problem));
			const rows = findings.map((one): Row => [String(one.problem), idsIn(one)]);
			expect(sorted(rows)).toEqual(sorted(naively(contacts, entries, left)));
		}),
	);
	expect([...kinds].sort()).toEqual([...problemNames].sort());
});

it('takes no contact that is listed twice for a duplicate', () => {
	fc.assert(
		fc.property(people, (contacts) => {
			expect(find([...contacts, ...contacts])).toEqual(find(contacts));
		}),
	);
});

it('finds only what is wanted', () => {
	fc.assert(
		fc.property(
			people,
			recipients,
			gone,
			fc.subarray(problemNames),
			(all, entries, left, wanted) => {
				const expected = find(all, entries, left).filter(({ problem }) =>
					wanted.includes(problem as never),
				);
				expect(find(all, entries, left, wanted)).toEqual(expected);
			},
		),
	);
});

it('loses no value of anybody, and nobody who can be emailed, if all that it names is deleted', () => {
	const meant = (email: string) => mailboxOf(corrected[addressOf(email)] ?? email);
	let deletions = 0;
	fc.assert(
		fc.property(people, (contacts) => {
			const named = find(contacts).flatMap(
				({ fix }) => ((fix as IDataObject | null)?.contactIds ?? []) as number[],
			);
			const isNamed = ({ id }: Person) => named.includes(id);
			deletions += named.length;
			for (const deleted of contacts.filter(isNamed)) {
				const hasAll = (one: Person) =>
					values(deleted).every((value, index) => value === '' || value === values(one)[index]);
				const isSame = ({ type, email }: Person) =>
					type === deleted.type && meant(email) === meant(deleted.email);
				const isReached = ({ email }: Person) =>
					deleted.email.includes('<') ||
					corrected[addressOf(deleted.email)] ||
					!email.includes('<');
				const isEnough = (one: Person) => isSame(one) && hasAll(one) && isReached(one);
				expect(contacts.some((one) => !isNamed(one) && isEnough(one))).toBe(true);
			}
		}),
	);
	expect(deletions).toBeGreaterThan(0);
});

it('finds nothing in a clean list', () => {
	const clean = fc.uniqueArray(
		anyPerson(plain).map((one) => ({
			...one,
			id: one.id + 1,
			first_name: 'Ada',
			last_name: 'Moss',
		})),
		{ maxLength: 3, selector: ({ email }) => email.replaceAll('.', '') },
	);
	fc.assert(
		fc.property(clean, (contacts) => {
			const entries = contacts.map(({ id, email }) => ({ id, segment: 301, email }));
			expect(find(contacts, entries, ['left@example.com', ''])).toEqual([]);
		}),
	);
});

it.each([
	['gmial.com', 'gmail.com'],
	['gmai.com', 'gmail.com'],
	['gmaill.com', 'gmail.com'],
	['gmail.con', 'gmail.com'],
	['gmail.co', 'gmail.com'],
	['hotmial.com', 'hotmail.com'],
	['outlok.com', 'outlook.com'],
	['yaho.com', 'yahoo.com'],
	['iclod.com', 'icloud.com'],
	['googlemial.com', 'googlemail.com'],
	...[
		'gmail.com',
		'googlemail.com',
		'mail.com',
		'email.com',
		'ymail.com',
		'gmx.com',
		'cloud.com',
	].map((domain) => [domain, undefined]),
	...['yahoo.ca', 'yahoo.co.uk', 'hotmail.fr', 'hotmail.it', 'outlook.de', 'gmail.example', ''].map(
		(domain) => [domain, undefined],
	),
])('takes %s for %s', (domain, meant) => {
	expect(meantAddress(`ada@${domain}`)).toBe(meant && `ada@${meant}`);
});

it('finds that so many contacts have one address that comparing each with each would never end', () => {
	const of = { type: 21, email: 'Ada <ada@example.com>', first_name: 'Ada', last_name: 'Moss' };
	const contacts = Array.from({ length: 60_000 }, (_, id) => ({ ...of, id, city: '', plan: '' }));
	const found = find(contacts, [], [], ['invalidEmail']);
	expect(found).toHaveLength(contacts.length);
	expect(found.filter(({ fix }) => fix !== null)).toHaveLength(1);
});
