// npm run freeze: writes down what saved workflows depend on, and what this version saves, for the versions to come.
import { join } from 'node:path';
import { runScript } from './lib/command.ts';
import { projectRoot } from './lib/installs.mjs';

const jest = join(projectRoot, 'node_modules', 'jest', 'bin', 'jest.js');
const args = ['--selectProjects', 'engine', 'project', '--testPathPatterns', 'upgrades'];
const { ok, output } = await runScript(jest, args, {
	cwd: projectRoot,
	env: { ...process.env, FREEZE: '1' },
});
console.log(ok ? 'test/upgrades is up to date.' : output);
process.exitCode = ok ? 0 : 1;
