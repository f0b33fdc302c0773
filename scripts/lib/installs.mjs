// @ts-check
// Installs that live outside node_modules. Plain JavaScript, since run.mjs needs it before there is
// a Node that reads TypeScript.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
	copyFile,
	mkdir,
	readFile,
	readdir,
	rename,
	rm,
	stat,
	statfs,
	utimes,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A problem that the person at the keyboard can put right: shown without a stack. */
export class UserError extends Error {
	/** @override */
	name = 'UserError';
}

/** @typedef {(text: string) => void} Report tells what is going on, one line at a time */

const supervisor = join(projectRoot, 'scripts', 'lib', 'supervise.mjs');
const lockRefreshMs = 2_000;
const lockStaleMs = 15_000;
const gigabyte = 1024 ** 3;

export function cacheFolder() {
	const { EMAIL_MARKETING_CACHE, XDG_CACHE_HOME } = process.env;
	return (
		EMAIL_MARKETING_CACHE ||
		join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-email-marketing')
	);
}

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Runs `work` while no other process runs work under the same lock. A lock whose owner was killed
 * is taken over after 15 seconds.
 *
 * @template T
 * @param {string} folder the lock itself: a folder that exists while the lock is held
 * @param {Report} report
 * @param {() => Promise<T>} work
 * @returns {Promise<T>} what `work` returns
 */
export async function withLock(folder, report, work) {
	await mkdir(dirname(folder), { recursive: true });
	let waiting = false;
	for (;;) {
		try {
			await mkdir(folder);
			break;
		} catch (error) {
			if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
		}
		const touched = await stat(folder).then(
			({ mtimeMs }) => mtimeMs,
			() => Date.now(),
		);
		if (Date.now() - touched > lockStaleMs) {
			const abandoned = `${folder}-${randomBytes(4).toString('hex')}`;
			await rename(folder, abandoned).catch(() => undefined);
			await rm(abandoned, { recursive: true, force: true });
		} else {
			if (!waiting) report('Waiting for another run that is doing the same');
			waiting = true;
			await pause(500);
		}
	}
	const refresh = setInterval(() => {
		const now = new Date();
		utimes(folder, now, now).catch(() => undefined);
	}, lockRefreshMs);
	try {
		return await work();
	} finally {
		clearInterval(refresh);
		await rm(folder, { recursive: true, force: true });
	}
}

/**
 * Runs npm to its end, without its output unless it fails.
 *
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, report: Report, doing: string }} options
 *   `doing` is repeated every ten seconds with the time that has gone by
 * @throws {UserError} with npm's output when npm fails or is missing
 */
export async function npm(args, { cwd, env = process.env, report, doing }) {
	const cli = process.env.npm_execpath;
	const command = cli && basename(cli) === 'npm-cli.js' ? [process.execPath, cli] : ['npm'];
	const quiet = ['--loglevel=error', '--no-audit', '--no-fund'];
	const started = Date.now();
	report(doing);
	const ticker = setInterval(() => {
		report(`${doing} (${Math.round((Date.now() - started) / 1000)} s)`);
	}, 10_000);
	try {
		const output = await new Promise((resolve, reject) => {
			const child = spawn(process.execPath, [supervisor, ...command, ...args, ...quiet], {
				cwd,
				env,
			});
			/** @type {Buffer[]} */
			const chunks = [];
			child.stdout.on('data', (chunk) => chunks.push(chunk));
			child.stderr.on('data', (chunk) => chunks.push(chunk));
			child.on('error', (error) =>
				reject(new UserError(`npm could not be started: ${error.message}`)),
			);
			child.on('close', (code) => {
				const text = Buffer.concat(chunks).toString('utf8').trim();
				if (code === 0) resolve(text);
				else reject(new UserError(`npm ${args.join(' ')} failed:\n${text}`));
			});
		});
		return /** @type {string} */ (output);
	} finally {
		clearInterval(ticker);
	}
}

/**
 * Throws a UserError when the disk that will hold `folder` has less than `gigabytes` left.
 *
 * @param {string} folder need not exist yet
 * @param {number} gigabytes
 * @param {string} what what the space is for, as the subject of a sentence
 */
