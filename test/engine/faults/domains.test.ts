import { useService } from '../sandbox';
import { callers } from './callers';

const test = useService();

/** What n8n's fields "Allowed HTTP Request Domains" and "Allowed Domains" put into the credential. */
const domains = (allowedDomains: string) => ({
	allowedHttpRequestDomains: 'domains',
	allowedDomains,
});

describe.each(Object.entries(callers))('%s', (_name, call) => {
	const run = async (change: object) => {
		const { service } = test;
		const { error } = await call(service, { baseUrl: service.baseUrl, ...change });
		return { message: error?.message, requests: service.calls().length > 0 };
	};

	it.each([
		['all', { allowedHttpRequestDomains: 'all' }],
		// "None" is about other nodes, n8n says.
		['none', { allowedHttpRequestDomains: 'none' }],
		['its own host', domains('127.0.0.1')],
		['its own host among others', domains('api.example.com, 127.0.0.1')],
	])('reaches the service where the credential allows %s', async (_what, change) => {
		expect(await run(change)).toEqual({ message: undefined, requests: true });
	});

	it.each([
		['another host', 'api.example.com', /^The credential may not be sent to this host/],
		['the hosts below its own', '*.127.0.0.1', /^The credential may not be sent to this/],
		['no host at all', ' ', /^No allowed domains specified|^"Allowed Domains" is empty/],
	])('sends nothing where it allows %s', async (_what, allowed, message) => {
		expect(await run(domains(allowed))).toEqual({
			message: expect.stringMatching(message) as string,
			requests: false,
		});
	});
});
