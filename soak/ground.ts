import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Program } from '../scripts/lib/debian-packages.ts';
import { ensureN8n } from '../scripts/lib/n8n-install.ts';
import { installedNodes } from '../scripts/lib/n8n-process.ts';
import { installPackage, packPackage } from '../scripts/lib/package-tarball.ts';
import { ensurePostgres } from '../scripts/lib/postgres.ts';
import { ensureRedis } from '../scripts/lib/redis.ts';

/** How n8n runs executions: in one process, or on workers. */
export type Mode = 'regular' | 'queue';

/** What all runs are made of. */
export interface Ground {
	installation: string;
	/** What queue mode needs besides n8n. */
	servers: { postgres: Program; redis: Program } | undefined;
	/** Puts the package into a user folder of n8n. */
	install: (userFolder: string) => Promise<void>;
	/** Removes what is in the folder for it. */
	remove: () => Promise<void>;
}

/** Downloads, packs and installs what is needed, in a folder that other users can read. */
export async function prepareGround(mode: Mode, folder: string): Promise<Ground> {
	const report = (text: string) => console.log(text);
	const own = join(folder, 'programs');
	const packed = join(own, 'package');
	await mkdir(packed, { recursive: true });
	const installation = await ensureN8n(report);
	const servers =
		mode === 'regular'
			? undefined
			: { postgres: await ensurePostgres(own, report), redis: await ensureRedis(report) };
	await installPackage(packed, await packPackage(report), () => undefined);
	const install = async (userFolder: string) => {
		await cp(installedNodes(packed), installedNodes(userFolder), { recursive: true });
	};
	const remove = async () => await rm(own, { recursive: true, force: true });
	return { installation, servers, install, remove };
}
