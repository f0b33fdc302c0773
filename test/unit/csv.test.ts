import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvCell, csvText } from '../../nodes/EmailMarketing/util/csv';

const plain = { spreadsheetSafe: false };
const safe = { spreadsheetSafe: true };

test.each([
	['a', 'a'],
	['', ''],
	[null, ''],
	[undefined, ''],
	[0, '0'],
	[false, 'false'],
	['a,b', '"a,b"'],
	['say "hi"', '"say ""hi"""'],
	['a\nb', '"a\nb"'],
	[' a', '" a"'],
	[{ a: 1 }, '"{""a"":1}"'],
])('%j is written as %s', (value, cell) => {
	expect(csvCell(value, safe)).toBe(cell);
	expect(csvCell(value, plain)).toBe(cell);
});

test.each([
	'=1+1',
	'+49 30 1',
	'-2',
	'@sum',
	'＝1+1',
	'＋1',
	'－1',
	'＠sum',
	'\tx',
	'\rx',
	'=HYPERLINK("x","y")',
])('%j is defused, unless switched off', (value) => {
	const [cell] = parse(csvText(['text'], [[value]], safe), { from: 2 })[0] ?? [];
	expect(cell).toBe(`'${value}`);
	const [raw] = parse(csvText(['text'], [[value]], plain), { from: 2 })[0] ?? [];
	expect(raw).toBe(value);
});

test.each([
	['a;b', '"a;b"'],
	['a\tb', '"a\tb"'],
	['a;=1;b', '"a;\'=1;b"'],
	['a\t+1', '"a\t\'+1"'],
	['a\n@sum', '"a\n\'@sum"'],
	['\n=1', '"\'\n\'=1"'],
	['a;"=1&";b', '"a;\'""=1&"";b"'],
	['a;b=1', '"a;b=1"'],
])('%j is written as %s, because a spreadsheet may split at other separators', (value, cell) => {
	expect(csvCell(value, safe)).toBe(cell);
	expect(parse(csvCell(value, plain))).toEqual([[value]]);
});

test('no part of a cell starts a formula, wherever a spreadsheet splits', () => {
	const special = fc.constantFrom(...'=+-@＝＋－＠;,"ab \t\r\n');
	fc.assert(
		fc.property(fc.array(fc.string({ unit: special }), { minLength: 1 }), (values) => {
			const header = ['id', ...values.map((_, index) => `column ${index}`)];
			const text = csvText(header, [[1, ...values]], safe);
			for (const part of text.split(/[;\t\r\n]/)) expect(part).not.toMatch(/^"*[=+\-@＝＋－＠]/);
			const [, row = []]: string[][] = parse(text);
			expect(row.map((cell) => cell.replaceAll("'", ''))).toEqual(['1', ...values]);
		}),
	);
});

test('a negative number is no formula', () => {
	expect(csvCell(-2, safe)).toBe('-2');
});

test('what is written can be read again by another program', () => {
	const cell = fc.oneof(
		fc.string({ unit: 'grapheme' }),
		fc.constantFrom('a"b', 'a\r\nb', ',', "'"),
	);
	const table = fc
		.integer({ min: 2, max: 5 })
		.chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width })));
	fc.assert(
		fc.property(table, (rows) => {
			const header = Array.from({ length: rows[0]?.length ?? 2 }, (_, index) => `column ${index}`);
			const text = csvText(header, rows, plain);
			expect(parse(text)).toEqual([header, ...rows]);
		}),
	);
});

test('every line ends, also the last one, and a table without rows has its header', () => {
	expect(csvText(['id', 'text'], [[1, 'x']], plain)).toBe('id,text\r\n1,x\r\n');
	expect(csvText(['id', 'text'], [], plain)).toBe('id,text\r\n');
});
