// npm run release: checks everything that a release needs, on the tarball that would be published.
// With --dry-run that is all. Without, it makes the tag; the workflow that the tag starts publishes.
import { createHash } from 'node:crypto';
import { appendFile, copyFile, glob, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { INodeTypeDescription } from 'n8n-workflow';
import { projectRoot } from './lib/installs.mjs';
import { packPackage } from './lib/package-tarball.ts';
import { checkChangelog, notesOf } from './lib/release/changelog.ts';
import { checkContents } from './lib/release/contents.ts';
import { type Findings, findings, joined } from './lib/release/findings.ts';
import { checkLinks } from './lib/release/links.ts';
import { rehearse } from './lib/release/rehearsal.ts';
import {
	checkBeforeTag,
	checkTag,
	git,
	readRepository,
	type Repository,
	tagOf,
} from './lib/release/repository.ts';
import { checkVersions, type NodeInPackage, type Versions } from './lib/release/versions.ts';
import { scanSources, scanUnpacked, unpack } from './lib/scan.ts';
import { runStep } from './lib/steps.ts';
import { isUserError, UserError } from './lib/user-error.ts';

const program = new Command('npm run release --')
	.description(
		'Checks a release, up to a run of the packed package in a real n8n, and makes its tag.',
	)
	.option('--dry-run', 'only check; what is left to do before the release is listed')
	.addOption(
		new Option('--tag <tag>', 'check the release of this tag, which exists (in CI)').conflicts(
			'dryRun',
		),
	)
	.option('--output <folder>', 'where --tag puts the tarball and the release notes', 'release')
	.parse();
const options = program.opts<{ dryRun?: boolean; tag?: string; output: string }>();

const read = (path: string) => readFile(join(projectRoot, path), 'utf8');
const readJson = async <T>(path: string) => JSON.parse(await read(path)) as T;

type Manifest = Versions['manifest'] & { n8n: { nodes: string[] } };

/** The nodes as n8n would load them from the unpacked package. */
async function nodesIn(folder: string, { n8n }: Manifest): Promise<NodeInPackage[]> {
	const require = createRequire(import.meta.url);
	return await Promise.all(
		n8n.nodes.map(async (path) => {
			const file = join(folder, path);
			const [NodeClass] = Object.values(
				require(file) as Record<string, new () => { description: INodeTypeDescription }>,
			);
			if (!NodeClass) throw new UserError(`The package's ${path} exports no node.`);
			const { name, version } = new NodeClass().description;
			const codex = await readFile(file.replace(/\.js$/, '.json'), 'utf8');
			return { name, version, codex: JSON.parse(codex) as NodeInPackage['codex'] };
		}),
	);
}

async function packedFiles(folder: string) {
	const entries: string[] = [];
	for await (const path of glob('**', { cwd: folder })) entries.push(path);
	const files = await Promise.all(
		entries.map(async (path) => {
			const file = join(folder, path);
			return (await stat(file)).isFile() ? [{ path, text: await readFile(file, 'utf8') }] : [];
		}),
	);
	return files.flat();
}

async function checkFiles(
	manifest: Manifest,
	repository: Repository,
	tarball: string,
	unpacked: string,
): Promise<Findings> {
	const today = new Date().toISOString().slice(0, 10);
	const { version } = manifest;
	const files = await packedFiles(unpacked);
	return joined([
		options.tag === undefined
			? checkBeforeTag(repository, version)
			: checkTag(repository, version, options.tag),
		checkChangelog(await read('CHANGELOG.md'), version, today),
		checkVersions({
			manifest,
			lock: await readJson('package-lock.json'),
			readme: await read('README.md'),
			nodes: await nodesIn(unpacked, manifest),
		}),
		checkContents({ files, packedBytes: (await stat(tarball)).size }, repository.sources),
		await checkLinks(files),
	]);
}

async function checkScan(unpacked: string): Promise<Findings> {
	const sources = await scanSources();
	const packed = await scanUnpacked(unpacked);
	return findings([
		...(sources === undefined ? [] : [`n8n's scan of the sources: ${sources}`]),
		...(packed === undefined ? [] : [`n8n's scan of the packed package: ${packed}`]),
	]);
}

const list = (lines: string[]) => lines.map((line) => `  - ${line}`).join('\n');

/** Shown as a step that fails where there are problems. */
async function checkStep(title: string, check: () => Promise<Findings>): Promise<Findings> {
	let found = findings([]);
	const failed = await runStep(title, async () => {
		found = await check();
		if (found.problems.length > 0) throw new UserError('');
	}).catch((error: unknown) => error);
	if (failed !== undefined && !isUserError(failed)) throw failed;
	return found;
}

/** @throws UserError with everything that stands in the way of the release */
function refuse({ problems, pending }: Findings): void {
	const obstacles = options.dryRun ? problems : [...problems, ...pending];
	if (obstacles.length === 0) return;
	throw new UserError(
		`${options.dryRun ? 'The rehearsal failed' : 'Nothing was released'}:\n${list(obstacles)}`,
	);
}

/** What the next job of the workflow publishes. */
async function writeOutput(tarball: string, version: string): Promise<string> {
	const folder = resolve(options.output);
	await mkdir(folder, { recursive: true });
	await copyFile(tarball, join(folder, basename(tarball)));
	await writeFile(join(folder, 'notes.md'), `${notesOf(await read('CHANGELOG.md'), version)}\n`);
	const sha512 = createHash('sha512')
		.update(await readFile(tarball))
		.digest('hex');
	const { GITHUB_OUTPUT } = process.env;
	if (GITHUB_OUTPUT) {
		await appendFile(GITHUB_OUTPUT, `tarball=${basename(tarball)}\nsha512=${sha512}\n`);
	}
	return `The tarball and its release notes are in ${folder}. SHA-512: ${sha512}`;
}

/** Ends the release, or says how it would end. */
async function conclude(manifest: Manifest, tarball: string, pending: string[]): Promise<string> {
	const { name, version } = manifest;
	const tag = tagOf(version);
	if (options.tag !== undefined) return await writeOutput(tarball, version);
	const push = `git push origin main ${tag}`;
	const publishing =
		`The workflow "Publish" then repeats all checks, publishes ${basename(tarball)} to npm as ` +
		`${name} ${version} with provenance, and makes the GitHub release.`;
	if (!options.dryRun) {
		await git(projectRoot, 'tag', '--annotate', tag, '--message', `${name} ${version}`);
		return `The tag ${tag} was made here, and nothing was published. To release: ${push}\n${publishing}`;
	}
	return [
		'The rehearsal succeeded; nothing was changed.',
		pending.length === 0
			? 'Nothing is left to do before the release.'
			: `Left to do before the release:\n${list(pending)}`,
		`To release: npm run release, which makes the tag ${tag}, and then ${push}\n${publishing}`,
	].join('\n\n');
}

async function main(): Promise<string> {
	const manifest = await readJson<Manifest>('package.json');
	const repository = await readRepository(projectRoot, manifest.version);
	const tarball = await runStep('Build and pack the package', packPackage);
	const unpacked = await unpack(tarball, 'release');
	const found = joined([
		await checkStep('Check versions, changelog and contents', () =>
			checkFiles(manifest, repository, tarball, unpacked),
		),
		await checkStep("Run n8n's verification scan", () => checkScan(unpacked)),
	]);
	refuse(found);
	await runStep('Run the package in a real n8n', (report) => rehearse(tarball, report));
	return await conclude(manifest, tarball, found.pending);
}

try {
	console.log(`\n${await main()}`);
} catch (error) {
	if (!isUserError(error)) throw error;
	console.error(`\n${error.message}`);
	process.exitCode = 1;
}
