// npm run bench: measures everything, and writes docs/dev/benchmarks.md.
// npm run bench -- create get: measures these works only, and writes nothing.
// npm run bench -- create --profile: one turn each, and what n8n's main process did in it, in .work/profiles.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { projectRoot } from '../scripts/lib/installs.mjs';
import { packPackage } from '../scripts/lib/package-tarball.ts';
import { isUserError, UserError } from '../scripts/lib/user-error.ts';
import { profileTable } from './profile.ts';
import { conditionsOf, describe, keep, medians, type Results, warnIfWorse } from './report.ts';
import { type Figures, Stage } from './stage.ts';
import { works } from './works.ts';
import type { Work } from './work.ts';

const command = new Command('npm run bench --')
	.argument('[works...]', `which of ${works.map(({ name }) => name).join(', ')}; all unless given`)
	.option('--rounds <number>', 'how many turns each contestant gets', Number)
	.option('--profile', 'one turn each, with CPU profiles of n8n')
	.parse();
const { rounds, profile } = command.opts<{ rounds?: number; profile?: true }>();
const unknown = command.args.filter((asked) => !works.some(({ name }) => name === asked));
if (unknown.length > 0) command.error(`Unknown benchmark: ${unknown.join(', ')}.`);
const chosen = works.filter(({ name }) => command.args.length === 0 || command.args.includes(name));
const profiles = profile && join(projectRoot, '.work', 'profiles');

async function measure(stage: Stage, work: Work): Promise<Record<string, Figures>> {
	console.error(`\n${work.title}`);
	const turns = Object.entries(await work.prepare(stage));
	const taken = Object.fromEntries(turns.map(([name]) => [name, [] as Figures[]]));
	const count = profile ? 1 : (rounds ?? work.rounds ?? 5);
	for (let round = 1; round <= count; round++) {
		for (const [name, turn] of turns) {
			const figures = await turn(round);
			taken[name]?.push(figures);
			console.error(
				`  ${round}/${count}  ${figures.ms.toFixed(0).padStart(6)} ms  ${work.contestants[name]}`,
			);
		}
	}
	return Object.fromEntries(Object.entries(taken).map(([name, all]) => [name, medians(all)]));
}

try {
	if (profiles !== undefined) {
		await rm(profiles, { recursive: true, force: true });
		await mkdir(profiles, { recursive: true });
	}
	const tarball = await packPackage(console.error);
	const stage = await Stage.open(tarball, profiles);
	const results: Results = {};
	const failed: Work[] = [];
	try {
		for (const work of chosen) {
			try {
				results[work.name] = await measure(stage, work);
			} catch (error) {
				failed.push(work);
				console.error(error);
			}
		}
	} finally {
		await stage.close();
	}
	console.log(`\n${await describe([results])}`);
	await warnIfWorse(results);
	if (failed.length > 0) {
		throw new UserError(`Failed benchmarks: ${failed.map(({ name }) => name).join(', ')}`);
	}
	if (profiles !== undefined) console.log(`\n${await profileTable(profiles)}`);
	else if (chosen.length === works.length && rounds === undefined) {
		await keep(await conditionsOf(stage.installation, tarball), results);
	}
} catch (error) {
	console.error(isUserError(error) ? error.message : error);
	process.exitCode = 1;
}
