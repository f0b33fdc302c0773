// What the package adds to the start of n8n, and what it weighs. Each turn is a process of its own, since a
// package is loaded once in the life of n8n.
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packPackage } from '../scripts/lib/package-tarball.ts';
import type { Figures } from './stage.ts';
import { work } from './work.ts';

export const loading = work({
	name: 'load',
	title: 'Load the package',
	rounds: 9,
	contestants: { load: 'This package, loaded by n8n' },
	targets: [
		{
			what: 'time that loading adds to the start',
			most: 40,
			unit: ' ms',
			of: ({ load }) => load.ms,
		},
		{
			what: 'size of the packed package',
			most: 150,
			unit: ' kB',
			of: ({ load }) => (load.bytes ?? NaN) / 1000,
		},
	],
	async prepare(stage) {
		const { size } = await stat(await packPackage(console.error));
		const script = join(import.meta.dirname, 'load-package.cjs');
		return {
			load: async () => {
				const args = [script, stage.installation, stage.packageFolder];
				// Where n8n, too, lets packages find n8n-workflow.
				const env = { ...process.env, NODE_PATH: join(stage.installation, 'node_modules') };
				const { stdout } = await promisify(execFile)(process.execPath, args, { env });
				const measured = JSON.parse(stdout) as Pick<Figures, 'ms' | 'cpuMs'>;
				return { ...measured, bytes: size };
			},
		};
	},
});
