import fc from 'fast-check';

/** What forms, headers, addresses, spreadsheets, logs and objects could take for more than text. */
const tricks = [
	'a\r\nX-Injected: 1',
	'a\nPublicKey: stolen',
	'\r\n--boundary\r\nContent-Disposition: form-data; name="smuggled"\r\n\r\n1\r\n--boundary--\r\n',
	'--axios-1.21.1-boundary-abcdefghijklmnop--\r\n',
	'----------------------------012345678901234567890123\r\n',
	'Content-Disposition: form-data; name="x"',
	'"; filename="x.csv',
	'a&contact_id=1&strIds[0]=2',
	'1&id=2#?x=1',
	'../../contacts/delete',
	'http://127.0.0.1:9/',
	'http://%zz:%@127.0.0.1:9',
	'%00%0d%0aX: 1',
	'a+b %20%zz',
	'=1+1',
	'+1',
	'-1',
	'@SUM(A1)',
	'\t=1+1',
	'\r=1+1',
	'{{ $json }}',
	'${process.env}',
	'((first_name))((((((((((',
	'<script>alert(1)</script>',
	'\u0000',
	'\u001b[31mred',
	'\u0085\u2028\u2029',
	'\u202eabc',
	'\ufeff',
	'\ud800',
	'x\udfff\ud800y',
	'😀'.repeat(40),
	'e\u0301'.repeat(30),
	'__proto__',
	'constructor',
	'prototype',
	'toString',
	'ada@example.com\r\nBcc: other@example.com',
	'ada@example.com,other@example.com',
	'ada@example.com\u0000',
	'"a b"@example.com',
	'contacts_21,segments_301',
	'contacts_21&x=1',
	'0',
	'007',
	'1e3',
	'0x10',
	'٣',
	'12\n',
	'999999999999999999999',
	'9'.repeat(400),
	'true',
	'2026-02-31T10:00:00',
	'2026-05-04T09:30:00[Europe/Berlin]',
	'+275760-09-13T00:00:00Z',
	'{"a":1',
	'{"__proto__":{"polluted":1}}',
];

/** Values that are in order, so that the ways behind the first checks are reached too. */
const orderly = [
	'ada@example.com',
	' Ada.Lovelace+news@mail.example.org ',
	'21',
	' 81 ',
	'contacts_21',
	'segments_301',
	'Germany',
	'85',
	'2030-05-04T09:30:00',
	'2030-05-04',
	'text',
	'days',
	'html',
	'scheduled',
	'A plain text',
	'Zoë, 北京, "quoted"',
	'several\nlines\r\nof text\r',
	'favorite_color',
	'{"body":[1,"zwei"]}',
];

const codeUnits = fc
	.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
	.map((units) => String.fromCharCode(...units));

/** Made by hand: to prepare `fc.string` for all of Unicode takes seconds. */
const characters = fc
	.array(
		fc.oneof(
			fc.integer({ min: 0x20, max: 0x2fff }),
			fc.integer({ min: 0x3000, max: 0x10ffff }),
			fc.constantFrom(0x301, 0x200d, 0xfe0f, 0x1f469, 0x1f3fd, 0x1f1e9),
		),
		{ maxLength: 30 },
	)
	.map((points) => String.fromCodePoint(...points));

const control = fc.string({
	unit: fc.constantFrom('\0', '\r', '\n', '\t', '\b', '\u007f', '\u009f', 'a', '"', ';'),
	maxLength: 12,
});

/** About a megabyte; few, since each costs as much as a hundred others. */
const huge = fc
	.constantFrom(...['x', '\r\n', ' ', '=', '-', '😀', '@', ',', '((', '[', '<', '0', '\0', '1a.'])
	.map((piece) => piece.repeat(Math.floor(1_000_000 / piece.length)));

const long = fc.constantFrom(
	...['x', '\r\n', '((a', '&a=1', '\ud800'].map((piece) => piece.repeat(2_000)),
);

