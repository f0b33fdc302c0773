import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';

import {
	cellText,
	CsvReader,
	isEmptyLine,
	type CsvRow,
} from '../../nodes/EmailMarketing/util/csvReader';

/** All rows of a file that comes in chunks of the given lengths, over and over. */
function read(file: Buffer, separator = ',', lengths: number[] = [file.length || 1]): CsvRow[] {
	const reader = new CsvReader(separator);
	const rows: CsvRow[] = [];
	for (let start = 0, turn = 0; start < file.length; turn++) {
		const length = lengths[turn % lengths.length] ?? 1;
		rows.push(...reader.push(file.subarray(start, start + length)));
		start += length;
	}
	return [...rows, ...reader.end()];
}

const textsOf = (row: CsvRow) => row.ends.map((_end, column) => cellText(row, column, 'utf8'));
const shape = (row: CsvRow) => [row.line, row.isIrregular, row.bytes.toString('hex'), row.ends];

test.each<[string, string, string[][]]>([
	['nothing', '', []],
	[
		'no line end at the end',
		'a,b\n1,2',
		[
			['a', 'b'],
			['1', '2'],
		],
	],
	[
		'CRLF',
		'a,b\r\n1,2\r\n',
		[
			['a', 'b'],
			['1', '2'],
		],
	],
	[
		'CR',
		'a,b\r1,2\r',
		[
			['a', 'b'],
			['1', '2'],
		],
	],
	['a CR as last byte of a line without LF', 'a\r', [['a']]],
	['LF after CRLF', 'a\r\nb\nc', [['a'], ['b'], ['c']]],
	['empty lines', 'a\n\n\nb\n', [['a'], [''], [''], ['b']]],
	[
		'empty cells',
		',\n,,',
		[
			['', ''],
			['', '', ''],
		],
	],
	['quotes', '"a,b","c ""d"""\n', [['a,b', 'c "d"']]],
	['line ends in quotes', '"a\r\nb",c\n', [['a\r\nb', 'c']]],
	['spaces around quotes', ' "a,b" , c \n', [['a,b', 'c']]],
	['a byte order mark before quotes', '\ufeff"a,b",c\n', [['a,b', 'c']]],
	['quotes around nothing', '"",""\n', [['', '']]],
	['an apostrophe', "'a,b'\n", [["'a", "b'"]]],
	['a separator in front of a line end', 'a,\nb\n', [['a', ''], ['b']]],
])('reads %s', (_what, text, rows) => {
	const found = read(Buffer.from(text));
	expect(found.map(textsOf)).toEqual(rows);
	expect(found.map(({ isIrregular }) => isIrregular)).toEqual(rows.map(() => false));
});

test.each<[string, string, string[][]]>([
	[
		'a quote within a cell',
		'a 5" disk,b\nc,d\n',
		[
			['a 5" disk', 'b'],
			['c', 'd'],
		],
	],
	[
		'text after quotes',
		'"a"b,c\nd,e\n',
		[
			['ab', 'c'],
			['d', 'e'],
		],
	],
	[
		'quotes after quotes',
		'"a" "b",c\nd,e\n',
		[
			['a "b"', 'c'],
			['d', 'e'],
		],
	],
	[
		'a backslash before a quote',
		'"a \\"b\\"",c\nd,e\n',
		[
			['a \\b\\""', 'c'],
			['d', 'e'],
		],
	],
	[
		'a CR in a file with LF',
		'a\rb,c\nd,e\n',
		[
			['a\rb', 'c'],
			['d', 'e'],
		],
	],
])('marks %s as irregular', (_what, text, rows) => {
	// The kind of line ends is known from the first line.
	const found = read(Buffer.from(`x,y\n${text}`)).slice(1);
	expect(found.map(textsOf)).toEqual(rows);
	expect(found.map(({ isIrregular }) => isIrregular)).toEqual([true, false]);
});

