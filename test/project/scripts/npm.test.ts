import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type FreshHome, freshHome, library, runModule } from './freshHome';

let home: FreshHome;
let registry: Server;
let url: string;
const asked: string[] = [];

beforeAll(async () => {
	home = await freshHome('leer und Ümläut');
	const source = join(home.folder, 'source');
	await mkdir(source);
	await writeFile(
		join(source, 'package.json'),
		JSON.stringify({ name: 'tiny-package', version: '1.0.0' }),
	);
	await runModule(
		`import { npm } from ${library('npm.mjs')};
		await npm(['pack'], { cwd: ${JSON.stringify(source)}, report: () => {}, doing: 'Packing' });`,
		home.env,
	);
	const tarball = await readFile(join(source, 'tiny-package-1.0.0.tgz'));
	registry = createServer((request, response) => {
		asked.push(request.url ?? '');
		if (request.url?.endsWith('.tgz')) return response.end(tarball);
		if (request.url !== '/tiny-package') return response.writeHead(404).end();
		const dist = { tarball: `${url}tiny-package/-/tiny-package-1.0.0.tgz` };
		response.setHeader('content-type', 'application/json').end(
			JSON.stringify({
				name: 'tiny-package',
				'dist-tags': { latest: '1.0.0' },
				versions: { '1.0.0': { name: 'tiny-package', version: '1.0.0', dist } },
			}),
		);
	}).listen(0, '127.0.0.1');
	await once(registry, 'listening');
	url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
});
afterAll(async () => {
	registry.close();
	await home.remove();
});
beforeEach(() => asked.splice(0));

/** Installs the package that only the local registry has, and returns what was reported. */
async function install(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
	const cwd = join(home.folder, folder);
	await mkdir(cwd);
	const output = await runModule(
		`import { npm, npmSettings } from ${library('npm.mjs')};
		await npmSettings();
		await npm(['install', 'tiny-package', '--prefix', '.'], {
			cwd: ${JSON.stringify(cwd)}, report: (text) => console.log(text), doing: 'Installing', packages: 1,
		});
		console.log(process.env.npm_config_globalconfig);`,
		env,
	);
	const installed = join(cwd, 'node_modules', 'tiny-package', 'package.json');
	expect(JSON.parse(await readFile(installed, 'utf8'))).toMatchObject({ version: '1.0.0' });
	return output;
}

it("takes packages from the registry that the user's npmrc names", async () => {
	await writeFile(join(home.folder, '.npmrc'), `registry=${url}\n`);
	const output = await install('by-user', home.env);
	expect(asked).toContain('/tiny-package');
	// Kept for the npm that runs under another Node, which would look for it elsewhere.
	expect(output.trim()).toMatch(/npmrc$/);
	await writeFile(join(home.folder, '.npmrc'), '');
});

it('takes packages from the registry that the global npmrc names', async () => {
	const npm_config_globalconfig = join(home.folder, 'global npmrc');
	await writeFile(npm_config_globalconfig, `registry=${url}\n`);
	await install('by-all', { ...home.env, npm_config_globalconfig });
	expect(asked).toContain('/tiny-package');
});

it('says in words that npm is missing', async () => {
	const program = `import { npmSettings } from ${library('npm.mjs')};
		await npmSettings().catch((error) => console.log(error.name, error.message));`;
	const output = await runModule(program, { ...home.env, PATH: home.folder });
	expect(output).toContain('UserError npm does not run here');
});
