// npm start: a real n8n with the package and its examples, beside a sandbox of the service.
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { BackgroundProcess } from './lib/background-process.ts';
import { credentialName, credentialType, sandboxCredential } from './lib/demo-data.ts';
import { readExamples } from './lib/examples.ts';
import { projectRoot } from './lib/installs.mjs';
import { N8nClient, type Owner, triggerOf } from './lib/n8n-client.ts';
import { ensureN8n } from './lib/n8n-install.ts';
import { type N8nProcess, startN8n } from './lib/n8n-process.ts';
import { installPackage, packPackage } from './lib/package-tarball.ts';
import { requireFreePort } from './lib/ports.ts';
import { SandboxClient } from './lib/sandbox-client.ts';
import { type SandboxProcess, startSandbox } from './lib/sandbox-process.ts';
import { runStep } from './lib/steps.ts';
import { isUserError } from './lib/user-error.ts';

const owner: Owner = { email: 'demo@example.com', password: 'Demo-password-1' };
const firstExample = 'Sync contacts from a CSV file every hour';

/** What an earlier start has done, so that this one need not. */
interface State {
	tarball?: string;
	firstExampleRan?: boolean;
	/** By the name of the workflow. */
	examples: Record<string, { id: string; hash: string }>;
}

async function readState(): Promise<State> {
	if (!existsSync(stateFile)) return { examples: {} };
	return JSON.parse(await readFile(stateFile, 'utf8')) as State;
}

function port(text: string): number {
	const number = Number(text);
	if (Number.isInteger(number) && number > 0 && number < 65_536) return number;
	throw new InvalidArgumentError('It must be a whole number from 1 to 65535.');
}

const program = new Command('npm start --')
	.description('Runs n8n with this package and its examples, and a sandbox of the service.')
	.option('--n8n-port <number>', 'port of n8n', port, 5678)
	.option('--sandbox-port <number>', 'port of the sandbox', port, 4010)
	.option('--folder <path>', 'where all of it is kept', join(projectRoot, '.work', 'demo'))
	.option('--once', 'end after the summary')
	.parse();
const options = program.opts<{
	n8nPort: number;
	sandboxPort: number;
	folder: string;
	once?: boolean;
}>();

const folder = resolve(options.folder);
const userFolder = join(folder, 'n8n');
const stateFile = join(folder, 'state.json');
const exampleData = join('examples', 'data');

async function credentialId(client: N8nClient, sandboxUrl: string): Promise<string> {
	const data = sandboxCredential(sandboxUrl);
	const existing = (await client.credentials()).find(({ name }) => name === credentialName);
	const credential = existing
		? await client.updateCredential(existing, data)
		: await client.createCredential(credentialName, credentialType, data);
	return credential.id;
}

/** Brings the examples that are new or changed since the last start into n8n. */
async function importExamples(client: N8nClient, state: State, credential: string): Promise<void> {
	const saved = new Set((await client.workflows()).map(({ id }) => id));
	for (const { workflow, hash } of await readExamples(credential)) {
		const before = state.examples[workflow.name];
		const id = before && saved.has(before.id) ? before.id : undefined;
		if (id !== undefined && before?.hash === hash) continue;
		const { id: newId } = id
			? await client.updateWorkflow(id, workflow)
			: await client.createWorkflow(workflow);
		state.examples[workflow.name] = { id: newId, hash };
	}
}

/** @returns what it did, for the summary */
async function runOnce(client: N8nClient, workflowId: string): Promise<string> {
	const { status, data, createdAt, startedAt, stoppedAt } = await client.run(
		workflowId,
		triggerOf(await client.workflow(workflowId)).name,
	);
	const began = startedAt ?? createdAt;
	const seconds = (Date.parse(stoppedAt ?? began) - Date.parse(began)) / 1000;
	const outputs = Object.entries(data.resultData.runData).map(([name, runs]) => {
		const counts = runs.flatMap((run) => run.data?.main ?? []).map((items) => items?.length ?? 0);
		return `    ${name.padEnd(24)}${counts.join(' + ') || '0'}`;
	});
	const result = status === 'success' ? 'ran' : `ended with "${status}"`;
	const head = `"${firstExample}" ${result} in ${seconds.toFixed(1)} s. Items out of each node:`;
	return [head, ...outputs].join('\n');
}

