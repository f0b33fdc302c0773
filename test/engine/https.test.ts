import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import * as tls from 'node:tls';

import { selfSigned } from './certificate';
import { keys, runNode } from './engine';
import { testCredential } from './faults/callers';

jest.mock('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('./faults/pauses').withoutPauses(),
);

let server: Server;
const open = new Set<Socket>();

afterEach(async () => {
	for (const socket of open) socket.destroy();
	await new Promise((resolve) => server.close(resolve));
});

const overHttps = (host: string, days?: number): Server => {
	const own = selfSigned(host, days);
	// Trusted, so that nothing else is wrong with it than its host or its time.
	if (host !== '127.0.0.1') tls.setDefaultCACertificates([own.cert]);
	return createHttpsServer(own, (_request, response) => void response.end());
};

const notValid = {
	message: 'The TLS certificate of the service is not valid',
	advice:
		'It has expired, is for another host name, or is from an issuer that n8n does not know (for example self-signed). Check "Base URL" in the credential and the clock of the n8n server, or ask the operator of the service for a valid certificate. If your organization issues its own certificates, set the environment variable NODE_EXTRA_CA_CERTS of n8n to a file with the certificate of the issuer, and restart n8n. For a test system, you can turn on "Ignore SSL Issues" in Request Options of the node.',
};
const lost = {
	message: 'The connection to the service was lost before the response was complete',
	advice:
		'Try again. If this always happens, check whether "Base URL" in the credential should start with http:// or https://, and check any proxy or firewall in between.',
};
const wrongScheme = 'Check whether Base URL should start with http:// or https://';

interface Case {
	what: string;
	serve: () => Server;
	scheme?: string;
	message: string;
	/** What to do, in a run. */
	advice: string;
	/** The same in the test of the credential, if it says less. */
	brief?: string;
}

const cases: Case[] = [
	{
		what: 'a self-signed certificate',
		serve: () => overHttps('127.0.0.1'),
		...notValid,
	},
	{
		what: 'an expired certificate',
		serve: () => overHttps('127.0.0.1', -2),
		...notValid,
	},
	{
		what: 'a certificate for another host',
		serve: () => overHttps('other.example.com'),
		...notValid,
	},
	{
		what: 'HTTPS to a port for HTTP',
		serve: () => createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
		message: 'The service does not respond over HTTPS at this address',
		advice: 'Check whether "Base URL" in the credential should start with http:// or https://.',
		brief: wrongScheme,
	},
	{
		what: 'HTTP to a port for HTTPS',
		serve: () => overHttps('127.0.0.1'),
		scheme: 'http',
		...lost,
		brief: wrongScheme,
	},
	{
		what: 'a connection closed during the handshake',
		serve: () => createServer((socket) => socket.destroy()),
		...lost,
		brief: wrongScheme,
	},
];

it.each(cases)('$what: the error says what to do', async (one) => {
	const { serve, scheme = 'https', message, advice, brief = advice.replace(/\.$/, '') } = one;
	server = serve();
	server.on('connection', (socket) => void open.add(socket));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const baseUrl = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const options = { retryTemporaryFailures: false };
	const parameters = { resource: 'contactType', operation: 'getAll', options };
	const { error } = await runNode({ baseUrl, parameters });
	expect([error?.message, error?.description]).toEqual([message, advice]);
	expect(await testCredential({ baseUrl, ...keys })).toEqual({
		status: 'Error',
		message: `${message}. ${brief}. Tried: ${baseUrl}/contacts-type`,
	});
});
