import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runScript } from './command.ts';
import { projectRoot } from './installs.mjs';
import { withLock } from './lock.mjs';
import { installedNodes } from './n8n-process.ts';
import { npm } from './npm.mjs';
import { UserError } from './user-error.ts';

const sources = [
	'{nodes,credentials}/**/*.{ts,json,svg,png}',
	'package.json',
	'gulpfile.js',
	'tsconfig.json',
	'README.md',
	'LICENSE.md',
	'CHANGELOG.md',
];

type Report = (text: string) => void;

async function sourceHash(): Promise<string> {
	const hash = createHash('sha256');
	const files: string[] = [];
	for await (const file of glob(sources, { cwd: projectRoot })) files.push(file);
	for (const file of files.sort()) {
		hash.update(file).update(await readFile(join(projectRoot, file)));
	}
	return hash.digest('hex').slice(0, 16);
}

/**
 * Builds and packs the package as `npm publish` would, unless the same sources are packed already.
 *
 * @returns the path of the tarball
 * @throws UserError with the compiler's output when the build fails
 */
export async function packPackage(report: Report): Promise<string> {
	const packages = join(projectRoot, '.work', 'package');
	return await withLock(`${packages}.lock`, report, async () => {
		const { name, version } = JSON.parse(
			await readFile(join(projectRoot, 'package.json'), 'utf8'),
		) as { name: string; version: string };
		const folder = join(packages, await sourceHash());
		const tarball = join(folder, `${name}-${version}.tgz`);
		if (existsSync(tarball)) return tarball;

		report('Building the package');
		const gulp = join(projectRoot, 'node_modules', 'gulp', 'bin', 'gulp.js');
		const { ok, output } = await runScript(gulp, ['build'], { cwd: projectRoot });
		if (!ok) throw new UserError(`The package failed to build:\n${output}`);

		await rm(packages, { recursive: true, force: true });
		const unfinished = `${folder}.partial`;
		await mkdir(unfinished, { recursive: true });
		await npm(['pack', '--ignore-scripts', '--pack-destination', unfinished], {
			cwd: projectRoot,
			report,
			doing: 'Packing the package',
		});
		await rename(unfinished, folder);
		return tarball;
	});
}

/**
 * Installs a tarball of the package into the user folder of an n8n that is not running, as a user
 * does by hand. Needs no network, since the package has no dependencies.
 */
export async function installPackage(
	userFolder: string,
	tarball: string,
	report: Report,
): Promise<void> {
	const nodes = installedNodes(userFolder);
	await mkdir(nodes, { recursive: true });
	await writeFile(
		join(nodes, 'package.json'),
		JSON.stringify({ name: 'installed-nodes', private: true, dependencies: {} }),
	);
	await rm(join(nodes, 'node_modules'), { recursive: true, force: true });
	await npm(
		[
			...['install', tarball, '--offline', '--ignore-scripts', '--no-package-lock'],
			// n8n brings the peer dependency. To leave it out, npm would still ask for its metadata.
			'--legacy-peer-deps',
		],
		{ cwd: nodes, report, doing: 'Installing the package in n8n' },
	);
}
