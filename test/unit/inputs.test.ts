import fc from 'fast-check';

import {
	choice,
	email,
	emailList,
	flag,
	integer,
	recordId,
	recordIds,
	target,
	targets,
	text,
	utr,
	type Input,
} from '../../nodes/EmailMarketing/params/validators';
import { quote } from '../../nodes/EmailMarketing/util/text';
import type { FormValue } from '../../nodes/EmailMarketing/service/form';
import { InvalidInput } from '../../nodes/EmailMarketing/params/invalidInput';
import { locatorValue } from '../../nodes/EmailMarketing/params/values';

// The inputs in this file look at the value alone, and whether it comes from an expression.
const none = { raw: () => undefined } as never;
const encode = (input: Input, value: unknown): FormValue => input.encode(value, 'Field', none);

/** What an input makes of a value: the encoded form, or the error's message. */
function tried(input: Input, value: unknown): { sent?: FormValue; refused?: string } {
	try {
		return { sent: encode(input, value) };
	} catch (error) {
		if (!(error instanceof InvalidInput)) throw error;
		expect(error.message).toContain('Field');
		expect(error.remedy).toMatch(/\.$/);
		return { refused: error.message };
	}
}

const circular: Record<string, unknown> = {};
circular.self = circular;

/** Whatever an expression of a user can give. */
const anything = fc.oneof(
	fc.anything({
		withBigInt: true,
		withDate: true,
		withMap: true,
		withSet: true,
		withNullPrototype: true,
		withSparseArray: true,
		withTypedArray: true,
	}),
	fc.constantFrom<unknown>(
		circular,
		{ toJSON: () => undefined, __proto__: null },
		{ nested: 10n },
		[circular],
		[{ __rl: true, value: circular }],
		new Date(NaN),
		Symbol('s'),
		() => 'function',
		JSON.parse('{"__proto__": {"polluted": true}}'),
		['__proto__'],
		'__proto__',
		'constructor',
		NaN,
		Infinity,
		-0,
	),
);

const inputs: Record<string, [input: Input, form: RegExp]> = {
	text: [text('p'), /\S/],
	'text with rules': [text('p', { minLength: 2, maxLength: 5, pattern: /^\w+$/ }), /^\w{2,5}$/],
	email: [email('p'), /^[^\s@,]+@[^\s@,]+$/],
	emailList: [emailList('p'), /^[^\s@,]+@[^\s@,]+(,[^\s@,]+@[^\s@,]+)*$/],
	integer: [integer('p'), /^\d{1,15}$/],
	recordId: [recordId('p'), /^\d{1,15}$/],
	utr: [utr('p', 'Field'), /^[\w-]{1,100}$/],
	flag: [flag('p'), /^[01]$/],
	choice: [choice('p', ['a', 'b']), /^[ab]$/],
	recordIds: [recordIds('p', 'Field'), /^[1-9]\d{0,14}$/],
	targets: [targets('p'), /^(contacts|segments)_[1-9]\d*$/],
	target: [target('p'), /^(contacts|segments)_[1-9]\d*$/],
};

describe.each(Object.entries(inputs))('%s', (_name, [input, form]) => {
	it('makes the right form of any value, or says what is wrong with it', () => {
		fc.assert(
			fc.property(anything, (value) => {
				const { sent } = tried(input, value);
				for (const entry of Array.isArray(sent) ? sent : [sent ?? 'left out']) {
					if (sent !== undefined) expect(entry).toMatch(form);
				}
			}),
		);
		expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
	});

	it('leaves out what is empty', () => {
		for (const value of [undefined, null, '']) expect(encode(input, value)).toBeUndefined();
	});
});

const address = fc
	.tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[a-z]{1,8}\.(com|org)$/))
	.map((parts) => parts.join('@'));
const id = fc.integer({ min: 1, max: 10 ** 14 });
const blanks = fc.constantFrom('', ' ', '  ');
const separator = fc
	.tuple(blanks, fc.constantFrom(',', ';', '\n'), blanks)
	.map((parts) => parts.join(''));
const unique = (values: unknown[]) => [...new Set(values.map(String))];

it('sends text as it is, inner and outer blanks included', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (value) => {
			expect(encode(text('p'), value)).toBe(value.trim() === '' ? undefined : value);
		}),
	);
});

it('reads ids alike as an array, as numbers and as one text', () => {
	fc.assert(
		fc.property(fc.array(id, { minLength: 1 }), separator, (ids, between) => {
			const input = recordIds('p', 'Field');
			const wanted = unique(ids);
			expect(encode(input, ids)).toEqual(wanted);
			expect(encode(input, ids.map(String))).toEqual(wanted);
			expect(encode(input, ids.join(between))).toEqual(wanted);
		}),
	);
});