async function sandboxSummary(
	sandbox: SandboxClient,
	before: Record<string, number>,
): Promise<string> {
	const counts = Object.entries(await sandbox.counts()).filter(([, count]) => count > 0);
	const lines = counts.map(([table, count]) => {
		const added = count - (before[table] ?? 0);
		return `    ${table.padEnd(24)}${String(count).padStart(6)}${added > 0 ? `  (${added} new)` : ''}`;
	});
	const violations = (await sandbox.violations()).length;
	return [
		'The sandbox now holds:',
		...lines,
		violations === 0
			? '  Every request was as the API reference wants it.'
			: `  ${violations} requests were not as the API reference wants them: ${sandbox.url}/__sandbox/violations`,
	].join('\n');
}

/** What has to end with this program, in any case. */
const running: BackgroundProcess[] = [];

async function started<T extends BackgroundProcess>(title: string, start: () => Promise<T>) {
	const process_ = await runStep(title, start);
	running.push(process_);
	return process_;
}

async function bringUp(): Promise<{ n8n: N8nProcess; sandbox: SandboxProcess; summary: string }> {
	const { n8nPort, sandboxPort } = options;
	await requireFreePort(n8nPort, 'n8n', 'npm start -- --n8n-port NUMBER');
	await requireFreePort(sandboxPort, 'the sandbox', 'npm start -- --sandbox-port NUMBER');

	const state = await readState();
	const saveState = () => writeFile(stateFile, JSON.stringify(state));
	await mkdir(userFolder, { recursive: true });
	// The demo's own copy, which may be changed at will.
	await cp(join(projectRoot, exampleData), join(folder, exampleData), {
		recursive: true,
		force: false,
	});

	const installation = await runStep('Get n8n', ensureN8n);
	const tarball = await runStep('Build the package', packPackage);
	if (state.tarball !== tarball) {
		await runStep('Install the package in n8n', (report) =>
			installPackage(userFolder, tarball, report),
		);
		state.tarball = tarball;
		await saveState();
	}
	const sandbox = await started('Start the sandbox', () =>
		startSandbox({
			port: sandboxPort,
			args: ['--data', join(folder, 'sandbox.sqlite')],
			logFile: join(folder, 'sandbox.log'),
		}),
	);
	const n8n = await started('Start n8n', () =>
		startN8n({ installation, userFolder, port: n8nPort, workingFolder: folder }),
	);

	const client = new N8nClient(n8n.url);
	const controls = new SandboxClient(sandbox.url);
	const before = await controls.counts();
	await runStep('Set up login, credential and examples', async () => {
		await client.logIn(owner);
		const credential = await credentialId(client, sandbox.url);
		await importExamples(client, state, credential);
	});
	await saveState();

	const parts = [];
	const first = state.examples[firstExample];
	if (first && !state.firstExampleRan) {
		parts.push(await runStep(`Run "${firstExample}"`, () => runOnce(client, first.id)));
		state.firstExampleRan = true;
		await saveState();
	}
	parts.push(await sandboxSummary(controls, before));
	return { n8n, sandbox, summary: parts.join('\n\n') };
}

function signalled(): Promise<void> {
	return new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve());
	});
}

async function main(): Promise<number> {
	const { n8n, sandbox, summary } = await bringUp();
	console.log(`
${summary}

n8n       ${n8n.url}
          log in as ${owner.email} with ${owner.password}
Sandbox   ${sandbox.url}
Contacts  ${join(folder, exampleData, 'contacts.csv')}
          the file that the first example reads; change it and run that example again

Next: open a workflow in n8n, double-click an "Email Marketing" node and choose "Execute step",
or follow docs/tutorial.md. The sandbox's page shows each request and what it holds.
All of it is kept in ${folder}; delete that folder to begin anew.`);
	if (options.once) return 0;
	console.log('Ctrl-C stops both.');
	const ended = await Promise.race([
		signalled(),
		n8n.exited.then(() => `n8n has ended by itself. Its log: ${n8n.logFile}`),
		sandbox.exited.then(() => `The sandbox has ended by itself. Its log: ${sandbox.logFile}`),
	]);
	console.log(ended ?? '\nStopping n8n and the sandbox');
	return ended === undefined ? 0 : 1;
}

let exitCode = 1;
try {
	exitCode = await main();
} catch (error) {
	console.error(isUserError(error) ? `\n${error.message}` : error);
} finally {
	await Promise.all(running.map((process_) => process_.stop()));
}
process.exit(exitCode);
