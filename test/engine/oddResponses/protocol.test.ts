import { brotliCompressSync, gzipSync } from 'node:zlib';

import { redirected } from '../faults/table';
import {
	calls,
	editorMessage,
	expectFailure,
	itIsAFailure,
	pollMessage,
	run,
	type Says,
} from './calls';
import { forever, head, useRawService, whole, type Raw } from './rawService';
import { damaged, empty, lost, notRead, tooLate } from './says';

jest.mock('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('../faults/pauses').withoutPauses(),
);

const service = useRawService();

const json = '{"status":"success","message":{"contactTypes":[]}}';
const length = (bytes: number) => `content-length: ${bytes}`;
const chunked = 'transfer-encoding: chunked';
const chunk = `${json.length.toString(16)}\r\n${json}\r\n`;
const status = (line: string, ...lines: string[]) =>
	['HTTP/1.1', line].join(' ') + head(...lines).slice(15);
const text =
	(...parts: string[]): Raw =>
	(socket) =>
		void socket.end(parts.join(''));

/** Nothing but the time ends these. */
const endless: Array<[string, Raw]> = [
	['silence', () => undefined],
	[
		'another protocol',
		(socket) =>
			void socket.write(
				status('101 Switching Protocols', 'upgrade: websocket', 'connection: upgrade'),
			),
	],
	['one 100 after the other', forever('', status('100 Continue'))],
	['one 102 after the other', forever('', status('102 Processing'))],
	['one header after the other', forever('HTTP/1.1 200 OK\r\n', 'x: y\r\n')],
	['silence after the headers', (socket) => void socket.write(head(length(99)))],
	['a byte at a time', forever(head(length(999_999)), ' ')],
	['a chunk at a time', forever(head(chunked), '1\r\n \r\n')],
];

describe.each(endless)('%s', (_what, answer) => {
	const requestOptions = { timeout: 200 };
	beforeEach(() => (service.answer = answer));

	it.each(['read', 'write'] as const)(
		'ends with the time, for a %s',
		async (kind) => await expectFailure(service, kind, tooLate, requestOptions),
	);

	it('ends with the time in the editor', async () => {
		expect(await editorMessage(service, requestOptions)).toBe(tooLate.message);
	});

	it('ends with the time that n8n allows for a poll', async () => {
		expect(await pollMessage(service, { budgetMs: 200 })).toMatch(
			'took longer than the 0.2 seconds that n8n allows for a poll',
		);
	});
});

const unavailable = (httpCode: string): Says => ({
	message: `The service is temporarily unavailable (HTTP ${httpCode})`,
	remedy: 'Try again later.',
	httpCode,
	isRepeated: false,
});

const gzip = 'content-encoding: gzip';
const packed = gzipSync(json);

const wrong: Array<[string, Raw, Says]> = [
	['headers without end', text(head(`x: ${'y'.repeat(100_000)}`), json), damaged],
	['204', text(status('204 No Content')), empty('204')],
	['304', text(status('304 Not Modified')), empty('304')],
	['205 without a body', text(status('205 Reset Content', length(0))), empty('205')],
	[
		'a status below 100',
		text(status('099 Early'), json),
		{ ...notRead, httpCode: '99', isRepeated: false },
	],
	['a status above 599', text(status('999 Denied'), json), unavailable('999')],
	[
		'a redirect with a body',
		text(status('302 Found', 'location: /other', length(json.length)), json),
		{ ...redirected(302), isRepeated: false },
	],
	['a status that is no number', text('HTTP/1.1 OK 200\r\n\r\n', json), damaged],
	['HTTP 0.9', text(json), damaged],
	['HTTP 2', text('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), damaged],
	['a length that is negative', text(head(length(-5)), json), damaged],
	['a length without measure', text(head(length(1e30)), json), damaged],
	['two lengths', text(head(length(9), length(json.length)), json), damaged],
	['a length and chunks', text(head(length(9), chunked), chunk, '0\r\n\r\n'), damaged],
	['a length that is too small', text(head(length(9)), json), notRead],
	['a length that is too large', text(head(length(999)), json), lost],
	['a chunk without a size', text(head(chunked), 'zz\r\n', json), lost],
	['a chunk that is cut off', text(head(chunked), 'ff\r\n', json), lost],
	['chunks without an end', text(head(chunked), chunk), lost],
	[
		'a reset in the body',
		(socket) => void socket.write(head(length(99)), () => socket.resetAndDestroy()),
		lost,
	],
	['what is not packed', whole(json, gzip), damaged],
	['what is not packed by Brotli', whole(json, 'content-encoding: br'), damaged],
	['what is packed and cut off', whole(packed.subarray(0, 30), gzip), notRead],
	['nothing, packed', whole(gzipSync(''), gzip), empty()],
	['what is packed twice', whole(gzipSync(packed), 'content-encoding: gzip, gzip'), notRead],
	['what is packed and does not say so', whole(packed), notRead],
];

describe.each(wrong)('%s', (_what, answer, says) => {
	beforeEach(() => (service.answer = answer));

	itIsAFailure(service, says);
});

it.each<[string, Raw]>([
	[
		'hints before it',
		text(status('103 Early Hints', 'link: </a>'), head(length(json.length)), json),
	],
	['HTTP 1.0', text('HTTP/1.0 200 OK\r\n\r\n', json)],
	['chunks, and something after them', text(head(chunked), chunk, '0\r\n\r\nmore')],
	['another answer after it', text(head(length(json.length)), json, head(length(2)), '{}')],
	['a packing that it has not', whole(json, 'content-encoding: snappy')],
	['gzip', whole(packed, gzip)],
	[
		'gzip in two members',
		whole(Buffer.concat([gzipSync(json.slice(0, 9)), gzipSync(json.slice(9))]), gzip),
	],
	['Brotli', whole(brotliCompressSync(json), 'content-encoding: br')],
	['a type that is wrong', whole(json, 'content-type: text/csv; charset=utf-16')],
])('an answer with %s is taken', async (_what, answer) => {
	service.answer = answer;
	const { items, error } = await run(service, 'read');
	expect([items, error]).toEqual([[], undefined]);
	expect(service.requests).toEqual([calls.read]);
});
