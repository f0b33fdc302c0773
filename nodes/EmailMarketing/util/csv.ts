import { textOrJson } from './coerce';

/** Characters that make a spreadsheet read a cell as a formula, also in full width; a tab or a line end may hide one. */
const FORMULA_START = /^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** At the start of a file, Excel needs it to show letters such as é correctly. */
export const byteOrderMark = '\ufeff';

interface CsvOptions {
	/** Put an apostrophe before cells that a spreadsheet would read as a formula. */
	spreadsheetSafe: boolean;
}

/** One value as a cell, in quotes where needed; null and undefined are empty, objects and lists become JSON. */
export function csvCell(value: unknown, { spreadsheetSafe }: CsvOptions): string {
	if (value === null || value === undefined) return '';
	let text = textOrJson(value);
	// A number is no formula, negative or not.
	if (spreadsheetSafe && typeof value !== 'number' && FORMULA_START.test(text)) text = `'${text}`;
	return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
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
