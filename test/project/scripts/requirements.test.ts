import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FreshHome, freshHome, library, runModule } from './freshHome';

let home: FreshHome;
beforeEach(async () => {
	home = await freshHome();
});
afterEach(() => home.remove());

async function evaluate<T>(expression: string, env = home.env): Promise<T | undefined> {
	const output = await runModule(
		`import * as requirements from ${library('requirements.mjs')};
		console.log(JSON.stringify(await requirements.${expression}) ?? '');`,
		env,
	);
	return output.trim() === '' ? undefined : (JSON.parse(output) as T);
}

describe('compilers', () => {
	/** A PATH with nothing but commands of these names, which do nothing. */
	async function withTools(...names: string[]): Promise<NodeJS.ProcessEnv> {
		const bin = join(home.folder, 'bin');
		await mkdir(bin);
		for (const name of names) {
			await writeFile(join(bin, name), '#!/bin/sh\n');
			await chmod(join(bin, name), 0o755);
		}
		await symlink('/bin/sh', join(bin, 'sh'));
		return { ...home.env, PATH: bin };
	}
	const lack = "lackOfTools(process.env, 'linux')";

	it('are all there', async () => {
		expect(await evaluate(lack, await withTools('python3', 'make', 'cc', 'g++'))).toBeUndefined();
	});

	it('may have the names that the environment gives', async () => {
		const env = await withTools('snake', 'make', 'clang', 'clang++');
		const named = { PYTHON: 'snake', CC: 'clang -m64', CXX: 'clang++' };
		expect(await evaluate(lack, { ...env, ...named })).toBeUndefined();
	});

	it('are named when they are missing, with the commands that install them', async () => {
		const message = await evaluate<string>(lack, await withTools('python3', 'cc'));
		expect(message).toContain('missing here: make, a C++ compiler');
		expect(message).toContain('apt install make g++ ');
		expect(message).toContain('dnf install make gcc-c++ ');
	});

	it('come with Xcode on macOS', async () => {
		const env = await withTools('python3');
		const message = await evaluate<string>("lackOfTools(process.env, 'darwin')", env);
		expect(message).toContain('xcode-select --install');
	});
});

describe('disks', () => {
	it('are large enough', async () => {
		expect(await evaluate("lackOfSpace([{ folder: '/tmp', gigabytes: 0.000001 }])")).toEqual([]);
	});

	it('have to hold the sum of what goes to them', async () => {
		const wanted = ['a', 'b'].map((name) => ({
			folder: join(home.folder, name),
			gigabytes: 600_000,
		}));
		const [message, ...others] =
			(await evaluate<string[]>(`lackOfSpace(${JSON.stringify(wanted)})`)) ?? [];
		expect(others).toEqual([]);
		expect(message).toContain('need 1200000.0 GB');
		expect(message).toContain(wanted[0]?.folder);
		expect(message).toContain(wanted[1]?.folder);
	});
});

it.each([
	['7.24.2', false],
	['8.0.0', true],
	['11.19.1', true],
])('npm %s', async (version, good) => {
	const message = await evaluate<string>(`tooOldNpm('${version}')`);
	if (good) expect(message).toBeUndefined();
	else expect(message).toContain('npm install --global npm@10');
});

it('says what is about to be installed, with the sums', async () => {
	const missing = [
		{
			what: 'this',
			megabytes: 300,
			cachedGigabytes: 0.3,
			gigabytes: 0.5,
			minutes: 1,
			folder: '/a',
		},
		{ what: 'that', megabytes: 70, cachedGigabytes: 0.1, gigabytes: 0.2, minutes: 3, folder: '/b' },
	];
	const text = await evaluate<string>(`announcement(${JSON.stringify(missing)})`);
	expect(text).toMatch(/this +300 MB +into \/a/);
	expect(text).toContain('Download 370 MB, disk 1.1 GB, time about 4 to 8 minutes');
});
