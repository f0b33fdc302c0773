// npm test: every check but the long ones. Those that need no n8n come first, while it is installed beside them.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chromiumInstructions, findChromium } from './lib/chromium.ts';
import { runScript } from './lib/command.ts';
import { projectRoot } from './lib/installs.mjs';
import { ensureN8n } from './lib/n8n-install.ts';
import { duration } from './lib/npm.mjs';
import { step, steps } from './lib/steps.ts';

interface Counts {
	passed: number;
	failed: number;
}

const inModules = (path: string) => join(projectRoot, 'node_modules', path);
const jest = inModules('jest/bin/jest.js');
const tsc = inModules('typescript-7/bin/tsc');
const reports = join(projectRoot, '.work', 'reports');

const checks: Record<string, string[][]> = {
	format: [[inModules('prettier/bin/prettier.cjs'), '--check', '.']],
	lint: [[inModules('eslint/bin/eslint.js'), '.', '--max-warnings', '0']],
	types: [
		[tsc, '--noEmit'],
		[tsc, '-p', 'tsconfig.dev.json'],
	],
	scan: [[join(projectRoot, 'scripts', 'scan.ts')]],
};
const fastSuites = ['unit', 'sandbox', 'engine', 'fuzz', 'project'];
/** Those that need an n8n. */
const slowSuites = ['n8n', 'browser'];
/** They take minutes, and run when they are asked for: in CI on machines of their own, beside all others. */
const longSuites = ['walkthrough', 'dedicated'];
const names = [...Object.keys(checks), ...fastSuites, ...slowSuites, ...longSuites];

const env = { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) };

const total: Counts = { passed: 0, failed: 0 };

interface Result {
	outcome: string;
	ms?: number;
}
const results = new Map<string, Result>();
const failures = new Map<string, string>();

function fail(name: string, output: string): never {
	failures.set(name, output.trimEnd());
	throw new Error('failed, see below');
}

async function runCheck(name: string): Promise<undefined> {
	for (const [script = '', ...args] of checks[name] ?? []) {
		const { ok, output } = await runScript(script, args, { cwd: projectRoot, env });
		if (!ok) fail(name, output);
	}
}

/** Counts a suite that could not run at all as one failed test. */
async function readCounts(report: string): Promise<Counts> {
	if (!existsSync(report)) return { passed: 0, failed: 1 };
	const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
		await readFile(report, 'utf8'),
	) as Record<string, number>;
	return {
		passed: numPassedTests ?? 0,
		failed: (numFailedTests ?? 0) + (numRuntimeErrorTestSuites ?? 0),
	};
}

async function runSuite(name: string, report: (text: string) => void): Promise<string> {
	const file = join(reports, `${name}.json`);
	await rm(file, { force: true });
	const args = ['--selectProjects', name, '--ci', '--json', '--outputFile', file];
	const { ok, output } = await runScript(jest, args, {
		cwd: projectRoot,
		env,
		onOutput: (text) => {
			const line = text.trim().split('\n').at(-1) ?? '';
			if (/^(PASS|FAIL|[A-Z][\w' ]+$)/.test(line)) report(`${name}: ${line}`);
		},
	});
	const counts = await readCounts(file);
	total.passed += counts.passed;
	total.failed += counts.failed;
	if (!ok) fail(name, output);
	return `${counts.passed} passed`;
}

/** A check or suite as a step; what became of it goes into the table at the end. */
const checkStep = (name: string) =>
	step(name, async (report) => {
		const started = Date.now();
		let outcome = 'failed';
		try {
			const result = name in checks ? await runCheck(name) : await runSuite(name, report);
			outcome = result ?? 'passed';
			return result;
		} finally {
			results.set(name, { outcome, ms: Date.now() - started });
		}
	});

/** What ran and what did not, in the order of the names. */
function resultTable(): string {
	const rows = names.flatMap((name) => {
		const { outcome, ms } = results.get(name) ?? {
			outcome: leftOut.includes(name) ? 'left out, since there is no Chromium' : 'not run',
		};
		if (!selected.includes(name) && !leftOut.includes(name)) return [];
		return [`  ${name.padEnd(12)}${outcome.padEnd(14)}${ms === undefined ? '' : duration(ms)}`];
	});
	return rows.map((row) => row.trimEnd()).join('\n');
}

function unknownNames(selected: string[]): string | undefined {
	const unknown = selected.filter((name) => !names.includes(name));
	if (unknown.length === 0) return undefined;
	return (
		`Unknown check: ${unknown.join(', ')}. Available checks: ${names.join(', ')}.\n` +
		'To run some tests only: node scripts/run.mjs jest --selectProjects n8n --testPathPatterns WORDS'
	);
}

async function runAll(selected: string[]): Promise<void> {
	await mkdir(reports, { recursive: true });
	const chosen = (from: string[]) => from.filter((name) => selected.includes(name));
	const slow = chosen([...slowSuites, ...longSuites]);
	let n8nReady = false;
	const installN8n = step('n8n for the last suites', async (report) => {
		try {
			await ensureN8n(report);
			n8nReady = true;
			return 'installed';
		} catch (error) {
			// As with a suite that could not run at all.
			total.failed += slow.length;
			return fail(slow.join(' '), String((error as Error).message));
		}
	});
	const oneByOne = (title: string, wanted: string[]) => ({
		title,
		enabled: wanted.length > 0,
		task: () => steps(wanted.map(checkStep), { exitOnError: false }),
	});
	const first = [
		// A check uses one processor, and a suite waits for its longest file at the end: together they fill two.
		oneByOne('Checks', chosen(Object.keys(checks))),
		oneByOne('Tests', chosen(fastSuites)),
		{ ...installN8n, enabled: slow.length > 0 },
	];
	await steps(first, { concurrent: true, exitOnError: false }).run();
	// Each has an n8n of its own, and spends much of its time waiting for it.
	if (n8nReady) await steps(slow.map(checkStep), { concurrent: true, exitOnError: false }).run();
}

const asked = process.argv.slice(2);
const leftOut = asked.length === 0 && findChromium() === undefined ? ['browser'] : [];
const selected =
	asked.length > 0 ? asked : names.filter((name) => ![...leftOut, ...longSuites].includes(name));
const complaint = unknownNames(selected);
if (complaint !== undefined) {
	console.error(complaint);
	process.exitCode = 1;
} else {
	if (leftOut.length > 0) {
		console.log(`Skipped: browser, the tests of n8n's editor. ${chromiumInstructions}\n`);
	}
	await runAll(selected);
	for (const [name, output] of failures) console.log(`\n──── ${name} failed ────\n${output}`);
	const failed = [...failures.keys()];
	console.log(`\n${resultTable()}`);
	console.log(
		failed.length > 0
			? `\nFailed: ${failed.join(', ')}. Once put right, run only that again: npm test ${failed.join(' ')}`
			: '\nEverything passed. To see it at work in n8n: npm start',
	);
	console.log(`${total.passed} passed, ${total.failed} failed`);
	process.exitCode = failed.length > 0 ? 1 : 0;
}
