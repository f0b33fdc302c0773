import { fieldsOf } from '../../records/recordKind';
import { records } from '../../records/records';
import { csvCell } from '../../util/csv';
import { addressKey } from '../../util/email';
import { normalizeKey } from '../../util/normalize';
import { CONTACT_FIELDS, type ContactField } from '../contacts/fields';
import { findInCell } from '../consent/guard';
import type { CsvImport, WriteOptions } from './types';
import type { PlannedRow } from '../contacts/types';

/** A contact to create, with the index of its row. */
export interface NewContact {
	index: number;
	row: PlannedRow;
}

export interface ImportFile {
	contacts: NewContact[];
	text: string;
}

/** The reference shows no limits (21). Common ones are 1 MB per request and 30 seconds of processing. */
const MOST_ROWS = 5_000;
const MOST_BYTES = 1_000_000;

/** A column with the name of another field of a contact could be read as that field. */
const OWN_FIELDS = [...fieldsOf(records.contact), 'contact_id', 'email_address'];

/** Kinds of text that programs often change when they read CSV files. */
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

type CountryAs = CsvImport['country'];

/** What the file has for a field: its country may be a name. */
const valueInFile = (
	{ body, changes }: PlannedRow,
	field: ContactField,
	countryAs: CountryAs,
): string | undefined =>
	field === 'country' && countryAs === 'name' ? changes?.country?.to : body?.[field];

/** The traits of a contact that the trial must cover. */
type TraitsOf = (contact: NewContact) => string[];

/**
 * The traits are filled and empty fields, custom fields with and without a value, and kinds of text. A country other
 * than that of the first contact is a trait, too: a service that ignores the column may store one country for all.
 */
function createTraits(contacts: readonly NewContact[], countryAs: CountryAs): TraitsOf {
	const usual = contacts[0]?.row.body?.country;
	const names = namesIn(contacts);
	return ({ row }) => {
		const { body, customFields = [] } = row;
		const filled = CONTACT_FIELDS.filter((field) => body?.[field]);
		const empty = CONTACT_FIELDS.filter((field) => !body?.[field]).map((field) => `no ${field}`);
		const given = new Set(customFields.map(([name]) => name));
		const custom = names.map((name) => `${given.has(name) ? '' : 'no '}custom field ${name}`);
		const values = [
			...filled.map((field) => valueInFile(row, field, countryAs)),
			...customFields.map(([, value]) => value),
		];
		const text = values.join('\v');
		const kinds = KINDS.filter(([, pattern]) => pattern.test(text));
		const country = body?.country === usual ? 'usual country' : 'other country';
		return [...filled, ...empty, ...custom, ...kinds.map(([name]) => name), country];
	};
}

/** The names of all custom fields that the contacts have. */
export const namesIn = (contacts: readonly NewContact[]): string[] => [
	...new Set(
		contacts.flatMap(({ row: { customFields = [] } }) => customFields.map(([name]) => name)),
	),
];

const cellOf = (value: unknown): string => csvCell(value, { spreadsheetSafe: false });

/** Some programs read a quote after a backslash as part of the text, and continue into the next contacts. */
const endsSafely = (value: string): boolean => !cellOf(value).includes('\\"');

/**
 * Selects the contacts that a file may contain:
 *
 * - Nobody who is held back is named in any column, since the service could read the address from there.
 * - Every value has a column, and the country a known name, which can be checked afterwards.
 * - No custom field is named like another field, for example "Email": the service could confuse them.
 * - The account does not have the address yet. The reference does not say what an import does with it then.
 */
export function createImportFilter(
	{ columns }: CsvImport,
	{ before, suppressions }: Pick<WriteOptions, 'before' | 'suppressions'>,
): (contact: NewContact) => boolean {
	const withColumn = new Set(columns.map(({ field }) => field));
	const taken = new Set(before.map(({ email }) => addressKey(email)));
	const headers = new Set(
		[...columns.map(({ header }) => header), ...OWN_FIELDS].map(normalizeKey),
	);
	const isSafe = (value: string) => endsSafely(value) && !findInCell(suppressions, value);
	return ({ row: { email, body, changes, customFields = [] } }) =>
		CONTACT_FIELDS.filter((field) => body?.[field]).every((field) => withColumn.has(field)) &&
		CONTACT_FIELDS.every((field) => isSafe(body?.[field] ?? '')) &&
		customFields.every(([name, value]) => isSafe(value) && !headers.has(normalizeKey(name))) &&
		!/^\d*$/.test(changes?.country?.to ?? '') &&
		!taken.has(addressKey(email));
}

/** The first contact, and each other one with a trait that none before it has. */
export function chooseTrial(
	contacts: readonly NewContact[],
	{ country }: Pick<CsvImport, 'country'>,
): NewContact[] {
	const traitsOf = createTraits(contacts, country);
	const tried = new Set<string>();
	return contacts.filter((contact) => {
		const before = tried.size;
		for (const trait of traitsOf(contact)) tried.add(trait);
		return tried.size > before;
	});
}

const lineOf = (cells: readonly unknown[]): string => cells.map(cellOf).join(',');

/** The contacts as CSV files (RFC 4180) of limited size, each with a header row. */
export function* filesOf(
	contacts: readonly NewContact[],
	{ columns, country }: Pick<CsvImport, 'columns' | 'country'>,
	names: readonly string[] = namesIn(contacts),
): Generator<ImportFile> {
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
		const values = columns.map(({ field }) => valueInFile(contact.row, field, country));
		const custom = new Map(contact.row.customFields);
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
