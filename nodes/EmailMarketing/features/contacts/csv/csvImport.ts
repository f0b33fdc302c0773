import type { IDataObject } from 'n8n-workflow';

import type { FilePart } from '../../../service/form';
import type { Draft } from '../../../run/operation';
import { flagParam } from '../../../params/givenOption';
import { InvalidInput } from '../../../params/invalidInput';
import { AT } from '../../../util/addressesIn';
import { cellsIn, CsvReader } from '../../../util/csvReader';
import type { CsvRow } from '../../../util/csvReader';
import { withLock } from '../../../util/mutex';
import { quote } from '../../../util/text';
import { findInCell, unsubscribeOf, type Suppressed } from '../../consent/guard';
import { respectedListsOf, respectsAny, suppressionsFor } from '../../consent/suppressions';
import type { Suppressions } from '../../consent/types';

const mostReturned = 10_000;
const mostRowBytes = 1024 * 1024;
const pieceBytes = 64 * 1024;
const BEYOND_ASCII = /\P{ASCII}/u;

/** Finds an address of a row that is on a list. */
type FindInRow = (row: CsvRow) => Suppressed | undefined;

/** What happens to the rows of a file. */
interface Check {
	/** Whether a row with an address has been read. */
	hasAddress: boolean;
	/** Rows to upload, without the heading and empty lines. */
	rows: number;
	heldBack: number;
	/** Why, each once. */
	reasons: Set<string>;
	/** Bytes to upload. */
	size: number;
	/** The first of the rows that are held back, if they are to be returned. */
	heldBackRows: IDataObject[];
}

/** The remedy for a file that cannot be checked. */
const orUnchecked = (remedy: string): string =>
	`${remedy} To send the file unchecked, turn off "Respect Global Unsubscribes", and remove "Respect Unsubscribe Group Names or IDs" and "Never Add".`;

/**
 * All rows of a file, in pieces of limited size, since a file in memory comes as a whole.
 *
 * @throws InvalidInput for UTF-16 and other text that cannot be read byte by byte, and for a row that does not end
 */
async function* readRows({ name, stream }: FilePart): AsyncGenerator<CsvRow[]> {
	const reader = new CsvReader();
	for await (const chunk of stream()) {
		if (chunk.includes(0)) {
			throw new InvalidInput(
				'file-not-utf-8',
				`The file ${quote(name)} cannot be checked for unsubscribed addresses, because its encoding, such as UTF-16, is not supported`,
				orUnchecked('Save the file as "CSV UTF-8".'),
			);
		}
		for (let start = 0; start < chunk.length; start += pieceBytes) {
			yield reader.push(chunk.subarray(start, start + pieceBytes));
			requireRowEnd(reader, false);
		}
	}
	requireRowEnd(reader, true);
	yield reader.end();
}

/** @throws InvalidInput */
function requireRowEnd({ open: { line, length, isInQuotes } }: CsvReader, isEnd: boolean): void {
	if (length <= mostRowBytes && !(isEnd && isInQuotes)) return;
	throw new InvalidInput(
		'file-row-invalid',
		isInQuotes
			? `The row that begins on line ${line} of the file has an unclosed quote`
			: `The row that begins on line ${line} of the file is longer than 1 MB`,
		orUnchecked('Correct this row, or export the file again.'),
	);
}

/** What Windows has in place of the control characters of Latin-1. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

const windowsText = (bytes: Buffer): string =>
	bytes
		.toString('latin1')
		.replace(/[\x80-\x9f]/g, (control) => WINDOWS.charAt(control.charCodeAt(0) - 0x80));

/** Bytes that are not UTF-8 are read as Windows-1252, which is Latin-1 with more characters. */
function textsOf({ bytes }: CsvRow): string[] {
	const text = bytes.toString('utf8');
	return BEYOND_ASCII.test(text) ? [text, windowsText(bytes)] : [text];
}

