import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FreshHome, freshHome, library, root, runModule } from './freshHome';

let home: FreshHome;
const groups: ChildProcess[] = [];

beforeEach(async () => {
	home = await freshHome('leer und Ümläut');
	home.env.EMAIL_MARKETING_CACHE = join(home.folder, 'cache');
});
afterEach(async () => {
	for (const { pid } of groups.splice(0)) {
		try {
			if (pid !== undefined) process.kill(-pid, 'SIGKILL');
		} catch {
			// The test has killed it.
		}
	}
	await home.remove();
});

/** A program that installs with the given steps. Each step leaves a file that says that it ran. */
const installer = (download: string, build: string) => `
	import { appendFile, writeFile } from 'node:fs/promises';
	import { cachedInstall } from ${library('installs.mjs')};
	const did = (text) => appendFile(process.env.HOME + '/did', text + '\\n');
	const forever = () => new Promise(() => setInterval(() => {}, 1000));
	const installation = { name: 'node-24' };
	console.log(await cachedInstall(installation, (text) => did('report ' + text), {
		download: async (folder) => { await did('download'); ${download} },
		build: async (folder) => { await did('build'); ${build} },
	}));`;
const quick = installer(
	"await writeFile(folder + '/downloaded', '');",
	"await writeFile(folder + '/built', '');",
);

async function until(condition: () => Promise<boolean>): Promise<void> {
	while (!(await condition())) await sleep(50);
}
const did = async () =>
	existsSync(join(home.folder, 'did'))
		? (await readFile(join(home.folder, 'did'), 'utf8')).trim().split('\n')
		: [];

/** Starts a program as the leader of a process group, as a shell does. */
function start(text: string, env = home.env): ChildProcess {
	const child = spawn(process.execPath, ['--input-type=module', '--eval', text], {
		cwd: root,
		env,
		detached: true,
		stdio: 'ignore',
	});
	groups.push(child);
	return child;
}
async function killGroup(child: ChildProcess): Promise<void> {
	const exited = once(child, 'exit');
	process.kill(-Number(child.pid), 'SIGKILL');
	await exited;
}

it('begins again after a kill during the download', async () => {
	const first = start(installer("await writeFile(folder + '/half', ''); await forever();", ''));
	await until(async () => (await did()).includes('download'));
	await killGroup(first);

	const folder = (await runModule(quick, home.env)).trim();
	expect(await did()).toEqual(['download', 'download', 'build']);
	expect((await readdir(folder)).sort()).toEqual(
		['built', 'downloaded', 'package-lock.json', 'package.json'].sort(),
	);
});

it('does not download again after a kill during the build, nor after a failed one', async () => {
	const download = "await writeFile(folder + '/downloaded', '');";
	const first = start(installer(download, 'await forever();'));
	await until(async () => (await did()).includes('build'));
	await killGroup(first);
	await expect(
		runModule(installer(download, "throw new Error('no compiler');"), home.env),
	).rejects.toThrow('no compiler');

	const folder = (await runModule(quick, home.env)).trim();
	expect(await did()).toEqual(['download', 'build', 'build', 'build']);
	expect(existsSync(join(folder, 'built'))).toBe(true);
	expect(await readdir(join(home.folder, 'cache'))).toEqual([folder.split('/').at(-1)]);
});

it('lets a second start wait for the first one', async () => {
	start(
		installer(
			"await new Promise((go) => setTimeout(go, 1500)); await writeFile(folder + '/slow', '');",
			'',
		),
	);
	await until(async () => (await did()).includes('download'));
	const folder = (await runModule(quick, home.env)).trim();
	expect(existsSync(join(folder, 'slow'))).toBe(true);
	expect(await did()).toEqual([
		'download',
		'report Waiting for another run that is doing the same',
		'build',
	]);
});

const isAlive = (pid: number) => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};

it('leaves no npm behind when its whole process group is killed', async () => {
	const bin = join(home.folder, 'bin');
	await mkdir(bin);
	await writeFile(join(bin, 'npm'), '#!/bin/sh\necho $$ > "$HOME/pid"\nsleep 600\n');
	await chmod(join(bin, 'npm'), 0o755);
	const program = `import { npm } from ${library('npm.mjs')};
		await npm(['ci'], { cwd: process.env.HOME, report: () => {}, doing: 'Installing' });`;
	const first = start(program, {
		...home.env,
		PATH: [bin, home.env.PATH].join(delimiter),
	});
	const pidFile = join(home.folder, 'pid');
	const pid = async () => (existsSync(pidFile) ? Number(await readFile(pidFile, 'utf8')) : 0);
	await until(async () => (await pid()) > 0);
	await killGroup(first);
	const npm = await pid();
	await until(async () => !isAlive(npm));
});

it('builds n8n for the interface of the Node 24 that runs it', async () => {
	const text = await runModule(
		`import { n8n } from ${library('installs.mjs')};
		console.log(n8n.dependsOn === process.versions.modules);`,
		home.env,
	);
	expect(text.trim()).toBe('true');
});
