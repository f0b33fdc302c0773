// npm run simulate: the published code, the sandbox and a model of n8n in one process, on a clock of their own.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { explore, smallest, type Explored } from '../test/simulation/explore.ts';
import { findFault } from '../test/simulation/findFault.ts';
import { handMadeFaults } from '../test/simulation/handMadeFaults.ts';
import { shown, type Entry } from '../test/histories/history.ts';
import { PublishedCode } from '../test/simulation/published.ts';
import { sometimes } from '../test/simulation/sometimes.ts';
import { duration } from './lib/npm.mjs';

function wholeNumber(text: string): number {
	const number = Number(text);
	if (Number.isInteger(number) && number > 0) return number;
	throw new InvalidArgumentError('It must be a whole number of at least 1.');
}

interface Options {
	seed: number;
	seeds: number;
	steps: number;
	only?: string;
	fault?: string;
	faults?: true;
	trace?: true;
	every: number;
}

const options = new Command('npm run simulate --')
	.description('Simulates n8n, the service and what can go wrong. The same seed does the same.')
	.option('--seed <number>', 'the first seed', wholeNumber, 1)
	.option('--seeds <number>', 'how many: the first, and those after it', wholeNumber, 1)
	.option('--steps <number>', 'steps with trouble, for each seed', wholeNumber, 1_500)
	.option(
		'--only <numbers>',
		'of all that happens around n8n, only these, as a failure prints them',
	)
	.option('--fault <words>', 'with a mistake that is put into the code by hand')
	.option('--faults', 'find each of these mistakes within the seeds, and run its seed again')
	.option('--trace', 'print all that happens')
	.option('--every <number>', 'every second, third … seed', wholeNumber, 1)
	.parse()
	.opts<Options>();

const { seed, seeds, steps, only, fault, faults, trace, every } = options;
const change = handMadeFaults.find(({ name }) => fault !== undefined && name.includes(fault));
if (fault !== undefined && !change) {
	throw new Error(
		`No such mistake: choose one of ${handMadeFaults.map(({ name }) => name).join('; ')}`,
	);
}
const code = new PublishedCode(change ? [change] : []);
const progressMs = 60_000;
/** More than a run can have. */
const mostTroubles = 1_000_000;

/** All but those that are to happen. */
const leftOutBy = (numbers: string): ReadonlySet<number> => {
	const kept = new Set(numbers.split(',').map(Number));
	return { has: (number: number) => number < mostTroubles && !kept.has(number) } as Set<number>;
};

/** Requests that went as usual, and polls that found nothing. */
const isUsual = ({ type, op, data }: Entry) =>
	(/^[A-Z]+ \//.test(op) || (op === 'poll' && !data?.events)) &&
	data?.fault === undefined &&
	(type === 'invoke' || type === 'ok');

function print({ entries }: Explored, isWhole = true): void {
	for (const entry of entries) {
		if (isWhole || !isUsual(entry))
			console.log(isWhole ? shown(entry) : shown(entry).slice(0, 300));
	}
}

async function printFailure(found: Explored): Promise<void> {
	console.log(`\nSeed ${found.seed} breaks a promise:`);
	for (const { promise, what } of found.findings) console.log(`- ${promise}: ${what}`);
	const small = only === undefined ? await smallest(found, { steps, code }) : found;
	console.log('\nThe least that leads to it:');
	print(small, false);
	const replay = `--seed ${found.seed} --steps ${small.asked} --only ${small.troubles.join(',')}`;
	console.log(`\nAgain: npm run simulate -- ${replay}${fault ? ` --fault '${fault}'` : ''}`);
}

/** What one process found. */
interface Share {
	seeds: number;
	steps: number;
	failed: number;
	happened: string[];
}

async function runSeeds(): Promise<Share> {
	const share: Share = { seeds: 0, steps: 0, failed: 0, happened: [] };
	const all = new Set<string>();
	let lastSaid = Date.now();
	for (let at = seed; at < seed + seeds; at += every) {
		const leftOut = only === undefined ? undefined : leftOutBy(only);
		const found = await explore(String(at), { steps, code, leftOut, known: all });
		share.seeds++;
		share.steps += found.steps;
		for (const name of found.happened) all.add(name);
		if (trace) print(found);
		if (Date.now() - lastSaid >= progressMs) {
			lastSaid = Date.now();
			console.log(`Seed ${at}, the last one is ${seed + seeds - 1}`);
		}
		if (found.findings.length === 0) continue;
		share.failed++;
		await printFailure(found);
		// One is enough to look at.
		if (fault !== undefined) break;
	}
	return { ...share, happened: [...all] };
}

/** The seeds on all processors, each with every so many of them. */
async function runShares(processes: number): Promise<Share[]> {
	return await Promise.all(
		Array.from({ length: processes }, async (_, index) => {
			const given = ['--steps', steps, '--seeds', seeds - index, '--every', processes];
			const args = [...given, '--seed', seed + index].map(String);
			// Most of what a simulation makes is soon garbage, and nobody reads where its errors were made.
			const execArgv = ['--max-semi-space-size=64', '--stack-trace-limit=0'];
			const child = fork(fileURLToPath(import.meta.url), args, { execArgv });
			const [share] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [
				Share,
			];
			if (typeof share === 'number') throw new Error('A process ended early');
			return share;
		}),
	);
}

/** @returns how many mistakes no seed has noticed */
async function findFaults(): Promise<number> {
	let missed = 0;
	for (const one of handMadeFaults) {
		const found = await findFault(one, { seed, seeds, steps });
		if (!found) missed++;
		const result = found
			? `seed ${found.seed}: ${found.findings[0]?.promise}`
			: `not in ${seeds.toLocaleString('en')} seeds`;
		console.log(`${one.name}: ${result}`);
	}
	return missed;
}

const started = Date.now();
const processes = Math.min(availableParallelism(), seeds);
if (faults) {
	const missed = await findFaults();
	const found = handMadeFaults.length - missed;
	console.log(
		`\n${found} of ${handMadeFaults.length} mistakes were found and replayed in ${duration(Date.now() - started)}.`,
	);
	process.exit(missed > 0 ? 1 : 0);
}
const isAlone = processes === 1 || process.send !== undefined || fault !== undefined;
const shares = isAlone ? [await runSeeds()] : await runShares(processes);
if (process.send) {
	process.send(shares[0]);
	process.disconnect();
} else {
	const sum = (of: (share: Share) => number) =>
		shares.reduce((total, share) => total + of(share), 0);
	const failed = sum((share) => share.failed);
	const ran = sum((share) => share.seeds);
	const numbers = `${ran.toLocaleString('en')} seeds, ${sum((share) => share.steps).toLocaleString('en')} steps`;
	console.log(
		`\n${numbers} in ${duration(Date.now() - started)}: ${failed === 0 ? 'no promise was broken' : `${failed} seeds broke a promise`}.`,
	);
	// Few seeds do not get everywhere.
	const hasMany = ran >= 1_000;
	const never = sometimes.filter(
		(name) => hasMany && !shares.some((share) => share.happened.includes(name)),
	);
	if (never.length > 0) console.log(`Never happened: ${never.join('; ')}.`);
	process.exitCode = failed > 0 || never.length > 0 ? 1 : 0;
}
