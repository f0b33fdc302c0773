import { textOrJson } from './coerce';

/** Characters that make a spreadsheet read a cell as a formula, also in full width; a tab or a line end may hide one. */
const FORMULA_START = /^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/;
/**
 * The same inside a cell. A spreadsheet that splits at semicolons or tabs, as in many countries, ignores quotes after a
 * comma, so it may also split there, or at a line end.
 */
const INNER_FORMULA = /[;\t\r\n](?="*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;
const OTHER_SEPARATORS = /[;\t]/;

/** At the start of a file, Excel needs it to show letters such as é correctly. */
export const byteOrderMark = '\ufeff';

interface CsvOptions {
	/** Put an apostrophe before what a spreadsheet would read as a formula, and quotes around other separators. */
	spreadsheetSafe: boolean;
}

/** One value as a cell, in quotes where needed; null and undefined are empty, objects and lists become JSON. */
export function csvCell(value: unknown, { spreadsheetSafe }: CsvOptions): string {
	if (value === null || value === undefined) return '';
	let text = textOrJson(value);
	// A number is no formula, negative or not.
	if (spreadsheetSafe && typeof value !== 'number') {
		text = text.replace(FORMULA_START, "'$&").replace(INNER_FORMULA, "$&'");
	}
	const needsQuotes = NEEDS_QUOTES.test(text) || (spreadsheetSafe && OTHER_SEPARATORS.test(text));
	return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A CSV file (RFC 4180) as text; each row has its values in the order of the header. */
export function csvText(
	header: readonly string[],
	rows: Iterable<readonly unknown[]>,
	options: CsvOptions,
): string {
	const lines: string[] = [];
	const add = (cells: readonly unknown[]) =>
		lines.push(cells.map((cell) => csvCell(cell, options)).join(','));
	add(header);
	for (const row of rows) add(row);
	lines.push('');
	return lines.join('\r\n');
}
