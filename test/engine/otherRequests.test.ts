import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IAllExecuteFunctions, IRequestOptions } from 'n8n-workflow';

import { editorContext, keys } from './engine';
import { useService } from './sandbox';

const test = useService();

/** Another server of the same host, and what it was sent. */
let other: Server;
let elsewhere: string[];
const got: IncomingHttpHeaders[] = [];
beforeAll(async () => {
	other = createServer(({ headers }, response) => {
		got.push(headers);
		response.end('{}');
	});
	await new Promise<void>((resolve) => other.listen(0, resolve));
	const { port } = other.address() as AddressInfo;
	elsewhere = ['127.0.0.1', 'localhost'].map((host) => `http://${host}:${port}/api`);
});
beforeEach(() => void got.splice(0));
afterAll(async () => await new Promise((resolve) => other.close(resolve)));

/** What n8n's HTTP Request node and GraphQL node hand to n8n's helper, by version and setting. */
const requests: Record<string, Partial<IRequestOptions>> = {
	'HTTP Request 4.4': {
		followRedirect: true,
		followAllRedirects: true,
		sendCredentialsOnCrossOriginRedirect: false,
	},
	'HTTP Request 4': { followRedirect: true, followAllRedirects: true, maxRedirects: 21 },
	'HTTP Request 2': {},
	'HTTP Request 1': { followAllRedirects: true, resolveWithFullResponse: true },
	'GraphQL, with a redirect': { json: true },
};

const helpersOf = (change: object = {}) => {
	const { baseUrl } = test.service;
	const context = editorContext({}, { baseUrl, ...keys, ...change });
	return context as unknown as IAllExecuteFunctions;
};

/** Sends a request with the credential, as nodes of n8n do. */
async function send(request: Partial<IRequestOptions>, uri: string, change?: object) {
	const context = helpersOf(change);
	return (await context.helpers.requestWithAuthentication.call(
		context,
		'emailMarketingApi',
		{ method: 'GET', json: true, ...request, uri },
		undefined,
		0,
	)) as unknown;
}

describe.each(Object.entries(requests))('%s with the credential', (_name, request) => {
	const path = '/contacts-type';

	it('reaches the service', async () => {
		const { service } = test;
		await send(request, service.baseUrl + path);
		expect(service.sent()).toEqual([
			{ method: 'GET', path, query: {}, contentType: null, body: null },
		]);
	});

	it.each(['GET', 'POST'] as const)('takes the keys nowhere else with a %s', async (method) => {
		const { service } = test;
		for (const status of [301, 302, 303, 307, 308]) {
			for (const url of elsewhere) {
				service.fault({ kind: 'redirect', status, url });
				const sending = send({ ...request, method }, service.baseUrl + path);
				await expect(sending).rejects.toMatchObject({ httpCode: String(status) });
			}
		}
		expect(got).toEqual([]);
	});

	it('is refused for another address', async () => {
		for (const url of elsewhere) {
			await expect(send(request, url)).rejects.toThrow('with its base URL only');
		}
		expect(got).toEqual([]);
	});

	it('keeps to the domains that the credential allows, and to the base URL of them', async () => {
		const { service } = test;
		const allow = (allowedDomains: string) => ({
			allowedHttpRequestDomains: 'domains',
			allowedDomains,
		});
		await expect(send(request, service.baseUrl + path, allow('api.example.com'))).rejects.toThrow(
			'The credential may not be sent to this host',
		);
		expect(service.calls()).toEqual([]);
		const both = allow('127.0.0.1, localhost');
		for (const url of elsewhere) {
			service.fault({ kind: 'redirect', url });
			await expect(send(request, service.baseUrl + path, both)).rejects.toThrow();
			await expect(send(request, url, both)).rejects.toThrow('with its base URL only');
		}
		expect(got).toEqual([]);
	});
});

it('a redirect of the newer helper is not followed either, whatever a node asks for', async () => {
	const { service } = test;
	const context = helpersOf();
	for (const url of elsewhere) {
		service.fault({ kind: 'redirect', url });
		const sending = context.helpers.httpRequestWithAuthentication.call(
			context,
			'emailMarketingApi',
			{ url: `${service.baseUrl}/contacts-type`, disableFollowRedirect: false, maxRedirects: 5 },
		);
		await expect(sending).rejects.toMatchObject({ httpCode: '302' });
	}
	expect(got).toEqual([]);
});
