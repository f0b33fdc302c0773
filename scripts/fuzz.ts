// npm run fuzz: the tests of test/fuzz with many more cases than `npm test` gives them, on all processors.
import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { runScript } from './lib/command.ts';
import { fuzzTable, partsOf, type Done, type Part } from './lib/fuzz-parts.ts';
import { projectRoot } from './lib/installs.mjs';
import { duration } from './lib/npm.mjs';

const suffix = '.test.ts';
const kinds = readdirSync(join(projectRoot, 'test', 'fuzz'))
	.filter((file) => file.endsWith(suffix))
	.map((file) => file.slice(0, -suffix.length));

function wholeNumber(text: string): number {
	const number = Number(text);
	if (Number.isInteger(number) && number > 0 && number < 2 ** 31) return number;
	throw new InvalidArgumentError('It must be a whole number of at least 1.');
}

const options = new Command('npm run fuzz --')
	.description('Feeds random hostile data to the nodes, as input and as responses of the service.')
	.option('--cases <number>', 'cases of each kind and seed', wholeNumber, 100_000)
	.option('--seeds <number>', 'how many seeds: the first, and those after it', wholeNumber, 1)
	.option('--seed <number>', 'the first seed, for the same cases as an earlier run', wholeNumber)
	.addOption(new Option('--only <kind>', 'one kind alone').choices(kinds))
	.option('--path <path>', 'one case of that seed, as a failure prints it; use with --only')
	.parse()
	.opts<{ cases: number; seeds: number; seed?: number; only?: string; path?: string }>();
const { seed = randomInt(1, 2 ** 31 - 1_000), only, path } = options;
const cases = path === undefined ? options.cases : 1;

const seeds = Array.from({ length: options.seeds }, (_, index) => seed + index);
const parts = partsOf(only === undefined ? kinds : [only], seeds, cases);
const waiting = [...parts];
const done: Done[] = [];

function report({ kind, seed }: Part, text: string): void {
	console.log(`[${done.length}/${parts.length}] ${kind}, seed ${seed}: ${text}`);
}

async function runPart(part: Part): Promise<void> {
	const pattern = `fuzz/${part.kind}\\${suffix}$`;
	const { ok, output } = await runScript(
		join(projectRoot, 'node_modules', 'jest', 'bin', 'jest.js'),
		['--selectProjects', 'fuzz', '--runInBand', '--forceExit', '--testPathPatterns', pattern],
		{
			cwd: projectRoot,
			env: {
				...process.env,
				// Most of what a case leaves behind is collected young then.
				NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64`,
				EMAIL_MARKETING_FUZZ_RUNS: String(part.cases),
				EMAIL_MARKETING_FUZZ_SEED: String(part.partSeed),
				EMAIL_MARKETING_FUZZ_REPORT: '1',
				...(path !== undefined && { EMAIL_MARKETING_FUZZ_PATH: path }),
			},
			onOutput: (text) => {
				const progress = /^fuzz: ([\d,]+ of [\d,]+)$/m.exec(text)?.[1];
				if (progress !== undefined) report(part, progress);
			},
		},
	);
	const end = /^fuzz: (\{.*\})$/m.exec(output)?.[1] ?? '{}';
	const figures = { done: 0, cpuMs: 0, megabytes: 0, ...(JSON.parse(end) as Partial<Done>) };
	done.push({ ...part, ...figures, ok });
	report(part, ok ? `${figures.done.toLocaleString('en')} cases passed` : `failed\n${output}`);
}

async function work(): Promise<void> {
	for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) await runPart(part);
}

const started = Date.now();
const workers = Math.min(availableParallelism(), parts.length);
console.log(
	`${cases.toLocaleString('en')} cases each of ${only ?? kinds.join(', ')}, from ` +
		`${seeds.length === 1 ? `seed ${seed}` : `seeds ${seed} to ${seeds.at(-1)}`}, in ${parts.length} parts on ${workers} processors. Ctrl-C ends it.`,
);
await Promise.all(Array.from({ length: workers }, work));
console.log(`\n${fuzzTable(done)}\n\nAll in ${duration(Date.now() - started)}.`);
if (done.every(({ ok }) => ok)) {
	console.log('No case led to a wrong request, an unclear error or a lost item.');
} else {
	process.exitCode = 1;
	console.log(
		'A failure prints the smallest case and, after "Again:", the command that reruns only that case. ' +
			'Fix it and add a regression test.',
	);
}
