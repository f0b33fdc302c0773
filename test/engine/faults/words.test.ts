import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import type { Fault } from '../../../sandbox/faults.ts';
import { keys } from '../engine';
import { once, useService } from '../sandbox';
import { keysIn, Watch } from './keys';

const test = useService();
const watch = new Watch();
beforeEach(() => watch.start());
afterEach(() => expect(keysIn(watch.end())).toEqual([]));

const list = { resource: 'contactType', operation: 'getAll', returnAll: true };
const create = { resource: 'contactType', operation: 'create', name: 'Wholesale' };

const unclear =
	'The request may have been carried out all the same: look in the service before running it again.';
const unchanged = 'Nothing was changed.';

/** What a user reads after a fault, for a read and for a write. */
interface Told {
	message: string;
	remedy: string;
	write: typeof unclear | typeof unchanged;
	httpCode?: string;
}

/** Answers a request byte by byte, as no HTTP server would. */
type Raw = (socket: Socket) => void;

const cutOff: Told = {
	message: 'The connection to the service broke off before its answer was complete',
	remedy: 'Try again.',
	write: unclear,
};
const inTime: Told = {
	message: 'The service did not answer in time',
	remedy: 'Try again later, or raise "Timeout" in Request Options.',
	write: unclear,
};
const damaged: Told = {
	message: 'The answer of the service was damaged on its way',
	remedy:
		'Try again. If it stays, check a proxy on the way, and whether "Base URL" of the credential leads to the API.',
	write: unclear,
};
const access = (status: number): Told => ({
	message: `The service refused access (HTTP ${status})`,
	remedy: 'Check the public key and the secret key of the credential.',
	write: unchanged,
	httpCode: String(status),
});
const notUnderstood: Told = {
	message: 'The service gave an answer that cannot be understood',
	remedy:
		'The answer was cut off on its way, or "Base URL" of the credential does not lead to the API.',
	write: unclear,
	httpCode: '200',
};

const json = '{"status":"success","message":{"contactTypes":[]}}';
const head = (...lines: string[]) => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
const length = (bytes: number) => `content-length: ${bytes}`;

const table: Array<[string, Fault | Raw, Told]> = [
	[
		'a web page',
		{ kind: 'html' },
		{
			message: 'The service answered with a web page where data was expected (HTTP 200)',
			remedy:
				'"Base URL" of the credential probably points to a website or a login page: it must be the root of the API.',
			write: unclear,
			httpCode: '200',
		},
	],
	['half an answer', { kind: 'truncated' }, cutOff],
	['the beginning of an answer', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty'), cutOff],
	['a connection that is closed without a word', (socket) => socket.end(), cutOff],
	['less than was announced', (socket) => socket.end(head(length(99)) + json), cutOff],
	['more than was announced', (socket) => socket.end(head(length(9)) + json), damaged],
	[
		'pieces of no length',
		(socket) => socket.end(`${head('transfer-encoding: chunked')}?`),
		damaged,
	],
	['another protocol', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), damaged],
	[
		'what claims to be packed',
		(socket) => socket.end(head('content-encoding: gzip', length(json.length)) + json),
		damaged,
	],
	[
		'what was packed and damaged',
		(socket) => {
			const packed = gzipSync(json).fill(0xff, 12, 16);
			socket.write(head('content-encoding: gzip', length(packed.length)));
			socket.end(packed);
		},
		damaged,
	],
	['a JSON text', { kind: 'shape', body: 'fine' }, notUnderstood],
	['a JSON list', { kind: 'shape', body: [] }, notUnderstood],
	['an unknown status', { kind: 'shape', body: { status: 'pending' } }, notUnderstood],
	['silence', { kind: 'timeout' }, inTime],
	['silence after the headers', (socket) => void socket.write(head(length(99))), inTime],
	['401', { kind: 'status', status: 401 }, access(401)],
	['403', { kind: 'status', status: 403 }, access(403)],
	[
		'404 without an envelope',
		{ kind: 'status', status: 404, body: 'Not here' },
		{
			message: 'There is no such address in the service (HTTP 404)',
			remedy: 'Check "Base URL" of the credential: it must be the root of the API.',
			write: unchanged,
			httpCode: '404',
		},
	],
	[
		'a redirect that asks for the same request elsewhere',
		{ kind: 'redirect', status: 307, url: '/elsewhere' },
		{
			message: 'The service answered with a redirect, which is never followed with your keys',
			remedy:
				'Put the final address of the service into "Base URL" of the credential, for example with https:// in place of http://.',
			write: unchanged,
			httpCode: '307',
		},
	],
];

let server: Server | undefined;
afterEach(() => server?.close());

/** The address of the service, which answers the next request with the fault. */
async function faultyUrl(fault: Fault | Raw): Promise<string> {
	if (typeof fault !== 'function') {
		test.service.fault(fault);
		return test.service.baseUrl;
	}
	const raw = createServer((socket) => {
		socket.on('error', () => socket.destroy()).once('data', () => fault(socket));
	});
	server = raw;
	await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(raw.address() as AddressInfo).port}/api`;
}

describe.each(table)('%s', (_what, fault, { message, remedy, write, httpCode = null }) => {
	// The only request of these tests meets silence, so that nothing else can run out of time.
	const quick = {
		options: once,
		...(message === inTime.message && { requestOptions: { timeout: 300 } }),
	};

	it.each([
		['read', list, remedy],
		['write', create, `${remedy} ${write}`],
	])('is told as it is, for a %s', async (_kind, parameters, description) => {
		const credential = { baseUrl: await faultyUrl(fault), ...keys };

		const outcome = await test.service.run({ ...parameters, ...quick }, { credential });

		watch.add(outcome);
		const { error, items, failed } = outcome;
		expect({ message: error?.message, description: error?.description }).toEqual({
			message: `${message} [item 0]`,
			description,
		});
		expect(error?.httpCode ?? null).toBe(httpCode);
		expect(error?.context).toMatchObject({ itemIndex: 0 });
		expect([...items, ...failed]).toEqual([]);
	});

	it('is told on the error output', async () => {
		const credential = { baseUrl: await faultyUrl(fault), ...keys };
		const outcome = await test.service.run(
			{ ...create, ...quick },
			{ credential, node: { onError: 'continueErrorOutput' } },
		);
		watch.add(outcome);
		expect(outcome.failed).toEqual([
			{
				json: { error: { message: `${message} [item 0]`, description: `${remedy} ${write}` } },
				pairedItem: { item: 0 },
			},
		]);
	});
});

it.each<[string, Raw]>([
	['a word in between', (socket) => socket.end(`HTTP/1.1 100 Continue\r\n\r\n${head()}${json}`)],
	['no announced length', (socket) => socket.end(head() + json)],
	['a mark of the byte order', (socket) => socket.end(`${head()}\ufeff${json}`)],
])('an answer with %s is taken', async (_what, raw) => {
	const credential = { baseUrl: await faultyUrl(raw), ...keys };
	const { items, error } = await test.service.run(list, { credential });
	expect([items, error]).toEqual([[], undefined]);
});
