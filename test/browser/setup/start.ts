import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInBackground } from '../../../scripts/lib/background-process.ts';
import { findChromium } from '../../../scripts/lib/chromium.ts';
import { N8nClient } from '../../../scripts/lib/n8n-client.ts';
import { freePort } from '../../../scripts/lib/ports.ts';
import { isUserError } from '../../../scripts/lib/user-error.ts';
import { publishContext } from './context.ts';
import { keep } from './running.ts';

const projectRoot = join(__dirname, '..', '..', '..');

/** What a person reads off the output of `npm start`. */
function readSummary(output: string) {
	const read = (pattern: RegExp): string[] => {
		const found = pattern.exec(output);
		if (!found) throw new Error(`The output of npm start lacks ${pattern}:\n${output}`);
		return found.slice(1);
	};
	const [n8nUrl = ''] = read(/^n8n +(http\S+)$/m);
	const [email = '', password = ''] = read(/log in as (\S+) with (\S+)/);
	const [sandboxUrl = ''] = read(/^Sandbox +(http\S+)$/m);
	const [contactsFile = ''] = read(/^Contacts +(.+)$/m);
	return { n8nUrl, owner: { email, password }, sandboxUrl, contactsFile };
}

async function start(): Promise<void> {
	const chromium = findChromium();
	if (chromium === undefined) {
		throw new Error('These tests need Chromium (on Debian: apt install chromium).');
	}
	console.error('Starting the demo as npm start does');
	const folder = await mkdtemp(join(tmpdir(), 'email-marketing-demo-'));
	const logFile = join(folder, 'start.log');
	const ports = [await freePort(), await freePort()];
	const output = async () => await readFile(logFile, 'utf8');
	const demo = await startInBackground({
		name: 'npm start',
		command: process.execPath,
		args: [
			join(projectRoot, 'scripts', 'start.ts'),
			...['--folder', folder, '--n8n-port', `${ports[0]}`, '--sandbox-port', `${ports[1]}`],
		],
		cwd: projectRoot,
		env: process.env,
		logFile,
		ready: async () => (await output()).includes('Ctrl-C stops both.'),
		timeoutMs: 240_000,
	});
	keep(demo, folder);

	const summary = readSummary(await output());
	const client = new N8nClient(summary.n8nUrl);
	await client.logIn(summary.owner);
	publishContext({ ...summary, chromium, n8nCookie: client.cookie });
}

export default async function globalSetup(): Promise<void> {
	try {
		await start();
	} catch (error) {
		throw isUserError(error) ? new Error(error.message) : error;
	}
}
