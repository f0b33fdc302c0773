import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';

import { cellsIn, CsvReader, type CsvRow } from '../../nodes/EmailMarketing/util/csvReader';

/** All rows of a file that comes in chunks of the given lengths, over and over. */
function read(file: Buffer, lengths: number[] = [file.length || 1]): CsvRow[] {
	const reader = new CsvReader();
	const rows: CsvRow[] = [];
	for (let start = 0, turn = 0; start < file.length; turn++) {
		const length = lengths[turn % lengths.length] ?? 1;
		rows.push(...reader.push(file.subarray(start, start + length)));
		start += length;
	}
	return [...rows, ...reader.end()];
}

const rowsOf = (text: string) => read(Buffer.from(text)).map(({ bytes }) => bytes.toString());

test.each<[string, string[]]>([
	['nothing', []],
	['no line end at the end', ['a,b\n', '1,2']],
	['CRLF', ['a,b\r\n', '1,2\r\n']],
	['CR', ['a,b\r', '1,2\r']],
	['a CR as last byte of a line without LF', ['a\r']],
	['LF after CRLF', ['a\r\n', 'b\n', 'c']],
	['empty lines', ['a\n', '\n', '\n', 'b\n']],
	['line ends in quotes', ['"a\r\nb",c\n', 'd\n']],
	['line ends between doubled quotes', ['"a ""\n"" b",c\n', 'd\n']],
	['spaces before quotes', ['a, "b\nc" , d\n', 'e\n']],
	['a byte order mark before quotes', ['\ufeff"a\nb",c\n', 'd\n']],
	['semicolons, tabs and pipes before quotes', ['a;"\n"\t"\n"|"\n"\n', 'b\n']],
	['an apostrophe', ["'a\n", "b',c\n"]],
	['a quote within a cell', ['a 5" disk,b\n', 'c,d\n']],
	['text after quotes', ['"a"b",c\n', 'd,e\n']],
	['backslashes before quotes', ['"a\n\\"b\\" c",d\n', 'e,f\n']],
	['a CR in a file with LF', ['x,y\n', 'a\rb,c\n', 'd,e\n']],
])('reads %s', (_what, rows) => {
	expect(rowsOf(rows.join(''))).toEqual(rows);
});

test('counts lines, also those within quotes', () => {
	const text = 'a,b\r\n"1\r\n2",x\r\n\r\n3,4\r\n';
	const linesOf = (file: string) => read(Buffer.from(file)).map(({ line }) => line);
	expect(linesOf(text)).toEqual([1, 2, 4, 5]);
	expect(linesOf(text.replaceAll('\n', ''))).toEqual([1, 2, 4, 5]);
});

test('says what is open', () => {
	const reader = new CsvReader();
	reader.push(Buffer.from('a,b\n1,"2\n'));
	expect(reader.open).toEqual({ line: 2, length: 5, isInQuotes: true });
	reader.push(Buffer.from('"'));
	expect(reader.open).toEqual({ line: 2, length: 6, isInQuotes: false });
});

test.each([
	['"a\n"b",c\n', true],
	['"a\n" b",c\n', true],
	['"a\n""b"" c"\n"d" e\n', false],
	['"a\nb" ,"c" d\n"e" f\n', false],
	['"a\n"', false],
])('says of quotes around lines that end within a cell that they are open: %j', (text, isOpen) => {
	for (const length of [1, text.length]) {
		const reader = new CsvReader();
		for (let start = 0; start < text.length; start += length)
			reader.push(Buffer.from(text.slice(start, start + length)));
		expect(reader.open.isInQuotes).toBe(isOpen);
	}
});

test.each<[string, string[]]>([
	['a;b\tc|d,e\r\n', ['a', 'b', 'c', 'd', 'e']],
	['"a,b","c ""d"""\n', ['a,b', 'c "d"']],
	['"a \\", b",c\n', ['a \\', ' b', 'c']],
	['a"b,"c', ['a', 'b,', 'c']],
	['"a\nb"', ['a\nb']],
])('finds the cells of %j', (row, cells) => {
	expect(cellsIn(row)).toEqual(cells);
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

test('finds the rows and the texts that another program has written', () => {
	fc.assert(
		fc.property(files, (given) => {
			const file = write(given);
			const found = read(file);
			const table = parsed(file, given);
			expect(found).toHaveLength(table.length);
			found.forEach(({ bytes }, index) => {
				const cells = cellsIn(bytes.toString().replace('\ufeff', '')).join('');
				for (const text of table[index] ?? []) {
					// Other separators than that of the file take a cell without quotes apart.
					const parts = text.includes('"') ? [text] : text.split(/[,;\t|\r\n]/);
					for (const part of parts) expect(cells).toContain(part);
				}
			});
		}),
	);
});

test('finds the same rows, whatever the chunks', () => {
	const bytes = fc.uint8Array({ maxLength: 60 }).map((content) => Buffer.from(content));
	const messy = fc
		.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', '\ufeff'), maxLength: 40 })
		.map((text) => Buffer.from(text));
	const shape = ({ line, bytes: row }: CsvRow) => [line, row.toString('hex')];
	fc.assert(
		fc.property(fc.oneof(files.map(write), messy, bytes), lengths, (file, parts) => {
			const whole = read(file);
			expect(read(file, parts).map(shape)).toEqual(whole.map(shape));
			expect(Buffer.concat(whole.map((row) => row.bytes))).toEqual(file);
		}),
	);
});

test('a file without some of its rows holds the others', () => {
	fc.assert(
		fc.property(files, fc.func(fc.boolean()), (given, isKept) => {
			const file = write(given);
			const kept = (_row: unknown, index: number) => index === 0 || isKept(index);
			const rows = read(file).filter(kept);
			const rest = Buffer.concat(rows.map(({ bytes }) => bytes));
			expect(parsed(rest, given)).toEqual(parsed(file, given).filter(kept));
		}),
	);
});
