import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import {
	cachedInstall,
	type CachedInstallation,
	ensureNode,
	n8n,
	packageCount,
} from './installs.mjs';
import type { Target } from './n8n-targets.mjs';
import { npm } from './npm.mjs';
import { UserError } from './user-error.mjs';

type Report = (text: string) => void;

/** What native packages are compiled against. */
const headerPackages = ['node-addon-api'];

/** The folder of the headers that came with a Node; without them node-gyp downloads its own. */
function nodeHeaders(node: string): string | undefined {
	const folder = dirname(dirname(node));
	return existsSync(join(folder, 'include', 'node', 'node.h')) ? folder : undefined;
}

async function download(cwd: string, report: Report): Promise<void> {
	await npm(['ci', '--legacy-peer-deps', '--ignore-scripts'], {
		cwd,
		report,
		doing: 'Downloading n8n',
		packages: await packageCount(cwd),
	});
}

/** Of this kind are paths that make can handle: a space ends a name for it, and more are special. */
const isPlain = (path: string) => /^[\w./\\:+~@-]+$/.test(path);

/** A new folder to build in. What interrupted builds of this installation left is removed. */
async function makeBuildFolder(installation: string): Promise<string> {
	const parent = [installation, tmpdir(), '/tmp', '/var/tmp'].find(isPlain);
	if (parent === undefined) {
		throw new UserError(
			`n8n's SQLite driver can't be built in ${installation}: compilers need a path without ` +
				'spaces and special characters. Set EMAIL_MARKETING_CACHE to such a folder.',
		);
	}
	const own = createHash('sha256').update(installation).digest('hex').slice(0, 8);
	const prefix = `email-marketing-build-${own}-`;
	const left = (await readdir(parent)).filter((name) => name.startsWith(prefix));
	for (const name of left) await rm(join(parent, name), { recursive: true, force: true });
	return await mkdtemp(join(parent, prefix));
}

interface Build {
	/** The folder that was downloaded. */
	installation: string;
	/** Its packages that are compiled. */
	native: string[];
	/** The executable of the Node that they are compiled for. */
	node: string;
}

async function compile(
	folder: string,
	{ installation, native, node }: Build,
	report: Report,
): Promise<void> {
	const modules = join(folder, 'node_modules');
	const installed = join(installation, 'node_modules');
	await mkdir(modules, { recursive: true });
	for (const name of [...native, ...headerPackages]) {
		if (!existsSync(join(installed, name))) continue;
		await cp(join(installed, name), join(modules, name), { recursive: true });
	}
	await symlink(join(installed, '.bin'), join(modules, '.bin'), 'junction');
	const headers = nodeHeaders(node);
	const nodedir = headers && join(folder, 'headers');
	if (headers && nodedir) await symlink(headers, nodedir, 'junction');
	await npm(['rebuild', '--ignore-scripts=false', '--no-bin-links', ...native], {
		cwd: folder,
		report,
		node,
		env: {
			...process.env,
			// What install scripts call node.
			PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
			// Where the copies find the packages that their install scripts use.
			NODE_PATH: installed,
			// A nodedir of the user's own npmrc may belong to another Node. npm 11 wants the second name.
			npm_config_nodedir: nodedir ?? '',
			npm_package_config_node_gyp_nodedir: nodedir ?? '',
		},
		doing: "Building n8n's SQLite driver, which takes a few minutes",
	});
	for (const name of native) {
		const built = join('node_modules', name, 'build', 'Release');
		// A package that brings a binary for this machine builds none.
		if (!existsSync(join(folder, built))) continue;
		const files = await readdir(join(folder, built));
		await mkdir(join(installation, built), { recursive: true });
		for (const file of files.filter((entry) => entry.endsWith('.node'))) {
			await copyFile(join(folder, built, file), join(installation, built, file));
		}
	}
}

async function build(what: Build, report: Report): Promise<void> {
	const folder = await makeBuildFolder(what.installation);
	try {
		await compile(folder, what, report);
	} catch (error) {
		if (!(error instanceof UserError)) throw error;
		throw new UserError(
			`${error.message}\n\nn8n's SQLite driver could not be built; the reason is above. ` +
				'The next run starts with the build again and does not download n8n a second time.',
		);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function install(from: CachedInstallation, node: string, report: Report): Promise<string> {
	const { native = [] } = from;
	return await cachedInstall(from, report, {
		download: (folder) => download(folder, report),
		build: (installation) => build({ installation, native, node }, report),
	});
}

/**
 * Makes sure of the n8n that runtime/n8n-2 pins, installed for the Node 24 that runs this.
 *
 * @returns the folder that holds its node_modules
 * @throws UserError when npm or the compiler fails
 */
export async function ensureN8n(report: Report): Promise<string> {
	return await install(n8n, process.execPath, report);
}

/** An n8n that is installed, and what runs it. */
export interface InstalledN8n {
	/** The folder that holds its node_modules. */
	installation: string;
	/** The executable of its Node. */
	node: string;
}

/**
 * Makes sure of the n8n of a target and of its Node.
 *
 * @throws UserError when npm or the compiler fails
 */
export async function ensureTarget(target: Target, report: Report): Promise<InstalledN8n> {
	const node = target.node ? await ensureNode(target.node, report) : process.execPath;
	return { installation: await install(target.n8n, node, report), node };
}
