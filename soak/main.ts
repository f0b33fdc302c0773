// npm run soak: an n8n that syncs contacts and watches campaigns while everything goes wrong, and
// what came of it. Minutes after `--`, ten unless given.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { ensureN8n } from '../scripts/lib/n8n-install.ts';
import { packPackage } from '../scripts/lib/package-tarball.ts';
import { growth } from './memory.ts';
import { Random } from './random.ts';
import { figures, neverMet, progress, table } from './report.ts';
import { letItHappen, prepare, type Run, settle } from './run.ts';
import { type Cursors, World } from './world.ts';

const progressMs = 15_000;

function positive(text: string): number {
	const minutes = Number(text);
	if (minutes > 0) return minutes;
	throw new InvalidArgumentError('It must be a number above 0.');
}

const program = new Command('npm run soak --')
	.description(
		'Runs the nodes in n8n during faults and kills, and finds what was lost or duplicated.',
	)
	.argument('[minutes]', 'how long things happen', positive, 10)
	.option('--seed <text>', 'for the same choices as an earlier run', String(Date.now() % 1_000_000))
	.addOption(
		new Option('--cursors <which>', 'how n8n keeps what its triggers have seen')
			.choices(['durable', 'plain', 'both'])
			.default('both'),
	)
	.parse();
const { seed, cursors } = program.opts<{ seed: string; cursors: Cursors | 'both' }>();
const [minutes] = program.processedArgs as [number];

const random = new Random(seed);
const folder = await mkdtemp(join(tmpdir(), 'email-marketing-soak-'));
const worlds: World[] = [];
const runs: Run[] = [];

interface Result {
	rows: string[][];
	lines: string[];
	/** What is not in order. */
	problems: number;
	/** Losses that were to be expected. */
	expected: number;
}

/** Runs one world from its start to its account. */
async function soak(world: World): Promise<Result> {
	const { cursors: which, kills, failedStarts } = world;
	const choices = random.of(which);
	const run = await prepare(world, choices);
	runs.push(run);
	const started = Date.now();
	await letItHappen(run, minutes * 60_000, choices);
	const happened = Date.now() - started;
	const account = await settle(run);
	const findings = [...account.findings, ...growth(run.memory)];
	await writeFile(
		join(folder, which, 'account.json'),
		JSON.stringify({ ...account, findings, kills }, null, '\t'),
	);
	const unmet = neverMet(account.journal, which);
	const told = findings.map(({ kind, text }) => `${kind}: ${text}`);
	const expected = findings.filter(({ kind }) => kind === 'expected').length;
	return {
		rows: figures(run, { ...account, findings }, happened),
		lines: [...told, ...unmet, ...failedStarts].map((text) => `${which} cursors, ${text}`),
		problems: findings.length - expected,
		expected,
	};
}

const sum = (results: Result[], of: 'problems' | 'expected') =>
	results.reduce((all, one) => all + one[of], 0);

console.log(`Seed ${seed}, ${minutes} minutes`);
const started = Date.now();
const ticker = setInterval(() => {
	if (runs.length === 0) console.log('Starting n8n and the sandbox');
	for (const run of runs) {
		// The sandbox may have ended in the middle of it.
		void progress(run, Date.now() - started).then(console.log, () => undefined);
	}
}, progressMs);
/** What is there to be looked into, unless there is nothing to look for. */
let isKept = true;
try {
	const report = (text: string) => console.log(text);
	const ground = {
		folder,
		installation: await ensureN8n(report),
		tarball: await packPackage(report),
	};
	const wanted: Cursors[] = cursors === 'both' ? ['durable', 'plain'] : [cursors];
	for (const one of wanted) worlds.push(await World.create(one, ground, random.of(one)));
	// Each goes to its end, also where the other fails.
	const ended = await Promise.allSettled(worlds.map(soak));
	const results = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
	const errors: unknown[] = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
	console.log(`\n${table(results.map(({ rows }) => rows))}\n`);
	for (const line of results.flatMap(({ lines }) => lines)) console.log(line);
	for (const error of errors) console.error(error);
	const expected = sum(results, 'expected');
	if (errors.length + sum(results, 'problems') > 0) {
		process.exitCode = 1;
		console.log(`Seed ${seed}: findings`);
	} else if (expected > 0) {
		console.log(`Seed ${seed}: nothing duplicated, and only expected losses: ${expected}`);
	} else {
		console.log(`Seed ${seed}: nothing lost, nothing duplicated`);
		isKept = false;
	}
} catch (error) {
	process.exitCode = 1;
	console.error(error);
} finally {
	clearInterval(ticker);
	await Promise.all(worlds.map((world) => world.end()));
	if (isKept) console.log(`Logs and data: ${folder}`);
	else await rm(folder, { recursive: true, force: true });
}
