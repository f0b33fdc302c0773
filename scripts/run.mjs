// @ts-check
// Brings up what a command needs (packages, Node 24) and runs it. Works on any Node that is new
// enough to be told that it is too old.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** @type {Record<string, string | undefined>} */
const commands = {
	start: 'scripts/start.ts',
	test: 'scripts/test.ts',
	scan: 'scripts/scan.ts',
	schema: 'scripts/schema.ts',
	freeze: 'scripts/freeze.ts',
	reference: 'scripts/reference.ts',
	release: 'scripts/release.ts',
	screenshots: 'scripts/screenshots.ts',
	sandbox: 'sandbox/main.ts',
	bench: 'bench/main.ts',
	fuzz: 'scripts/fuzz.ts',
	simulate: 'scripts/simulate.ts',
	soak: 'soak/main.ts',
	matrix: 'scripts/matrix.ts',
	mutation: 'scripts/mutation.ts',
	readings: 'scripts/readings.ts',
	acceptance: 'scripts/acceptance.ts',
	jest: 'node_modules/jest/bin/jest.js',
};

/**
 * @param {string} node
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
function run(node, args) {
	process.env.PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
	const child = spawn(node, args, { stdio: 'inherit' });
	for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
		process.on(signal, () => child.kill(signal));
	}
	return new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('exit', (code, signal) =>
			resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']),
		);
	});
}

/** @param {string} message */
function stop(message) {
	console.error(message);
	process.exit(1);
}

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 20) {
	stop(
		`This project needs Node 20 or newer, and this is Node ${process.versions.node}. ` +
			'Install a newer one from nodejs.org.',
	);
}
const [command = '', ...args] = process.argv.slice(2);
const script = commands[command];
if (script === undefined) {
	stop(
		`Usage: node scripts/run.mjs <command> [options]\nCommands: ${Object.keys(commands).join(', ')}`,
	);
}

/** Whether the command brings up an n8n, which then has to be installed. */
function needsN8n() {
	if (args.includes('--help') || args.includes('-h')) return false;
	if (['start', 'bench', 'soak', 'screenshots', 'release'].includes(command)) return true;
	const suites = ['n8n', 'browser', 'walkthrough', 'dedicated', 'scale'];
	if (command === 'test' && args.length === 0) return true;
	return ['test', 'jest'].includes(command) && args.some((arg) => suites.includes(arg));
}

/** Which n8n, and which Node for it, or which other tool the command brings up. */
async function wantedInstallations() {
	const { stryker } = await import('./lib/installs.mjs');
	const { chooseTargets, currentTarget, installationsOf } = await import('./lib/n8n-targets.mjs');
	if (command === 'matrix') return installationsOf(chooseTargets(args).chosen);
	if (command === 'mutation') return [stryker];
	return needsN8n() ? installationsOf([currentTarget()]) : [];
}

/**
 * On a terminal each text takes the place of the one before.
 *
 * @param {string} text
 */
function report(text) {
	if (!process.stderr.isTTY) return console.error(text);
	process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns || 80) - 1)}`);
}

// Loaded only now: an old Node could not even read it.
const { ensureDependencies, ensureNode24, missingInstallations, projectRoot } =
	await import('./lib/installs.mjs');
const { announcement, checkRequirements } = await import('./lib/requirements.mjs');
try {
	const missing = await missingInstallations(await wantedInstallations());
	await checkRequirements(missing);
	if (missing.length > 0) console.error(`${announcement(missing)}\n`);
	await ensureDependencies(report);
	const node = await ensureNode24(report);
	if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
	process.exitCode = await run(node, [join(projectRoot, script), ...args]);
} catch (error) {
	const { name, message } = /** @type {Error} */ (error);
	if (name !== 'UserError') throw error;
	stop(`${process.stderr.isTTY ? '\n' : ''}${message}`);
}
