// npm start: a real n8n with the package and its examples, beside a sandbox of the service.
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import {
	credentialName,
	credentialType,
	formLoginName,
	formLoginType,
	sandboxCredential,
} from './lib/demo-data.ts';
import { type Demo, withDemoChoices } from './lib/demo-choices.ts';
import { readExamples } from './lib/examples.ts';
import { serveFile } from './lib/file-server.ts';
import { cacheFolder, projectRoot } from './lib/installs.mjs';
import { type Execution, N8nClient, type Owner, triggerOf } from './lib/n8n-client.ts';
import { ensureN8n } from './lib/n8n-install.ts';
import { type N8nProcess, startN8n } from './lib/n8n-process.ts';
import { installPackage, packPackage } from './lib/package-tarball.ts';
import { type Lock, readNote, tryLock, withLock } from './lib/lock.mjs';
import { choosePort } from './lib/ports.ts';
import { SandboxClient } from './lib/sandbox-client.ts';
import { type SandboxProcess, startSandbox } from './lib/sandbox-process.ts';
import { runStep } from './lib/steps.ts';
import { expectSync, type Holdings, syncDifferences, syncSummary } from './lib/sync-check.ts';
import { UserError, isUserError } from './lib/user-error.ts';
import type { CredentialsInUse } from './lib/workflow-json.ts';

const owner: Owner = { email: 'demo@example.com', password: 'Demo-password-1' };
const firstExample = 'Sync contacts from a CSV file every hour';

