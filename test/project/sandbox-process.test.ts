import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.ts';
import { KEYS } from '../sandbox/support.ts';

const MAIN = join(__dirname, '../../sandbox/main.ts');

const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
const running = new Set<ChildProcess>();
const open = new Set<Sandbox>();
// What a failed test left behind would keep the run from ending.
afterAll(async () => {
	for (const child of running) child.kill('SIGKILL');
	for (const sandbox of open) await sandbox.close();
	rmSync(folder, { recursive: true });
});

/** A sandbox in this process. */
async function inProcess(options: SandboxOptions): Promise<Sandbox> {
	const sandbox = await startSandbox(options);
	open.add(sandbox);
	return sandbox;
}

async function close(sandbox: Sandbox): Promise<void> {
	open.delete(sandbox);
	await sandbox.close();
}

interface Started {
	child: ChildProcess;
	url: string;
	line: string;
}

async function start(...flags: string[]): Promise<Started> {
	const child = spawn(process.execPath, [MAIN, '--port', '0', ...flags], { stdio: 'pipe' });
	running.add(child);
	const [chunk] = (await once(child.stdout!, 'data')) as [Buffer];
	const line = chunk.toString();
	return { child, line, url: /http:\/\/[\d.]+:\d+/.exec(line)?.[0] ?? '' };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
	const exited = once(child, 'exit');
	child.kill(signal);
	const [code] = (await exited) as [number | null];
	running.delete(child);
	return code;
}

/** For a start that fails: its exit code and what it says. */
async function attempt(...flags: string[]): Promise<[code: number | null, words: string]> {
	const child = spawn(process.execPath, [MAIN, ...flags], { stdio: 'pipe' });
	let words = '';
	child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()));
	const [code] = (await once(child, 'close')) as [number | null];
	return [code, words];
}

const call = async (url: string, path: string, fields?: Record<string, string>) => {
	const body = new FormData();
	for (const [name, value] of Object.entries(fields ?? {})) body.set(name, value);
	const init = fields ? { method: 'POST', body } : {};
	const response = await fetch(`${url}/api${path}`, { ...init, headers: KEYS });
	return (await response.json()) as { message: Record<string, Array<Record<string, unknown>>> };
};
const typeNames = async (url: string) =>
	(await call(url, '/contacts-type')).message.contactTypes?.map(({ name }) => name);

describe('the process', () => {
	it('says where it is, shows its page and ends on SIGTERM and SIGINT', async () => {
		for (const signal of ['SIGTERM', 'SIGINT'] as const) {
			const { child, url, line } = await start();
			expect(line).toMatch(/^Sandbox listening on http:\/\/127\.0\.0\.1:\d+ .*\n$/);
			const page = await fetch(url);
			expect(page.headers.get('content-type')).toContain('text/html');
			expect(await page.text()).toContain('Email Marketing sandbox');
			await fetch(`${url}/favicon.ico`);
			const violations = await fetch(`${url}/__sandbox/violations`);
			expect(await violations.json()).toEqual([]);
			expect(await end(child, signal)).toBe(0);
		}
	});

	it('takes its flags', async () => {
		const flags = ['--seed', 'empty', '--failure-status', '422', '--tick', '0'];
		const keys = ['--public-key', 'p', '--secret-key', 's', '--base-path', '/v9'];
		const { child, url } = await start(...flags, ...keys);
		const headers = { PublicKey: 'p', SecretKey: 's' };
		const lost = await fetch(`${url}/v9/contacts/details?contact_id=1`, { headers });
		expect(lost.status).toBe(404);
		expect(await lost.json()).toEqual({ status: 'failed', errors: 'Record Not Found' });
		await end(child, 'SIGTERM');
	});

	it('answers as a profile says', async () => {
		const profile = join(folder, 'profile.json');
		writeFileSync(profile, JSON.stringify({ settings: { emptyLists: 'everywhere' } }));
		const { child, url } = await start('--seed', 'empty', '--profile', profile);
		expect(await call(url, '/contacts-type')).toMatchObject({ errors: 'Record Not Found' });
		await end(child, 'SIGTERM');
	});

	it.each(['{}', '{"settings":{"colour":"red"}}'])(
		'explains a file that is no profile: %s',
		async (text) => {
			const file = join(folder, 'other.json');
			writeFileSync(file, text);
			const [code, words] = await attempt('--port', '0', '--profile', file);
			expect([code, words]).toEqual([1, expect.stringContaining(`${file} is no profile`)]);
		},
	);

	it('explains a port that is taken', async () => {
		const sandbox = await inProcess({});
		const [code, words] = await attempt('--port', String(sandbox.port));
		expect([code, words]).toEqual([1, expect.stringContaining(`Port ${sandbox.port} is taken`)]);
		await close(sandbox);
	});

	it('explains a data file that cannot be opened', async () => {
		const file = join(folder, 'no-database');
		writeFileSync(file, 'this is a text, long enough not to be taken for an empty database');
		for (const data of [file, join(folder, 'nowhere', 'sandbox.db')]) {
			const [code, words] = await attempt('--port', '0', '--data', data);
			expect([code, words]).toEqual([1, expect.stringContaining(`The data file ${data} cannot`)]);
		}
	});

	it('explains wrong flags, and listens on loopback only', async () => {
		expect((await attempt('--port', 'many'))[1]).toContain('It must be a whole number');
		expect((await attempt('--host', '0.0.0.0'))[1]).toContain('loopback only');
	});

	it('listens elsewhere only where that is allowed explicitly', async () => {
		const options = { host: '0.0.0.0', anyHost: true };
		const sandbox = await inProcess(options);
		expect(sandbox.url).toBe(`http://0.0.0.0:${sandbox.port}`);
		await close(sandbox);
	});
});

describe('a data file', () => {
	it('outlives the process, even a killed one, up to the last answer', async () => {
		const file = join(folder, 'killed.db');
		const first = await start('--data', file);
		for (let turn = 0; turn < 50; turn++) {
			await call(first.url, '/contacts-type/add', { name: `Type ${turn}` });
		}
		await end(first.child, 'SIGKILL');
		const second = await start('--data', file);
		const names = await typeNames(second.url);
		expect(names).toHaveLength(53);
		expect(names?.at(-1)).toBe('Type 49');
		await end(second.child, 'SIGTERM');
	});

	it('keeps changes, deletions, the clock and the numbering of ids', async () => {
		const data = join(folder, 'kept.db');
		const before = await inProcess({ data });
		before.state.clock.advance(86_400_000);
		await call(before.url, '/contacts-type/update', { id: '21', name: 'Buyers' });
		const path = '/api/contacts-type/delete?contact_type_id=23';
		await fetch(before.url + path, { method: 'DELETE', headers: KEYS });
		await close(before);
		const after = await inProcess({ data, seed: 'empty' });
		expect(await typeNames(after.url)).toEqual(['Buyers', 'Newsletter subscribers']);
		expect(after.state.clock.now() - Date.now()).toBeGreaterThan(86_000_000);
		await call(after.url, '/contacts-type/add', { name: 'Newest' });
		const { contactTypes } = (await call(after.url, '/contacts-type')).message;
		expect(contactTypes?.at(-1)?.id).toBe(24);
		await close(after);
	});

	it('holds the new records after a reset', async () => {
		const data = join(folder, 'reset.db');
		const before = await inProcess({ data });
		await fetch(`${before.url}/__sandbox/reset`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ seed: 'empty' }),
		});
		await close(before);
		const after = await inProcess({ data });
		expect(await typeNames(after.url)).toEqual([]);
		await close(after);
	});
});
