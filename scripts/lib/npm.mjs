// @ts-check
import { spawn } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from './user-error.mjs';

/** @typedef {(text: string) => void} Report tells what is going on, one line at a time */

const supervisor = join(dirname(fileURLToPath(import.meta.url)), 'supervise.mjs');
/** On a terminal the text replaces the one before. */
const reportMs = process.stdout.isTTY && process.stderr.isTTY ? 1_000 : 10_000;
/** How npm tells of a package that it has fetched, or found in its cache. */
const fetched = /^npm http (?:fetch|cache) .*\.tgz/;

/** @param {number} ms */
export function duration(ms) {
	const seconds = Math.round(ms / 1000);
	return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * The npm that runs this, else the one in PATH.
 *
 * @param {string} node the executable of the Node that runs it
 */
function npmCommand(node) {
	const cli = process.env.npm_execpath;
	if (cli && basename(cli) === 'npm-cli.js') return [node, cli];
	return process.platform === 'win32' ? ['cmd', '/c', 'npm'] : ['npm'];
}

/**
 * Runs npm to its end, or to the end of this process.
 *
 * @param {string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @param {(line: string) => void} [onLine] gets each line of output
 * @param {string} [node] the executable of the Node that runs it
 * @returns {Promise<{ code: number | null, output: string, errors: string }>}
 */
function runNpm(args, cwd, env, onLine, node = process.execPath) {
	return new Promise((resolve, reject) => {
		const child = spawn(process.execPath, [supervisor, ...npmCommand(node), ...args], {
			cwd,
			env,
			// What ends this whole process group must not end the supervisor, which then ends npm.
			detached: process.platform !== 'win32',
		});
		/** @type {string[]} */
		const output = [];
		/** @type {string[]} */
		const errors = [];
		child.stdout.setEncoding('utf8').on('data', (text) => output.push(text));
		let rest = '';
		child.stderr.setEncoding('utf8').on('data', (text) => {
			const lines = (rest + text).split('\n');
			rest = lines.pop() ?? '';
			for (const line of lines) {
				if (!line.startsWith('npm http ')) errors.push(line);
				onLine?.(line);
			}
		});
		child.on('error', (error) =>
			reject(new UserError(`npm could not be started: ${error.message}`)),
		);
		child.on('close', (code) => {
			resolve({ code, output: output.join(''), errors: [...errors, rest].join('\n') });
		});
	});
}

/**
 * Runs npm, without its output unless it fails.
 *
 * @param {string[]} args
 * @param {{
 *   cwd: string,
 *   env?: NodeJS.ProcessEnv,
 *   report: Report,
 *   doing: string,
 *   packages?: number,
 *   node?: string,
 * }} options `node` is the executable of the Node that runs npm, where it is not this one; `doing` is repeated with the time that has gone by, and, where `packages` says how many
 *   will be fetched, with the number of those that have been
 * @throws {UserError} with npm's output when npm fails or is missing
 */
export async function npm(args, { cwd, env = process.env, report, doing, packages, node }) {
	const started = Date.now();
	let count = 0;
	report(doing);
	const ticker = setInterval(() => {
		const time = duration(Date.now() - started);
		const progress =
			packages && count > 0 ? `${Math.min(count, packages)} of ${packages} packages, ` : '';
		report(`${doing} (${progress}${time})`);
	}, reportMs);
	const quiet = [`--loglevel=${packages ? 'http' : 'error'}`, '--no-audit', '--no-fund'];
	try {
		const onLine = (/** @type {string} */ line) => {
			if (fetched.test(line)) count += 1;
		};
		const { code, output, errors } = await runNpm([...args, ...quiet], cwd, env, onLine, node);
		if (code === 0) return output.trim();
		const text = [output, errors].map((part) => part.trim()).filter((part) => part !== '');
		throw new UserError(`npm ${args.join(' ')} failed:\n${text.join('\n')}`);
	} finally {
		clearInterval(ticker);
	}
}

/**
 * What npm is, and what the person's own settings make of it. They are kept for the npm that runs
 * under another Node later, which would look for the global ones elsewhere.
 *
 * @returns {Promise<{ version: string, cache: string }>}
 * @throws {UserError} when npm is missing
 */
export async function npmSettings() {
	const read = async (/** @type {string[]} */ args) => {
		const { code, output, errors } = await runNpm(args, process.cwd(), process.env);
		if (code === 0) return output.trim();
		throw new UserError(
			`npm does not run here, and this project is installed with it. It comes with Node.js ` +
				`(nodejs.org; on Debian: apt install npm).\n${errors.trim()}`,
		);
	};
	const version = await read(['--version']);
	const cache = await read(['config', 'get', 'cache']);
	process.env.npm_config_globalconfig ??= await read(['config', 'get', 'globalconfig']);
	return { version, cache };
}
