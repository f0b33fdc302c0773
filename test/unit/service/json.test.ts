import { parseJson } from '../../../nodes/EmailMarketing/service/json';

it.each([
	['JSON', Buffer.from('{"a":"é"}'), { a: 'é' }],
	['JSON after a byte order mark', Buffer.from('\ufeff{"a":1}'), { a: 1 }],
	['two members with the same key', Buffer.from('{"a":1,"a":2}'), { a: 2 }],
	['another text', Buffer.from('é<html>'), 'é<html>'],
	['nothing', Buffer.alloc(0), ''],
	['one byte that is zero, but not at the beginning', Buffer.from('ab\0'), 'ab\0'],
])('%s is read', (_what, bytes, body) => {
	expect(parseJson(bytes)).toEqual(body);
});

it.each([
	['JSON in UTF-16, with the lower byte first', Buffer.from('{"a":1}', 'utf16le')],
	['JSON in UTF-16, with the higher byte first', Buffer.from('{"a":1}', 'utf16le').swap16()],
	['JSON in Latin-1', Buffer.from('{"a":"é"}', 'latin1')],
	['a character that breaks off', Buffer.from('é').subarray(0, 1)],
])('%s is not UTF-8', (_what, bytes) => {
	expect(parseJson(bytes)).toBe(bytes.toString('utf8', 0, 64 * 1024));
});
