// @ts-check
// What a command needs besides the clone, and how it gets there. Plain JavaScript, since run.mjs
// needs it before there is a Node that reads TypeScript.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { UserError } from './user-error.mjs';

export const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** @typedef {import('./npm.mjs').Report} Report */

/**
 * @typedef {object} Installation an install from a lock file, and what it costs as measured once
 * @property {string} what what is installed, as a part of a sentence
 * @property {number} megabytes what npm downloads
 * @property {number} cachedGigabytes what npm keeps of it in its own cache
 * @property {number} gigabytes what it takes where it is installed
 * @property {number} minutes on two processors with a quick connection
 * @property {boolean} [compiles]
 */

/**
 * @typedef {Installation & {
 *   name: string,
 *   dependsOn?: string,
 *   native?: string[],
 * }} CachedInstallation from runtime/<name>; `native` are its packages that are compiled
 */

/** @type {Installation} */
const dependencies = {
	what: 'development packages',
	megabytes: 330,
	cachedGigabytes: 0.4,
	gigabytes: 0.6,
	minutes: 1,
};

/** @type {CachedInstallation} */
const node24 = {
	name: 'node-24',
	what: 'Node 24',
	megabytes: 60,
	cachedGigabytes: 0.1,
	gigabytes: 0.2,
	minutes: 0.2,
};

/** @type {CachedInstallation} */
export const n8n = {
	name: 'n8n-2',
	what: 'n8n',
	megabytes: 850,
	cachedGigabytes: 0.7,
	gigabytes: 2.5,
	minutes: 6,
	compiles: true,
	native: ['sqlite3', 'isolated-vm'],
	// The version of Node 24's binary interface, which it is built for.
	dependsOn: '137',
};

/** @type {CachedInstallation} */
export const stryker = {
	name: 'stryker',
	what: 'Stryker',
	megabytes: 15,
	cachedGigabytes: 0.1,
	gigabytes: 0.1,
	minutes: 0.2,
};

const lockedFiles = ['package.json', 'package-lock.json'];

export function cacheFolder() {
	const { EMAIL_MARKETING_CACHE, XDG_CACHE_HOME } = process.env;
	return (
		EMAIL_MARKETING_CACHE ||
		join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-email-marketing')
	);
}

/** @param {string} file */
async function lockedPackages(file) {
	const { packages } = JSON.parse(await readFile(file, 'utf8'));
	return /** @type {Record<string, { version: string, integrity?: string, optional?: boolean, os?: string[], cpu?: string[] }>} */ (
		packages
	);
}

/**
 * @param {string[] | undefined} allowed as in the field os or cpu of a package
 * @param {string} own
 */
const allows = (allowed, own) =>
	!allowed ||
	allowed.includes(own) ||
	(allowed[0]?.startsWith('!') && !allowed.includes(`!${own}`));

/**
 * @param {string} folder with a lock file
 * @returns {Promise<number>} how many packages npm fetches for this machine
 */
export async function packageCount(folder) {
	const locked = Object.entries(await lockedPackages(join(folder, 'package-lock.json')));
	const integrities = locked
		.filter(([, { os, cpu }]) => allows(os, process.platform) && allows(cpu, process.arch))
		.flatMap(([, { integrity }]) => integrity ?? []);
	return new Set(integrities).size;
}

/**
 * Where an installation is or will be. The name holds the hash of everything that it depends on.
 *
 * @param {CachedInstallation} installation
 */
async function installedFolder({ name, dependsOn }) {
	const hash = createHash('sha256');
	for (const file of lockedFiles) {
		hash.update(await readFile(join(projectRoot, 'runtime', name, file)));
	}
	hash.update([process.platform, process.arch, ...(dependsOn ? [dependsOn] : [])].join());
	return join(cacheFolder(), `${name}-${hash.digest('hex').slice(0, 16)}`);
}

/** @param {string} folder that of the installation */
const downloadedFolder = (folder) => `${folder}.downloaded`;

