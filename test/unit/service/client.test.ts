import { once } from 'node:events';

import { UserError } from 'n8n-workflow';
import type {
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INode,
	IPollFunctions,
} from 'n8n-workflow';

import {
	httpOptionsOf,
	listClient,
	ServiceClient,
	transportOf,
} from '../../../nodes/EmailMarketing/service/client';
import type { ServiceRequest } from '../../../nodes/EmailMarketing/service/client';
import { Clearance } from '../../../nodes/EmailMarketing/service/clearance';
import { endpoints, type Endpoint } from '../../../nodes/EmailMarketing/service/endpoints';
import { ServiceError } from '../../../nodes/EmailMarketing/service/failure';
import type { HttpResponse } from '../../../nodes/EmailMarketing/service/failure';
import { StreamedForm, csvPart } from '../../../nodes/EmailMarketing/service/form';
import { ConcurrencyLimit } from '../../../nodes/EmailMarketing/util/concurrencyLimit';

const unavailable = {
	code: 'service-unavailable',
	message: 'Busy',
	description: '',
	effect: 'none',
	retryable: true,
} as const;

const node = { name: 'Email Marketing', parameters: {} } as unknown as INode;
const { contact, segment } = endpoints;
const consent = new Clearance('consent');

type ClientOptions = ConstructorParameters<typeof ServiceClient>[0];

async function* streamOf(...texts: Array<string | Error>) {
	for (const text of texts) {
		if (text instanceof Error) throw text;
		yield Buffer.from(text);
	}
}

/** A client whose service answers as told, and what it was sent. */
function clientOf(
	answer: (request: IHttpRequestOptions) => unknown,
	options: Partial<ClientOptions> = {},
) {
	const sent: IHttpRequestOptions[] = [];
	const client = new ServiceClient({
		retries: true,
		httpOptions: {},
		isInteractive: false,
		transport: async (request) => {
			sent.push(request);
			return await answer(request);
		},
		...options,
	});
	return { client, sent };
}

const statusOf = ({ statusCode }: HttpResponse) => statusCode;
const bodyOf = ({ body }: HttpResponse) => body;
const respond = (body: unknown) => ({ statusCode: 200, headers: {}, body });
const ok = () => respond(streamOf('{}'));

describe('a request', () => {
	const common = {
		ignoreHttpStatusErrors: true,
		encoding: 'stream',
		returnFullResponse: true,
		abortSignal: expect.any(AbortSignal) as AbortSignal,
	};
	const accept = 'application/json';
	const boundary = 'EmailMarketingFormBoundaryi';
	const form = new StreamedForm({}, 'file', csvPart('a.csv', Buffer.from('email')));

	afterEach(() => jest.restoreAllMocks());

	it.each<[string, ServiceRequest, object]>([
		[
			'without fields',
			{ endpoint: contact.getAll },
			{ method: 'GET', url: '/contacts/list', headers: { accept }, qs: {} },
		],
		[
			'with a query',
			{ endpoint: segment.getAll, query: { type: '2', none: undefined } },
			{ method: 'GET', headers: { accept }, qs: { type: '2' } },
		],
		[
			'with a body',
			{
				endpoint: contact.create,
				body: { email: 'a@example.com', ids: ['1', '2'] },
				clearance: consent,
			},
			{
				method: 'POST',
				headers: { accept, 'content-type': `multipart/form-data; boundary=${boundary}` },
				qs: {},
				body: [
					...[`--${boundary}`, 'Content-Disposition: form-data; name="email"', '', 'a@example.com'],
					...[`--${boundary}`, 'Content-Disposition: form-data; name="ids[0]"', '', '1'],
					...[`--${boundary}`, 'Content-Disposition: form-data; name="ids[1]"', '', '2'],
					...[`--${boundary}--`, ''],
				].join('\r\n'),
			},
		],
		[
			'with a body in another encoding',
			{
				endpoint: contact.deleteMany,
				body: { strIds: ['1'] },
				clearance: new Clearance('removal'),
			},
			{
				method: 'POST',
				headers: { accept, 'content-type': 'application/x-www-form-urlencoded' },
				qs: {},
				body: 'strIds%5B0%5D=1',
			},
		],
		[
			'with a file, whose encoding is up to the HTTP client',
			{ endpoint: contact.create, body: form, clearance: consent },
			{ method: 'POST', headers: { accept }, qs: {}, body: form },
		],
	])('%s', async (_what, request, expected) => {
		jest.spyOn(Math, 'random').mockReturnValueOnce(0.5);
		const { client, sent } = clientOf(() => ok(), { httpOptions: { timeout: 5_000 } });
		const { changesData } = request.endpoint;
		const sending = changesData ? client.write(request, statusOf) : client.read(request, statusOf);
		expect(await sending).toBe(200);
		expect(sent).toEqual([{ ...common, timeout: 5_000, url: request.endpoint.path, ...expected }]);
		expect('body' in (sent[0] ?? {})).toBe(request.body !== undefined);
	});

	it('is counted with each repetition', async () => {
		jest.useFakeTimers();
		const traffic = { sent: 3 };
		let tries = 0;
		const busy = { statusCode: 503, headers: {}, body: streamOf('') };
		const { client } = clientOf(() => (++tries < 3 ? busy : ok()), { traffic });
		const sending = client.read({ endpoint: contact.getAll }, (response) => {
			if (response.statusCode === 200) return 'done';
			throw new ServiceError(unavailable);
		});
		await jest.advanceTimersByTimeAsync(60_000);
		expect([await sending, traffic.sent]).toEqual(['done', 6]);
		jest.useRealTimers();
	});

	it('is admitted as one of its endpoint, and leaves when the response arrives', async () => {
		const log: unknown[] = [];
		const limit = {
			clock: { now: () => 0 },
			enter: async (kind: string) => {
				log.push(kind);
				return {};
			},
			leave: (_permit: unknown, outcome: unknown) => log.push(outcome),
		} as unknown as ConcurrencyLimit;
		const { client } = clientOf(() => ({ ...ok(), statusCode: 500 }), { limit });
		await client.read({ endpoint: contact.getAll }, ({ statusCode }) => log.push(statusCode));
		expect(log).toEqual(['GET /contacts/list', { kind: 'failed' }, 500, { kind: 'answered' }]);
	});
});

