import { parseJson } from '../../../nodes/EmailMarketing/service/json';

const PART = 1024 * 1024;

/** A text of so many bytes with `é` (two bytes) at a place. */
const withCharacterAt = (at: number, length: number) =>
	Buffer.concat([Buffer.alloc(at, 'x'), Buffer.from('é'), Buffer.alloc(length - at - 2, 'x')]);

it.each([
	['JSON', Buffer.from('{"a":"é"}'), { a: 'é' }],
	['JSON after a byte order mark', Buffer.from('\ufeff{"a":1}'), { a: 1 }],
	['two members with the same key', Buffer.from('{"a":1,"a":2}'), { a: 2 }],
	['another text', Buffer.from('é<html>'), 'é<html>'],
	['nothing', Buffer.alloc(0), ''],
	['one byte that is zero, but not at the beginning', Buffer.from('ab\0'), 'ab\0'],
])('%s is read', (_what, bytes, body) => {
	expect(parseJson(bytes)).toEqual({ body });
});

it.each([
	['JSON in UTF-16, with the lower byte first', Buffer.from('{"a":1}', 'utf16le')],
	['JSON in UTF-16, with the higher byte first', Buffer.from('{"a":1}', 'utf16le').swap16()],
	['JSON in Latin-1', Buffer.from('{"a":"é"}', 'latin1')],
	['a character that breaks off', Buffer.from('é').subarray(0, 1)],
	[
		'a wrong byte behind the part that is looked at',
		Buffer.concat([Buffer.alloc(PART, 'x'), Buffer.from([0xff])]),
	],
])('%s is not UTF-8', (_what, bytes) => {
	expect(parseJson(bytes)).toEqual({
		body: bytes.toString('utf8', 0, 64 * 1024),
		isUtf8: false,
	});
});

it.each([
	['ends with a part', PART - 2, PART],
	['is divided between two parts', PART - 1, PART + 1],
	['begins a part', PART, PART + 2],
])('a character that %s is UTF-8', (_what, at, length) => {
	expect(parseJson(withCharacterAt(at, length))).toEqual({ body: 'x'.repeat(64 * 1024) });
});