test('counts lines, also those within quotes', () => {
	const text = 'a,b\r\n"1\r\n2",x\r\n\r\n3,4\r\n';
	expect(read(Buffer.from(text)).map(({ line }) => line)).toEqual([1, 2, 4, 5]);
	expect(read(Buffer.from(text.replaceAll('\n', ''))).map(({ line }) => line)).toEqual([
		1, 2, 4, 5,
	]);
});

test('says what is open', () => {
	const reader = new CsvReader(',');
	reader.push(Buffer.from('a,b\n1,"2\n'));
	expect(reader.open).toEqual({ line: 2, length: 5, isInQuotes: true });
	reader.push(Buffer.from('"'));
	expect(reader.open).toEqual({ line: 2, length: 6, isInQuotes: false });
});

test('tells empty lines from rows', () => {
	const rows = read(Buffer.from('\na\n  \r\n,\n""\n'));
	expect(rows.map(isEmptyLine)).toEqual([true, false, true, false, true]);
});

test('reads a cell of a column that a row does not have as empty', () => {
	const [row] = read(Buffer.from('a,b\n'));
	expect([0, 1, 2, 3].map((column) => cellText(row as CsvRow, column, 'utf8'))).toEqual([
		'a',
		'b',
		'',
		'',
	]);
});

const separators = fc.constantFrom(',', ';', '\t', '|');
const lineEnds = fc.constantFrom('\n', '\r\n', '\r');
const cell = fc.oneof(
	fc.string({ unit: fc.constantFrom(...'aé"\',;|\t \n\r@<>\\') }),
	fc.string({ unit: 'grapheme' }),
	fc.constantFrom('ada@example.com', ''),
);
const tables = fc.integer({ min: 1, max: 4 }).chain((width) =>
	fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
		minLength: 1,
		maxLength: 8,
	}),
);
const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
const anyFiles = fc.record({
	table: tables,
	delimiter: separators,
	record_delimiter: lineEnds,
	bom: fc.boolean(),
	quoted: fc.boolean(),
	eof: fc.boolean(),
});
type File = typeof anyFiles extends fc.Arbitrary<infer T> ? T : never;

const write = ({ table, ...options }: File): Buffer =>
	Buffer.from(stringify(table, { ...options, quoted_match: /^\s|\s$|[\r\n]/ }));

/** A byte order mark alone is one empty line to us, and nothing to others. */
const files = anyFiles.filter((file) => write(file).length > 3);

const parsed = (file: Buffer, { delimiter, record_delimiter, bom }: File): string[][] =>
	parse(file, { delimiter, record_delimiter, bom, relax_column_count: true });

test('reads what another program has written, as another one does', () => {
	fc.assert(
		fc.property(files, (given) => {
			const file = write(given);
			const found = read(file, given.delimiter);
			const trimmed = (table: string[][]) => table.map((row) => row.map((text) => text.trim()));
			expect(found.map(textsOf)).toEqual(trimmed(parsed(file, given)));
			expect(found.some(({ isIrregular }) => isIrregular)).toBe(false);
		}),
	);
});

test('finds the same rows, whatever the chunks', () => {
	const bytes = fc.uint8Array({ maxLength: 60 }).map((content) => Buffer.from(content));
	const messy = fc
		.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', '\ufeff'), maxLength: 40 })
		.map((text) => Buffer.from(text));
	fc.assert(
		fc.property(
			fc.oneof(files.map(write), messy, bytes),
			separators,
			lengths,
			(file, separator, parts) => {
				const whole = read(file, separator);
				expect(read(file, separator, parts).map(shape)).toEqual(whole.map(shape));
				expect(Buffer.concat(whole.map((row) => row.bytes))).toEqual(file);
			},
		),
	);
});

test('a file without some of its rows holds the others', () => {
	fc.assert(
		fc.property(files, fc.func(fc.boolean()), (given, isKept) => {
			const file = write(given);
			const kept = (_row: unknown, index: number) => index === 0 || isKept(index);
			const rest = Buffer.concat(
				read(file, given.delimiter)
					.filter(kept)
					.map(({ bytes }) => bytes),
			);
			expect(parsed(rest, given)).toEqual(parsed(file, given).filter(kept));
		}),
	);
});