it('reads addresses alike as an array and as one text, each once', () => {
	fc.assert(
		fc.property(fc.array(address, { minLength: 1 }), separator, (addresses, between) => {
			const wanted = unique(addresses).join(',');
			expect(encode(emailList('p'), addresses)).toBe(wanted);
			expect(encode(emailList('p'), ` ${addresses.join(between)} `)).toBe(wanted);
		}),
	);
});

it('takes a whole number as text and as number alike, and no other number', () => {
	fc.assert(
		fc.property(fc.oneof(id, fc.double({ noNaN: true })), (value) => {
			const isId = Number.isInteger(value) && value >= 1 && value < 1e15;
			expect(tried(recordId('p'), value).sent).toBe(isId ? String(value) : undefined);
			expect(tried(recordId('p'), String(value)).sent).toBe(isId ? String(value) : undefined);
		}),
	);
});

it.each([
	[true, '1'],
	[false, '0'],
	['true', '1'],
	[' False ', '0'],
	[1, '1'],
	[0, '0'],
	['1', '1'],
	['0', '0'],
])('sends %p as %s', (value, sent) => {
	expect(encode(flag('p'), value)).toBe(sent);
});

it.each<[Input, unknown, string]>([
	[recordId('p'), 'abc', '"Field" must be a whole number, but it is "abc"'],
	[recordId('p'), 1.5, '"Field" must be a whole number, but it is "1.5"'],
	[recordId('p'), 0, '"Field" cannot be 0'],
	[recordId('p'), { id: 3 }, '"Field" must be text, but it is "{"id":3}"'],
	[integer('p'), -1, '"Field" must be a whole number, but it is "-1"'],
	[text('p'), ['a'], '"Field" must be text, but it is "["a"]"'],
	[
		text('p', { maxLength: 3 }),
		'four',
		'"Field" is too long: it has 4 characters, but at most 3 are allowed',
	],
	[text('p', { minLength: 2 }), '😀', '"Field" is too short: it must have at least 2 characters'],
	[email('p'), 'nobody', '"Field" is not an email address: "nobody"'],
	[
		emailList('p'),
		'a@example.com, b, c',
		'"Field" accepts only email addresses, but it has "b", "c"',
	],
	[recordIds('p', 'Field'), ['1', 'x'], '"Field" accepts only IDs, but it has "x"'],
	[utr('p', 'Field'), 'a/b', '"Field" is not valid: "a/b"'],
	[choice('p', ['a']), 'b', '"Field" cannot be "b"'],
	[flag('p'), 'maybe', '"Field" must be true or false, but it is "maybe"'],
	[
		targets('p'),
		'contacts_1,lists_2',
		'"Field" accepts only contact types and segments, but it has "lists_2"',
	],
])('says what is wrong: %#', (input, value, message) => {
	expect(tried(input, value)).toEqual({ refused: message });
});

it('calls empty what is nothing', () => {
	expect([null, undefined].map(quote)).toEqual(['empty', 'empty']);
});

it('quotes any value in a line of at most 60 characters that people can read', () => {
	fc.assert(
		fc.property(anything, (value) => {
			expect(quote(value)).toMatch(/^(?:"[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{0,60}"|empty)$/u);
		}),
	);
});

it('quotes a time as the text that it is, with one pair of quotes', () => {
	expect(quote(new Date(0))).toBe('"1970-01-01T00:00:00.000Z"');
});

it.each([{ __rl: '', length: 21 }, { __rl: null, value: '5' }, { __rl: 'true' }])(
	'refuses %j, which is no resource locator, though it has a key of that name',
	(value) => {
		expect(locatorValue(value)).toBe(value);
		expect(tried(text('p'), locatorValue(value)).refused).toMatch(/^"Field" must be text/);
	},
);

it.each([' favorite_color', 'favorite_color ', '\tfavorite_color\n'])(
	'drops the spaces around %j where the field has a form of its own, and keeps them elsewhere',
	(value) => {
		expect(encode(text('p', { pattern: /^\w+$/ }), value)).toBe('favorite_color');
		expect(encode(text('p'), value)).toBe(value);
	},
);

it('reduces a resource locator to its value and leaves anything else alone', () => {
	fc.assert(
		fc.property(anything, (value) => {
			expect(locatorValue({ __rl: true, mode: 'id', value })).toBe(value);
			expect(locatorValue([value])).toEqual([value]);
		}),
	);
});
