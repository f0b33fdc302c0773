import { csvCell } from '../util/csv';
import { addressKey } from '../util/email';
import { CONTACT_FIELDS } from './fields';
import type { CsvImport } from './syncOptions';
import type { ListedContact, PlannedRow } from './types';

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
	['leading zeros', /(?:^|\v)0\d/],
	['formulas', /(?:^|\v)[=+\-@]/],
];

/** What an import must have kept once before it gets more contacts with it: values in fields, and kinds of texts. */
export function traitsOf({ row: { body } }: NewContact): string[] {
	const filled = CONTACT_FIELDS.filter((field) => body?.[field]);
	const text = filled.map((field) => body?.[field]).join('\v');
	const kinds = KINDS.filter(([, pattern]) => pattern.test(text));
	return [...filled, ...kinds.map(([name]) => name)];
}

/**
 * Tells which contacts a file can hold. A value without a column would be lost, and a country without a known name
 * could not be compared afterwards. What an import does with an address that the account has is not shown, whatever
 * contact type it is in.
 */
export function createImportFilter(
	{ columns }: CsvImport,
	before: readonly ListedContact[],
): (contact: NewContact) => boolean {
	const withColumn = new Set(columns.map(({ field }) => field));
	const taken = new Set(before.map(({ email }) => addressKey(email)));
	return ({ row: { email, body, changes } }) =>
		CONTACT_FIELDS.every((field) => !body?.[field] || withColumn.has(field)) &&
		!/^\d*$/.test(changes?.country?.to ?? '') &&
		!taken.has(addressKey(email));
}

/** As few contacts as have all traits together; one if all contacts are alike. */
export function chooseTrial(contacts: readonly NewContact[]): NewContact[] {
	const kinds = new Map<string, { contact: NewContact; traits: string[] }>();
	for (const contact of contacts) {
		const traits = traitsOf(contact);
		const key = traits.join();
		if (!kinds.has(key)) kinds.set(key, { contact, traits });
	}
	const open = new Set([...kinds.values()].flatMap(({ traits }) => traits));
	const chosen: NewContact[] = [];
	while (open.size > 0) {
		const counted = [...kinds.values()].map((kind) => ({
			...kind,
			count: kind.traits.filter((trait) => open.has(trait)).length,
		}));
		const best = counted.reduce((one, other) => (other.count > one.count ? other : one));
		chosen.push(best.contact);
		for (const trait of best.traits) open.delete(trait);
	}
	return chosen;
}

const lineOf = (cells: readonly unknown[]): string =>
	cells.map((cell) => csvCell(cell, { spreadsheetSafe: false })).join(',');

/** The contacts as files (RFC 4180) of limited size, each with the names of the columns. */
export function* filesOf(
	contacts: readonly NewContact[],
	{ columns, country }: CsvImport,
): Generator<ImportFile> {
	const heading = lineOf(columns.map(({ header }) => header));
	let held: NewContact[] = [];
	let lines: string[] = [];
	let bytes = 0;
	const take = (): ImportFile => {
		const file = { contacts: held, text: [heading, ...lines, ''].join('\r\n') };
		[held, lines, bytes] = [[], [], 0];
		return file;
	};
	for (const contact of contacts) {
		const { body, changes } = contact.row;
		const line = lineOf(
			columns.map(({ field }) =>
				field === 'country' && country === 'name' ? changes?.country?.to : body?.[field],
			),
		);
		const size = Buffer.byteLength(line) + 2;
		const isFull = held.length === MOST_ROWS || bytes + size > MOST_BYTES;
		if (isFull && held.length > 0) yield take();
		held.push(contact);
		lines.push(line);
		bytes += size;
	}
	if (held.length > 0) yield take();
}
