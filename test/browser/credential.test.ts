import { sandboxCredential } from '../../scripts/lib/demo-data.ts';
import type { Fault } from '../../sandbox/faults.ts';
import { type Editor, eventually } from './editor.ts';
import { client, context, openEditorAsOwner, sandbox } from './harness.ts';

const good = sandboxCredential(context.sandboxUrl);
const website = `${context.sandboxUrl}/`;
const tried = `${String(good.baseUrl)}/contacts-type`;

interface Case {
	says: string;
	fields?: Partial<typeof good>;
	/** How the service, or what stands at its address, answers. */
	fault?: Fault;
}

const answers = (body: unknown): Fault => ({ kind: 'shape', body, times: 100 });

const cases: Case[] = [
	{
		says: 'Base URL is missing: enter the address of the API, such as https://api.example.com',
		fields: { baseUrl: ' ' },
	},
	{
		says: 'Base URL is not valid: it must start with https:// or http://, such as https://api.example.com, and must not contain ? or #',
		fields: { baseUrl: 'api.example.com' },
	},
	{
		says: 'Base URL must not contain a user name or password',
		fields: { baseUrl: 'https://me:secret@api.example.com' },
	},
	{
		says: 'Public Key is missing: copy it from the account page of the service',
		fields: { publicKey: ' ' },
	},
	{
		says: 'Secret Key contains a space or a special character: copy it again',
		fields: { secretKey: 'two words' },
	},
	{
		says: `The service did not receive PublicKey: a proxy between n8n and the service may remove this header. Tried: ${tried}`,
		fault: answers({
			status: 'failed',
			errors: { PublicKey: ['The public key field is required.'] },
		}),
	},
	{
		says: `The service rejected the keys: Invalid credentials. Copy the public key and the secret key from the account page of the service again. Tried: ${tried}`,
		fields: { secretKey: 'not-the-secret-key' },
	},
	{
		says: `The service returned a web page instead of data (HTTP 200). Base URL probably points to a website or a login page: enter the address of the API. Tried: ${tried}`,
		fault: { kind: 'html', times: 100 },
	},
	{
		says: `Nothing was found at this address (HTTP 404): check the host and the path of Base URL. Tried: ${website}wrong/path/contacts-type`,
		fields: { baseUrl: `${website}wrong/path` },
	},
	{
		says: 'The service cannot be reached: connection refused. Check "Base URL" in the credential, any proxy in between, and whether the service is running. If n8n runs in a container, localhost in "Base URL" is the container itself: enter the host name of the service instead. Tried: http://127.0.0.1:9/contacts-type',
		fields: { baseUrl: 'http://127.0.0.1:9' },
	},
	{
		says: 'The service cannot be reached: unknown host name. Check Base URL. Tried: http://service.invalid/contacts-type',
		fields: { baseUrl: 'http://service.invalid' },
	},
];

let editor: Editor;
const panel = () => editor.get('node-credentials-config-container');
const saveButton = () => editor.get('credential-save-button');

/** n8n shows what the test says before it has finished saving, and would take later changes for saved. */
const isSaved = async () => await saveButton().getByText('Saved').waitFor();

/** Until n8n offers to save, it has not noticed the changes, or has taken them for those that it was saving. */
async function save(fields: typeof good): Promise<void> {
	const offer = saveButton().getByText('Save', { exact: true });
	await eventually(
		async () => {
			for (const [name, value] of Object.entries(fields)) {
				await editor.fill(name, '');
				await editor.fill(name, value);
			}
			return await offer.click({ timeout: 3_000 }).then(
				() => true,
				() => false,
			);
		},
		(isClicked) => isClicked,
	);
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
		await isSaved();
	},
);
