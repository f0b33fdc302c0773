import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvCell, csvChunks, csvLine } from '../../nodes/EmailMarketing/util/csv';

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

test.each(['=1+1', '+49 30 1', '-2', '@sum', '\tx', '\rx', '=HYPERLINK("x","y")'])(
	'%j is defused, unless switched off',
	(value) => {
		const [cell] = (parse(csvLine([value], safe)) as string[][])[0] ?? [];
		expect(cell).toBe(`'${value}`);
		const [raw] = (parse(csvLine([value], plain)) as string[][])[0] ?? [];
		expect(raw).toBe(value);
	},
);

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
			const text = [...csvChunks(header, rows, plain)].join('');
			expect(parse(text)).toEqual([header, ...rows]);
		}),
	);
});

test('a long file comes in pieces that end with a line', () => {
	const rows = Array.from({ length: 5000 }, (_, index) => [index, 'x'.repeat(40)]);
	const chunks = [...csvChunks(['id', 'text'], rows, plain)];
	expect(chunks.length).toBeGreaterThan(2);
	for (const chunk of chunks) expect(chunk.endsWith('\r\n')).toBe(true);
	expect((parse(chunks.join('')) as string[][]).length).toBe(5001);
});
