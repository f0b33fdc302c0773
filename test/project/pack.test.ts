import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { copyRepository } from './copy.ts';

const run = promisify(execFile);

let clone: string;
beforeAll(async () => {
	clone = await copyRepository();
});
afterAll(async () => await rm(clone, { recursive: true, force: true }));

const inClone = (path: string) => readFile(join(clone, path), 'utf8');
const codex = async () =>
	JSON.parse(await inClone('dist/nodes/EmailMarketing/EmailMarketing.node.json')) as Record<
		string,
		unknown
	>;

/** What the built package says about an error and as help for its credential. */
async function help(): Promise<string[]> {
	const print = `
		const { operationError } = require('./dist/nodes/EmailMarketing/service/errors.js');
		const { withHelp } = require('./dist/nodes/EmailMarketing/run/help.js');
		const { EmailMarketingApi } = require('./dist/credentials/EmailMarketingApi.credentials.js');
		const error = withHelp(operationError({ name: 'A' }, 'limit-invalid', 'Wrong'));
		console.log(JSON.stringify([error.description, new EmailMarketingApi().documentationUrl]));`;
	const { stdout } = await run(process.execPath, ['--eval', print], { cwd: clone });
	return JSON.parse(stdout) as string[];
}

it('npm pack builds a clean clone first, so the package contains the nodes', async () => {
	await run('npm', ['pack'], { cwd: clone, maxBuffer: 1e8 });
	const [tarball = ''] = (await readdir(clone)).filter((entry) => entry.endsWith('.tgz'));
	const { stdout } = await run('tar', ['-tzf', join(clone, tarball)], { maxBuffer: 1e8 });
	expect(stdout.split('\n')).toEqual(
		expect.arrayContaining([
			'package/dist/nodes/EmailMarketing/EmailMarketing.node.js',
			'package/dist/nodes/EmailMarketing/EmailMarketingTrigger.node.js',
			'package/dist/credentials/EmailMarketingApi.credentials.js',
			'package/CHANGELOG.md',
		]),
	);
});

it('a build links to nothing as long as package.json names no repository', async () => {
	expect(await help()).toEqual([
		'See docs/troubleshooting.md#limit-invalid in the repository of this package.',
		'https://docs.n8n.io/credentials/',
	]);
	// n8n ignores a codex without this object.
	expect((await codex()).resources).toEqual({});
});

it('a build links to the pages of the repository that package.json names', async () => {
	const repository = 'https://github.com/someone/n8n-nodes-email-marketing';
	const manifest = JSON.parse(await inClone('package.json')) as object;
	await writeFile(
		join(clone, 'package.json'),
		JSON.stringify({ ...manifest, repository: { type: 'git', url: `git+${repository}.git` } }),
	);
	await run('npx', ['gulp', 'link'], { cwd: clone });
	expect(await help()).toEqual([
		`<a href="${repository}/blob/main/docs/troubleshooting.md#limit-invalid" target="_blank">More about this error</a>`,
		`${repository}/blob/main/README.md#credential`,
	]);
	expect(await codex()).toMatchObject({
		resources: { primaryDocumentation: [{ url: `${repository}/blob/main/README.md` }] },
	});
});
