import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { freePort } from '../../scripts/lib/ports.ts';

const run = promisify(execFile);
const root = join(__dirname, '..', '..');

interface Service {
	command: string[];
	healthcheck: { test: string[] };
}

let services: Record<'sandbox' | 'contacts', Service>;
let folder: string;
let running: ChildProcess[] = [];
beforeEach(async () => {
	const text = await readFile(join(root, 'docker', 'compose.yaml'), 'utf8');
	({ services } = parse(text) as { services: typeof services });
	folder = await mkdtemp(join(tmpdir(), 'email-marketing-compose-'));
	running = [];
});
afterEach(async () => {
	for (const child of running) {
		const ended = once(child, 'exit');
		child.kill('SIGTERM');
		await ended;
	}
	await rm(folder, { recursive: true });
});

/** Runs the command of a service to its first line of output, on another port and data file. */
async function start(service: 'sandbox' | 'contacts', port: number): Promise<string> {
	const [program, ...args] = services[service].command.map((arg) =>
		arg.replace(/\b401[01]$/, String(port)).replace('/data/', `${folder}/`),
	);
	expect(program).toBe('node');
	const child = spawn(process.execPath, args, { cwd: root });
	running.push(child);
	const [line] = (await once(child.stdout, 'data')) as [Buffer];
	return line.toString();
}

it('starts the sandbox as compose.yaml does, and finds it healthy', async () => {
	const port = await freePort();
	expect(await start('sandbox', port)).toContain(`http://0.0.0.0:${port}`);
	const [kind, program, flag = '', script = ''] = services.sandbox.healthcheck.test;
	expect([kind, program, flag]).toEqual(['CMD', 'node', '--eval']);
	const check = async (at: number) =>
		await run(process.execPath, [flag, script.replace('4010', String(at))]);
	await check(port);
	await expect(check(await freePort())).rejects.toMatchObject({ code: 1 });
	expect(await readdir(folder)).toContain('sandbox.sqlite');
});

it('serves the contacts file as compose.yaml does', async () => {
	const port = await freePort();
	await start('contacts', port);
	const response = await fetch(`http://127.0.0.1:${port}/contacts.csv`);
	const file = join(root, 'examples', 'data', 'contacts.csv');
	expect(await response.text()).toBe(await readFile(file, 'utf8'));
});

it('seeds every example, with credentials that exist and addresses of the services', async () => {
	await run(process.execPath, [join('docker', 'seed.ts'), folder], { cwd: root });
	const credentials = JSON.parse(
		await readFile(join(folder, 'credentials.json'), 'utf8'),
	) as Array<{
		id: string;
		data: Record<string, string>;
	}>;
	expect(credentials[0]?.data.baseUrl).toBe('http://sandbox:4010/api');
	const files = await readdir(join(folder, 'workflows'));
	const examples = (await readdir(join(root, 'examples'))).filter((file) => file.endsWith('.json'));
	expect(files).toHaveLength(examples.length);
	const texts = await Promise.all(
		files.map((file) => readFile(join(folder, 'workflows', file), 'utf8')),
	);
	const workflows = texts.map((text) => JSON.parse(text) as { id: string; active: boolean });
	expect(new Set(workflows.map(({ id }) => id)).size).toBe(files.length);
	expect(workflows.filter(({ active }) => active)).toEqual([]);
	for (const { id } of credentials) expect(texts.join()).toContain(`"id": "${id}"`);
	expect(texts.join()).toContain('http://contacts:4011/contacts.csv');
	expect(texts.join()).not.toContain('http://127.0.0.1');
});
