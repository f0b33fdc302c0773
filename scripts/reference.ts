// npm run reference: writes docs/reference from the description of the node and what the sandbox answers,
// docs/dev/openapi.yaml from the sandbox's endpoints, and the table of docs/faults.md from what the tests go through.
import { join } from 'node:path';
import { runScript } from './lib/command.ts';
import { projectRoot } from './lib/installs.mjs';

const jest = join(projectRoot, 'node_modules', 'jest', 'bin', 'jest.js');
const args = ['--selectProjects', 'engine', 'unit', '--testPathPatterns', 'reference', 'openApi'];
const { ok, output } = await runScript(jest, args, {
	cwd: projectRoot,
	env: { ...process.env, EMAIL_MARKETING_REFERENCE: 'write' },
});
console.log(
	ok ? 'docs/reference, docs/dev/openapi.yaml and docs/faults.md are up to date.' : output,
);
process.exitCode = ok ? 0 : 1;
