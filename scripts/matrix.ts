// npm run test:matrix: the tests in a real n8n, on every n8n that the package supports.
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { runScript } from './lib/command.ts';
import {
	type CompatibilityRow,
	compatibilityTable,
	mergeRows,
	notApplicable,
	publishRows,
	readRows,
	type ReportedTest,
} from './lib/compatibility.ts';
import { projectRoot } from './lib/installs.mjs';
import { ensureTarget } from './lib/n8n-install.ts';
import { chooseTargets, type Target, targets, targetVariable } from './lib/n8n-targets.mjs';
import { duration } from './lib/npm.mjs';
import { step, steps } from './lib/steps.ts';

interface Report {
	testResults: Array<{ assertionResults: ReportedTest[]; message: string; status: string }>;
}

const reports = join(projectRoot, '.work', 'reports');
const jest = join(projectRoot, 'node_modules', 'jest', 'bin', 'jest.js');
const names = targets.map(({ name }) => name);

const options = new Command('npm run test:matrix --')
	.description(`Runs the tests in a real n8n on each of: ${names.join(', ')}.`)
	.option('--only <names>', 'these alone, with commas between them')
	.option('--files <words>', 'only test files with these words in their path; publishes nothing')
	.parse()
	.opts<{ only?: string; files?: string }>();

const rows: CompatibilityRow[] = [];
const failures = new Map<string, string>();

const versionOf = (node: string) =>
	spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim().replace(/^v/, '');

/** A test that was left out without saying what it needs counts as failed. */
const unexplained = (row: CompatibilityRow) =>
	row.notApplicable.filter(({ needs }) => needs === 'no reason given');

async function runTarget(target: Target, report: (text: string) => void): Promise<string> {
	const { node } = await ensureTarget(target, report);
	const file = join(reports, `matrix-${target.name}.json`);
	await rm(file, { force: true });
	const args = ['--selectProjects', 'n8n', 'dedicated', '--ci', '--json', '--outputFile', file];
	const started = Date.now();
	const { ok, output } = await runScript(
		jest,
		[...args, ...(options.files ? ['--testPathPatterns', options.files] : [])],
		{
			cwd: projectRoot,
			env: { ...process.env, [targetVariable]: target.name },
			onOutput: (text) => {
				const line = text.trim().split('\n').at(-1) ?? '';
				if (/^(PASS|FAIL|[A-Z][\w' ]+$)/.test(line)) report(`${target.name}: ${line}`);
			},
		},
	);
	if (!ok) {
		failures.set(target.name, output.trimEnd());
		throw new Error('failed, see below');
	}
	const { testResults } = JSON.parse(await readFile(file, 'utf8')) as Report;
	const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
	const row: CompatibilityRow = {
		name: target.name,
		n8n: target.n8nVersion,
		...(target.settings !== undefined && { settings: target.settings }),
		node: versionOf(node),
		date: new Date().toISOString().slice(0, 10),
		passed: tests.filter(({ status }) => status === 'passed').length,
		notApplicable: notApplicable(tests),
	};
	for (const { tests: left } of unexplained(row)) {
		failures.set(target.name, `Left out without a reason:\n${left.join('\n')}`);
		throw new Error('failed, see below');
	}
	rows.push(row);
	return `${row.passed} passed in ${duration(Date.now() - started)}`;
}

const { chosen, unknown } = chooseTargets(process.argv.slice(2));
if (unknown.length > 0 || chosen.length === 0) {
	console.error(`Unknown: ${unknown.join(', ')}. Available: ${names.join(', ')}`);
	process.exitCode = 1;
} else {
	await mkdir(reports, { recursive: true });
	const list = chosen.map((target) =>
		step(`n8n ${target.name}`, async (report) => await runTarget(target, report)),
	);
	await steps(list, { exitOnError: false }).run();
	for (const [name, output] of failures) console.log(`\n──── n8n ${name} failed ────\n${output}`);
	if (rows.length > 0) console.log(`\n${compatibilityTable(rows)}`);
	for (const { name, notApplicable: groups } of rows) {
		for (const { needs, tests } of groups) {
			console.log(`\nNot on ${name}, which has no ${needs}:\n  ${tests.join('\n  ')}`);
		}
	}
	if (!options.files) await publishRows(mergeRows(names, await readRows(), rows));
	if (failures.size > 0) {
		console.log(`\nFailed: ${[...failures.keys()].join(', ')}`);
		process.exitCode = 1;
	}
}