describe('the end of a request', () => {
	/** A request that never ends by itself. */
	async function pending(options: Partial<ClientOptions>) {
		const { client } = clientOf(async ({ abortSignal }) => {
			await once(abortSignal as AbortSignal, 'abort');
			throw new Error('canceled');
		}, options);
		const request = { endpoint: contact.getAll, tries: 1 };
		return await client.read(request, statusOf).catch((error: ServiceError) => error.failure);
	}

	const late = { message: 'The service did not respond in time' };
	const canceled = { message: 'The request was canceled' };

	it('comes when the execution is canceled', async () => {
		const execution = new AbortController();
		setImmediate(() => execution.abort());
		expect(await pending({ canceled: execution.signal })).toMatchObject(canceled);
	});

	it('comes when the time of the poll is up', async () => {
		const limit = new AbortController();
		setImmediate(() => limit.abort());
		const timeLimit = { ms: 10_000, signal: limit.signal };
		expect(await pending({ timeLimit })).toMatchObject(late);
	});

	it('comes when its own time is up', async () => {
		expect(await pending({ httpOptions: { timeout: 5 } })).toMatchObject(late);
	});

	it('is past once the response is there', async () => {
		const execution = new AbortController();
		const { client, sent } = clientOf(() => ok(), { canceled: execution.signal });
		await client.read({ endpoint: contact.getAll }, statusOf);
		execution.abort();
		expect((sent[0]?.abortSignal as AbortSignal).aborted).toBe(false);
	});

	it.each([
		['a poll ends its repetitions', { timeLimit: { ms: 10_000, signal: AbortSignal.abort() } }],
		['a signal ends its repetitions', { signal: AbortSignal.abort() }],
		[
			'the time limit of a poll counts more than a signal',
			{
				signal: new AbortController().signal,
				timeLimit: { ms: 10_000, signal: AbortSignal.abort() },
			},
		],
	])('%s', async (_what, options) => {
		const { client, sent } = clientOf(() => ({ ...ok(), statusCode: 503 }), options);
		const failing = client.read({ endpoint: contact.getAll }, () => {
			throw new ServiceError(unavailable);
		});
		await expect(failing).rejects.toThrow('Busy');
		expect(sent).toHaveLength(1);
	});
});

