import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of this repository: commands and tests are started in it. */
export const root = process.cwd();

if (!existsSync(join(root, 'nodes', 'EmailMarketing'))) {
	throw new Error('Start the simulation in the folder of the repository');
}
