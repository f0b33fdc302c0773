import fc from 'fast-check';

import { parseJson, parseList } from '../../../nodes/EmailMarketing/service/json';

/** So little that most lists have several parts. */
const partSizes = [0, 5, 40, 200];

function parsed(text: string | Buffer, partBytes = 40) {
	const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text);
	return parseList(bytes, 'contacts', (record) => record, partBytes);
}

/** What a response gives in all: its body, with what was picked put back in its place. */
function wholeOf(text: string | Buffer, partBytes?: number): unknown {
	const { body, picked } = parsed(text, partBytes);
	if (picked.length > 0) (body as { message: { contacts: unknown } }).message.contacts = picked;
	return body;
}

/** A text as it arrives: half a surrogate pair becomes a replacement character. */
const asSent = (text: string): string => Buffer.from(text).toString();

/** As a response that is no list is parsed: text that is no JSON, or not UTF-8, stays text. */
const expected = (text: string | Buffer): unknown => parseJson(Buffer.from(text as string));

const text = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 12 }),
	fc.constantFrom('},{', '"},{"', '\\', '\\"', ']}}', '[', '{"id":1},{"id":2}', '😀', '\u2028'),
);
const value = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }));
const record = fc.dictionary(fc.oneof(fc.constantFrom('id', 'email', 'contacts'), text), value, {
	maxKeys: 4,
	noNullPrototype: true,
});
const response = fc
	.tuple(
		fc.dictionary(text, value, { maxKeys: 2, noNullPrototype: true }),
		fc.array(fc.oneof({ weight: 9, arbitrary: record }, value), { maxLength: 6 }),
		fc.dictionary(text, value, { maxKeys: 2, noNullPrototype: true }),
		fc.boolean(),
	)
	.map(([before, contacts, after, isFirst]) => ({
		...(isFirst && { status: 'success' }),
		...before,
		message: { ...before, contacts, ...after },
		...after,
		...(!isFirst && { status: 'success' }),
	}));
const blanks = fc.constantFrom('', ' ', '\t', '\n', '\r\n  ');

/** Changes one character of a text. */
const broken = fc
	.tuple(response, fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(...'"{}[],:\\ 1x'))
	.map(([body, share, character]) => {
		const json = JSON.stringify(body);
		const at = Math.floor(share * (json.length - 1));
		return asSent(json.slice(0, at) + character + json.slice(at + 1));
	});

test('any response is read as JSON.parse reads it', () => {
	fc.assert(
		fc.property(response, fc.constantFrom(undefined, 1, '\t'), blanks, (body, indent, blank) => {
			const json = blank + JSON.stringify(body, undefined, indent) + blank;
			for (const size of partSizes) expect(wholeOf(json, size)).toEqual(JSON.parse(json));
		}),
		{ numRuns: 100 },
	);
});

test('a text with one wrong character is read as JSON.parse reads it, or stays text', () => {
	fc.assert(
		fc.property(broken, (json) => {
			const whole = wholeOf(json);
			const asIs = expected(json);
			if (typeof asIs !== 'string') expect(whole).toEqual(asIs);
			else expect(json.startsWith(whole as string)).toBe(true);
		}),
		{ numRuns: 100 },
	);
});

test('a text that breaks off is no JSON, wherever it does', () => {
	fc.assert(
		fc.property(response, fc.double({ min: 0, max: 1, noNaN: true }), (body, share) => {
			const json = JSON.stringify(body);
			const part = asSent(json.slice(0, Math.floor(share * (json.length - 1))));
			const { body: read, picked } = parsed(part);
			expect(picked).toEqual([]);
			expect(part.startsWith(read as string)).toBe(true);
		}),
		{ numRuns: 100 },
	);
});

test('any bytes are read as a response that is no list', () => {
	const bytes = fc
		.uint8Array({ maxLength: 40 })
		.map((some) =>
			Buffer.concat([
				Buffer.from('{"message":{"contacts":[{"email":"'),
				Buffer.from(some),
				Buffer.from('"}]}}'),
			]),
		);
	fc.assert(
		fc.property(bytes, (some) => {
			expect(wholeOf(some)).toEqual(expected(some));
		}),
		{ numRuns: 100 },
	);
});
