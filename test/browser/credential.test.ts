import { EmailMarketingApi } from '../../credentials/EmailMarketingApi.credentials';
import { sandboxCredential } from '../../scripts/lib/demo-data.ts';
import type { Fault } from '../../sandbox/faults.ts';
import type { Editor } from './editor.ts';
import { client, context, openEditorAsOwner, sandbox } from './harness.ts';

const good = sandboxCredential(context.sandboxUrl);
const website = `${context.sandboxUrl}/`;

interface Case {
	says: string;
	fields?: Partial<typeof good>;
	/** How the service, or what stands at its address, answers. */
	fault?: Fault;
}

const answers = (body: unknown): Fault => ({ kind: 'shape', body, times: 100 });

const cases: Case[] = [
	{
		says: 'Base URL is missing: enter the address of the API, such as https://api.example.com/v1',
		fields: { baseUrl: ' ' },
	},
	{
		says: 'Base URL is not valid: it must be a web address such as https://api.example.com/v1, without ? and #',
		fields: { baseUrl: 'api.example.com' },
	},
	{
		says: 'Base URL must not have a user name or password in it',
		fields: { baseUrl: 'https://me:secret@api.example.com' },
	},
	{
		says: 'Public Key is missing: copy it from the account page of the service',
		fields: { publicKey: ' ' },
	},
	{
		says: 'Secret Key has a blank or a special character in it: copy it again',
		fields: { secretKey: 'two words' },
	},
	{
		says: 'The service did not receive the public key: a proxy between n8n and the service may remove the header PublicKey',
		fault: answers({
			status: 'failed',
			errors: { PublicKey: ['The public key field is required.'] },
		}),
	},
	{
		says: 'The service did not receive the secret key: a proxy between n8n and the service may remove the header SecretKey',
		fault: answers({
			status: 'failed',
			errors: { SecretKey: ['The secret key field is required.'] },
		}),
	},
	{
		says: 'The service refused the keys: copy the public key and the secret key from its account page again',
		fields: { secretKey: 'not-the-secret-key' },
	},
	{
		says: 'A website answered instead of the API: Base URL must be the address of the API, not of a page',
		fault: { kind: 'html', times: 100 },
	},
	{
		says: 'What answered is not the API of the service: check the host and the path of Base URL',
		fields: { baseUrl: `${website}__sandbox/data` },
	},
];

let editor: Editor;
const panel = () => editor.get('node-credentials-config-container');

async function save(fields: typeof good): Promise<void> {
	for (const [name, value] of Object.entries(fields)) await editor.fill(name, value);
	await editor.get('credential-save-button').click();
}

beforeAll(async () => {
	editor = await openEditorAsOwner();
	await editor.open('/home/credentials');
	await editor.get('add-resource-credential').click();
	await editor.get('new-credential-type-select').locator('input').fill('Email Marketing');
	await editor.page.getByRole('option', { name: 'Email Marketing API' }).click();
	await editor.get('new-credential-type-button').click();
	await panel().waitFor();
});

afterEach(async () => await sandbox.clearFaults());

// With one credential there is no choice to make in a new node.
afterAll(async () => {
	for (const { id, name } of await client.credentials()) {
		if (name === 'Email Marketing account') await client.request('DELETE', `/credentials/${id}`);
	}
});

test('a credential is created, and its test passes', async () => {
	await save(good);
	await panel().getByText('Connection tested successfully').waitFor();
});

test.each(cases.map((one, index) => ({ ...one, index })))(
	'its test fails with: $says',
	async ({ says, fields, fault, index }) => {
		if (fault) await sandbox.fault(fault);
		// Blanks at the end do not count, but let n8n see something new to save.
		await save({ ...good, baseUrl: good.baseUrl + ' '.repeat(index + 1), ...fields });
		const details = panel().getByText('More details');
		await details.or(panel().getByText(says)).first().waitFor();
		if (await details.isVisible()) await details.click();
		await panel().getByText(says).waitFor();
	},
);

test('each message that the credential has was seen', () => {
	const { rules = [] } = new EmailMarketingApi().test;
	const seen = new Set(cases.map(({ says }) => says));
	const messages = rules.map(({ properties }) => properties.message);
	expect(messages).toHaveLength(5);
	expect(messages.filter((message) => !seen.has(message))).toEqual([]);
});
