import { csvCell } from '../../util/csv';
import { addressKey } from '../../util/email';
import { normalizeKey } from '../../util/normalize';
import { CONTACT_FIELDS } from '../contacts/fields';
import type { CsvImport } from './syncOptions';
import type { ListedContact, PlannedRow } from '../contacts/types';

/** A contact that is to be created, with the index of its row. */
export interface NewContact {
	index: number;
	row: PlannedRow;
}

export interface ImportFile {
	contacts: NewContact[];
	text: string;
}

/** What a service takes is not shown (21). Common limits are 1 MB for a request and 30 seconds of work. */
const MOST_ROWS = 5_000;
const MOST_BYTES = 1_000_000;

/** Texts that programs which read CSV files are known to change. */
const KINDS: ReadonlyArray<[name: string, pattern: RegExp]> = [
	['letters beyond ASCII', /\P{ASCII}/u],
	['characters beyond 16 bits', /[\u{10000}-\u{10ffff}]/u],
	['commas', /,/],
	['quotes', /"/],
	['other separators', /[;\t|]/],
	['line ends', /[\r\n]/],
	['backslashes', /\\/],
	['leading zeros', /(?:^|\v)0\d/],
	['unusual numbers', /(?:^|\v)(?:\d*\.\d*|\d+e\d+|\d{16,})(?:$|\v)/i],
	['words of programs', /(?:^|\v)(?:null|nil|none|nan|n\/a|true|false)(?:$|\v)/i],
	['formulas', /(?:^|\v)[=+\-@]/],
];

/** Tells what the trial must have of a contact. */
type TraitsOf = (contact: NewContact) => string[];

/**
 * Values in fields, fields without one, and kinds of texts. A country must be seen to be kept where it is not the one
 * of the first contact: a service that does not read it may take one and the same country for all.
 */
function createTraits(contacts: readonly NewContact[]): TraitsOf {
	const usual = contacts[0]?.row.body?.country;
	const names = namesIn(contacts);
	return ({ row: { body, customFields = [] } }) => {
		const filled = CONTACT_FIELDS.filter((field) => body?.[field]);
		const empty = CONTACT_FIELDS.filter((field) => !body?.[field]).map((field) => `no ${field}`);
		const given = new Set(customFields.map(([name]) => name));
		const custom = names.map((name) => `${given.has(name) ? '' : 'no '}custom field ${name}`);
		const values = [
			...filled.map((field) => body?.[field]),
			...customFields.map(([, value]) => value),
		];
		const text = values.join('\v');
		const kinds = KINDS.filter(([, pattern]) => pattern.test(text));
		const country = body?.country === usual ? 'usual country' : 'other country';
		return [...filled, ...empty, ...custom, ...kinds.map(([name]) => name), country];
	};
}

/** The names of all custom fields that the contacts have. */
const namesIn = (contacts: readonly NewContact[]): string[] => [
	...new Set(
		contacts.flatMap(({ row: { customFields = [] } }) => customFields.map(([name]) => name)),
	),
];

const cellOf = (value: unknown): string => csvCell(value, { spreadsheetSafe: false });

/** Some programs take a quote after a backslash for a part of the text, and read on into the next contacts. */
const endsSafely = (value: unknown): boolean => !cellOf(value).includes('\\"');

/**
 * Tells which contacts a file can hold. A value without a column would be lost, and a country without a known name
 * could not be compared afterwards. A custom field named like a column, as a program may compare names, could be taken
 * for that column: "Email" for the address of somebody else. What an import does with an address that the account has
 * is not shown, whatever contact type it is in.
 */
export function createImportFilter(
	{ columns }: CsvImport,
	before: readonly ListedContact[],
): (contact: NewContact) => boolean {
	const withColumn = new Set(columns.map(({ field }) => field));
	const taken = new Set(before.map(({ email }) => addressKey(email)));
	const headers = new Set(
		[...columns.map(({ header }) => header), ...CONTACT_FIELDS].map(normalizeKey),
	);
	return ({ row: { email, body, changes, customFields = [] } }) =>
		customFields.every(([name, value]) => endsSafely(value) && !headers.has(normalizeKey(name))) &&
		CONTACT_FIELDS.every((field) => !body?.[field] || withColumn.has(field)) &&
		CONTACT_FIELDS.every((field) => endsSafely(body?.[field])) &&
		!/^\d*$/.test(changes?.country?.to ?? '') &&
		!taken.has(addressKey(email));
}

/** One of the contacts that most others are like, and as few further ones as have all other traits. */
export function chooseTrial(contacts: readonly NewContact[]): NewContact[] {
	const traitsOf = createTraits(contacts);
	const kinds = new Map<string, { contact: NewContact; traits: string[]; size: number }>();
	for (const contact of contacts) {
		const traits = traitsOf(contact);
		const key = traits.join();
		const kind = kinds.get(key);
		if (kind) kind.size++;
		else kinds.set(key, { contact, traits, size: 1 });
	}
	const open = new Set([...kinds.values()].flatMap(({ traits }) => traits));
	const chosen: NewContact[] = [];
	while (open.size > 0) {
		const counted = [...kinds.values()].map((kind) => ({
			...kind,
			count: chosen.length === 0 ? kind.size : kind.traits.filter((one) => open.has(one)).length,
		}));
		const best = counted.reduce((one, other) => (other.count > one.count ? other : one));
		chosen.push(best.contact);
		for (const trait of best.traits) open.delete(trait);
	}
	return chosen;
}

const lineOf = (cells: readonly unknown[]): string => cells.map(cellOf).join(',');

/** The contacts as files (RFC 4180) of limited size, each with the names of the columns. */
export function* filesOf(
	contacts: readonly NewContact[],
	{ columns, country }: Pick<CsvImport, 'columns' | 'country'>,
): Generator<ImportFile> {
	const names = namesIn(contacts);
	const heading = lineOf([...columns.map(({ header }) => header), ...names]);
	let held: NewContact[] = [];
	let lines: string[] = [];
	let bytes = 0;
	const take = (): ImportFile => {
		const file = { contacts: held, text: [heading, ...lines, ''].join('\r\n') };
		[held, lines, bytes] = [[], [], 0];
		return file;
	};
	for (const contact of contacts) {
		const { body, changes, customFields } = contact.row;
		const values = columns.map(({ field }) =>
			field === 'country' && country === 'name' ? changes?.country?.to : body?.[field],
		);
		const custom = new Map(customFields);
		const line = lineOf([...values, ...names.map((name) => custom.get(name))]);
		const size = Buffer.byteLength(line) + 2;
		const isFull = held.length === MOST_ROWS || bytes + size > MOST_BYTES;
		if (isFull && held.length > 0) yield take();
		held.push(contact);
		lines.push(line);
		bytes += size;
	}
	if (held.length > 0) yield take();
}
