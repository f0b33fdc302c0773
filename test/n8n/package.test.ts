import { credentialType, sandboxCredential } from '../../scripts/lib/demo-data.ts';
import type { Credential } from '../../scripts/lib/n8n-client.ts';
import { n8n, resetSandbox, sandbox, typeOf, violations } from './harness.ts';

beforeEach(resetSandbox);

describe('the packed package in n8n', () => {
	it('is loaded with its nodes and its credential', async () => {
		const nodes = (await n8n.client.nodeTypes()).map(({ name }) => name);
		expect(nodes).toContain(typeOf('emailMarketing'));
		expect(nodes).toContain(typeOf('emailMarketingTrigger'));
		expect(nodes).toContain(`${typeOf('emailMarketing')}Tool`);
		expect(await n8n.client.credentialTypes()).toContain(credentialType);
	});
});

describe('the credential test in n8n', () => {
	const keys = sandboxCredential(sandbox.url);
	let saved: Credential;
	beforeAll(async () => {
		saved = await n8n.client.createCredential('Tested', credentialType, keys);
	});
	const test = (data: Partial<typeof keys>) =>
		n8n.client.testCredential(saved, { ...keys, ...data });

	it('accepts the right keys without a change to the account', async () => {
		expect(await test({})).toMatchObject({ status: 'OK' });
		expect(await violations()).toEqual([]);
	});

	it.each([
		['wrong keys', { secretKey: 'not-the-key' }],
		['a missing key', { publicKey: '' }],
		['an address that answers with a web page', { baseUrl: sandbox.url }],
		['an address where nothing answers', { baseUrl: 'http://127.0.0.1:1' }],
		['something that is no address', { baseUrl: 'example' }],
	])('refuses %s', async (_what, data) => {
		expect(await test(data)).toMatchObject({ status: 'Error' });
	});
});
