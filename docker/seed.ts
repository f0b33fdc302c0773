// Writes what the n8n of compose.yaml imports on its first start: the credentials, and the examples
// with the choices for the demo account made.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandbox } from '../sandbox/server.ts';
import { withDemoChoices } from '../scripts/lib/demo-choices.ts';
import {
	credentialName,
	credentialType,
	formLoginName,
	formLoginType,
	sandboxCredential,
} from '../scripts/lib/demo-data.ts';
import { readExamples } from '../scripts/lib/examples.ts';
import { SandboxClient } from '../scripts/lib/sandbox-client.ts';

// Where the services of compose.yaml reach each other.
const sandboxUrl = 'http://sandbox:4010';
const contactsUrl = 'http://contacts:4011/contacts.csv';

const credentials = [
	{
		id: 'emailMarketingSandbox',
		name: credentialName,
		type: credentialType,
		data: sandboxCredential(sandboxUrl),
	},
	{
		id: 'emailMarketingForms',
		name: formLoginName,
		type: formLoginType,
		data: { user: 'demo@example.com', password: 'Demo-password-1' },
	},
];

const write = (file: string, content: unknown) =>
	writeFile(file, `${JSON.stringify(content, null, 2)}\n`);

const [folder = 'seed'] = process.argv.slice(2);
const workflows = join(folder, 'workflows');
await mkdir(workflows, { recursive: true });
await write(join(folder, 'credentials.json'), credentials);

// Its demo account has the same records each time, so their IDs can be chosen before it runs.
const sandbox = await startSandbox();
const demo = { sandbox: new SandboxClient(sandbox.url), contactsUrl };
const inUse = Object.fromEntries(credentials.map(({ id, name, type }) => [type, { id, name }]));
const examples = await readExamples(inUse, contactsUrl);
for (const [index, { workflow }] of examples.entries()) {
	const id = `emailMarketing${String(index + 1).padStart(2, '0')}`;
	const ready = await withDemoChoices(workflow, demo);
	await write(join(workflows, `${id}.json`), { ...ready, id, active: false });
}
await sandbox.close();
console.log(`${examples.length} workflows and ${credentials.length} credentials are in ${folder}`);
