const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** One row of a CSV file, cut out of its bytes. */
export interface CsvRow {
	/** All of its bytes, with its line end. */
	bytes: Buffer;
	/** Where its cells end in `bytes`; the next one begins one byte later. */
	ends: number[];
	/** The line of the file that it begins on, from 1. */
	line: number;
	/** Whether other programs may read it differently: quotes inside a cell without quotes, or a stray CR. */
	isIrregular: boolean;
}

/** The part of a file after its last complete row. */
export interface OpenRow {
	length: number;
	line: number;
	isInQuotes: boolean;
}

/** In a file whose lines end with CR, a CR ends a row; in all others it is part of a cell. */
type LineEnds = 'unknown' | 'CR' | 'LF';

type Position = 'cellStart' | 'cell' | 'quotes' | 'afterQuote' | 'afterQuotes';

/**
 * Cuts a CSV file into rows without changing a byte, chunk by chunk. It works on bytes, so it reads UTF-8 and all
 * encodings in which separators, quotes and line ends are the bytes of ASCII. Cells may contain line ends within quotes
 * and doubled quotes. Only the last row, which is not complete yet, is kept between two chunks.
 */
export class CsvReader {
	private readonly separator: number;
	private data: Buffer = Buffer.alloc(0);
	private next = 0;
	private rowStart = 0;
	private position: Position = 'cellStart';
	private lineEnds: LineEnds = 'unknown';
	private ends: number[] = [];
	private isIrregular = false;
	private line = 1;
	private linesInRow = 0;
	private isFirstRow = true;
	private rows: CsvRow[] = [];

	/** @param separator one character of ASCII, such as a comma */
	constructor(separator: string) {
		this.separator = separator.charCodeAt(0);
	}

	get open(): OpenRow {
		return {
			length: this.data.length - this.rowStart,
			line: this.line,
			isInQuotes: this.position === 'quotes',
		};
	}

	/** @returns the rows that end in this chunk; they share its memory */
	push(chunk: Uint8Array): CsvRow[] {
		const rest = this.data.subarray(this.rowStart);
		this.next -= this.rowStart;
		this.rowStart = 0;
		this.data =
			rest.length > 0
				? Buffer.concat([rest, chunk])
				: Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
		return this.read(false);
	}

	/** @returns the last row, if its line has no end */
	end(): CsvRow[] {
		const rows = this.read(true);
		if (this.data.length > this.rowStart) this.endRow(this.data.length, this.data.length);
		return rows;
	}

	private read(isLast: boolean): CsvRow[] {
		this.rows = [];
		const { data } = this;
		while (this.next < data.length) {
			if (this.position === 'quotes') this.readQuotes();
			else if (data[this.next] !== CR) this.readByte(data[this.next] as number);
			else if (this.next + 1 < data.length || isLast) this.readReturn();
			else break;
		}
		return this.rows;
	}

	/** Up to the quote that closes the cell, or may be the first of two. */
	private readQuotes(): void {
		const { data } = this;
		const quote = data.indexOf(QUOTE, this.next);
		const end = quote === -1 ? data.length : quote;
		const lineEnd = this.lineEnds === 'CR' ? CR : LF;
		for (let at = this.next; at < end; at++) if (data[at] === lineEnd) this.linesInRow++;
		this.next = end;
		if (quote === -1) return;
		this.next++;
		this.position = 'afterQuote';
	}

	private readByte(byte: number): void {
		const at = this.next++;
		if (byte === LF) {
			if (this.lineEnds === 'unknown') this.lineEnds = 'LF';
			this.endRow(at, at + 1);
		} else if (byte === this.separator) {
			this.ends.push(at - this.rowStart);
			this.position = 'cellStart';
		} else if (byte === QUOTE) {
			// Right after another quote it is the second of two; within a cell it stands for itself.
			const opens = this.position === 'cellStart' || this.position === 'afterQuote';
			if (opens) this.position = 'quotes';
			else this.startText();
		} else if (this.position === 'cell') {
			this.skipText();
		} else if (isSpace(byte)) {
			if (this.position === 'afterQuote') this.position = 'afterQuotes';
		} else if (!this.isByteOrderMark(at, byte)) {
			this.startText();
		}
	}

	/** Text without quotes; it is a cell of its own only at the start of one. */
	private startText(): void {
		if (this.position !== 'cellStart') this.isIrregular = true;
		this.position = 'cell';
	}

	/** Up to the next byte that has a meaning. */
	private skipText(): void {
		const { data, separator } = this;
		let at = this.next;
		for (; at < data.length; at++) {
			const byte = data[at];
			if (byte === separator || byte === LF || byte === CR || byte === QUOTE) break;
		}
		this.next = at;
	}

	private readReturn(): void {
		const at = this.next++;
		const isPair = this.data[this.next] === LF;
		if (this.lineEnds === 'unknown') this.lineEnds = isPair ? 'LF' : 'CR';
		if (isPair) {
			this.next++;
			this.endRow(at, this.next);
		} else if (this.lineEnds === 'CR') {
			this.endRow(at, this.next);
		} else {
			this.isIrregular = true;
			this.position = 'cell';
		}
	}

	private endRow(cellEnd: number, rowEnd: number): void {
		this.ends.push(cellEnd - this.rowStart);
		this.rows.push({
			bytes: this.data.subarray(this.rowStart, rowEnd),
			ends: this.ends,
			line: this.line,
			isIrregular: this.isIrregular,
		});
		this.rowStart = rowEnd;
		this.line += this.linesInRow + 1;
		this.linesInRow = 0;
		this.ends = [];
		this.isIrregular = false;
		this.position = 'cellStart';
		this.isFirstRow = false;
	}

	private isByteOrderMark(at: number, byte: number): boolean {
		return this.isFirstRow && this.position === 'cellStart' && BYTE_ORDER_MARK[at] === byte;
	}
}

const isSpace = (byte: number): boolean =>
	byte === SPACE || byte === TAB || byte === 0x0b || byte === 0x0c;

/** The bytes of a cell, with its quotes; none for a column that the row does not have. */
function cellBytes({ bytes, ends }: CsvRow, column: number): Buffer {
	const start = column === 0 ? 0 : (ends[column - 1] ?? bytes.length) + 1;
	return bytes.subarray(start, ends[column] ?? start);
}

/** A cell without its quotes and outer spaces. */
export function cellText(row: CsvRow, column: number, encoding: 'utf8' | 'latin1'): string {
	const text = cellBytes(row, column).toString(encoding).trim();
	if (!text.startsWith('"')) return text;
	const [all = '', inner = ''] = /^"([^"]*(?:""[^"]*)*)"?/.exec(text) ?? [];
	return (inner.replaceAll('""', '"') + text.slice(all.length)).trim();
}

/** Whether the row is an empty line. */
export function isEmptyLine(row: CsvRow): boolean {
	return row.ends.length === 1 && cellText(row, 0, 'utf8') === '';
}
