// What the package adds to the start of n8n and to the first use of a node, and what it weighs. Each turn is a process
// of its own, since a package is loaded once in the life of n8n.
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
	contestants: { start: 'At the start of n8n', use: 'When a node is first used' },
	targets: [
		{
			what: 'time that loading adds to the start',
			most: 40,
			unit: ' ms',
			of: ({ start }) => start.ms,
		},
		{
			what: 'time that the first use of a node takes longer',
			most: 100,
			unit: ' ms',
			of: ({ use }) => use.ms,
		},
		{
			what: 'size of the packed package',
			most: 150,
			unit: ' kB',
			of: ({ start }) => (start.bytes ?? NaN) / 1000,
		},
	],
	async prepare(stage) {
		const { size } = await stat(await packPackage(console.error));
		const script = join(import.meta.dirname, 'load-package.cjs');
		const measure = async () => {
			const args = [script, stage.installation, stage.packageFolder];
			// Where n8n, too, lets packages find n8n-workflow.
			const env = { ...process.env, NODE_PATH: join(stage.installation, 'node_modules') };
			const { stdout } = await promisify(execFile)(process.execPath, args, { env });
			return JSON.parse(stdout) as Record<'start' | 'use', Pick<Figures, 'ms' | 'cpuMs'>>;
		};
		return {
			start: async () => ({ ...(await measure()).start, bytes: size }),
			use: async () => (await measure()).use,
		};
	},
});
