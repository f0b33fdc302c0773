import type { FilePart } from '../../../service/form';
import { InvalidInput } from '../../../params/invalidInput';
import { addressesIn } from '../../../util/addressesIn';
import { cellText, CsvReader, isEmptyLine } from '../../../util/csvReader';
import type { CsvRow } from '../../../util/csvReader';
import { normalizeKey } from '../../../util/normalize';
import { quote, truncateList } from '../../../util/text';
import { mapKeys } from '../fields';

/** What is known of a file from its first line. */
export interface CsvLayout {
	separator: string;
	/** Columns of the first line. */
	width: number;
	/** Whether the first line names the columns; otherwise it is a row like all others. */
	hasHeading: boolean;
	/** The columns with addresses, from 0. */
	addressColumns: number[];
}

const SEPARATORS = [',', ';', '\t', '|'];
const mostRowBytes = 1024 * 1024;
const pieceBytes = 64 * 1024;
const mostHeadings = 20;

/** What to do about a file that cannot be checked. */
const orUnchecked = (remedy: string): string =>
	`${remedy} To send the file unchecked, turn off "Respect Global Unsubscribes" and remove "Respect Unsubscribe Group Names or IDs".`;

/**
 * The bytes of a file in pieces of limited size, since a file in memory comes as a whole.
 *
 * @throws InvalidInput for UTF-16 and everything else that is no text in bytes
 */
export async function* readPieces({ name, stream }: FilePart): AsyncGenerator<Uint8Array> {
	for await (const chunk of stream()) {
		if (chunk.includes(0)) {
			throw new InvalidInput(
				'file-not-utf-8',
				`The file ${quote(name)} cannot be checked for unsubscribed addresses, because it is not UTF-8 text`,
				orUnchecked('Save the file as "CSV UTF-8".'),
			);
		}
		for (let start = 0; start < chunk.length; start += pieceBytes) {
			yield chunk.subarray(start, start + pieceBytes);
		}
	}
}

const isTooLong = ({ open }: CsvReader): boolean => open.length > mostRowBytes;

/**
 * After a piece, or at the end of a file.
 *
 * @throws InvalidInput for a row that does not end
 */
export function requireRowEnd(reader: CsvReader, isEnd: boolean): void {
	const { line, isInQuotes } = reader.open;
	if (!isTooLong(reader) && !(isEnd && isInQuotes)) return;
	throw new InvalidInput(
		'file-row-invalid',
		isInQuotes
			? `The row that begins on line ${line} of the file has a quote that is not closed`
			: `The row that begins on line ${line} of the file is longer than 1 MB`,
		orUnchecked('Correct this row, or export the file again.'),
	);
}

interface FirstRow {
	separator: string;
	row: CsvRow;
}

/** The first row as it is with each separator; none for an empty file, or with a separator that leaves a quote open. */
async function firstRows(file: FilePart): Promise<FirstRow[]> {
	const readers = SEPARATORS.map((separator) => new CsvReader(separator));
	const rows: Array<CsvRow | undefined> = readers.map(() => undefined);
	const isDone = () => readers.every((reader, at) => rows[at] !== undefined || isTooLong(reader));
	for await (const piece of readPieces(file)) {
		for (const [at, reader] of readers.entries()) rows[at] ??= reader.push(piece)[0];
		if (isDone()) break;
	}
	for (const [at, reader] of readers.entries()) {
		if (!reader.open.isInQuotes && !isTooLong(reader)) rows[at] ??= reader.end()[0];
	}
	const found = SEPARATORS.flatMap((separator, at) => {
		const row = rows[at];
		return row === undefined ? [] : [{ separator, row }];
	});
	if (found.length === 0) for (const reader of readers) requireRowEnd(reader, true);
	return found;
}

