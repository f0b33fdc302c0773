import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type FreshHome, freshHome, library, root, runModule } from './freshHome';

let home: FreshHome;
let folder: string;
let owner: ChildProcess | undefined;
beforeEach(async () => {
	home = await freshHome();
	folder = join(home.folder, 'demo', 'running.lock');
});
afterEach(async () => {
	owner?.kill('SIGKILL');
	await home.remove();
});

const program = (then: string) => `
	import { readNote, tryLock } from ${library('lock.mjs')};
	const folder = ${JSON.stringify(folder)};
	const lock = await tryLock(folder);
	${then}`;
const attempt = () => program("console.log(lock ? 'got it' : await readNote(folder));");

it('shows the note of the owner to those who find the lock taken, until the owner is dead', async () => {
	const child = spawn(
		process.execPath,
		[
			'--input-type=module',
			'--eval',
			program(
				"await lock.note('n8n is at PORT'); console.log('noted'); setInterval(() => {}, 1000);",
			),
		],
		{ cwd: root, env: home.env, stdio: ['ignore', 'pipe', 'inherit'] },
	);
	owner = child;
	await once(child.stdout, 'data');
	expect(await runModule(attempt(), home.env)).toBe('n8n is at PORT\n');
	child.kill('SIGKILL');
	await once(child, 'exit');
	expect(await runModule(attempt(), home.env)).toBe('got it\n');
});

it('is gone when it is released, and is not released by those who do not have it', async () => {
	await runModule(program("await lock.note('here'); await lock.release();"), home.env);
	expect(existsSync(folder)).toBe(false);
	await runModule(
		program(`
			const { rm, mkdir } = await import('node:fs/promises');
			await rm(folder, { recursive: true });
			await mkdir(folder);
			await lock.release();`),
		home.env,
	);
	expect(await readdir(folder)).toEqual([]);
});

it('lets only one of many take over from a dead owner', async () => {
	await runModule(program(''), home.env);
	expect(await readdir(folder)).toHaveLength(1);
	// Each keeps what it got until all have answered.
	const rival = program("console.log(lock ? 'got it' : 'taken'); process.stdin.resume();");
	const rivals = Array.from({ length: 5 }, () =>
		spawn(process.execPath, ['--input-type=module', '--eval', rival], {
			cwd: root,
			env: home.env,
			stdio: ['pipe', 'pipe', 'inherit'],
		}),
	);
	const answers = await Promise.all(
		rivals.map(async ({ stdout }) => String(await once(stdout, 'data')).trim()),
	);
	for (const { stdin } of rivals) stdin.end();
	expect(answers.sort()).toEqual(['got it', 'taken', 'taken', 'taken', 'taken']);
});
