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

/** What n8n knows of the package with one of its loaders, and how many modules of the package it has loaded for it. */
async function loaded(loader: 'LazyPackageDirectoryLoader' | 'PackageDirectoryLoader') {
	const print = `
		require('reflect-metadata');
		const loader = new (require('n8n-core').${loader})(process.cwd());
		loader.loadAll().then(() => {
			const { known, types } = loader;
			const modules = Object.keys(require.cache).filter((path) => path.startsWith(process.cwd() + '/dist'));
			// n8n leaves these out of what it writes, since only its own checks read them.
			for (const type of types.nodes) delete type.__loadOptionsMethods;
			const all = JSON.stringify({ known, types, modules: modules.length });
			require('fs').writeFileSync('loaded.json', all);
		});`;
	await run(process.execPath, ['--eval', print], { cwd: clone });
	const { modules, ...all } = JSON.parse(await inClone('loaded.json')) as {
		modules: number;
		known: object;
		types: { nodes: unknown[] };
	};
	return { modules, all };
}

it('n8n starts with the descriptions of the nodes, and loads no module of the package for them', async () => {
	const atStart = await loaded('LazyPackageDirectoryLoader');
	const whole = await loaded('PackageDirectoryLoader');
	expect(atStart.modules).toBe(0);
	expect(whole.modules).toBeGreaterThan(100);
	expect(atStart.all).toEqual(whole.all);
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
	const resources = { primaryDocumentation: [{ url: `${repository}/blob/main/README.md` }] };
	expect(await codex()).toMatchObject({ resources });
	const { types } = (await loaded('LazyPackageDirectoryLoader')).all;
	expect(types.nodes[0]).toMatchObject({ codex: { resources } });
});