/** What an earlier start has done, so that this one need not. */
interface State {
	tarball?: string;
	firstExampleRan?: boolean;
	/** By the name of the workflow; `versionId` is that of n8n, which changes when somebody edits it. */
	examples: Record<string, { id: string; hash: string; versionId?: string }>;
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
	.description('Runs n8n with this package and its examples, and a mock of the service.')
	.option('--n8n-port <number>', 'port of n8n', port, 5678)
	.option('--sandbox-port <number>', 'port of the sandbox', port, 4010)
	.option('--contacts-port <number>', 'port of the contacts file', port, 4011)
	.option('--folder <path>', 'where all of it is kept', join(projectRoot, '.work', 'demo'))
	.option('--once', 'run the first example, check what it did, and stop everything')
	.parse();
const options = program.opts<{
	n8nPort: number;
	sandboxPort: number;
	contactsPort: number;
	folder: string;
	once?: boolean;
}>();

const folder = resolve(options.folder);
const userFolder = join(folder, 'n8n');
const stateFile = join(folder, 'state.json');
const exampleData = join('examples', 'data');
const contactsFile = join(folder, exampleData, 'contacts.csv');

async function credential(client: N8nClient, name: string, type: string, data: object) {
	const existing = (await client.credentials()).find((saved) => saved.name === name);
	const { id } = existing
		? await client.updateCredential(existing, data)
		: await client.createCredential(name, type, data);
	return { id, name };
}

async function setUpCredentials(client: N8nClient, sandboxUrl: string): Promise<CredentialsInUse> {
	const service = sandboxCredential(sandboxUrl);
	const login = { user: owner.email, password: owner.password };
	return {
		[credentialType]: await credential(client, credentialName, credentialType, service),
		[formLoginType]: await credential(client, formLoginName, formLoginType, login),
	};
}

/** Brings the examples that are new or changed since the last start into n8n. What somebody has edited there stays. */
async function importExamples(
	client: N8nClient,
	state: State,
	credentials: CredentialsInUse,
	demo: Demo,
): Promise<void> {
	const versions = new Map((await client.workflows()).map(({ id, versionId }) => [id, versionId]));
	for (const { workflow, hash } of await readExamples(credentials, demo.contactsUrl)) {
		const before = state.examples[workflow.name];
		const id = before && versions.has(before.id) ? before.id : undefined;
		const isEdited =
			(before?.versionId ?? '') !== '' && before?.versionId !== versions.get(id ?? '');
		if (id !== undefined && (isEdited || before?.hash === hash)) continue;
		const ready = await withDemoChoices(workflow, demo);
		const saved = id ? await client.updateWorkflow(id, ready) : await client.createWorkflow(ready);
		state.examples[workflow.name] = { id: saved.id, hash, versionId: saved.versionId };
	}
}

async function runFirstExample(client: N8nClient, workflowId: string): Promise<Execution> {
	return await client.run(workflowId, triggerOf(await client.workflow(workflowId)).name);
}

/** @returns what it did, for the summary */
function exampleSummary({ status, data, createdAt, startedAt, stoppedAt }: Execution): string {
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

async function holdings(sandbox: SandboxClient): Promise<Holdings> {
	const unsubscribed = await sandbox.records('globalUnsubscribes');
	return {
		contacts: await sandbox.records('contacts'),
		unsubscribed: unsubscribed.map(({ email_address }) => email_address),
	};
}

/**
 * Holds what the example did against what it should have done.
 *
 * @returns the check in words
 * @throws UserError with every difference
 */
async function checkFirstExample(
	client: N8nClient,
	sandbox: SandboxClient,
	execution: Execution,
	before: Holdings,
): Promise<string> {
	const { status, data, workflowId } = execution;
	const { nodes } = await client.workflow(workflowId);
	const sync = nodes.find(({ parameters }) => parameters.operation === 'sync');
	const { value } = sync?.parameters.contactTypeId as { value: string };
	const csv = await readFile(contactsFile, 'utf8');
	const expected = expectSync(csv, Number(value), before);
	const [succeeded = [], failed = []] =
		data.resultData.runData[sync?.name ?? '']?.[0]?.data?.main ?? [];
	const violations = await sandbox.violations();
	const differences = [
		...(status === 'success'
			? []
			: [`It ended with "${status}": ${data.resultData.error?.message ?? 'no reason given'}`]),
		...syncDifferences(expected, {
			outcomes: [
				...(succeeded ?? []).map(({ json }) => String(json.action)),
				...(failed ?? []).map(() => 'failed'),
			],
			contacts: (await holdings(sandbox)).contacts,
		}),
		...violations.map((violation) => `Against the API reference: ${JSON.stringify(violation)}`),
	];
	if (differences.length === 0) {
		return [
			`Checked: "${firstExample}" worked as expected.`,
			`  It ended with "success".\n  ${syncSummary(expected)}`,
			'  Every request was as the API reference requires it.',
		].join('\n');
	}
	throw new UserError(
		[
			`"${firstExample}" did not do what it should:`,
			...differences.slice(0, 20).map((line) => `  ${line}`),
			...(differences.length > 20 ? [`  and ${differences.length - 20} more`] : []),
			`The logs and the sandbox's records are in ${folder}; start over by deleting that folder.`,
		].join('\n'),
	);
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
			? '  Every request complied with the API reference.'
			: `  ${violations} requests violated the API reference: ${sandbox.url}/__sandbox/violations`,
	].join('\n');
}

/** The people who receive the test of a campaign. */
async function addTestList(sandbox: SandboxClient): Promise<void> {
	const name = 'Test list';
	if ((await sandbox.records('contactTypes')).some((type) => type.name === name)) return;
	const { id } = await sandbox.add('contactTypes', { name });
	const [first_name, last_name] = ['Maya', 'Lindt'];
	const email = 'maya@roastery.example.com';
	await sandbox.add('contacts', { contact_type_id: id, first_name, last_name, email });
}

/** What has to end with this program, in any case. */
const running: Array<{ stop(): Promise<void> }> = [];

async function started<T extends (typeof running)[number]>(title: string, start: () => Promise<T>) {
	const process_ = await runStep(title, start);
	running.push(process_);
	return process_;
}

/** Keeps a second start in the same folder from the database of the first. */
async function lockFolder(): Promise<Lock> {
	const lockFile = join(folder, 'running.lock');
	const lock = await tryLock(lockFile);
	if (lock) return lock;
	const where = (await readNote(lockFile)) || 'It is still being set up.';
	throw new UserError(
		`npm start already runs in ${folder}.\n${where}\n` +
			'Use that one, stop it with Ctrl-C where it runs, or start another one next to it: ' +
			'npm start -- --folder PATH',
	);
}

type Ports = Record<'n8nPort' | 'sandboxPort' | 'contactsPort', number>;

async function choosePorts(): Promise<Ports> {
	const choose = async (what: string, name: keyof Ports, option: string) => {
		const named = program.getOptionValueSource(name) !== 'default';
		const port = await choosePort({
			...{ what, port: options[name], named },
			option: `npm start -- ${option} NUMBER`,
		});
		if (port !== options[name]) {
			console.log(`Port ${options[name]} is in use; ${what} runs on port ${port}.`);
		}
		return port;
	};
	return {
		n8nPort: await choose('n8n', 'n8nPort', '--n8n-port'),
		sandboxPort: await choose('the sandbox', 'sandboxPort', '--sandbox-port'),
		contactsPort: await choose('the contacts file', 'contactsPort', '--contacts-port'),
	};
}

interface Running {
	n8n: N8nProcess;
	sandbox: SandboxProcess;
	summary: string;
}

/** One at a time, so that two starts never choose the same ports. */
async function startAll(installation: string) {
	return await withLock(join(cacheFolder(), 'ports.lock'), console.log, async () => {
		const { n8nPort, sandboxPort, contactsPort } = await choosePorts();
		const contacts = await serveFile(contactsFile, contactsPort);
		running.push(contacts);
		const sandbox = await started('Start the sandbox', () =>
			startSandbox({
				port: sandboxPort,
				args: ['--data', join(folder, 'sandbox.sqlite')],
				logFile: join(folder, 'sandbox.log'),
			}),
		);
		const n8n = await started('Start n8n', () =>
			startN8n({ installation, userFolder, port: n8nPort }),
		);
		return { contacts, sandbox, n8n };
	});
}

async function bringUp(lock: Lock): Promise<Running> {
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
	const { contacts, sandbox, n8n } = await startAll(installation);
	await lock.note(`n8n is at ${n8n.url}, the sandbox at ${sandbox.url}.`);

	const client = new N8nClient(n8n.url);
	const controls = new SandboxClient(sandbox.url);
	await addTestList(controls);
	const before = await controls.counts();
	await runStep('Set up login, credential and examples', async () => {
		await client.logIn(owner);
		const credentials = await setUpCredentials(client, sandbox.url);
		const demo = { sandbox: controls, contactsUrl: contacts.url };
		await importExamples(client, state, credentials, demo);
	});
	await saveState();

	const parts = [];
	const first = state.examples[firstExample];
	let check = '';
	if (first && (options.once || !state.firstExampleRan)) {
		const held = await holdings(controls);
		const execution = await runStep(`Run "${firstExample}"`, () =>
			runFirstExample(client, first.id),
		);
		parts.push(exampleSummary(execution));
		state.firstExampleRan = true;
		await saveState();
		if (options.once) {
			check = await runStep('Check what it did', () =>
				checkFirstExample(client, controls, execution, held),
			);
		}
	}
	parts.push(await sandboxSummary(controls, before), check);
	return { n8n, sandbox, summary: parts.filter((part) => part !== '').join('\n\n') };
}

function signalled(): Promise<void> {
	return new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve());
	});
}

