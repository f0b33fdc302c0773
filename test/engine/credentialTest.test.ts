import type { Fault } from '../../sandbox/faults.ts';
import { keys } from './engine';
import { testCredential } from './faults/callers';
import { forever, head, useRawService } from './oddResponses/rawService';
import { useService } from './sandbox';

jest.mock('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('./faults/pauses').withoutPauses(),
);

const test = useService();
const raw = useRawService();

const call = 'GET /contacts-type';

async function expectFault(fault: Fault, message: string, times: number): Promise<void> {
	const { service } = test;
	const { baseUrl } = service;
	service.fault({ times: 99, ...fault });
	expect(await testCredential({ baseUrl, ...keys })).toEqual({
		status: 'Error',
		message: `${message}. Tried: ${baseUrl}/contacts-type`,
	});
	expect(service.calls()).toEqual(Array(times).fill(call));
}

it('is one read of the contact types', async () => {
	const { service } = test;
	expect(await testCredential({ baseUrl: service.baseUrl, ...keys })).toEqual({
		status: 'OK',
		message: 'Connection tested successfully',
	});
	expect(service.sent()).toEqual([
		{ method: 'GET', path: '/contacts-type', query: {}, contentType: null, body: null },
	]);
	expect(service.violations()).toEqual([]);
});

it('says at localhost that a container has one of its own', async () => {
	const { status, message } = await testCredential({ baseUrl: 'http://127.0.0.1:9', ...keys });
	expect([status, message]).toEqual([
		'Error',
		'The service cannot be reached: connection refused. Check "Base URL" in the credential, any proxy in between, and whether the service is running. If n8n runs in a container, localhost in "Base URL" is the container itself: enter the host name of the service instead. Tried: http://127.0.0.1:9/contacts-type',
	]);
});

const busy = (status: number) => `The service is temporarily unavailable (HTTP ${status})`;
const rejected =
	'The service rejected the keys: Unknown keys. Copy the public key and the secret key from the account page of the service again';

describe('a temporary failure is tried three times, and is not taken for wrong keys', () => {
	it.each<[string, Fault, string]>([
		['429', { kind: 'status', status: 429 }, 'Rate limit reached (HTTP 429)'],
		[
			'429 in an envelope',
			{ kind: 'failed', status: 429, errors: 'Too Many Attempts.' },
			'Rate limit reached (HTTP 429)',
		],
		['500', { kind: 'status', status: 500 }, busy(500)],
		['502 with a page', { kind: 'html', status: 502 }, busy(502)],
		['503', { kind: 'status', status: 503 }, busy(503)],
		['504', { kind: 'status', status: 504 }, busy(504)],
		[
			'500 in an envelope',
			{ kind: 'failed', status: 500, errors: 'Server error' },
			'The service rejected the request: Server error',
		],
		[
			'503 in an envelope',
			{ kind: 'failed', status: 503, errors: 'Maintenance' },
			'The service rejected the request: Maintenance',
		],
		['an empty response', { kind: 'empty' }, 'The service returned an empty response'],
		[
			'a response cut off',
			{ kind: 'truncated' },
			'The connection to the service was lost before the response was complete. Check whether Base URL should start with http:// or https://',
		],
		[
			'a reset',
			{ kind: 'reset-before' },
			'The connection to the service was lost before the response was complete. Check whether Base URL should start with http:// or https://',
		],
	])('%s', async (_what, fault, message) => await expectFault(fault, message, 3));
});

describe('a lasting failure is reported at once', () => {
	it.each<[string, Fault, string]>([
		[
			'a failure that does not name the keys for certain',
			{ kind: 'failed', errors: 'Unknown keys' },
			'The service rejected the request: Unknown keys. If the reason refers to the keys, copy both of them again',
		],
		['the same as HTTP 401', { kind: 'failed', status: 401, errors: 'Unknown keys' }, rejected],
		[
			'a reason that is not about the keys',
			{ kind: 'failed', errors: 'Your account is suspended.' },
			'The service rejected the request: Your account is suspended. If the reason refers to the keys, copy both of them again',
		],
		[
			'404 without an envelope',
			{ kind: 'html', status: 404 },
			'Nothing was found at this address (HTTP 404): check the host and the path of Base URL',
		],
		[
			'404 in an envelope, with its reason',
			{ kind: 'failed', status: 404, errors: 'No such account' },
			'Nothing was found at this address (HTTP 404): check the host and the path of Base URL. The service rejected the request: No such account',
		],
		[
			'403 with a page',
			{ kind: 'html', status: 403 },
			'The service denied access (HTTP 403). Copy the public key and the secret key from the account page of the service again',
		],
		[
			'a page',
			{ kind: 'html' },
			'The service returned a web page instead of data (HTTP 200). Base URL probably points to a website or a login page: enter the address of the API',
		],
		[
			'a redirect',
			{ kind: 'redirect', url: 'http://127.0.0.1:9/' },
			'The service responded with a redirect. To protect your keys, it was not followed. Set Base URL to the final address of the service, for example with https:// instead of http://',
		],
		[
			'a header that was removed',
			{ kind: 'failed', errors: { PublicKey: ['The public key field is required.'] } },
			'The service did not receive PublicKey: a proxy between n8n and the service may remove this header',
		],
		[
			'other JSON',
			{ kind: 'shape', body: { status: 'success', message: {} } },
			'Unexpected response: the list "contactTypes" is missing',
		],
		[
			'a pause that nobody waits for',
			{ kind: 'status', status: 429, headers: { 'retry-after': '60' } },
			'Rate limit reached (HTTP 429)',
		],
	])('%s', async (_what, fault, message) => await expectFault(fault, message, 1));
});

describe('a response without end', () => {
	// Thirty seconds take 300 milliseconds.
	beforeEach(() => {
		const timeout = AbortSignal.timeout.bind(AbortSignal);
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 100));
	});
	afterEach(() => jest.restoreAllMocks());

	const late = 'The service did not respond in time';
	const closed = async () => {
		const { answer } = raw;
		let close = () => {};
		const end = new Promise<void>((resolve) => (close = resolve));
		raw.answer = (socket) => {
			socket.on('close', close);
			answer(socket);
		};
		return await Promise.all([testCredential({ baseUrl: raw.baseUrl, ...keys }), end]);
	};

	it.each([
		['the service stays silent after the headers', head('content-length: 99'), ''],
		['it comes byte by byte', head(), ' '],
		['it is quick', head('content-encoding: identity'), ' '.repeat(1_000)],
	])('ends with the time, and so does its connection: %s', async (_what, first, again) => {
		raw.answer = again === '' ? (socket) => void socket.write(first) : forever(first, again);
		const [{ status, message }] = await closed();
		expect([status, message]).toEqual(['Error', `${late}. Tried: ${raw.baseUrl}/contacts-type`]);
	});

	it.each([
		['nothing comes', () => {}],
		['its headers never end', forever('HTTP/1.1 200 OK\r\n', 'x: y\r\n')],
	])('ends with the time: %s', async (_what, answer) => {
		raw.answer = answer;
		const { message } = await testCredential({ baseUrl: raw.baseUrl, ...keys });
		expect(message).toBe(`${late}. Tried: ${raw.baseUrl}/contacts-type`);
	});

	it('is not received beyond 16 MB', async () => {
		raw.answer = (socket) => {
			const part = Buffer.alloc(1_000_000, ' ');
			const more = () => void socket.write(part, (error) => error || more());
			socket.write(head());
			more();
		};
		jest.restoreAllMocks();
		const [{ message }] = await closed();
		expect(message).toContain('The response of the service is longer than 16 MB. Tried: ');
	});
});
