import { join } from 'node:path';
import { summary } from './summary.ts';

const reports = join(__dirname, '..', '..', '..', '.work', 'reports');

export default async function globalTeardown(): Promise<void> {
	await globalThis.emailMarketingCluster?.end();
	process.stderr.write(`\n${summary().toString()}\nAll of it: ${await summary().write(reports)}\n`);
}
