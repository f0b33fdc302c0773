import { calls, itIsAFailure, run, type Says } from './calls';
import { useRawService, whole } from './rawService';
import { empty, notRead, otherJson, webPage } from './says';

jest.mock('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('../faults/pauses').withoutPauses(),
);

const service = useRawService();

const envelope = (list: string) => `{"status":"success","message":{"contactTypes":${list}}}`;
const json = envelope('[{"id":21,"name":"Müller"}]');
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

const wrong: Array<[string, string | Buffer, Says]> = [
	['UTF-16', Buffer.from(json, 'utf16le'), notRead],
	['UTF-16 with a byte order mark', Buffer.from(`\ufeff${json}`, 'utf16le'), notRead],
	['UTF-16, the other way around', bigEndian(json), notRead],
	['UTF-16, the other way around, with a mark', bigEndian(`\ufeff${json}`), notRead],
	['Latin-1', Buffer.from(json, 'latin1'), notRead],
	['half a character', Buffer.from(json.replace('ü', '\xc3'), 'latin1'), notRead],
	['bytes that UTF-8 never has', Buffer.from(envelope('["\xff\xfe"]'), 'latin1'), notRead],
	['zero bytes in it', json.replace('ü', '\0'), notRead],
	['zero bytes behind it', `${json}\0`, notRead],
	['two byte order marks', `\ufeff\ufeff${json}`, notRead],
	['NaN', envelope('[{"id":NaN}]'), notRead],
	['a comma too many', envelope('[{"id":21},]'), notRead],
	['single quotes', envelope("[{'id':21}]"), notRead],
	['two documents', json + json, notRead],
	['a line for each envelope', `${json}\n${json}\n`, notRead],
	['a list of envelopes', `[${json},${json}]`, otherJson],
	['JSON as a text in JSON', JSON.stringify(json), notRead],
	['nothing but spaces', ' \r\n\t ', empty()],
	['nothing but a byte order mark', '\ufeff', empty()],
	['a web page', '<!DOCTYPE html><title>Log in</title>', webPage],
	['a web page in Latin-1', Buffer.from('<title>Überblick</title>', 'latin1'), webPage],
];

describe.each(wrong)('%s', (_what, body, says) => {
	beforeEach(() => (service.answer = whole(body, 'content-type: application/json')));

	itIsAFailure(service, says);
});

const again = '{"contactTypes":[{"id":22,"name":"Again"}]}';
const nested = `${'['.repeat(1_000)}${']'.repeat(1_000)}`;

it.each<[string, string, object]>([
	['a byte order mark', `\ufeff${json}`, { id: 21, name: 'Müller' }],
	['blanks around it', `\r\n ${json}\n\n`, { id: 21, name: 'Müller' }],
	[
		'a list that it has twice',
		json.replace(/}}$/, `},"message":${again}}`),
		{ id: 22, name: 'Again' },
	],
	[
		'a key that a record has twice',
		envelope('[{"id":1,"id":21,"name":"Last"}]'),
		{ id: 21, name: 'Last' },
	],
	[
		'a number beyond 2^53',
		envelope('[{"id":21,"size":9007199254740993}]'),
		{ id: 21, size: 2 ** 53 },
	],
	['a number without end', envelope('[{"id":21,"size":1e999}]'), { id: 21, size: Infinity }],
	['a deep value', envelope(`[{"id":21,"deep":${nested}}]`), { id: 21, deep: JSON.parse(nested) }],
])('%s is taken as JSON.parse does', async (_what, body, record) => {
	service.answer = whole(body);
	const { items, error } = await run(service, 'read', { output: 'raw' });
	expect(error).toBeUndefined();
	expect(items).toMatchObject([{ json: record, pairedItem: { item: 0 } }]);
	expect(service.requests).toEqual([calls.read]);
});

it('a key "__proto__" changes no other object', async () => {
	service.answer = whole(
		`{"__proto__":{"polluted":1},${envelope('[{"id":21,"__proto__":{"polluted":1}}]').slice(1)}`,
	);
	const { items, error } = await run(service, 'read', { output: 'raw' });
	expect(error).toBeUndefined();
	expect(items[0]?.json.id).toBe(21);
	expect(items[0]?.json.polluted).toBeUndefined();
	expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

it('10,000 levels in a record end with items or with an error, not with n8n', async () => {
	const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
	service.answer = whole(envelope(`[{"id":21,"deep":${deep}}]`));
	const { items, error } = await run(service, 'read', { output: 'raw' });
	expect({ items: items.length, error: error?.message }).toEqual({ items: 1, error: undefined });
});
