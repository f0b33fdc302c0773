import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
	credentialName,
	credentialType,
	sandboxCredential,
} from '../../../scripts/lib/demo-data.ts';
import { N8nClient } from '../../../scripts/lib/n8n-client.ts';
import { ensureTarget } from '../../../scripts/lib/n8n-install.ts';
import { installedNodes, startN8n } from '../../../scripts/lib/n8n-process.ts';
import { currentTarget, defaultsOf3 } from '../../../scripts/lib/n8n-targets.mjs';
import { installPackage, packPackage } from '../../../scripts/lib/package-tarball.ts';
import { freePort } from '../../../scripts/lib/ports.ts';
import { startSandbox } from '../../../scripts/lib/sandbox-process.ts';
import { isUserError } from '../../../scripts/lib/user-error.ts';
import { owner, publishContext } from './context.ts';
import { running } from './running.ts';

const projectRoot = join(__dirname, '..', '..', '..');
const report = (text: string) => console.error(text);

const alive = (pid: number) => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};

/** A folder of this run. Those of earlier runs stay until the next one, for their logs. */
async function runFolder(): Promise<string> {
	const parent = join(projectRoot, '.work', 'test-n8n');
	await mkdir(parent, { recursive: true });
	for (const entry of await readdir(parent)) {
		if (!alive(Number(entry))) await rm(join(parent, entry), { recursive: true, force: true });
	}
	return join(parent, String(process.pid));
}

async function start(): Promise<void> {
	const target = currentTarget();
	const { env } = target;
	const { installation, node } = await ensureTarget(target, report);
	const folder = await runFolder();
	const userFolder = join(folder, 'n8n');
	await mkdir(userFolder, { recursive: true });
	await installPackage(userFolder, await packPackage(report), report);

	report('Starting n8n and the sandbox');
	const sandbox = await startSandbox({
		port: await freePort(),
		args: ['--seed', 'empty'],
		logFile: join(folder, 'sandbox.log'),
	});
	running.push(sandbox);
	const n8n = await startN8n({
		installation,
		node,
		userFolder,
		port: await freePort(),
		env: { ...env, N8N_LOG_LEVEL: 'debug' },
	});
	running.push(n8n);

	const client = new N8nClient(n8n.url);
	await client.logIn(owner);
	const credential = await client.createCredential(
		credentialName,
		credentialType,
		sandboxCredential(sandbox.url),
	);
	publishContext({
		n8nUrl: n8n.url,
		n8nCookie: client.cookie,
		sandboxUrl: sandbox.url,
		credentialId: credential.id,
		installation,
		node,
		env,
		defaultsOf3,
		installedNodes: installedNodes(userFolder),
		folder,
	});
}

export default async function globalSetup(): Promise<void> {
	try {
		await start();
	} catch (error) {
		await Promise.all(running.map((process_) => process_.kill()));
		throw isUserError(error) ? new Error(error.message) : error;
	}
}
