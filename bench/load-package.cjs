// node load-package.cjs <n8n's folder> <package's folder>: prints how many milliseconds n8n's loader takes for
// the package, in a process that has n8n-core in it but has not loaded the package before.
'use strict';
const { createRequire } = require('node:module');
const { join } = require('node:path');

const [, , installation, folder] = process.argv;
const fromN8n = createRequire(join(installation, 'node_modules', 'n8n', 'package.json'));
fromN8n('reflect-metadata');
const { PackageDirectoryLoader } = fromN8n('n8n-core');

async function main() {
	const started = performance.now();
	await new PackageDirectoryLoader(folder).loadAll();
	process.stdout.write(String(performance.now() - started));
}
void main();
