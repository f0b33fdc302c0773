// npm run test:readings: every operation under every reading of the API reference, alone and in combinations.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { readings } from '../sandbox/readings.ts';
import { projectRoot } from './lib/installs.mjs';

const { only = 'all' } = new Command('npm run test:readings --')
	.description('Runs every operation under each reading of the API reference.')
	.addOption(new Option('--only <reading>', 'one reading alone').choices(Object.keys(readings)))
	.parse()
	.opts<{ only?: string }>();

const jest = join(projectRoot, 'node_modules', 'jest', 'bin', 'jest.js');
const { status } = spawnSync(
	process.execPath,
	[jest, '--selectProjects', 'engine', 'sandbox', '--', 'engine/readings', 'sandbox/acceptance'],
	{
		cwd: projectRoot,
		stdio: 'inherit',
		env: { ...process.env, EMAIL_MARKETING_READINGS: only },
	},
);
process.exitCode = status ?? 1;
