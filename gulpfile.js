const { readFile, rm, writeFile } = require('node:fs/promises');
const { join } = require('node:path');
const { spawn } = require('node:child_process');
const { dest, parallel, series, src, watch } = require('gulp');

const assets = [
	'{nodes,credentials}/**/*.{svg,png}',
	'nodes/**/*.node.json',
	'nodes/**/__schema__/**',
];

function run(command, args) {
	return new Promise((resolve, reject) => {
		spawn(process.execPath, [command, ...args], { stdio: 'inherit' })
			.on('error', reject)
			.on('exit', (code) =>
				code === 0 ? resolve() : reject(new Error(`${command} ended with exit code ${code}`)),
			);
	});
}

const clean = () => rm('dist', { recursive: true, force: true });
const compile = () => run(join('node_modules', 'typescript-7', 'bin', 'tsc'), []);
const copyAssets = () => src(assets, { base: '.', encoding: false }).pipe(dest('dist'));

/** Links to the pages of the repository that package.json names. Without one, the package has no links. */
async function addLinks() {
	const { repository, n8n } = JSON.parse(await readFile('package.json', 'utf8'));
	const address =
		repository === undefined ? '' : `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/`;
	const module = `'use strict';\nexports.docsAddress = ${JSON.stringify(address)};\n`;
	await writeFile(join('dist', 'nodes', 'EmailMarketing', 'service', 'docsAddress.js'), module);
	for (const node of n8n.nodes) {
		const file = node.replace(/\.js$/, '.json');
		const { resources, ...codex } = JSON.parse(await readFile(file.replace('dist/', ''), 'utf8'));
		const linked = Object.entries(resources).map(([kind, pages]) => [
			kind,
			pages.map(({ url }) => ({ url: `${address}${url}` })),
		]);
		// n8n ignores a codex without `resources`, and with it every word that the node is found by.
		codex.resources = address === '' ? {} : Object.fromEntries(linked);
		await writeFile(file, `${JSON.stringify(codex, null, 2)}\n`);
	}
}

/** Writes the descriptions that n8n reads at its start. It then loads the modules of a node when it is first used. */
const describe = () => run(join('node_modules', 'n8n-core', 'bin', 'generate-metadata'), []);
const removeUnused = () => rm(join('dist', 'methods'), { recursive: true });

const link = series(addLinks, describe, removeUnused);
const build = series(clean, parallel(compile, copyAssets), link);

module.exports = {
	clean,
	build,
	link,
	default: build,
	watch: series(build, () => {
		watch(['{nodes,credentials}/**/*.ts', 'tsconfig.json'], series(compile, link));
		watch(assets, series(copyAssets, link));
	}),
};