/**
 * Installs into the cache, once. The folder appears under its name only when complete, and what was
 * downloaded outlives a build that fails or is interrupted.
 *
 * @param {CachedInstallation} installation
 * @param {Report} report
 * @param {{
 *   download: (folder: string) => Promise<void>,
 *   build?: (folder: string) => Promise<void>,
 * }} steps `download` fills a folder that holds package.json and its lock file
 * @returns {Promise<string>} the installed folder
 */
export async function cachedInstall(installation, report, { download, build }) {
	const { name } = installation;
	const folder = await installedFolder(installation);
	if (existsSync(folder)) return folder;

	return await withLock(`${folder}.lock`, report, async () => {
		if (existsSync(folder)) return folder;
		const downloaded = downloadedFolder(folder);
		if (!existsSync(downloaded)) {
			const unfinished = `${folder}.partial`;
			await rm(unfinished, { recursive: true, force: true });
			await mkdir(unfinished, { recursive: true });
			for (const file of lockedFiles) {
				await copyFile(join(projectRoot, 'runtime', name, file), join(unfinished, file));
			}
			await download(unfinished);
			await rename(unfinished, downloaded);
		}
		await build?.(downloaded);
		await rename(downloaded, folder);

		const cache = dirname(folder);
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
 * Makes sure of an installation whose packages need no compiler.
 *
 * @param {CachedInstallation} installation
 * @param {Report} report
 * @returns {Promise<string>} the folder that holds its node_modules
 */
export async function ensureInstalled(installation, report) {
	return await cachedInstall(installation, report, {
		download: async (cwd) => {
			await npm(['ci', '--ignore-scripts'], {
				cwd,
				report,
				doing: `Downloading ${installation.what}`,
			});
		},
	});
}

/** n8n is built and tested with this one only, so a newer Node of the user's own is not taken. */
const hasNode24 = () => process.versions.node.startsWith('24.');

/**
 * Makes sure of a Node from npm.
 *
 * @param {CachedInstallation} installation
 * @param {Report} report
 * @returns {Promise<string>} the path of its executable
 */
export async function ensureNode(installation, report) {
	const { what } = installation;
	const folder = await ensureInstalled(installation, report);
	const modules = join(folder, 'node_modules');
	for (const entry of existsSync(modules) ? await readdir(modules) : []) {
		for (const executable of ['bin/node', 'bin/node.exe']) {
			const path = join(modules, entry, executable);
			if (existsSync(path)) return path;
		}
	}
	throw new UserError(
		`There is no packaged ${what} for ${process.platform} on ${process.arch}. ` +
			`Install ${what} from nodejs.org and run the command again with it.`,
	);
}

/**
 * Makes sure of a Node 24.
 *
 * @param {Report} report
 * @returns {Promise<string>} the path of its executable
 */
export async function ensureNode24(report) {
	return hasNode24() ? process.execPath : await ensureNode(node24, report);
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
		await npm(['ci', '--ignore-scripts'], {
			cwd: projectRoot,
			report,
			doing: 'Installing the development packages',
			packages: await packageCount(projectRoot),
		});
	});
}

/** All that `npm start` needs on a machine that has nothing. */
export const forStart = [dependencies, node24, n8n];

/** @typedef {Installation & { folder: string }} MissingInstallation */

/**
 * @param {CachedInstallation[]} wanted besides the development packages and Node 24
 * @returns {Promise<MissingInstallation[]>} what has to be installed first, and where
 */
export async function missingInstallations(wanted) {
	/** @type {MissingInstallation[]} */
	const missing = [];
	if (!(await dependenciesInstalled())) {
		missing.push({ ...dependencies, folder: join(projectRoot, 'node_modules') });
	}
	for (const installation of [...(hasNode24() ? [] : [node24]), ...wanted]) {
		const folder = await installedFolder(installation);
		if (existsSync(folder)) continue;
		const rest = existsSync(downloadedFolder(folder))
			? {
					what: `${installation.what} (downloaded already)`,
					megabytes: 0,
					cachedGigabytes: 0,
					gigabytes: 0.3,
					minutes: 2,
				}
			: {};
		missing.push({ ...installation, ...rest, folder });
	}
	return missing;
}
