// npm run screenshots: takes the pictures of the documentation anew, which the tests of the editor do.
import { join } from 'node:path';
import { runScript } from './lib/command.ts';
import { projectRoot } from './lib/installs.mjs';

console.log('Running the tests of the editor, which save their screenshots to docs/images');
const jest = join(projectRoot, 'node_modules', 'jest', 'bin', 'jest.js');
const { ok, output } = await runScript(jest, ['--selectProjects', 'browser', 'walkthrough'], {
	cwd: projectRoot,
	env: { ...process.env, EMAIL_MARKETING_PICTURES: 'keep' },
});
console.log(ok ? 'The screenshots are up to date.' : output);
process.exitCode = ok ? 0 : 1;
