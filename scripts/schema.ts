// node scripts/run.mjs schema: writes the previews of what each operation gives, from what the sandbox answers.
import { join } from 'node:path';
import { runScript } from './lib/command.ts';
import { projectRoot } from './lib/installs.mjs';

const jest = join(projectRoot, 'node_modules', 'jest', 'bin', 'jest.js');
const args = ['--selectProjects', 'engine', '--testPathPatterns', 'engine/schema'];
const { ok, output } = await runScript(jest, args, {
	cwd: projectRoot,
	env: { ...process.env, WRITE_SCHEMAS: '1' },
});
console.log(ok ? 'The output previews are up to date.' : output);
process.exitCode = ok ? 0 : 1;
