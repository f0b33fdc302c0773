import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { credentialName, credentialType, sandboxCredential } from '../demo-data.ts';
import { projectRoot } from '../installs.mjs';
import { N8nClient } from '../n8n-client.ts';
import { ensureN8n } from '../n8n-install.ts';
import { startN8n } from '../n8n-process.ts';
import { installPackage } from '../package-tarball.ts';
import { freePort } from '../ports.ts';
import { SandboxClient } from '../sandbox-client.ts';
import { startSandbox } from '../sandbox-process.ts';
import { UserError } from '../user-error.ts';
import { chain, node, typeOf } from '../workflow-json.ts';

type Report = (text: string) => void;

const owner = { email: 'release@example.com', password: 'Release-password-1' };
const listName = 'Get many contacts';

/** Lists the contacts through the installed node, and compares them with the sandbox's. */
async function runOperation(n8nUrl: string, sandboxUrl: string): Promise<string> {
	const client = new N8nClient(n8nUrl);
	await client.logIn(owner);
	const credential = await client.createCredential(
		credentialName,
		credentialType,
		sandboxCredential(sandboxUrl),
	);
	const workflow = await client.createWorkflow(
		chain('Release rehearsal', [
			node('Start', 'n8n-nodes-base.manualTrigger'),
			node(
				listName,
				typeOf('emailMarketing'),
				{ resource: 'contact', operation: 'getAll', returnAll: true },
				{ credentials: { [credentialType]: { id: credential.id, name: credential.name } } },
			),
		]),
	);
	const { status, data } = await client.run(workflow.id, 'Start');
	const items = data.resultData.runData[listName]?.[0]?.data?.main?.[0] ?? [];
	const sandbox = new SandboxClient(sandboxUrl);
	const contacts = (await sandbox.records('contacts')).filter(({ deleted_at }) => !deleted_at);
	const violations = await sandbox.violations();
	if (status !== 'success' || items.length !== contacts.length || violations.length > 0) {
		throw new UserError(
			`The installed package failed: the run ended with "${status}" ` +
				`(${data.resultData.error?.message ?? 'no error'}), returned ${items.length} of ` +
				`${contacts.length} contacts, and sent ${violations.length} requests against the API reference.`,
		);
	}
	return `${items.length} contacts listed`;
}

/**
 * Installs the tarball in a new n8n, as a user does by hand, and runs one operation of it against
 * the sandbox. Needs no network once n8n is installed.
 *
 * @returns what it did, in words
 * @throws UserError when n8n does not start with it or the operation fails
 */
export async function rehearse(tarball: string, report: Report): Promise<string> {
	const installation = await ensureN8n(report);
	const folder = join(projectRoot, '.work', 'release-n8n');
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	const userFolder = join(folder, 'n8n');
	await installPackage(userFolder, tarball, report);
	report('Starting the sandbox');
	const logFile = join(folder, 'sandbox.log');
	const sandbox = await startSandbox({ port: await freePort(), args: [], logFile });
	try {
		report('Starting n8n');
		const n8n = await startN8n({ installation, userFolder, port: await freePort() });
		try {
			report('Running an operation');
			return await runOperation(n8n.url, sandbox.url);
		} finally {
			await n8n.stop();
		}
	} finally {
		await sandbox.stop();
	}
}
