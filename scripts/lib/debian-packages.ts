import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './installs.mjs';
import { withLock } from './lock.mjs';
import { UserError } from './user-error.ts';

const run = promisify(execFile);
type Report = (text: string) => void;

/** What a program of Debian needs to run from where it was unpacked. */
export interface Program {
	/** The folder of its executables. */
	bin: string;
	/** What its libraries are found by. */
	env: Record<string, string>;
}

/** Such as "debian-12-x64": what is unpacked for one release does not run on another. */
async function release(): Promise<string> {
	const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
	const value = (name: string) => new RegExp(`^${name}="?([\\w.-]+)`, 'm').exec(text)?.[1] ?? '';
	return [value('ID'), value('VERSION_ID'), process.arch].filter(Boolean).join('-');
}

/** Downloads the package and those of its dependencies that this machine lacks. */
async function download(name: string, folder: string, options: string[]): Promise<void> {
	const { stdout } = await run('apt-get', [
		...options,
		...['install', '--simulate', '--no-install-recommends', '--no-remove', name],
	]);
	const missing = [...stdout.matchAll(/^Inst (\S+)/gm)].flatMap(([, found]) => found ?? []);
	await run('apt-get', [...options, 'download', ...missing], { cwd: folder });
}

/** The same with new lists of packages, since those of this machine may be missing or too old. */
async function updateAndDownload(name: string, folder: string): Promise<void> {
	const own = join(folder, 'apt');
	await mkdir(join(own, 'lists', 'partial'), { recursive: true });
	await mkdir(join(own, 'cache', 'archives', 'partial'), { recursive: true });
	const options = ['-o', `Dir::State::lists=${own}/lists`, '-o', `Dir::Cache=${own}/cache`];
	await run('apt-get', [...options, 'update']);
	await download(name, folder, options);
	await rm(own, { recursive: true });
}

async function unpack(name: string, folder: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	await download(name, folder, []).catch(async () => await updateAndDownload(name, folder));
	for (const file of (await readdir(folder)).filter((entry) => entry.endsWith('.deb'))) {
		await run('dpkg', ['-x', file, '.'], { cwd: folder });
		await rm(join(folder, file));
	}
}

/** Every folder below `folder` that holds libraries. */
async function libraryFolders(folder: string): Promise<string[]> {
	const lib = join(folder, 'usr', 'lib');
	if (!existsSync(lib)) return [];
	const below = (await readdir(lib)).filter((name) => name.includes('-linux-'));
	return [lib, ...below.map((name) => join(lib, name))];
}

/**
 * Unpacks a package of Debian or Ubuntu into the cache, once, with what it needs and this machine
 * lacks. Nothing is installed, and no privileges are needed.
 *
 * @returns the folder
 * @throws UserError when there is no apt here, or it does not find the package
 */
export async function unpackDebianPackage(name: string, report: Report): Promise<string> {
	const folder = join(cacheFolder(), `${name}-${await release()}`);
	await withLock(`${folder}.lock`, report, async () => {
		if (existsSync(folder)) return;
		report(`Downloading ${name} from the packages of this system`);
		const unfinished = `${folder}.partial`;
		await rm(unfinished, { recursive: true, force: true });
		try {
			await unpack(name, unfinished);
		} catch (error) {
			throw new UserError(
				`${name} is not installed, and could not be downloaded with apt-get: ` +
					`${(error as Error).message.trim()}\n` +
					`Install it (Debian, Ubuntu: sudo apt-get update && sudo apt-get install ${name}) ` +
					'and run the command again.',
			);
		}
		await rename(unfinished, folder);
	});
	return folder;
}

/** A program that runs from the folder that its package was unpacked to. */
export async function unpackedProgram(folder: string, bin: string): Promise<Program> {
	const { LD_LIBRARY_PATH } = process.env;
	const libraries = await libraryFolders(folder);
	if (LD_LIBRARY_PATH) libraries.push(LD_LIBRARY_PATH);
	return { bin, env: { LD_LIBRARY_PATH: libraries.join(delimiter) } };
}
