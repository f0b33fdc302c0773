import type { IDataObject } from 'n8n-workflow';

import type { FilePart } from '../../../service/form';
import type { Draft } from '../../../run/operation';
import type { RunContext } from '../../../run/runContext';
import { textOption } from '../../../params/givenOption';
import { InvalidInput } from '../../../params/invalidInput';
import { cellText, CsvReader, isEmptyLine } from '../../../util/csvReader';
import type { CsvRow } from '../../../util/csvReader';
import { Pool } from '../../../util/pool';
import { quote } from '../../../util/text';
import { readLayout, readPieces, requireRowEnd } from './csvLayout';
import type { CsvLayout } from './csvLayout';
import { findSuppressed, type Suppressed } from '../../consent/guard';
import { respectedListsOf, respectsAny, suppressionsFor } from '../../consent/suppressions';
import type { Suppressions } from '../../consent/types';

const mostReturned = 10_000;
const BEYOND_ASCII = /\P{ASCII}/u;

/** Finds an address of a row that is on a list. */
type FindInRow = (row: CsvRow) => Suppressed | undefined;

/** What becomes of the rows of a file. */
interface Check {
	/** Rows to upload, without the heading and empty lines. */
	rows: number;
	heldBack: number;
	/** Bytes to upload. */
	size: number;
	/** Bytes of the whole file. */
	total: number;
	/** The first of the rows that are held back, if they are to be returned. */
	heldBackRows: IDataObject[];
}

/** All rows of a file, in pieces. */
async function* readRows(file: FilePart, { separator }: CsvLayout): AsyncGenerator<CsvRow[]> {
	const reader = new CsvReader(separator);
	for await (const piece of readPieces(file)) {
		yield reader.push(piece);
		requireRowEnd(reader, false);
	}
	requireRowEnd(reader, true);
	yield reader.end();
}

function findInCell(
	row: CsvRow,
	column: number,
	suppressions: Suppressions,
): Suppressed | undefined {
	const text = cellText(row, column, 'utf8');
	const found = findSuppressed(suppressions, text);
	if (found || !BEYOND_ASCII.test(text)) return found;
	return findSuppressed(suppressions, cellText(row, column, 'latin1'));
}

/**
 * Looks into the columns with addresses. Where it is unclear which cell is which, because the row has more or fewer
 * columns than the first line or may be read in another way, it looks into all of them.
 */
function createFinder({ width, addressColumns }: CsvLayout, suppressions: Suppressions): FindInRow {
	return (row) => {
		const isClear = row.ends.length === width && !row.isIrregular;
		const columns = isClear ? addressColumns : row.ends.keys();
		for (const column of columns) {
			const found = findInCell(row, column, suppressions);
			if (found) return found;
		}
		return undefined;
	};
}

const isHeading = ({ hasHeading }: CsvLayout, { line }: CsvRow): boolean =>
	hasHeading && line === 1;

/** How the rows of a file are judged. */
interface RowFilter {
	layout: CsvLayout;
	findInRow: FindInRow;
}

async function checkRows(
	{ run }: Draft,
	file: FilePart,
	{ layout, findInRow }: RowFilter,
	mostRows: number,
): Promise<Check> {
	const check: Check = { rows: 0, heldBack: 0, size: 0, total: 0, heldBackRows: [] };
	for await (const rows of readRows(file, layout)) {
		run.pool.check();
		for (const row of rows) {
			check.total += row.bytes.length;
			const found = isHeading(layout, row) ? undefined : findInRow(row);
			if (found === undefined) {
				check.size += row.bytes.length;
				if (!isHeading(layout, row) && !isEmptyLine(row)) check.rows++;
				continue;
			}
			check.heldBack++;
			if (check.heldBackRows.length === mostRows) continue;
			const { date, list } = found.suppression;
			check.heldBackRows.push({
				line: row.line,
				email: found.address,
				...(date !== undefined && { unsubscribedAt: date }),
				unsubscribedFrom: list,
			});
		}
	}
	return check;
}

function changed({ name }: FilePart): InvalidInput {
	return new InvalidInput(
		'file-changed',
		`The file ${quote(name)} changed while it was read`,
		'Run the node that reads or creates it again.',
	);
}

/** The file without the rows that are held back: it is read, and its rows are judged, again. */
function remainder(file: FilePart, { layout, findInRow }: RowFilter, size: number): FilePart {
	return {
		...file,
		size,
		async *stream() {
			let left = size;
			for await (const rows of readRows(file, layout)) {
				const kept = rows.filter((row) => isHeading(layout, row) || findInRow(row) === undefined);
				const bytes = Buffer.concat(kept.map((row) => row.bytes));
				left -= bytes.length;
				if (left < 0) throw changed(file);
				if (bytes.length > 0) yield bytes;
			}
			if (left > 0) throw changed(file);
		},
	};
}

/** What the output says about the rows that were held back. */
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

/** One file is read at a time, however many items there are. */
const readerOf = (run: RunContext): Pool =>
	run.memoize('files to import', () => new Pool({ parallel: 1 }));

/**
 * How the file of an item is laid out, read once; undefined if no list is respected or nothing is to be left out.
 *
 * @throws InvalidInput
 */
export async function layoutOf({ run, item, file }: Draft): Promise<CsvLayout | undefined> {
	if (file === undefined || !respectsAny(respectedListsOf(run, item))) return undefined;
	const options = item.param('options', {}) as IDataObject;
	return await run.memoize(`file layout ${item.index}`, async () => {
		const emailColumn = textOption(options, 'emailColumn', 'Email Column') ?? '';
		return await readerOf(run).run(async () => await readLayout(file, emailColumn));
	});
}

/** Takes the rows out of a file whose addresses are on a respected list. */
export async function skipRows(draft: Draft): Promise<IDataObject | undefined> {
	const { run, item, file, identity } = draft;
	const layout = await layoutOf(draft);
	if (layout === undefined || file === undefined) return undefined;
	const filter = { layout, findInRow: createFinder(layout, await suppressionsFor(draft)) };
	const returnsRows = item.param('options.returnHeldBackRows', false) === true;
	const mostRows = returnsRows ? mostReturned : 0;
	const check = await readerOf(run).run(async () => await checkRows(draft, file, filter, mostRows));
	if (Number.isFinite(file.size) && file.size !== check.total) throw changed(file);
	Object.assign(identity, reportOf(check, returnsRows));
	if (check.heldBack === 0) return undefined;
	run.showHint(`Rows not uploaded because their addresses are unsubscribed: ${check.heldBack}`);
	if (check.rows > 0) {
		draft.file = remainder(file, filter, check.size);
		return undefined;
	}
	return {
		imported: false,
		skipped: 'unsubscribed',
		...identity,
		message: 'Nothing was uploaded: the addresses of all rows are unsubscribed',
	};
}
