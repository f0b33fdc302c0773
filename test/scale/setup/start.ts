import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureN8n } from '../../../scripts/lib/n8n-install.ts';
import { installedNodes } from '../../../scripts/lib/n8n-process.ts';
import { installPackage, packPackage } from '../../../scripts/lib/package-tarball.ts';
import { ensurePostgres } from '../../../scripts/lib/postgres.ts';
import { ensureRedis } from '../../../scripts/lib/redis.ts';
import { isUserError } from '../../../scripts/lib/user-error.ts';
import { Cluster, type Ground } from '../cluster.ts';
import { share } from './shared.ts';
import { summary } from './summary.ts';

const prefix = 'email-marketing-scale-';
const env = {
	// n8n gives up the executions of a killed worker after half a minute, and not after one and a half.
	QUEUE_WORKER_LOCK_DURATION: '30000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
	// Main and workers share no disk.
	N8N_DEFAULT_BINARY_DATA_MODE: 'database',
};

const report = (text: string) => console.error(text);

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

/** A folder of this run. Those of earlier runs stay until the next one, for their logs. */
async function runFolder(): Promise<string> {
	for (const name of await readdir(tmpdir())) {
		const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
		if (pid === undefined || isAlive(Number(pid))) continue;
		await rm(join(tmpdir(), name), { recursive: true, force: true });
	}
	const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
	// The servers do not run as root, and their data is below.
	await chmod(folder, 0o755);
	return folder;
}

/** All that a cluster is made of, and none of it running. */
export async function prepare(): Promise<Ground> {
	if (process.platform !== 'linux') throw new Error('These tests run on Linux only.');
	const redis = await ensureRedis(report);
	const installation = await ensureN8n(report);
	const folder = await runFolder();
	const postgres = await ensurePostgres(folder, report);
	const userFolder = join(folder, 'package');
	await mkdir(userFolder);
	await installPackage(userFolder, await packPackage(report), report);
	return { installation, installedNodes: installedNodes(userFolder), postgres, redis, folder };
}

export default async function globalSetup(): Promise<void> {
	try {
		summary();
		share(await Cluster.start(await prepare(), { env }));
	} catch (error) {
		throw isUserError(error) ? new Error(error.message) : error;
	}
}
