import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { credentialName, credentialType, sandboxCredential } from '../../scripts/lib/demo-data.ts';
import { chain, n8n, node, resetSandbox, sandbox } from './harness.ts';
import { savedByN8n, userFolder } from './saved.ts';

const { baseUrl, publicKey, secretKey } = sandboxCredential(sandbox.url);
const path = '/contacts-type';
const api = `${String(baseUrl)}${path}`;

/** A server to which the service redirects. */
let other: Server;
let elsewhere: string[];
const got: IncomingHttpHeaders[] = [];
beforeAll(async () => {
	other = createServer(({ headers }, response) => {
		got.push(headers);
		response.setHeader('content-type', 'application/json').end('{}');
	});
	await new Promise<void>((resolve) => other.listen(0, resolve));
	const { port } = other.address() as AddressInfo;
	elsewhere = ['127.0.0.1', 'localhost'].map((host) => `http://${host}:${port}/api`);
});
afterAll(async () => await new Promise((resolve) => other.close(resolve)));
beforeEach(async () => {
	got.length = 0;
	await resetSandbox();
});

const authentication = {
	authentication: 'predefinedCredentialType',
	nodeCredentialType: credentialType,
};

const http = 'n8n-nodes-base.httpRequest';
const following = { redirect: { redirect: { followRedirects: true } } };

/** n8n's nodes that send requests with any credential, as far as they follow redirects. */
const nodes: Array<[string, number | 'newest', (url: string) => INode['parameters']]> = [
	[http, 'newest', (url) => ({ ...authentication, url })],
	[http, 4.2, (url) => ({ ...authentication, url })],
	[http, 3, (url) => ({ ...authentication, url, options: following })],
	[http, 2, (url) => ({ ...authentication, url, options: { followAllRedirects: true } })],
];

/** What the editor adds, or a later one. */
const newestOf = async (type: string): Promise<number> =>
	Math.max(
		...(await n8n.client.nodeTypes()).flatMap(({ name, version }) =>
			name === type ? version : [],
		),
	);

async function run(type: string, typeVersion: number, parameters: INode['parameters']) {
	const credentials = { [credentialType]: { id: n8n.credentialId, name: credentialName } };
	const start = node('Start', 'n8n-nodes-base.manualTrigger');
	const request = node('Request', type, parameters, {
		typeVersion,
		credentials,
		onError: 'continueErrorOutput',
	});
	const { nodes: results } = await n8n.runWorkflow(chain('Another request', [start, request]));
	const { items, errorItems } = results[request.name] ?? { items: [], errorItems: [] };
	return { items, error: JSON.stringify(errorItems) };
}

it.each(nodes)('%s %s takes the keys to the service only', async (type, asked, parametersOf) => {
	const version = asked === 'newest' ? await newestOf(type) : asked;
	const reached = await run(type, version, parametersOf(api));
	expect(reached.items[0]?.json).toMatchObject({ status: 'success' });
	for (const url of elsewhere) {
		await sandbox.fault({ kind: 'redirect', url });
		expect((await run(type, version, parametersOf(api))).error).toContain('302');
		expect((await run(type, version, parametersOf(url))).error).toContain('its base URL only');
	}
	expect(got).toEqual([]);
	const saved = savedByN8n() + readFileSync(join(userFolder, 'n8n.log'), 'utf8');
	expect([publicKey, secretKey].filter((key) => saved.includes(String(key)))).toEqual([]);
});
