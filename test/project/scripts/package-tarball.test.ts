import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FreshHome, freshHome, library, runModule } from './freshHome';

let home: FreshHome;
beforeEach(async () => {
	home = await freshHome();
});
afterEach(() => home.remove());

it('installs a package with a peer dependency where npm has never fetched anything', async () => {
	const source = join(home.folder, 'source');
	await mkdir(source);
	await writeFile(
		join(source, 'package.json'),
		JSON.stringify({
			name: 'n8n-nodes-tiny',
			version: '1.0.0',
			peerDependencies: { 'n8n-workflow': '*' },
		}),
	);
	const userFolder = join(home.folder, 'n8n');
	await runModule(
		`import { npm } from ${library('npm.mjs')};
		import { installPackage } from ${library('package-tarball.ts')};
		const cwd = ${JSON.stringify(source)};
		const report = () => {};
		await npm(['pack'], { cwd, report, doing: 'Packing' });
		await installPackage(${JSON.stringify(userFolder)}, cwd + '/n8n-nodes-tiny-1.0.0.tgz', report);`,
		{ ...home.env, npm_config_registry: 'http://127.0.0.1:9/' },
	);
	const modules = join(userFolder, '.n8n', 'nodes', 'node_modules');
	expect(existsSync(join(modules, 'n8n-nodes-tiny', 'package.json'))).toBe(true);
	expect(existsSync(join(modules, 'n8n-workflow'))).toBe(false);
});
