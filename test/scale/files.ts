import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { installedNodes } from '../../scripts/lib/n8n-process.ts';

/** The paths of all files in a user folder, without the packages that are installed there. */
export async function filesIn(userFolder: string): Promise<string[]> {
	const packages = installedNodes(userFolder);
	const entries = await readdir(userFolder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name))
		.filter((path) => !path.startsWith(packages));
}