/** A text of any kind. */
export const text: fc.Arbitrary<string> = fc.oneof(
	{ arbitrary: fc.constantFrom(...tricks), weight: 30 },
	{ arbitrary: fc.constantFrom(...orderly), weight: 25 },
	{
		arbitrary: fc.tuple(fc.constantFrom(...orderly), control).map((pair) => pair.join('')),
		weight: 10,
	},
	{ arbitrary: characters, weight: 15 },
	{ arbitrary: codeUnits, weight: 10 },
	{ arbitrary: control, weight: 5 },
	{ arbitrary: long, weight: 2 },
);

/** Names that mean something to JavaScript, to forms or to the API. */
export const key: fc.Arbitrary<string> = fc.oneof(
	fc.constantFrom(
		...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'toJSON', 'then'],
		...['hasOwnProperty', 'length', '0', '', '__rl', 'value', 'id', 'email', 'status', 'errors'],
	),
	characters,
	fc.constantFrom(...tricks),
);

const number = fc.oneof(
	fc.constantFrom(0, -0, 1, 21, 85, -1, 1.5, 1e21, 2 ** 53, Number.MAX_VALUE, 5e-324),
	fc.integer(),
	fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Nested so deeply that functions which call themselves may run out of stack. */
export const nested = (depth: number, open: '[' | '{"a":' = '['): unknown =>
	JSON.parse(open.repeat(depth) + '1' + (open === '[' ? ']' : '}').repeat(depth));

const odd = fc.constantFrom<unknown>(
	nested(60),
	nested(60, '{"a":'),
	JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
	JSON.parse('{"toString":1,"valueOf":1}'),
	JSON.parse('{"toString":null,"toJSON":"x","then":1,"length":-1}'),
	{ __rl: true, mode: 'id', value: { __rl: true, value: ['a'] } },
	[[], [null], ['', ' '], {}],
);

/** Text made to look less like one: an object, a list, an object in a list. */
const wrapped = fc
	.oneof(text, number)
	.chain((value) =>
		fc.constantFrom<unknown>([value], [[value]], { value }, [value, value, null], [{ id: value }]),
	);

/** Anything that JSON can hold. */
export const json: fc.Arbitrary<unknown> = fc.oneof(
	{ arbitrary: text, weight: 50 },
	{ arbitrary: number, weight: 12 },
	{ arbitrary: fc.constantFrom<unknown>(null, true, false, '', [], {}), weight: 12 },
	{ arbitrary: wrapped, weight: 10 },
	{ arbitrary: odd, weight: 8 },
	{
		arbitrary: fc
			.array(fc.tuple(key, fc.oneof(text, number, fc.constant(null))), { maxLength: 4 })
			.map((entries) => Object.fromEntries(entries) as unknown),
		weight: 8,
	},
);

/** Anything that the item of a workflow can hold; `undefined` for a key that it does not have. */
export const value: fc.Arbitrary<unknown> = fc.oneof(
	{ arbitrary: json, weight: 180 },
	{ arbitrary: fc.constantFrom(undefined, NaN, Infinity), weight: 12 },
	{ arbitrary: huge, weight: 1 },
);

/** Expressions that give what JSON has no form for. */
export const exotic: fc.Arbitrary<string> = fc.constantFrom(
	'={{ new Date("x") }}',
	'={{ new Date(1777887000000) }}',
	'={{ DateTime.fromISO("2030-05-04T09:30:00Z") }}',
	'={{ DateTime.fromISO("x") }}',
	'={{ () => 1 }}',
	'={{ /x/ }}',
	'={{ $json.no.such.thing }}',
	'={{ $json["__proto__"] }}',
	'={{ $json.constructor }}',
	'={{ this }}',
	'={{ $json',
	'={{ nonsense( }}',
	'={{ $("Nowhere").item.json.x }}',
	'=a {{ 1 + 1 }} b',
	'={{ [1, , 3] }}',
	'={{ Object.create(null) }}',
);
