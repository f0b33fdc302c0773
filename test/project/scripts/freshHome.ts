import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

export const root = join(__dirname, '..', '..', '..');

const run = promisify(execFile);

/** A home folder, an npm cache and a folder for temporary files that nobody has used before. */
export interface FreshHome {
	/** Holds all of them. */
	folder: string;
	env: NodeJS.ProcessEnv;
	remove(): Promise<void>;
}

/** @param name of the folder that holds it all */
export async function freshHome(name = 'home'): Promise<FreshHome> {
	const parent = await mkdtemp(join(tmpdir(), 'email-marketing-fresh-'));
	const folder = join(parent, name);
	const temporary = join(folder, 'tmp');
	await mkdir(temporary, { recursive: true });
	const { LANG = 'C.UTF-8', PATH = '' } = process.env;
	return {
		folder,
		env: {
			PATH: [dirname(process.execPath), PATH].join(delimiter),
			LANG,
			HOME: folder,
			TMPDIR: temporary,
			XDG_CACHE_HOME: join(folder, 'cache'),
			npm_config_update_notifier: 'false',
		},
		remove: async () => await rm(parent, { recursive: true, force: true }),
	};
}

/** Where a module of scripts/lib is, as the text of a program imports it. */
export const library = (file: string) =>
	JSON.stringify(pathToFileURL(join(root, 'scripts', 'lib', file)).href);

/**
 * Runs the text of a module in a Node of its own, which reads the project's modules as they are.
 *
 * @returns what it printed on standard output
 * @throws Error with its output when it fails
 */
export async function runModule(text: string, env: NodeJS.ProcessEnv): Promise<string> {
	const args = ['--input-type=module', '--eval', text];
	try {
		return (await run(process.execPath, args, { cwd: root, env })).stdout;
	} catch (error) {
		const { stdout, stderr } = error as { stdout: string; stderr: string };
		throw new Error(`The program failed:\n${stdout}${stderr}`);
	}
}
