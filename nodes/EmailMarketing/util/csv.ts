import { coerceText, toJson } from './coerce';

/** Characters that make a spreadsheet read a cell as a formula; tab and return may hide one. */
const FORMULA_START = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

export interface CsvOptions {
	/** Put an apostrophe before cells that a spreadsheet would read as a formula. */
	spreadsheetSafe: boolean;
}

/**
 * Writes one value as a CSV cell (RFC 4180).
 *
 * @param value a text, number or boolean; null and undefined are empty; objects and lists become JSON
 * @param options whether formulas are defused
 * @returns the cell, in quotes where needed
 */
export function csvCell(value: unknown, { spreadsheetSafe }: CsvOptions): string {
	if (value === null || value === undefined) return '';
	let text = typeof value === 'object' ? (toJson(value) ?? '') : coerceText(value);
	// A number is no formula, negative or not.
	if (spreadsheetSafe && typeof value !== 'number' && FORMULA_START.test(text)) text = `'${text}`;
	return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Writes one line of a CSV file.
 *
 * @param cells the values in their order
 * @param options whether formulas are defused
 * @returns the line with its CRLF
 */
export function csvLine(cells: readonly unknown[], options: CsvOptions): string {
	return `${cells.map((cell) => csvCell(cell, options)).join(',')}\r\n`;
}

const CHUNK_LENGTH = 65_536;

/**
 * Writes a CSV file piece by piece, so that only one piece is in memory at a time.
 *
 * @param header the column names
 * @param rows the values of each row in the order of the header
 * @param options whether formulas are defused
 * @yields text of about 64 K characters, ending at a line's end
 */
export function* csvChunks(
	header: readonly string[],
	rows: Iterable<readonly unknown[]>,
	options: CsvOptions,
): Generator<string, void, undefined> {
	let chunk = csvLine(header, options);
	for (const row of rows) {
		chunk += csvLine(row, options);
		if (chunk.length >= CHUNK_LENGTH) {
			yield chunk;
			chunk = '';
		}
	}
	if (chunk !== '') yield chunk;
}
