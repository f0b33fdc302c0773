import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import { keys } from '../engine';
import { once, useService } from '../sandbox';
import { keysIn, Watch } from './keys';
import { brokeOff, inTime, unchanged, whenLost } from './table';
import { variants } from './variants';

const test = useService();
const watch = new Watch();
beforeEach(() => watch.start());
afterEach(() => expect(keysIn(watch.end())).toEqual([]));

const list = { resource: 'contactType', operation: 'getAll', returnAll: true };
const create = { resource: 'contactType', operation: 'create', name: 'Wholesale' };

/** Answers a request byte by byte, as no HTTP server would. */
type Raw = (socket: Socket) => void;

const damaged = {
	message: 'The response of the service is corrupted',
	remedy:
		'Try again. If this happens again, check any proxy in between, and that "Base URL" in the credential leads to the API.',
	httpCode: null,
};

const json = '{"status":"success","message":{"contactTypes":[]}}';
const head = (...lines: string[]) => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
const length = (bytes: number) => `content-length: ${bytes}`;

const rawFaults: Array<[string, Raw, { message: string; remedy: string }]> = [
	['the beginning of an answer', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty'), brokeOff],
	['a connection that is closed without a word', (socket) => socket.end(), brokeOff],
	['less than was announced', (socket) => socket.end(head(length(99)) + json), brokeOff],
	[
		'pieces of no length',
		(socket) => socket.end(`${head('transfer-encoding: chunked')}?`),
		brokeOff,
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
	['silence after the headers', (socket) => void socket.write(head(length(99))), inTime],
];

let server: Server | undefined;
afterEach(() => server?.close());

/** The address of a service that answers so. */
async function rawUrl(answer: Raw): Promise<string> {
	const raw = createServer((socket) => {
		socket.on('error', () => socket.destroy()).once('data', () => answer(socket));
	});
	server = raw;
	await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(raw.address() as AddressInfo).port}/api`;
}

/** The only request of these tests meets silence, so that nothing else can run out of time. */
const quick = (message: string) => ({
	options: once,
	...(message === inTime.message && { requestOptions: { timeout: 300 } }),
});

/** Lets a creation fail, and looks at what it puts on the error output. */
async function checkErrorOutput(baseUrl: string, message: string, description: string) {
	const outcome = await test.service.run(
		{ ...create, ...quick(message) },
		{ credential: { baseUrl, ...keys }, node: { onError: 'continueErrorOutput' } },
	);
	watch.add(outcome);
	expect(outcome.failed).toEqual([
		{
			json: { error: { message, description } },
			pairedItem: { item: 0 },
		},
	]);
}

describe.each(rawFaults)('%s', (_what, answer, { message, remedy }) => {
	it.each([
		['read', list, remedy],
		['write', create, whenLost(remedy)],
	])('is told as it is, for a %s', async (_kind, parameters, description) => {
		const credential = { baseUrl: await rawUrl(answer), ...keys };

		const outcome = await test.service.run({ ...parameters, ...quick(message) }, { credential });

		watch.add(outcome);
		const { error, items, failed } = outcome;
		expect({ message: error?.message, description: error?.description }).toEqual({
			message,
			description,
		});
		expect(error?.httpCode ?? null).toBeNull();
		expect(error?.context).toMatchObject({ itemIndex: 0 });
		expect([...items, ...failed]).toEqual([]);
	});

	it('is told on the error output', async () =>
		await checkErrorOutput(await rawUrl(answer), message, whenLost(remedy)));
});

it.each(variants.map((row) => [row.fault, row] as const))(
	'%s is told on the error output',
	async (_fault, { made, says, create: outcome }) => {
		const { service } = test;
		service.fault(made);
		const { message, remedy } = says;
		const advice = outcome === 'may have succeeded' ? whenLost(remedy) : `${remedy} ${unchanged}`;
		await checkErrorOutput(service.baseUrl, message, advice);
	},
);

it.each<[string, Raw]>([
	['a word in between', (socket) => socket.end(`HTTP/1.1 100 Continue\r\n\r\n${head()}${json}`)],
	['no announced length', (socket) => socket.end(head() + json)],
	['a mark of the byte order', (socket) => socket.end(`${head()}\ufeff${json}`)],
])('an answer with %s is taken', async (_what, raw) => {
	const credential = { baseUrl: await rawUrl(raw), ...keys };
	const { items, error } = await test.service.run(list, { credential });
	expect([items, error]).toEqual([[], undefined]);
});