export async function requireFreeSpace(folder, gigabytes, what) {
	let existing = folder;
	while (!existsSync(existing)) existing = dirname(existing);
	const { bavail, bsize } = await statfs(existing);
	const free = (bavail * bsize) / gigabyte;
	if (free >= gigabytes) return;
	throw new UserError(
		`${what} needs about ${gigabytes} GB in ${folder}, and only ${free.toFixed(1)} GB are free there. ` +
			'Make room, or set EMAIL_MARKETING_CACHE to a folder on a larger disk.',
	);
}

/**
 * Installs runtime/<name> from its lock file into the cache, once: the folder's name holds the hash
 * of everything that the result depends on, and it appears under that name only when complete.
 *
 * @param {{
 *   name: string,
 *   dependsOn?: string[],
 *   gigabytes: number,
 *   what: string,
 *   install: (folder: string) => Promise<void>,
 *   report: Report,
 * }} options `dependsOn`: further values that make a different install; `what`: what is installed,
 *   as the subject of a sentence; `install` fills a folder that holds package.json and its lock file
 * @returns {Promise<string>} the installed folder
 */
export async function cachedInstall({ name, dependsOn = [], gigabytes, what, install, report }) {
	const source = join(projectRoot, 'runtime', name);
	const files = ['package.json', 'package-lock.json'];
	const hash = createHash('sha256');
	for (const file of files) hash.update(await readFile(join(source, file)));
	hash.update([process.platform, process.arch, ...dependsOn].join());

	const cache = cacheFolder();
	const folder = join(cache, `${name}-${hash.digest('hex').slice(0, 16)}`);
	if (existsSync(folder)) return folder;

	return await withLock(`${folder}.lock`, report, async () => {
		if (existsSync(folder)) return folder;
		const unfinished = `${folder}.partial`;
		await rm(unfinished, { recursive: true, force: true });
		await requireFreeSpace(cache, gigabytes, what);
		await mkdir(unfinished, { recursive: true });
		for (const file of files) await copyFile(join(source, file), join(unfinished, file));
		await install(unfinished);
		await rename(unfinished, folder);
		const older = (await readdir(cache)).filter(
			(entry) =>
				/^[\w-]+$/.test(entry) && entry.startsWith(`${name}-`) && entry !== basename(folder),
		);
		if (older.length > 0) {
			report(
				`Older installs stay in ${cache}; delete ${older.join(', ')} there if you no longer need them`,
			);
		}
		return folder;
	});
}

/**
 * Makes sure of a Node 24 or newer.
 *
 * @param {Report} report
 * @returns {Promise<string>} the path of its executable
 */
export async function ensureNode24(report) {
	if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
	const folder = await cachedInstall({
		name: 'node-24',
		gigabytes: 0.5,
		what: 'Node 24',
		report,
		install: async (cwd) => {
			await npm(['ci', '--ignore-scripts'], { cwd, report, doing: 'Downloading Node 24' });
		},
	});
	const modules = join(folder, 'node_modules');
	for (const entry of await readdir(modules)) {
		for (const executable of ['bin/node', 'bin/node.exe']) {
			const path = join(modules, entry, executable);
			if (existsSync(path)) return path;
		}
	}
	throw new UserError(
		`There is no packaged Node 24 for ${process.platform} on ${process.arch}. ` +
			'Install Node 24 or newer from nodejs.org and run the command again.',
	);
}

/** @param {string} file */
async function lockedPackages(file) {
	const { packages } = JSON.parse(await readFile(file, 'utf8'));
	return /** @type {Record<string, { version: string, integrity?: string, optional?: boolean }>} */ (
		packages
	);
}

async function dependenciesInstalled() {
	const installedLock = join(projectRoot, 'node_modules', '.package-lock.json');
	if (!existsSync(installedLock)) return false;
	const wanted = await lockedPackages(join(projectRoot, 'package-lock.json'));
	const installed = await lockedPackages(installedLock);
	return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
		const found = installed[path];
		if (path === '' || (!found && optional)) return true;
		return found?.version === version && found.integrity === integrity;
	});
}

/**
 * Runs `npm ci` in the project unless node_modules already is what package-lock.json asks for.
 *
 * @param {Report} report
 */
export async function ensureDependencies(report) {
	if (await dependenciesInstalled()) return;
	await withLock(join(projectRoot, '.work', 'npm-ci.lock'), report, async () => {
		if (await dependenciesInstalled()) return;
		await requireFreeSpace(projectRoot, 1, 'Installing the development packages');
		await npm(['ci'], { cwd: projectRoot, report, doing: 'Installing the development packages' });
	});
}
