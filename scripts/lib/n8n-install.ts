import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError, cachedInstall, npm } from './installs.mjs';

const nativePackages = ['sqlite3', 'isolated-vm'];

/** The headers that came with this Node; without them node-gyp downloads its own. */
function nodeHeaders(): string {
	const folder = dirname(dirname(process.execPath));
	return existsSync(join(folder, 'include', 'node', 'node.h')) ? folder : '';
}

async function install(cwd: string, report: (text: string) => void): Promise<void> {
	await npm(['ci', '--legacy-peer-deps', '--ignore-scripts'], {
		cwd,
		report,
		doing: 'Downloading n8n, which takes 3 to 5 minutes',
	});
	const nodedir = nodeHeaders();
	try {
		await npm(['rebuild', '--ignore-scripts=false', ...nativePackages], {
			cwd,
			report,
			// A nodedir of the user's own npmrc may belong to another Node. npm 11 wants the second name.
			env: {
				...process.env,
				npm_config_nodedir: nodedir,
				npm_package_config_node_gyp_nodedir: nodedir,
			},
			doing: "Building n8n's SQLite driver, which takes a minute",
		});
	} catch (error) {
		if (!(error instanceof UserError)) throw error;
		throw new UserError(
			`${error.message}\n\nn8n's SQLite driver could not be built. ` +
				'It needs Python 3, make and a C++ compiler (on Debian: apt install python3 make g++).',
		);
	}
}

/**
 * Makes sure of the n8n that runtime/n8n-2 pins, installed for the Node that runs this.
 *
 * @returns the folder that holds its node_modules
 * @throws UserError when the disk is full, npm fails or there is no compiler
 */
export async function ensureN8n(report: (text: string) => void): Promise<string> {
	return await cachedInstall({
		name: 'n8n-2',
		dependsOn: [process.versions.modules],
		gigabytes: 4,
		what: 'Installing n8n',
		install: (folder) => install(folder, report),
		report,
	});
}
