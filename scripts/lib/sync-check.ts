// What the main example should do, worked out from its file and from what the sandbox held before.
// It shares no code with the node, so that a mistake there is not repeated here.
import { parse } from 'csv-parse/sync';
import { countries } from '../../sandbox/data/locations.ts';
import type { Contact } from '../../sandbox/model.ts';

const outcomes = ['created', 'updated', 'unchanged', 'skipped', 'failed'] as const;
type Outcome = (typeof outcomes)[number];

const columns = {
	'First Name': 'first_name',
	'Last Name': 'last_name',
	State: 'state',
	City: 'city',
	'Address Line 1': 'address_line1',
	Zip: 'postal_code',
} as const;
type TextField = (typeof columns)[keyof typeof columns];
type Values = Partial<Record<TextField, string>> & { country?: number };

/** What the sandbox holds. */
export interface Holdings {
	contacts: Contact[];
	/** The addresses under Global Unsubscribes. */
	unsubscribed: string[];
}

export interface Expectation {
	rows: number;
	outcomes: Record<Outcome, number>;
	/** The values of each contact of the contact type, by its address. */
	contacts: Map<string, Values>;
	/** The contacts of other contact types, by their ID. */
	others: Map<number, string>;
	contactTypeId: number;
}

const addressOf = (email: string) => email.trim().toLowerCase();
const isAddress = (email: string) => /^[^\s,]+@[^\s,]+$/.test(email.trim());
const plain = (text: string | null | undefined) =>
	(text ?? '').trim().replace(/\r\n?/g, '\n').normalize('NFC');

/** @returns nothing for a spelling that is known to neither ISO 3166 nor the English language */
function countryId(text: string): number | undefined {
	const wanted = text.trim() === 'USA' ? 'US' : text.trim();
	return countries.find(({ iso2, name }) => iso2 === wanted || name === wanted)?.id;
}

const valuesOf = (contact: Contact): Values => ({
	...Object.fromEntries(Object.values(columns).map((field) => [field, plain(contact[field])])),
	country: contact.country,
});

/** What a row says; what it leaves empty it does not say. */
function valuesIn(row: Record<string, string>): Values {
	const texts = Object.entries(columns).map(([column, field]) => [field, plain(row[column])]);
	const country = countryId(row.Country ?? '');
	return {
		...Object.fromEntries(texts.filter(([, text]) => text !== '')),
		...(country !== undefined && { country }),
	};
}

const isIn = (contactTypeId: number) => (contact: Contact) =>
	contact.contact_type_id === contactTypeId && contact.deleted_at === null;

const othersIn = (contacts: Contact[], contactTypeId: number) =>
	new Map(
		contacts
			.filter((contact) => !isIn(contactTypeId)(contact))
			.map((contact) => [contact.id, JSON.stringify(contact)]),
	);

function differs(values: Values, from: Values): boolean {
	return Object.entries(values).some(([field, value]) => from[field as keyof Values] !== value);
}

/** @param csv the file that the example reads */
export function expectSync(csv: string, contactTypeId: number, before: Holdings): Expectation {
	const rows = parse<Record<string, string>>(csv, { columns: true, bom: true });
	const unsubscribed = new Set(before.unsubscribed.map(addressOf));
	const contacts = new Map(
		before.contacts
			.filter(isIn(contactTypeId))
			.map((contact) => [addressOf(contact.email), valuesOf(contact)]),
	);
	const lastRow = new Map(rows.map((row, index) => [addressOf(row['E-mail'] ?? ''), index]));
	const outcomeOf = (row: Record<string, string>, index: number): Outcome => {
		const email = row['E-mail'] ?? '';
		const address = addressOf(email);
		if (!isAddress(email)) return 'failed';
		if (unsubscribed.has(address) || lastRow.get(address) !== index) return 'skipped';
		const values = valuesIn(row);
		const existing = contacts.get(address);
		if (existing && !differs(values, existing)) return 'unchanged';
		contacts.set(address, { ...existing, ...values });
		return existing ? 'updated' : 'created';
	};
	const counts: Record<Outcome, number> = {
		created: 0,
		updated: 0,
		unchanged: 0,
		skipped: 0,
		failed: 0,
	};
	rows.forEach((row, index) => (counts[outcomeOf(row, index)] += 1));
	return {
		rows: rows.length,
		outcomes: counts,
		contacts,
		others: othersIn(before.contacts, contactTypeId),
		contactTypeId,
	};
}

const shown = (values: Values) =>
	Object.entries(values)
		.map(([field, value]) => `${field} ${JSON.stringify(value)}`)
		.join(', ');

function contactDifferences(expected: Map<string, Values>, found: Contact[]): string[] {
	const lines: string[] = [];
	const seen = new Set<string>();
	for (const contact of found) {
		const address = addressOf(contact.email);
		const values = expected.get(address);
		const actual = valuesOf(contact);
		if (seen.has(address)) lines.push(`${address} is there more than once`);
		else if (!values) lines.push(`${address} should not be there`);
		else if (differs(values, actual)) {
			lines.push(`${address} should have ${shown(values)}, and has ${shown(actual)}`);
		}
		seen.add(address);
	}
	const missing = [...expected.keys()].filter((address) => !seen.has(address));
	return [...lines, ...missing.map((address) => `${address} is missing`)];
}

/**
 * @param found the outcome of each row, and the contacts that the sandbox holds now
 * @returns what is not as expected, a line for each
 */
export function syncDifferences(
	expected: Expectation,
	found: { outcomes: string[]; contacts: Contact[] },
): string[] {
	const { rows, contactTypeId } = expected;
	const counted = outcomes.flatMap((outcome) => {
		const wanted = expected.outcomes[outcome];
		const count = found.outcomes.filter((each) => each === outcome).length;
		return count === wanted ? [] : [`${count} rows were ${outcome}, and ${wanted} should be`];
	});
	const others = othersIn(found.contacts, contactTypeId);
	const touched = [...new Set([...expected.others.keys(), ...others.keys()])].filter(
		(id) => expected.others.get(id) !== others.get(id),
	);
	return [
		...(found.outcomes.length === rows
			? []
			: [`${rows} rows went in, and ${found.outcomes.length} outcomes came back`]),
		...counted,
		...contactDifferences(expected.contacts, found.contacts.filter(isIn(contactTypeId))),
		...touched.map((id) => `Contact ${id} of another contact type was changed`),
	];
}

/** @returns the check in words, for when nothing differs */
export function syncSummary(expected: Expectation): string {
	const counts = outcomes.map((outcome) => `${expected.outcomes[outcome]} ${outcome}`).join(', ');
	return [
		`Each of the ${expected.rows} rows of contacts.csv has the expected outcome: ${counts}.`,
		`The contact type holds the ${expected.contacts.size} expected contacts, each address once, with the values of the file.`,
		'Contacts of other contact types are unchanged.',
	].join('\n  ');
}
