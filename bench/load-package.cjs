// node load-package.cjs <n8n's folder> <package's folder>: prints as JSON how many milliseconds n8n's loader takes for
// the package, and of CPU, in a process that has n8n-core in it but has not loaded the package before.
'use strict';
const { createRequire } = require('node:module');
const { join } = require('node:path');

const [, , installation, folder] = process.argv;
const fromN8n = createRequire(join(installation, 'node_modules', 'n8n', 'package.json'));
fromN8n('reflect-metadata');
const { PackageDirectoryLoader } = fromN8n('n8n-core');

async function main() {
	// The first loader sets n8n's logger up, which n8n has long done when it loads packages.
	new PackageDirectoryLoader(folder);
	const [started, cpu] = [performance.now(), process.cpuUsage()];
	await new PackageDirectoryLoader(folder).loadAll();
	const [ms, { user, system }] = [performance.now() - started, process.cpuUsage(cpu)];
	process.stdout.write(JSON.stringify({ ms, cpuMs: (user + system) / 1000 }));
}
void main();