describe('a response', () => {
	const bodyFor = async (body: unknown, responseEncoding?: 'arraybuffer', statusCode = 200) => {
		const answer = () => ({ ...respond(body), statusCode });
		const { client } = clientOf(answer, { retries: false });
		return await client.read({ endpoint: contact.getAll, responseEncoding }, bodyOf);
	};

	it.each([
		['JSON in chunks', streamOf('{"a"', ':1}'), undefined, { a: 1 }],
		['a text', streamOf('<html>'), undefined, '<html>'],
		[
			'bytes that were asked for',
			streamOf('{"a"', ':1}'),
			'arraybuffer' as const,
			Buffer.from('{"a":1}'),
		],
		['an object instead of a stream', { a: 1 }, undefined, { a: 1 }],
		['nothing', undefined, undefined, undefined],
	])('may be %s', async (_what, body, encoding, expected) => {
		expect(await bodyFor(body, encoding)).toEqual(expected);
	});

	it.each([408, 413, 429, 503])('with HTTP %i needs no body', async (statusCode) => {
		expect(
			await bodyFor(streamOf('{"st', new Error('aborted')), 'arraybuffer', statusCode),
		).toEqual(Buffer.alloc(0));
	});

	it.each([200, 404, 500])('with HTTP %i that breaks off is a lost connection', async (status) => {
		await expect(
			bodyFor(streamOf('{"st', new Error('aborted')), undefined, status),
		).rejects.toThrow('The connection to the service was lost before the response was complete');
	});
});

it('sends no write that has not passed its gate', async () => {
	const { client, sent } = clientOf(() => undefined);
	for (const endpoint of [contact.create, contact.delete, endpoints.singleSend.create]) {
		const wide: Endpoint = endpoint;
		await expect(client.write({ endpoint: wide }, statusOf)).rejects.toThrow('clearance');
	}
	expect(sent).toEqual([]);
});

it('sends no write as a read', async () => {
	const { client, sent } = clientOf(() => undefined);
	const request = { endpoint: contact.create, clearance: consent };
	await expect(client.read(request, statusOf)).rejects.toThrow('/contacts/add is no read');
	expect(sent).toEqual([]);
});

describe('a credential that cannot be read', () => {
	const failureOf = async (error: Error) => {
		const requests: unknown[] = [];
		const context = {
			getNode: () => node,
			helpers: { httpRequestWithAuthentication: async () => requests.push(1) },
		};
		const { client } = clientOf(() => undefined, {
			transport: transportOf(context as never, error),
		});
		const sending = client.write(
			{ endpoint: contact.create, body: {}, clearance: consent },
			statusOf,
		);
		const failure = await sending.catch((caught: ServiceError) => caught.failure);
		expect(requests).toEqual([]);
		return failure;
	};

	it.each(['connect ECONNREFUSED 10.0.0.5:5432', 'Connection terminated unexpectedly', 'timeout'])(
		'is not taken for a failure of the service, and not tried again: %s',
		async (message) => {
			expect(await failureOf(new Error(message))).toEqual({
				code: 'credential-unreadable',
				message: 'n8n could not read the credential',
				description:
					'Check the credential, its external secrets and the log of n8n, then run again.',
				effect: 'none',
			});
		},
	);

	it('fails in the words that n8n has for it', async () => {
		expect(
			await failureOf(new UserError('It was deleted', { description: 'Choose one.' })),
		).toEqual({ message: 'It was deleted', description: 'Choose one.', effect: 'none' });
	});
});

describe('Request Options', () => {
	it.each([
		['no timeout', {}, 300_000],
		['a timeout of 0', { timeout: 0 }, 300_000],
		['a negative timeout', { timeout: -1 }, 300_000],
		['nonsense', { timeout: 'soon' }, 300_000],
		['a text from an expression', { timeout: '1500' }, 1_500],
		['part of a millisecond', { timeout: 0.2 }, 1],
		['a timeout longer than timers last', { timeout: 1e12 }, 2_147_483_647],
		['nothing at all', undefined, 300_000],
	])('with %s', (_what, value, timeout) => {
		expect(httpOptionsOf(node, value)).toStrictEqual({ timeout });
	});

	it.each([
		[true, true],
		['true', true],
		['TRUE', true],
		[1, true],
		['1', true],
		[false, false],
		['false', false],
		['untrue', false],
		['10', false],
		[21, false],
		[null, false],
	])('take %p for "Ignore SSL Issues"', (allowUnauthorizedCerts, isOn) => {
		expect(httpOptionsOf(node, { allowUnauthorizedCerts })).toStrictEqual({
			timeout: 300_000,
			...(isOn && { skipSslCertificateValidation: true }),
		});
	});

	it.each([
		['http://proxy', { host: 'proxy', port: 80, protocol: 'http' }],
		['http://proxy:3128', { host: 'proxy', port: 3128, protocol: 'http' }],
		['https://proxy', { host: 'proxy', port: 443, protocol: 'https' }],
		['socks5://[::1]:1080', { host: '[::1]', port: 1080, protocol: 'socks5' }],
		[
			'http://me:p%40ss@proxy:80',
			{ host: 'proxy', port: 80, protocol: 'http', auth: { username: 'me', password: 'p@ss' } },
		],
		[
			'http://m%C3%A9@proxy',
			{ host: 'proxy', port: 80, protocol: 'http', auth: { username: 'mé', password: '' } },
		],
	])('take %s for a proxy', (proxy, expected) => {
		expect(httpOptionsOf(node, { proxy })).toStrictEqual({ timeout: 300_000, proxy: expected });
	});

	it.each(['proxy', 'mailto:me@proxy', 'http://', 'http://%:1@proxy', {}, 'http://proxy:99999'])(
		'refuse the proxy %j',
		(proxy) => {
			expect(() => httpOptionsOf(node, { proxy })).toThrow(
				expect.objectContaining({
					message: '"Proxy" in Request Options is not valid',
					description: 'Enter it as http://host:port, or remove it.',
				}) as Error,
			);
		},
	);
});