/** The separator that occurs most often; one within quotes makes the row irregular or does not count. */
function mostCells(rows: readonly FirstRow[]): FirstRow | undefined {
	const regular = rows.filter(({ row }) => !row.isIrregular);
	const candidates = regular.length > 0 ? regular : rows;
	const most = Math.max(...candidates.map(({ row }) => row.ends.length));
	return candidates.find(({ row }) => row.ends.length === most);
}

/** What is no UTF-8 is read as Latin-1. */
function textsOf(row: CsvRow): string[] {
	return row.ends.map((_end, column) => {
		const text = cellText(row, column, 'utf8');
		return text.includes('\ufffd') ? cellText(row, column, 'latin1') : text;
	});
}

const positions = (texts: readonly string[], fits: (text: string) => boolean): number[] =>
	texts.flatMap((text, at) => (fits(text) ? [at] : []));

/** The column of this name: as it is written, or else with the differences that automatic mapping ignores. */
function namedColumn(headings: readonly string[], name: string, fileName: string): number {
	const exact = positions(headings, (heading) => heading === name);
	const key = normalizeKey(name);
	const found =
		exact.length > 0 || key === ''
			? exact
			: positions(headings, (heading) => normalizeKey(heading) === key);
	const [column] = found;
	if (column !== undefined && found.length === 1) return column;
	const known = `The first line contains: ${shown(headings)}.`;
	throw new InvalidInput(
		'file-column-missing',
		column === undefined
			? `The file ${quote(fileName)} has no column ${quote(name)}`
			: `The file ${quote(fileName)} has several columns with the name ${quote(name)}`,
		orUnchecked(
			column === undefined
				? `${known} Enter one of these names in "Email Column".`
				: `${known} Rename one of the columns in the file.`,
		),
	);
}

const shown = (headings: readonly string[]): string =>
	truncateList(
		headings.map((heading) => quote(heading)),
		mostHeadings,
	);

/** The columns that automatic mapping would take for the email. */
const recognizedIn = (headings: readonly string[]): number[] =>
	positions(headings, (heading) => mapKeys([heading])[0]?.[0] === 'email');

/** The columns with addresses: by their headings, or by the first row if it holds an address itself. */
function findColumns(
	headings: readonly string[],
	fileName: string,
): Pick<CsvLayout, 'hasHeading' | 'addressColumns'> {
	const recognized = recognizedIn(headings);
	const withAddress = positions(headings, (text) => addressesIn(text).length > 0);
	if (recognized.length > 0 && withAddress.length === 0) {
		return { hasHeading: true, addressColumns: recognized };
	}
	if (recognized.length === 0 && withAddress.length === 1) {
		return { hasHeading: false, addressColumns: withAddress };
	}
	throw new InvalidInput(
		'email-column-unclear',
		`It is unclear which column of the file ${quote(fileName)} contains the email addresses`,
		orUnchecked(
			`The first line contains: ${shown(headings)}. Enter the name of the column in "Email Column"; if the file has no line with column names, add one.`,
		),
	);
}

/**
 * Reads the first line of a file.
 *
 * @param emailColumn the name of the column with the addresses; '' to recognize it
 * @returns undefined for an empty file
 * @throws InvalidInput if the column is not certain
 */
export async function readLayout(
	file: FilePart,
	emailColumn: string,
): Promise<CsvLayout | undefined> {
	const first = mostCells(await firstRows(file));
	if (first === undefined) return undefined;
	const { separator, row } = first;
	if (isEmptyLine(row)) {
		throw new InvalidInput(
			'file-header-empty',
			`The first line of the file ${quote(file.name)} is empty`,
			orUnchecked('The first line must contain the column names.'),
		);
	}
	const headings = textsOf(row);
	if (emailColumn === '') {
		return { separator, width: headings.length, ...findColumns(headings, file.name) };
	}
	// The service may read the address from another column than the named one.
	const named = namedColumn(headings, emailColumn, file.name);
	const addressColumns = [...new Set([named, ...recognizedIn(headings)])];
	return { separator, width: headings.length, hasHeading: true, addressColumns };
}
