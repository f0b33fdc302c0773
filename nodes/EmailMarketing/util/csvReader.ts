const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SEPARATORS: ReadonlySet<number | undefined> = new Set(
	[...',;\t|'].map((one) => one.charCodeAt(0)),
);
/** The bytes of a byte order mark. */
const MARK: ReadonlySet<number | undefined> = new Set([0xef, 0xbb, 0xbf]);

/** One row of a CSV file, cut out of its bytes. */
export interface CsvRow {
	/** All of its bytes, with its line end. */
	bytes: Buffer;
	/** The line of the file that it begins on, from 1. */
	line: number;
}

/**
 * Cuts a CSV file into rows without changing a byte, chunk by chunk. It works on bytes, so it reads UTF-8 and all
 * encodings in which separators, quotes and line ends are the bytes of ASCII. Which separator a file has makes no
 * difference: a row ends with a line, unless that is within quotes, and quotes begin where a cell does. Only the last
 * row, which is not complete yet, is kept between two chunks.
 *
 * Quotes around several lines must end where their cell does. Otherwise, the quote that opened them was never closed, and
 * another one ended them: the row stays open until the end of the file.
 */
export class CsvReader {
	private data: Buffer = Buffer.alloc(0);
	private next = 0;
	private line = 1;
	private linesInRow = 0;
	private isInQuotes = false;
	/** Whether the quotes of the cell have line ends in them. */
	private spansLines = false;
	private isUnclosed = false;
	/** Whether a quote opens here: nothing of the cell has come yet, or only quotes that were closed. */
	private opens = true;
	/** As the first line ends. In a file whose lines end with LF, a CR alone is part of a cell. */
	private lineEnd: typeof CR | typeof LF | undefined;

	/** What follows the last complete row. */
	get open(): { length: number; line: number; isInQuotes: boolean } {
		const isInQuotes = this.isInQuotes || this.isUnclosed;
		return { length: this.data.length, line: this.line, isInQuotes };
	}

	/** @returns the rows that end in this chunk; they share its memory */
	push(chunk: Uint8Array): CsvRow[] {
		this.data =
			this.data.length > 0
				? Buffer.concat([this.data, chunk])
				: Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
		return this.read(false);
	}

	/** @returns the last row, if its line has no end */
	end(): CsvRow[] {
		const rows = this.read(true);
		return this.data.length > 0 ? [...rows, this.cut(this.data.length)] : rows;
	}

	private read(isLast: boolean): CsvRow[] {
		const rows: CsvRow[] = [];
		while (this.next < this.data.length && !this.isUnclosed) {
			const byte = this.data[this.next];
			const after = this.data[this.next + 1];
			// The byte after it says whether it ends the line alone.
			if (byte === CR && after === undefined && !isLast) break;
			this.next++;
			const isLineEnd = byte === LF || (byte === CR && after !== LF && this.lineEnd !== LF);
			if (this.isInQuotes) {
				if (byte === QUOTE) {
					this.isInQuotes = false;
					// Some programs write a quote of the text as \".
					if (this.data[this.next - 2] === BACKSLASH) this.spansLines = false;
				} else if (isLineEnd) {
					this.linesInRow++;
					this.spansLines = true;
				}
			} else if (isLineEnd) {
				this.lineEnd ??= byte;
				rows.push(this.cut(this.next));
			} else if (byte === QUOTE) {
				this.isInQuotes = this.opens;
			} else if (byte !== SPACE && byte !== CR && !MARK.has(byte)) {
				this.opens = SEPARATORS.has(byte);
				this.isUnclosed = this.spansLines && !this.opens;
				this.spansLines = false;
			}
		}
		return rows;
	}

	private cut(end: number): CsvRow {
		const row = { bytes: this.data.subarray(0, end), line: this.line };
		this.data = this.data.subarray(end);
		this.next = 0;
		this.line += this.linesInRow + 1;
		this.linesInRow = 0;
		this.opens = true;
		this.spansLines = false;
		return row;
	}
}

/** A cell with or without quotes, whatever the separator is. */
const CELL = /"[^"]*(?:""[^"]*)*"|[^",;\t|\r\n]+/g;

/** The texts in the cells of a row, without the quotes around them. */
export const cellsIn = (row: string): string[] =>
	[...row.matchAll(CELL)].map(([cell]) =>
		cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
	);
