// npm run test:readings: every operation, and all tests of the engine, under every reading of the API reference.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { formsAtOnce, readings } from '../sandbox/readings.ts';
import { projectRoot } from './lib/installs.mjs';

interface Part {
	number: number;
	of: number;
}

function part(text: string): Part {
	const [, number = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
	if (number < 1 || number > of) throw new InvalidArgumentError('Write it as in 2/6.');
	return { number, of };
}

const {
	only,
	whole,
	part: { number, of } = { number: 1, of: 1 },
} = new Command('npm run test:readings --')
	.description('Runs every operation under each reading of the API reference.')
	.addOption(new Option('--only <reading>', 'one reading alone').choices(Object.keys(readings)))
	.option('--whole', 'run all tests of the engine under each, in place of every operation')
	.option('--part <number/of>', 'with --whole, only a part of the readings', part)
	.parse()
	.opts<{ only?: string; whole?: boolean; part?: Part }>();

const jest = join(projectRoot, 'node_modules', 'jest', 'bin', 'jest.js');

/** @returns whether the tests passed */
function run(args: string[], env: Record<string, string>): boolean {
	const { status } = spawnSync(process.execPath, [jest, ...args], {
		cwd: projectRoot,
		stdio: 'inherit',
		env: { ...process.env, ...env },
	});
	return status === 0;
}

const chosen = only === undefined ? [...Object.keys(readings), formsAtOnce] : [only];
const failed = whole
	? chosen
			.filter((_, index) => index % of === number - 1)
			.filter((reading) => {
				console.log(`\nUnder ${reading}`);
				return !run(['--selectProjects', 'engine'], { EMAIL_MARKETING_READING: reading });
			})
	: run(
				[
					'--selectProjects',
					'engine',
					'project',
					'--',
					'test/engine/readings',
					'test/project/acceptance.test.ts',
				],
				{
					EMAIL_MARKETING_READINGS: only ?? 'all',
				},
		  )
		? []
		: ['every operation'];
if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
