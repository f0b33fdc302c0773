// node scripts/docker-smoke.ts IMAGE TARBALL: the first example in an n8n from a Docker image, with
// the package installed in it, against the sandbox. For Linux, where a container can share the
// loopback address of its host.
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startInBackground } from './lib/background-process.ts';
import { withDemoChoices } from './lib/demo-choices.ts';
import { credentialName, credentialType, sandboxCredential } from './lib/demo-data.ts';
import { serveFile } from './lib/file-server.ts';
import { projectRoot } from './lib/installs.mjs';
import { N8nClient, triggerOf, type WorkflowJson } from './lib/n8n-client.ts';
import { installPackage } from './lib/package-tarball.ts';
import { freePort } from './lib/ports.ts';
import { SandboxClient } from './lib/sandbox-client.ts';
import { startSandbox } from './lib/sandbox-process.ts';
import { expectSync, type Holdings, syncDifferences, syncSummary } from './lib/sync-check.ts';
import { isUserError, UserError } from './lib/user-error.ts';
import { withCredentials } from './lib/workflow-json.ts';

const report = (text: string) => console.error(text);
const example = join(projectRoot, 'examples', 'sync-contacts-from-csv.json');
const contactsFile = join(projectRoot, 'examples', 'data', 'contacts.csv');

/** n8n from the image, with the package among its community nodes. */
async function startContainer(image: string, tarball: string, folder: string) {
	await installPackage(folder, tarball, report);
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const settings = {
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	};
	const container = await startInBackground({
		name: 'n8n in Docker',
		command: 'docker',
		args: [
			...['run', '--rm', '--init', '--network', 'host'],
			...['--user', `${process.getuid?.()}:${process.getgid?.()}`],
			...['--volume', `${join(folder, '.n8n')}:/home/node/.n8n`],
			...Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
			image,
		],
		cwd: folder,
		env: process.env,
		logFile: join(folder, 'n8n.log'),
		ready: async () => (await fetch(`${url}/healthz/readiness`)).ok,
		// The image is downloaded first.
		timeoutMs: 600_000,
	});
	return { ...container, url };
}

async function holdings(sandbox: SandboxClient): Promise<Holdings> {
	const unsubscribed = await sandbox.records('globalUnsubscribes');
	return {
		contacts: await sandbox.records('contacts'),
		unsubscribed: unsubscribed.map(({ email_address }) => email_address),
	};
}

/**
 * Runs the example and holds what it did against what it should have done.
 *
 * @throws UserError with every difference
 */
async function runExample(client: N8nClient, sandbox: SandboxClient): Promise<string> {
	const { id } = await client.createCredential(
		credentialName,
		credentialType,
		sandboxCredential(sandbox.url),
	);
	const contacts = await serveFile(contactsFile);
	const before = await holdings(sandbox);
	const shipped = JSON.parse(await readFile(example, 'utf8')) as WorkflowJson;
	const chosen = await withDemoChoices(shipped, { sandbox, contactsUrl: contacts.url });
	const workflow = await client.createWorkflow(
		withCredentials(chosen, { [credentialType]: { id, name: credentialName } }),
	);
	const { status, data } = await client.run(workflow.id, triggerOf(workflow).name);
	await contacts.stop();

	const sync = workflow.nodes.find(({ parameters }) => parameters.operation === 'sync');
	const { value } = sync?.parameters.contactTypeId as { value: string };
	const expected = expectSync(await readFile(contactsFile, 'utf8'), Number(value), before);
	const [succeeded, failed] = data.resultData.runData[sync?.name ?? '']?.[0]?.data?.main ?? [];
	const differences = syncDifferences(expected, {
		outcomes: [
			...(succeeded ?? []).map(({ json }) => String(json.action)),
			...(failed ?? []).map(() => 'failed'),
		],
		contacts: (await holdings(sandbox)).contacts,
	});
	const violations = (await sandbox.violations()).map((violation) => JSON.stringify(violation));
	const problems = [...differences, ...violations];
	if (status === 'success' && problems.length === 0) return syncSummary(expected);
	const { message = 'no error' } = data.resultData.error ?? {};
	throw new UserError([`The example ended with "${status}": ${message}`, ...problems].join('\n'));
}

const [image = '', tarball = ''] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'email-marketing-docker-'));
const running: Array<{ stop(): Promise<void> }> = [];
try {
	const service = await startSandbox({
		port: await freePort(),
		args: ['--tick', '0'],
		logFile: join(folder, 'sandbox.log'),
	});
	running.push(service);
	report(`Starting ${image}`);
	const container = await startContainer(image, resolve(tarball), folder);
	running.push(container);
	const client = new N8nClient(container.url);
	await client.logIn({ email: 'owner@example.com', password: 'Owner-of-tests-1' });
	console.log(await runExample(client, new SandboxClient(service.url)));
} catch (error) {
	if (!isUserError(error)) throw error;
	console.error(error.message);
	process.exitCode = 1;
} finally {
	await Promise.all(running.map((process_) => process_.stop()));
}
