// npm run mutation: changes the code in thousands of small ways and lists the changes that no test notices.
import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { Argument, Command } from 'commander';
import { ensureInstalled, projectRoot, stryker } from './lib/installs.mjs';
import {
	type Figures,
	figuresOf,
	figuresTable,
	type MutationReport,
} from './lib/mutation-report.ts';
import { parts, leastScore, strykerOptions } from './lib/mutation-parts.ts';

const names = Object.keys(parts);
const program = new Command('npm run mutation --')
	.description('Changes the code and reports the changes that no test notices.')
	.addArgument(new Argument('[parts...]', 'which code; all of it unless given').choices(names))
	.option('--only <files>', 'only these files, with commas between them')
	.option('--fresh', 'also changes whose result is known from the run before')
	.parse();
const options = program.opts<{ only?: string; fresh?: boolean }>();
const chosen = program.args.length > 0 ? program.args : names;
const folder = join(projectRoot, '.work', 'mutation');

// It takes long, and whoever runs it has other work to do.
setPriority(constants.priority.PRIORITY_LOW);

/** Ends with Stryker, whose own output shows the changes that survived. */
async function runStryker(config: string): Promise<boolean> {
	const installed = await ensureInstalled(stryker, (text) => console.error(text));
	const script = join(installed, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
	const child = spawn(process.execPath, [script, 'run', config], {
		cwd: projectRoot,
		stdio: 'inherit',
	});
	process.on('SIGTERM', () => child.kill());
	return await new Promise((resolve) => child.on('exit', (code) => resolve(code === 0)));
}

async function runPart(name: string): Promise<Figures> {
	const part = parts[name];
	if (part === undefined) throw new Error(`There is no part ${name}`);
	const config = join(folder, `${name}.config.json`);
	const started = Date.now();
	const only = options.only?.split(',');
	const content = strykerOptions(name, part, { only, fresh: options.fresh === true });
	await writeFile(config, JSON.stringify(content, null, '\t'));
	if (!(await runStryker(config))) throw new Error(`Stryker could not test ${name}; see above.`);
	const report = JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')) as MutationReport;
	return figuresOf(name, report, Date.now() - started);
}

await mkdir(folder, { recursive: true });
const figures: Figures[] = [];
for (const name of chosen) figures.push(await runPart(name));
console.log(`\n${figuresTable(figures)}`);
console.log(`\nThe reports are in ${folder}.`);
const weak = figures.filter(({ score }) => score < leastScore);
if (weak.length > 0) {
	const list = weak.map(({ part }) => part).join(', ');
	console.error(`Fewer than ${leastScore} % of the changes are noticed in: ${list}`);
	process.exitCode = 1;
}
