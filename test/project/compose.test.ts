import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import runtime from '../../runtime/n8n-2/package.json';
import { type FreshHome, freshHome, root } from './scripts/freshHome';

const run = promisify(execFile);
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

interface Service {
	build: { context: string; dockerfile: string; target: string };
	ports?: string[];
	environment?: Record<string, string>;
	command?: string[];
	volumes?: string[];
	healthcheck?: { test: string[] };
	depends_on?: Record<string, { condition: string }>;
}

const compose = parse(textOf('docker/compose.yaml')) as {
	services: Record<'n8n' | 'sandbox' | 'contacts', Service>;
	volumes: Record<string, null>;
};
const services = Object.entries<Service>(compose.services);
const dockerfile = textOf('docker/Dockerfile');
const stages = [...dockerfile.matchAll(/^FROM (\S+) AS (\S+)$/gm)].map(([, image = '', name]) => ({
	...{ image, name },
}));

describe('docker/compose.yaml', () => {
	it('builds stages of the Dockerfile, in the folder of the repository', () => {
		for (const [, { build }] of services) {
			expect(join(root, 'docker', build.context)).toBe(root);
			expect(existsSync(join(root, build.dockerfile))).toBe(true);
			expect(stages.map(({ name }) => name)).toContain(build.target);
		}
	});

	it('publishes its ports to this computer only', () => {
		const ports = services.flatMap(([, { ports = [] }]) => ports);
		expect(ports).toEqual(['127.0.0.1:5678:5678', '127.0.0.1:4010:4010']);
	});

	it('sets only what n8n reads', () => {
		const config = globSync('node_modules/@n8n/config/dist/**/*.js', { cwd: root }).map(textOf);
		const names = Object.keys(compose.services.n8n.environment ?? {});
		const unknown = names.filter((name) => !config.some((text) => text.includes(`Env)('${name}'`)));
		expect(names.length).toBeGreaterThan(8);
		expect(unknown).toEqual([]);
	});

	it('hands n8n the hash of a password, with its dollar signs doubled', () => {
		const hash = String(compose.services.n8n.environment?.N8N_INSTANCE_OWNER_PASSWORD_HASH);
		expect(hash.replaceAll('$$', '')).not.toContain('$');
		expect(hash.replaceAll('$$', '$')).toMatch(/^\$2[aby]\$\d{2}\$[./A-Za-z0-9]{53}$/);
	});

	it('mounts volumes that it declares, and folders that exist', () => {
		const sources = services.flatMap(([, { volumes = [] }]) =>
			volumes.map((volume) => volume.split(':')[0] ?? ''),
		);
		const named = sources.filter((source) => !source.startsWith('.'));
		expect(named.sort()).toEqual(Object.keys(compose.volumes).sort());
		const folders = sources.filter((source) => source.startsWith('.'));
		expect(folders.filter((path) => !existsSync(join(root, 'docker', path)))).toEqual([]);
	});

	it('waits for services that it has, and for health only where it is checked', () => {
		const waits = services.flatMap(([, service]) => Object.entries(service.depends_on ?? {}));
		const wrong = waits.filter(([name, { condition }]) => {
			const service = (compose.services as Record<string, Service>)[name];
			return !service || (condition === 'service_healthy' && !service.healthcheck);
		});
		expect(waits).toHaveLength(2);
		expect(wrong).toEqual([]);
	});

	it('starts files that exist', () => {
		const files = services.flatMap(([, { command = [] }]) => command[1] ?? []);
		expect(files).toEqual(['sandbox/main.ts', 'docker/contacts.ts']);
		expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
	});
});

describe('docker/Dockerfile', () => {
	it('takes the n8n that the tests run, and fixed versions of all images', () => {
		expect(stages.find(({ name }) => name === 'n8n')?.image).toBe(
			`docker.n8n.io/n8nio/n8n:${runtime.dependencies.n8n}`,
		);
		const names = stages.map(({ name }) => name);
		const images = stages.map(({ image }) => image).filter((image) => !names.includes(image));
		expect(images.filter((image) => !/:\d+\.\d+\.\d+/.test(image))).toEqual([]);
		expect(images[0]).toMatch(/^node:24\./);
	});

	it('copies files that exist and are not left out of the build', () => {
		const ignored = textOf('docker/Dockerfile.dockerignore').split('\n');
		const kept = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
		expect(kept.filter((path) => !existsSync(join(root, path)))).toEqual([]);
		const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)]
			.flatMap(([, sources = '']) => sources.split(' '))
			.filter((path) => path !== '.');
		expect(copied).toContain('docker/start.sh');
		const missing = copied.filter(
			(path) => !existsSync(join(root, path)) || !kept.includes(path.split('/')[0] ?? ''),
		);
		expect(missing).toEqual([]);
	});
});

describe('docker/start.sh', () => {
	let home: FreshHome;
	beforeEach(async () => {
		home = await freshHome('Jörg Meier');
	});
	afterEach(() => home.remove());

	/** An n8n that writes down how it is called. */
	async function fakeN8n(fails = '') {
		const bin = join(home.folder, 'bin');
		const from = join(home.folder, 'image');
		await mkdir(bin, { recursive: true });
		await mkdir(join(from, 'package', 'dist'), { recursive: true });
		await writeFile(join(from, 'package', 'package.json'), '{}');
		const calls = join(home.folder, 'calls');
		const program = join(bin, 'n8n');
		await writeFile(program, `#!/bin/sh\necho "$@" >> "${calls}"\n[ "$1" != "${fails}" ]\n`);
		await chmod(program, 0o755);
		const start = async () => {
			const PATH = [bin, process.env.PATH].join(delimiter);
			const env = { ...home.env, PATH, EMAIL_MARKETING_FOLDER: from };
			await run('sh', [join(root, 'docker', 'start.sh')], { env });
		};
		return { from, start, calls: async () => (await readFile(calls, 'utf8')).trim().split('\n') };
	}

	const installed = () =>
		join(home.folder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-email-marketing');

	it('installs the package, imports once, and starts n8n', async () => {
		const { from, start, calls } = await fakeN8n();
		await start();
		const imports = [
			`import:credentials --input=${from}/seed/credentials.json`,
			`import:workflow --separate --input=${from}/seed/workflows`,
		];
		expect(await calls()).toEqual([...imports, 'start']);
		expect((await readdir(installed())).sort()).toEqual(['dist', 'package.json']);

		await writeFile(join(installed(), 'left-over'), '');
		await start();
		expect(await calls()).toEqual([...imports, 'start', 'start']);
		expect((await readdir(installed())).sort()).toEqual(['dist', 'package.json']);
	});

	it('stops where an import fails, and imports again on the next start', async () => {
		const { start, calls } = await fakeN8n('import:workflow');
		await expect(start()).rejects.toThrow();
		await expect(start()).rejects.toThrow();
		const names = (await calls()).map((call) => call.split(' ')[0]);
		const once = ['import:credentials', 'import:workflow'];
		expect(names).toEqual([...once, ...once]);
	});
});
