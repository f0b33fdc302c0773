const { rm } = require('node:fs/promises');
const { spawn } = require('node:child_process');
const { dest, parallel, series, src, watch } = require('gulp');

const assets = [
	'{nodes,credentials}/**/*.{svg,png}',
	'nodes/**/*.node.json',
	'nodes/**/__schema__/**',
];

function run(command, args) {
	return new Promise((resolve, reject) => {
		spawn(process.execPath, [require.resolve(command), ...args], { stdio: 'inherit' })
			.on('error', reject)
			.on('exit', (code) =>
				code === 0 ? resolve() : reject(new Error(`${command} ended with exit code ${code}`)),
			);
	});
}

const clean = () => rm('dist', { recursive: true, force: true });
const compile = () => run('typescript/bin/tsc', []);
const copyAssets = () => src(assets, { base: '.', encoding: false }).pipe(dest('dist'));

const build = series(clean, parallel(compile, copyAssets));

module.exports = {
	clean,
	build,
	default: build,
	watch: series(build, () => {
		watch(['{nodes,credentials}/**/*.ts', 'tsconfig.json'], compile);
		watch(assets, copyAssets);
	}),
};
