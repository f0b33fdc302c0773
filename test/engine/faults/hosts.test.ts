import { Container } from '@n8n/di';
import { ErrorReporter } from 'n8n-core';
import dns from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { editorContext, keys } from '../engine';
import { useService, type Service } from '../sandbox';
import { callers } from './callers';
import { keysIn, Watch } from './keys';

jest.mock('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('./pauses').withoutPauses(),
);

const test = useService();
const watch = new Watch();
beforeEach(() => watch.start());
afterEach(() => {
	jest.restoreAllMocks();
	for (const name of ['all_proxy', 'no_proxy']) delete process.env[name];
	expect(keysIn(watch.end())).toEqual([]);
});

/** A proxy that lets nobody through. */
let proxy: Server;
let proxyUrl: string;
let proxyStatus: number;
const gotByProxy: string[] = [];
beforeAll(async () => {
	proxy = createServer((request, response) => {
		gotByProxy.push(request.url ?? '');
		response.writeHead(proxyStatus, { 'content-type': 'text/html' }).end('<h1>No</h1>');
	});
	proxy.on('connect', (_request, socket) => {
		socket.end(`HTTP/1.1 ${proxyStatus} No\r\ncontent-length: 2\r\n\r\nNo`);
	});
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(async () => await new Promise((resolve) => proxy.close(resolve)));

/** Lets the look-up of every host name fail. */
function failLookup(code: string): void {
	jest.spyOn(dns, 'lookup').mockImplementation(((
		host: string,
		_options: unknown,
		done: (error: Error) => void,
	) => {
		const error = Object.assign(new Error(`getaddrinfo ${code} ${host}`), { code });
		process.nextTick(() => done(error));
	}) as never);
}

interface Place {
	/** Where the request goes to. */
	baseUrl?: string | ((service: Service) => string);
	proxied?: { status: number } | 'nobody';
	lookup?: string;
	message: string;
}

const nobody = 'http://127.0.0.1:9';
const refused = 'The service cannot be reached: connection refused';

const places: Array<[string, Place]> = [
	['a port where nobody listens', { baseUrl: `${nobody}/api`, message: refused }],
	[
		'a host that is not known',
		{
			baseUrl: 'http://no-such-host.invalid/api',
			lookup: 'ENOTFOUND',
			message: 'The service cannot be reached: unknown host name',
		},
	],
	[
		'a host that cannot be looked up',
		{
			baseUrl: 'http://api.example.com',
			lookup: 'EAI_AGAIN',
			message: 'The service cannot be reached: the DNS lookup of its host name failed',
		},
	],
	[
		'https where http is spoken',
		{
			baseUrl: (service) => service.baseUrl.replace('http:', 'https:'),
			message: 'The service does not respond over HTTPS at this address',
		},
	],
	[
		'an address with a key in it',
		{
			baseUrl: `https://x:${keys.secretKey}@api.example.com`,
			message: 'Base URL must not contain a user name or password',
		},
	],
	[
		'an address that is none',
		{
			baseUrl: keys.secretKey,
			message:
				'Base URL is not valid: it must start with https:// or http://, such as https://api.example.com, and must not contain ? or #',
		},
	],
	['a proxy that is not there', { proxied: 'nobody', message: refused }],
	[
		'a proxy that wants a password',
		{
			proxied: { status: 407 },
			message: 'The proxy requires a user name and a password (HTTP 407)',
		},
	],
	[
		'a proxy that wants a password, over https',
		{
			baseUrl: 'https://api.example.com',
			proxied: { status: 407 },
			message: 'The proxy requires a user name and a password (HTTP 407)',
		},
	],
	[
		'a proxy that does not reach the service',
		{ proxied: { status: 502 }, message: 'The service is temporarily unavailable (HTTP 502)' },
	],
];

describe.each(places)('%s', (_what, { baseUrl, proxied, lookup, message }) => {
	it.each(Object.entries(callers))('fails a %s in words without keys', async (name, call) => {
		const { service } = test;
		if (lookup !== undefined) failLookup(lookup);
		if (typeof proxied === 'object') proxyStatus = proxied.status;
		const url = typeof baseUrl === 'function' ? baseUrl(service) : (baseUrl ?? service.baseUrl);
		const way = proxied === 'nobody' ? nobody : proxied && proxyUrl;
		// Where there are no Request Options, the proxy is that of n8n.
		if (name === 'credential test' && way)
			Object.assign(process.env, { all_proxy: way, no_proxy: '' });

		const credential = { baseUrl: url };
		const { error, everything } = await call(service, credential, way ? { proxy: way } : undefined);

		watch.add(everything);
		expect(error?.message).toBe(message);
		expect(service.calls()).toEqual([]);
	});
});

describe('a redirect', () => {
	it.each([301, 302, 303, 307, 308])('is not followed at HTTP %i', async (status) => {
		const { service } = test;
		gotByProxy.length = 0;
		for (const call of Object.values(callers)) {
			service.reset();
			service.fault({ kind: 'redirect', status, url: `${proxyUrl}/api`, times: 9 });
			const { error, everything } = await call(service, { baseUrl: service.baseUrl });
			watch.add(everything);
			// The credential test adds what to do.
			expect(error?.message.split('. Set ')[0]).toBe(
				'The service responded with a redirect. To protect your keys, it was not followed',
			);
		}
		expect(gotByProxy).toEqual([]);
	});
});

it('is a search that finds what n8n itself keeps of a request, in an error, in a log and in a report', async () => {
	const context = editorContext({}, { baseUrl: nobody, ...keys });
	const request = { url: '/contacts-type', method: 'GET' as const };
	const error: unknown = await context.helpers.httpRequestWithAuthentication
		.call(context as never, 'emailMarketingApi', request)
		.catch((problem: unknown) => problem);
	const found: string[][] = [];
	for (const keep of [
		() => watch.add(error),
		() => context.logger.debug('Failed', { error }),
		() => Container.get(ErrorReporter).error(error),
		() => console.error(error),
		() => process.stderr.write(keys.publicKey + keys.secretKey),
	]) {
		keep();
		found.push(keysIn(watch.end()));
		watch.start();
	}
	expect(found).toEqual(Array(5).fill(['publicKey', 'secretKey']));
});