function keysShown(sandboxUrl: string): string {
	const { publicKey, secretKey } = sandboxCredential(sandboxUrl);
	return `Public Key ${publicKey}, Secret Key ${secretKey}`;
}

async function main(lock: Lock): Promise<number> {
	const { n8n, sandbox, summary } = await bringUp(lock);
	console.log(`\n${summary}`);
	if (options.once) {
		console.log('\nStopping n8n and the sandbox');
		return 0;
	}
	console.log(`
n8n       ${n8n.url}
          log in as ${owner.email} with ${owner.password}
          (the forms of the examples take the same login)
Sandbox   ${sandbox.url}
          to create your own credential: Base URL ${sandbox.url}/api,
          ${keysShown(sandbox.url)}
Contacts  ${contactsFile}
          the export that the first example downloads; change it and run that example again

Next: open a workflow in n8n, double-click an "Email Marketing" node and choose "Execute step",
or follow docs/tutorial.md. The sandbox's page shows each request and what it holds.
All of it is kept in ${folder}; delete that folder to start over.`);
	console.log('Ctrl-C stops both.');
	const ended = await Promise.race([
		signalled(),
		n8n.exited.then(() => `n8n stopped unexpectedly. Its log: ${n8n.logFile}`),
		sandbox.exited.then(() => `The sandbox stopped unexpectedly. Its log: ${sandbox.logFile}`),
	]);
	console.log(ended ?? '\nStopping n8n and the sandbox');
	return ended === undefined ? 0 : 1;
}

let exitCode = 1;
let lock: Lock | undefined;
try {
	lock = await lockFolder();
	exitCode = await main(lock);
} catch (error) {
	console.error(isUserError(error) ? `\n${error.message}` : error);
} finally {
	await Promise.all(running.map((process_) => process_.stop()));
	await lock?.release();
}
process.exit(exitCode);
