// @ts-check
// What a machine has to have before anything is downloaded, and what the download will be.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { npmSettings } from './npm.mjs';
import { UserError } from './user-error.mjs';

/** @typedef {import('./installs.mjs').MissingInstallation} MissingInstallation */

const gigabyte = 1024 ** 3;
/** The oldest npm that was tried and installs from these lock files. */
const oldestNpm = 8;

/** @param {string} folder need not exist yet */
function existing(folder) {
	let found = folder;
	while (!existsSync(found)) found = dirname(found);
	return found;
}

/**
 * @param {Array<{ folder: string, gigabytes: number }>} wanted several folders on one disk add up
 * @returns {Promise<string[]>} the disks that lack room, each as a sentence
 */
export async function lackOfSpace(wanted) {
	/** @type {Map<number, { folders: Set<string>, gigabytes: number, free: number }>} */
	const disks = new Map();
	for (const { folder, gigabytes } of wanted) {
		const there = existing(folder);
		const { dev } = await stat(there);
		const { bavail, bsize } = await statfs(there);
		const disk = disks.get(dev) ?? {
			folders: new Set(),
			gigabytes: 0,
			free: (bavail * bsize) / gigabyte,
		};
		disk.gigabytes += gigabytes;
		disk.folders.add(folder);
		disks.set(dev, disk);
	}
	return [...disks.values()]
		.filter(({ free, gigabytes }) => free < gigabytes)
		.map(
			({ folders, gigabytes, free }) =>
				`Not enough disk space: ${[...folders].join(' and ')} need ${gigabytes.toFixed(1)} GB, ` +
				`and ${free.toFixed(1)} GB are free. Make room, or set EMAIL_MARKETING_CACHE (for n8n) ` +
				"and npm_config_cache (for npm's own cache) to folders on a larger disk.",
		);
}

/** @param {string[]} commands @param {string[]} [args] */
const anyRuns = (commands, args = ['--version']) =>
	commands.some((command) => spawnSync(command, args, { stdio: 'ignore' }).status === 0);

/** @param {string | undefined} text a command, perhaps with options */
const command = (text) => text?.trim().split(/\s+/)[0] || undefined;

const debian = { Python: 'python3', make: 'make', 'a C compiler': 'gcc', 'a C++ compiler': 'g++' };
const fedora = { ...debian, 'a C++ compiler': 'gcc-c++' };

/**
 * node-gyp looks for the same ones.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 * @returns {string | undefined} what is missing for compiling, with the commands that install it
 */
export function lackOfTools(env, platform) {
	const why = "n8n's SQLite driver has to be compiled";
	const python = [
		env.NODE_GYP_FORCE_PYTHON,
		env.npm_config_python,
		env.PYTHON,
		'python3',
		'python',
	];
	const hasPython = anyRuns(python.flatMap((name) => (name ? [name] : [])));
	if (platform === 'win32') {
		// Visual Studio cannot be told from here; node-gyp names what it misses.
		return hasPython
			? undefined
			: `${why}, and Python is missing here. Install it from python.org, and the Visual Studio Build Tools with "Desktop development with C++".`;
	}
	if (platform === 'darwin' && !anyRuns(['xcode-select'], ['-p'])) {
		return `${why}, and the Xcode command line tools are missing here. Install them with: xcode-select --install`;
	}
	/** @type {Array<[keyof typeof debian, boolean]>} */
	const tools = [
		['Python', hasPython],
		['make', anyRuns([env.MAKE || 'make'])],
		['a C compiler', anyRuns([command(env.CC) ?? 'cc'])],
		['a C++ compiler', anyRuns([command(env.CXX) ?? (platform === 'darwin' ? 'c++' : 'g++')])],
	];
	const missing = tools.flatMap(([tool, found]) => (found ? [] : [tool]));
	if (missing.length === 0) return undefined;
	const packages = (/** @type {typeof debian} */ names) =>
		missing.map((tool) => names[tool]).join(' ');
	return [
		`${why}, and this is missing here: ${missing.join(', ')}. Install it with`,
		...(platform === 'darwin'
			? ['  xcode-select --install', '  brew install python']
			: [
					`  sudo apt install ${packages(debian)}    (Debian, Ubuntu)`,
					`  sudo dnf install ${packages(fedora)}    (Fedora)`,
				]),
	].join('\n');
}

/** @param {string} version @returns {string | undefined} */
export function tooOldNpm(version) {
	if (Number(version.split('.')[0]) >= oldestNpm) return undefined;
	return (
		`npm ${version} is too old to install this project; it needs npm ${oldestNpm} or newer. ` +
		'Update it with: npm install --global npm@10'
	);
}

/** @param {number} minutes */
const rounded = (minutes) => Math.max(1, Math.round(minutes));

/** @param {MissingInstallation[]} missing @returns {string} what is about to happen */
export function announcement(missing) {
	const sum = (/** @type {'megabytes' | 'gigabytes' | 'cachedGigabytes' | 'minutes'} */ key) =>
		missing.reduce((total, installation) => total + installation[key], 0);
	const gigabytes = (sum('gigabytes') + sum('cachedGigabytes')).toFixed(1);
	const download = sum('megabytes');
	const minutes = rounded(sum('minutes'));
	const width = Math.max(...missing.map(({ what }) => what.length));
	return [
		"Installing what is missing. It is kept for the next run, which won't need the network.",
		...missing.map(
			({ what, megabytes, folder }) =>
				`  ${what.padEnd(width)}  ${`${megabytes} MB`.padStart(6)}  into ${folder}`,
		),
		`Download ${download} MB, disk ${gigabytes} GB, ` +
			`time about ${minutes} to ${minutes * 2} minutes with a fast connection.`,
	].join('\n');
}

/**
 * @param {MissingInstallation[]} missing what is about to be installed
 * @throws {UserError} with everything that stands in the way
 */
export async function checkRequirements(missing) {
	if (missing.length === 0) return;
	const { version, cache } = await npmSettings();
	const wanted = missing.flatMap(({ folder, gigabytes, cachedGigabytes }) => [
		{ folder: dirname(folder), gigabytes },
		...(cachedGigabytes > 0 ? [{ folder: cache, gigabytes: cachedGigabytes }] : []),
	]);
	const problems = [
		tooOldNpm(version),
		missing.some(({ compiles }) => compiles)
			? lackOfTools(process.env, process.platform)
			: undefined,
		...(await lackOfSpace(wanted)),
	].filter((problem) => problem !== undefined);
	if (problems.length > 0) {
		throw new UserError([...problems, 'Then run the command again.'].join('\n\n'));
	}
}
