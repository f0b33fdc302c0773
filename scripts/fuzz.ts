// npm run fuzz: the tests of test/fuzz with many more cases than `npm test` gives them.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { projectRoot } from './lib/installs.mjs';

const suffix = '.test.ts';
const names = readdirSync(join(projectRoot, 'test', 'fuzz'))
	.filter((file) => file.endsWith(suffix))
	.map((file) => file.slice(0, -suffix.length));

function wholeNumber(text: string): number {
	const number = Number(text);
	if (Number.isInteger(number) && number > 0 && number < 2 ** 31) return number;
	throw new InvalidArgumentError('It must be a whole number of at least 1.');
}

const options = new Command('npm run fuzz --')
	.description('Feeds random hostile data to the nodes, as input and as responses of the service.')
	.option('--cases <number>', 'cases of each fuzzer', wholeNumber, 100_000)
	.addOption(new Option('--only <name>', 'one fuzzer alone').choices(names))
	.option('--seed <number>', 'the same cases as an earlier run', wholeNumber)
	.option('--path <path>', 'one case of that seed, as a failure prints it; use with --only')
	.parse()
	.opts<{ cases: number; only?: string; seed?: number; path?: string }>();
const { cases, only, seed = randomInt(1, 2 ** 31), path } = options;

console.log(
	`${cases.toLocaleString('en')} cases of ${only ?? names.join(', ')} from seed ${seed}. Ctrl-C ends it.`,
);
const jest = spawn(
	process.execPath,
	[
		join(projectRoot, 'node_modules', 'jest', 'bin', 'jest.js'),
		...['--selectProjects', 'fuzz', '--maxWorkers', '100%'],
		...(only === undefined ? [] : ['--testPathPatterns', `fuzz/${only}\\${suffix}$`]),
	],
	{
		cwd: projectRoot,
		stdio: 'inherit',
		env: {
			...process.env,
			EMAIL_MARKETING_FUZZ_RUNS: String(cases),
			EMAIL_MARKETING_FUZZ_SEED: String(seed),
			EMAIL_MARKETING_FUZZ_PROGRESS: '1',
			...(path !== undefined && { EMAIL_MARKETING_FUZZ_PATH: path }),
		},
	},
);
// A Ctrl-C reaches both; Jest's end is waited for.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => jest.kill());
jest.on('exit', (code) => {
	process.exitCode = code ?? 1;
	if (code === 0) {
		console.log('No case led to a wrong request, an unclear error or a lost item.');
	} else {
		console.log(
			'A failure prints the smallest case and, after "Again:", the command that reruns only that case. ' +
				'Fix it and add a regression test.',
		);
	}
});