describe('how often a request is tried', () => {
	beforeEach(() => {
		jest.useFakeTimers();
	});
	afterEach(() => {
		jest.useRealTimers();
	});

	/** The tries of a request of a client that is made of a context of n8n, with a service that is busy. */
	async function triesOf(clientFor: (context: never) => ServiceClient) {
		const requests: unknown[][] = [];
		const context = {
			getNode: () => ({ ...node, parameters: { requestOptions: { timeout: 1_000 } } }),
			helpers: {
				httpRequestWithAuthentication: async (...request: unknown[]) => {
					requests.push(request);
					return { statusCode: 503, headers: {}, body: undefined };
				},
			},
		};
		const client = clientFor(context as never);
		const sending = client
			.read({ endpoint: contact.getAll }, () => {
				throw new ServiceError(unavailable);
			})
			.catch(() => undefined);
		await jest.advanceTimersByTimeAsync(300_000);
		await sending;
		for (const [credential, request] of requests) {
			expect(credential).toBe('emailMarketingApi');
			expect(request).toMatchObject({ url: '/contacts/list', timeout: 1_000 });
		}
		return requests.length;
	}

	it('is little in the editor', async () => {
		expect(
			await triesOf((context: ILoadOptionsFunctions) =>
				listClient(context, { retries: true, isInteractive: true }, {}),
			),
		).toBe(3);
	});

	it('is as often as the time limit of a poll allows', async () => {
		const { signal } = new AbortController();
		const triesWithin = async (ms: number) =>
			await triesOf((context: IPollFunctions) =>
				listClient(context, { retries: true, isInteractive: false, timeLimit: { ms, signal } }, {}),
			);
		expect(await triesWithin(60_000)).toBe(5);
		expect(await triesWithin(200)).toBe(1);
	});

	const start = { endpoint: endpoints.automation.setLive, clearance: new Clearance('sending') };

	it('is once for a send', async () => {
		const { client, sent } = clientOf(() => ({ statusCode: 429, headers: {}, body: undefined }));
		const sending = client.write(start, () => {
			throw new ServiceError(unavailable);
		});
		await expect(sending).rejects.toThrow(new ServiceError(unavailable));
		expect(sent).toHaveLength(1);
	});

	it.each([
		[5_000, 1],
		[5_001, 0],
	])('is once for a send that gets a slot after %d ms, if it is sent', async (ms, tries) => {
		const limit = new ConcurrencyLimit({ parallel: 1 });
		const { client, sent } = clientOf(ok, { limit });
		const permit = await limit.enter('GET', 0);
		const sending = client.write(start, statusOf).catch((error: ServiceError) => error.failure);
		await jest.advanceTimersByTimeAsync(ms);
		if (permit) limit.leave(permit, { kind: 'answered' });
		expect(await sending).toEqual(
			tries === 1
				? 200
				: {
						code: 'checks-incomplete',
						message:
							'The checks before sending could not be completed: they or the request had to wait too long',
						description: 'Try again later. Nothing was changed.',
						effect: 'none',
						retryable: true,
					},
		);
		expect(sent).toHaveLength(tries);
	});

	it('is once for what is read before a send, which waits for no longer pause', async () => {
		const limit = new ConcurrencyLimit({ parallel: 1 });
		const waitsUntil = performance.now() + 5_000;
		const { client, sent } = clientOf(ok, { limit, waitsUntil });
		limit.rate.hold(4_000, new ServiceError(unavailable));
		const read = async () => await client.read({ endpoint: contact.getAll }, statusOf);
		const first = read();
		await jest.advanceTimersByTimeAsync(4_000);
		expect(await first).toBe(200);
		limit.rate.hold(4_000, new ServiceError(unavailable));
		await expect(read()).rejects.toThrow('Busy');
		expect(sent).toHaveLength(1);
	});
});