/** Some programs ignore quotes within a cell, so the cells are read without them, too. */
const readingsOfRow = (text: string): string[] =>
	text.includes('"') ? [...cellsIn(text), ...cellsIn(text.replaceAll('"', ''))] : cellsIn(text);

/** Checks all cells of a row, since the reference does not say which column the service reads the address from (21). */
const createFinder =
	(suppressions: Suppressions): FindInRow =>
	(row) => {
		for (const cell of textsOf(row).flatMap(readingsOfRow)) {
			const found = findInCell(suppressions, cell);
			if (found) return found;
		}
		return undefined;
	};

/** Whether a row is not about a person: an empty line, or one with titles or column names above all addresses. */
function isNobody(row: CsvRow, check: Check): boolean {
	const text = row.bytes.toString('utf8');
	check.hasAddress ||= AT.test(text);
	return text.replaceAll('"', '').trim() === '' || !check.hasAddress;
}

async function checkRows(
	{ run }: Draft,
	file: FilePart,
	findInRow: FindInRow,
	mostRows: number,
): Promise<Check> {
	const check: Check = {
		hasAddress: false,
		rows: 0,
		heldBack: 0,
		reasons: new Set(),
		size: 0,
		heldBackRows: [],
	};
	for await (const rows of readRows(file)) {
		run.pool.check();
		for (const row of rows) {
			const found = findInRow(row);
			if (found === undefined) {
				check.size += row.bytes.length;
				if (!isNobody(row, check)) check.rows++;
				continue;
			}
			const { reason } = found.suppression;
			check.hasAddress = true;
			check.heldBack++;
			check.reasons.add(reason);
			if (check.heldBackRows.length === mostRows) continue;
			check.heldBackRows.push({
				line: row.line,
				email: found.address,
				reason,
				...unsubscribeOf(found.suppression),
			});
		}
	}
	return check;
}

/** The file without the rows that are held back: it is read, and its rows are judged, again. */
const remainder = (file: FilePart, findInRow: FindInRow, size: number): FilePart => ({
	...file,
	size,
	async *stream() {
		for await (const rows of readRows(file)) {
			const kept = rows.filter((row) => findInRow(row) === undefined);
			const bytes = Buffer.concat(kept.map((row) => row.bytes));
			if (bytes.length > 0) yield bytes;
		}
	},
});

/** The output fields about the rows that were held back. */
function reportOf({ rows, heldBack, heldBackRows }: Check, returnsRows: boolean): IDataObject {
	return {
		heldBack,
		rows,
		...(returnsRows && { heldBackRows }),
		...(heldBackRows.length > 0 &&
			heldBackRows.length < heldBack && {
				note: `Only the first ${mostReturned} rows that were held back are returned`,
			}),
	};
}

/** Takes the rows out of a file whose addresses are on a respected list. */
export async function skipRows(draft: Draft): Promise<IDataObject | undefined> {
	const { run, item, file, identity } = draft;
	if (file === undefined || !respectsAny(respectedListsOf(run, item))) return undefined;
	const findInRow = createFinder(await suppressionsFor(draft));
	const returnsRows = flagParam(item, 'options.returnHeldBackRows', 'Return Held-Back Rows');
	const mostRows = returnsRows ? mostReturned : 0;
	// One file is read at a time, however many items there are.
	const check = await withLock(
		`files to import ${run.runId}`,
		undefined,
		async () => await checkRows(draft, file, findInRow, mostRows),
	);
	Object.assign(identity, reportOf(check, returnsRows));
	if (check.heldBack === 0) return undefined;
	const reasons = [...check.reasons].join(' or ');
	const which = run.hasSeveralItems ? ` (item ${item.index})` : '';
	run.showHint(
		`Rows not uploaded because their addresses are ${reasons}: ${check.heldBack}${which}`,
	);
	if (check.rows > 0) {
		draft.file = remainder(file, findInRow, check.size);
		return undefined;
	}
	return {
		imported: false,
		skipped: reasons,
		...identity,
		message: `Nothing was uploaded: the addresses of all rows are ${reasons}`,
	};
}
