import fc from 'fast-check';
import { isDomainAllowed } from 'n8n-workflow';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { EmailMarketingApi } from '../../credentials/EmailMarketingApi.credentials';
import { serviceIn } from '../../nodes/EmailMarketing/service/signRequest';

const credential = new EmailMarketingApi();
const keys = { publicKey: 'pub-123', secretKey: 'sec-456' };
const headers = { PublicKey: 'pub-123', SecretKey: 'sec-456' };

const sign = async (
	request: Partial<IHttpRequestOptions> & { uri?: string },
	change: ICredentialDataDecryptedObject = {},
) =>
	await credential.authenticate(
		{ baseUrl: 'https://api.example.com/v1', ...keys, ...change },
		{ url: '', ...request },
	);

it('adds both keys and the base URL to a request, and leaves the rest of it alone', async () => {
	const request = {
		method: 'POST' as const,
		url: '/contacts/add',
		headers: { accept: 'application/json' },
		body: { a: 1 },
	};
	expect(await sign(request)).toEqual({
		...request,
		baseURL: 'https://api.example.com/v1',
		headers: { accept: 'application/json', ...headers },
		// Nothing that n8n's helpers know leads the keys to another host.
		allowedDomains: 'api.example.com',
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
	});
	expect(request.headers).toEqual({ accept: 'application/json' });
});

it.each([
	['https://api.example.com', 'https://api.example.com'],
	['https://api.example.com/', 'https://api.example.com'],
	['https://api.example.com/v1//', 'https://api.example.com/v1'],
	['  http://127.0.0.1:4010/api/ ', 'http://127.0.0.1:4010/api'],
	['HTTPS://API.Example.com/V1', 'https://api.example.com/V1'],
])('takes %p as the base URL %s', async (baseUrl, baseURL) => {
	expect((await sign({ url: '/x' }, { baseUrl })).baseURL).toBe(baseURL);
});

it.each([
	['', 'Base URL is missing'],
	[undefined, 'Base URL is missing'],
	['api.example.com', 'Base URL is not valid'],
	['ftp://api.example.com', 'Base URL is not valid'],
	['javascript:alert(1)', 'Base URL is not valid'],
	['https://api.example.com/?key=1', 'Base URL is not valid'],
	['https://api.example.com/#top', 'Base URL is not valid'],
	['https://api.example.com/#', 'Base URL is not valid'],
	['https://api.example.com?', 'Base URL is not valid'],
	['xhttps://api.example.com', 'Base URL is not valid'],
	['https://user@api.example.com', 'Base URL must not contain a user name or password'],
	['https://:secret@api.example.com', 'Base URL must not contain a user name or password'],
	['https://user:secret@api.example.com', 'Base URL must not contain a user name or password'],
])('refuses %p as the base URL', async (baseUrl, message) => {
	await expect(sign({ url: '/x' }, { baseUrl: baseUrl as string })).rejects.toThrow(message);
	await expect(sign({ url: '/x' }, { baseUrl: baseUrl as string })).rejects.not.toThrow('secret');
});

it.each([
	['publicKey', 'Public Key'],
	['secretKey', 'Secret Key'],
])('takes %s without the blanks around it, and refuses those within', async (name, label) => {
	expect((await sign({ url: '/x' }, { [name]: ` ${name}\n` })).headers).toMatchObject({
		[label.replace(' ', '')]: name,
	});
	for (const key of ['a b', 'a\r\nX-Injected: 1', 'ключ', 'a\u0000']) {
		await expect(sign({ url: '/x' }, { [name]: key })).rejects.toThrow(
			`${label} contains a space or a special character: copy it again`,
		);
	}
	await expect(sign({ url: '/x' }, { [name]: '  ' })).rejects.toThrow(`${label} is missing`);
});

