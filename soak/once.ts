import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from '../test/histories/evidence.ts';
import { shown } from '../test/histories/history.ts';
import type { Ground } from './ground.ts';
import { growth } from './memory.ts';
import type { Cursors } from './n8n.ts';
import { Random } from './random.ts';
import { figures, killsOf, neverMet, progress, table } from './report.ts';
import { letItHappen, prepare, type Run, settle } from './run.ts';
import { shownFinding } from './kinds.ts';
import { World } from './world.ts';

const progressMs = 15_000;

export interface Options {
	minutes: number;
	cursors: Cursors[];
	ground: Ground;
	/** Where the data and the logs of all runs are. */
	folder: string;
}

/** What one half of a run came to. */
export interface Half {
	cursors: Cursors;
	kills: number;
	events: number;
	findings: Finding[];
}

export interface Outcome {
	seed: string;
	halves: Half[];
	/** Of halves that did not come to their end. */
	errors: unknown[];
	/** Where data and logs are kept; undefined where nothing was found. */
	kept: string | undefined;
}

/** Runs one world from its start to its account. */
async function soakHalf(
	world: World,
	random: Random,
	minutes: number,
	folder: string,
	runs: Run[],
): Promise<{ half: Half; rows: string[][]; lines: string[] }> {
	const { cursors, n8n } = world;
	const choices = random.of(cursors);
	const run = await prepare(world, choices);
	runs.push(run);
	const started = Date.now();
	await letItHappen(run, minutes * 60_000, choices);
	const happened = Date.now() - started;
	const account = await settle(run);
	const findings = [...account.findings, ...growth(run.memory)];
	const { entries, ...rest } = account;
	const kills = n8n.members.map(({ name, kills: times }) => ({ name, times }));
	await writeFile(
		join(folder, cursors, 'account.json'),
		JSON.stringify({ ...rest, findings, kills }, null, '\t'),
	);
	await writeFile(join(folder, cursors, 'history.log'), entries.map(shown).join('\n'));
	const told = findings.map(shownFinding);
	const failedStarts = n8n.members.flatMap((member) => member.failedStarts);
	return {
		half: { cursors, kills: killsOf(world), events: account.events, findings },
		rows: figures(run, { ...account, findings }, happened),
		lines: [...told, ...neverMet(account.journal, cursors), ...failedStarts].map(
			(text) => `${cursors} cursors, ${text}`,
		),
	};
}

/** One run of the soak test, whose halves run at the same time. What is not to be looked into is removed. */
export async function soakOnce(seed: string, options: Options): Promise<Outcome> {
	const { minutes, cursors, ground } = options;
	const folder = join(options.folder, `seed-${seed.replaceAll(/[^\w.-]/g, '_')}`);
	await mkdir(folder, { recursive: true });
	// The servers do not run as root, and their data is below.
	await chmod(folder, 0o755);
	const random = new Random(seed);
	const worlds: World[] = [];
	const runs: Run[] = [];
	let isKept = true;
	const started = Date.now();
	const ticker = setInterval(() => {
		if (runs.length === 0) console.log('Starting n8n and the sandbox');
		for (const run of runs) {
			// The sandbox may have ended in the middle of it.
			void progress(run, Date.now() - started).then(console.log, () => undefined);
		}
	}, progressMs);
	try {
		for (const one of cursors) {
			worlds.push(await World.create(one, folder, ground, random.of(one)));
		}
		// Each goes to its end, also where the other fails.
		const ended = await Promise.allSettled(
			worlds.map(async (world) => await soakHalf(world, random, minutes, folder, runs)),
		);
		const results = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
		const errors: unknown[] = ended.flatMap((one) =>
			one.status === 'rejected' ? [one.reason] : [],
		);
		console.log(`\n${table(results.map(({ rows }) => rows))}\n`);
		for (const line of results.flatMap(({ lines }) => lines)) console.log(line);
		for (const error of errors) console.error(error);
		const halves = results.map(({ half }) => half);
		isKept = errors.length > 0 || halves.some(({ findings }) => findings.length > 0);
		return { seed, halves, errors, kept: isKept ? folder : undefined };
	} catch (error) {
		console.error(error);
		return { seed, halves: [], errors: [error], kept: folder };
	} finally {
		clearInterval(ticker);
		await Promise.all(worlds.map((world) => world.end()));
		if (!isKept) await rm(folder, { recursive: true, force: true });
	}
}
