// node load-package.cjs <n8n's folder> <package's folder>: prints as JSON how many milliseconds the package adds to the
// start of n8n, and to the first use of a node, in a process that has n8n-core in it but nothing of the package.
'use strict';
const { createRequire } = require('node:module');
const { join } = require('node:path');

const [, , installation, folder] = process.argv;
const fromN8n = createRequire(join(installation, 'node_modules', 'n8n', 'package.json'));
fromN8n('reflect-metadata');
const { LazyPackageDirectoryLoader } = fromN8n('n8n-core');

async function timed(work) {
	const [started, cpu] = [performance.now(), process.cpuUsage()];
	await work();
	const [ms, { user, system }] = [performance.now() - started, process.cpuUsage(cpu)];
	return { ms, cpuMs: (user + system) / 1000 };
}

async function main() {
	// The first loader sets n8n's logger up, which n8n has long done when it loads packages.
	new LazyPackageDirectoryLoader(folder);
	const loader = new LazyPackageDirectoryLoader(folder);
	const start = await timed(() => loader.loadAll());
	const use = await timed(() => loader.getNode('emailMarketing'));
	process.stdout.write(JSON.stringify({ start, use }));
}
void main();