describe('the keys', () => {
	it.each([
		'https://api.example.com/v1/contacts',
		'https://api.example.com/other',
		'https://API.EXAMPLE.COM:443/v1',
		'/contacts',
		'contacts',
		'',
	])('go to %p', async (url) => {
		expect((await sign({ url })).headers).toEqual(headers);
	});

	it.each([
		'https://evil.example.com/v1',
		'http://api.example.com/v1',
		'https://api.example.com:8443/v1',
		'https://api.example.com@evil.example.com/',
		'https://api.example.com.evil.com/',
		'//evil.example.com/x',
		'HTTPS://evil.example.com',
		'file:///etc/passwd',
	])('do not go to %p', async (url) => {
		const message = 'This credential can be used with its base URL only: https://api.example.com';
		await expect(sign({ url })).rejects.toThrow(message);
		await expect(sign({ uri: url })).rejects.toThrow(message);
	});

	it('go where both the old and the new helper of n8n would send them, or nowhere', async () => {
		const [own, evil] = ['https://api.example.com/v1', 'https://evil.example.com'];
		expect((await sign({ url: own, uri: own })).headers).toEqual(headers);
		await expect(sign({ url: own, uri: evil })).rejects.toThrow('its base URL only');
		await expect(sign({ url: '', uri: evil })).rejects.toThrow('its base URL only');
	});

	it('do not go to a base URL that somebody else has set', async () => {
		await expect(sign({ url: '/x', baseURL: 'https://evil.example.com' })).rejects.toThrow(
			'This credential can be used with its base URL only: https://api.example.com',
		);
		expect((await sign({ url: '/x', baseURL: 'https://api.example.com/v2' })).baseURL).toBe(
			'https://api.example.com/v2',
		);
	});

	it('go to the origin of the base URL only, whatever the address is', async () => {
		const address = fc.oneof(
			fc.webUrl(),
			fc
				.tuple(fc.constantFrom('//', 'https:', ' https://', '\\\\', '/'), fc.string())
				.map((parts) => parts.join('')),
			fc.string(),
		);
		await fc.assert(
			fc.asyncProperty(address, async (url) => {
				const signed = await sign({ url }).catch(() => undefined);
				if (signed === undefined) return;
				const isAbsolute = /^([a-z][a-z\d+\-.]*:)?\/\//i.test(url);
				const target = isAbsolute ? url : `${signed.baseURL}/${url.replace(/^\/+/, '')}`;
				expect(new URL(target).origin).toBe('https://api.example.com');
			}),
		);
	});
});

it('keeps to the domains that the credential allows as n8n does, and to the base URL of them', async () => {
	const label = fc.constantFrom('a', 'b', 'api', 'com', 'A');
	const host = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.'));
	const entry = fc
		.tuple(fc.constantFrom('', '*.', ' ', '.', '*'), host, fc.constantFrom('', '.', ' '))
		.map((parts) => parts.join(''));
	const lists = fc.array(entry, { minLength: 1, maxLength: 3 }).map((list) => list.join(','));
	const hosts = fc.tuple(host, fc.constantFrom('', '.')).map((parts) => parts.join(''));
	await fc.assert(
		fc.asyncProperty(hosts, lists, async (hostname, allowedDomains) => {
			const baseUrl = `https://${hostname}:8443/v1`;
			const change = { baseUrl, allowedHttpRequestDomains: 'domains', allowedDomains };
			const signed = await sign({ url: '/x' }, change).catch((error: Error) => error.message);
			expect(signed).toEqual(
				isDomainAllowed({ url: baseUrl, allowedDomains })
					? expect.objectContaining({ allowedDomains: hostname.toLowerCase() })
					: 'The credential may not be sent to this host: add the host of Base URL to "Allowed Domains"',
			);
		}),
	);
});

it.each(['', ' ', undefined])('sends nothing where the list of domains is %p', async (given) => {
	const change = { allowedHttpRequestDomains: 'domains', allowedDomains: given as string };
	await expect(sign({ url: '/x' }, change)).rejects.toThrow('"Allowed Domains" is empty');
});

it('is of the same service with HTTPS in place of HTTP, as the error about a redirect advises', () => {
	const [http, https] = ['http', 'https'].map((scheme) =>
		serviceIn({ baseUrl: `${scheme}://api.example.com/v1/`, publicKey: 'p' }),
	);
	expect(http).toEqual({ service: 'api.example.com/v1', publicKey: 'p' });
	expect(https).toEqual(http);
});

it('never names a key in an error', async () => {
	await fc.assert(
		fc.asyncProperty(fc.string({ minLength: 6 }), fc.webUrl(), async (key, url) => {
			const secretKey = `k${key}k`;
			const error = await sign({ url }, { secretKey }).catch((problem: unknown) => problem);
			if (error instanceof Error) expect(error.message).not.toContain(secretKey);
		}),
	);
});
