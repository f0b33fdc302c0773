// Figures in words: the table on the terminal, and docs/dev/benchmarks.md from the runs in runs.json.
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { projectRoot } from '../scripts/lib/installs.mjs';
import { distanceName, roundTrips } from './distance.ts';
import type { Figures } from './stage.ts';
import { works } from './works.ts';
import type { Work } from './work.ts';

/** Medians of each contestant of each work. */
export type Results = Record<string, Record<string, Figures>>;

/** What figures hold for: runs of anything else are not put beside them. */
interface Conditions {
	machine: string;
	versions: string;
	/** Hash of the package's sources. */
	sources: string;
}

interface Runs extends Conditions {
	runs: Results[];
}

const runsFile = join(projectRoot, 'bench', 'runs.json');
const page = join(projectRoot, 'docs', 'dev', 'benchmarks.md');
const marks = {
	start: '<!-- What follows is written by npm run bench. -->',
	end: '<!-- What precedes is written by npm run bench. -->',
};

const readRuns = async (): Promise<Runs | undefined> =>
	await readFile(runsFile, 'utf8').then(
		(text) => JSON.parse(text) as Runs,
		() => undefined,
	);

export const median = (values: number[]): number =>
	values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

/** The median of each figure for itself. */
export function medians(turns: Figures[]): Figures {
	const names = Object.keys(turns[0] ?? {}) as Array<keyof Figures>;
	const entries = names.map((name) => [name, median(turns.map((turn) => turn[name] ?? NaN))]);
	return Object.fromEntries(entries) as Figures;
}

const formatted = async (file: string, text: string): Promise<string> =>
	await format(text, { ...(await resolveConfig(file)), filepath: file });

const number = (value: number) =>
	value >= 100
		? Math.round(value).toLocaleString('en')
		: value.toLocaleString('en', { maximumSignificantDigits: value < 1 ? 2 : 3 });

/** One value, or the median of several with their spread. */
function spread(values: Array<number | undefined>, unit = ''): string {
	const known = values.filter((value) => value !== undefined);
	if (known.length === 0) return '';
	const [low, high] = [number(Math.min(...known)), number(Math.max(...known))];
	const middle = `${number(median(known))}${unit}`;
	return low === high ? middle : `${middle} (${low} to ${high})`;
}

/** Rows of cells: as Markdown. */
const table = (rows: string[][]): string =>
	rows
		.toSpliced(1, 0, rows[0]?.map((_, column) => (column === 0 ? '---' : '---:')) ?? [])
		.map((row) => `| ${row.join(' | ')} |`)
		.join('\n');

function targetRows(work: Work, results: Results[]): string[][] {
	const figures = results.flatMap(({ [work.name]: found }) => (found ? [found] : []));
	return work.targets.map(({ what, most, unit = '', of }) => {
		const values = figures.map(of);
		return [
			work.title,
			what,
			spread(values, unit),
			`≤ ${number(most)}${unit}`,
			median(values) <= most ? 'yes' : 'no',
		];
	});
}

/** A figure that is so many times the published one is worse, and no chance. */
const worseFrom = 1.15;

/** What is worse than in the published runs, as lines of text. */
export function worsened(published: Results[], results: Results): string[] {
	return works.flatMap(({ name, title, contestants, targets }) => {
		// A work that has changed since then cannot be compared.
		const before = published.flatMap(({ [name]: found }) =>
			found && Object.keys(contestants).every((contestant) => found[contestant]) ? [found] : [],
		);
		const now = results[name];
		if (now === undefined || before.length === 0) return [];
		return targets.flatMap(({ what, unit = '', of }) => {
			const [was, is] = [median(before.map(of)), of(now)];
			return is > was * worseFrom
				? [`${title}, ${what}: ${number(is)}${unit} instead of ${number(was)}${unit}`]
				: [];
		});
	});
}

/** Says what is worse than in the published runs. Why must be written down. */
export async function warnIfWorse(results: Results): Promise<void> {
	const lines = worsened((await readRuns())?.runs ?? [], results);
	if (lines.length === 0) return;
	console.error(`\nMore than 15 % worse than published; say why in docs/dev/benchmarks.md:`);
	for (const line of lines) console.error(`- ${line}`);
}

const targetHead = ['Work', 'What', 'Measured', 'Target', 'Met'];

/** Seconds where one of the times is as long, otherwise milliseconds. */
function duration(times: Array<number | undefined>): string {
	const isLong = times.some((ms = 0) => ms >= 1000);
	return isLong
		? spread(
				times.map((ms) => ms && ms / 1000),
				' s',
			)
		: spread(times, ' ms');
}

function figureTable(work: Work, results: Results[]): string {
	const figures = results.flatMap(({ [work.name]: found }) => (found ? [found] : []));
	const rows = Object.entries(work.contestants).map(([name, label]) => {
		const of = (figure: keyof Figures) => figures.map((run) => run[name]?.[figure]);
		return [
			label,
			duration(of('ms')),
			duration(of('cpuMs')),
			spread(of('requests')),
			spread(of('created')),
			spread(of('refusedLater')),
			spread(of('memoryBeforeMb'), ' MB'),
			spread(of('memoryMb'), ' MB'),
		];
	});
	const head = [
		...['', 'Time', 'CPU of n8n', 'Requests', 'Contacts created'],
		...['Refused after the first second', 'Memory of n8n before', 'Peak'],
	];
	const filled = head.flatMap((_, column) => (rows.some((row) => row[column]) ? [column] : []));
	return table([head, ...rows].map((row) => filled.map((column) => row[column] ?? '')));
}

const contestantsAtDistance = ['automatic', 'http', 'fixed', 'httpBatches', 'floor', 'floorKept'];

/** What matters most. */
const compared = ['This node', 'HTTP Request', 'This node ÷ HTTP Request'];

const otherContestants = [
	'This node, 256 Parallel Requests',
	'HTTP Request in batches',
	'Plain HTTP, connecting each time',
	'Plain HTTP, connections kept',
];

/** Creating contacts, by the round trip to the service: the medians, in as many columns as there are heads. */
function distanceTable(results: Results[], isTls: boolean, heads: string[]): string {
	const rows = roundTrips.flatMap((roundTripMs) => {
		const name = distanceName(roundTripMs, isTls);
		const runs = results.flatMap(({ [name]: run }) => (run ? [run] : []));
		if (runs.length === 0) return [];
		const ms = (contestant: string) => median(runs.map((run) => run[contestant]?.ms ?? NaN));
		const [automatic = '', http = '', ...others] = contestantsAtDistance.map((contestant) =>
			Number.isNaN(ms(contestant)) ? '' : `${(ms(contestant) / 1000).toFixed(1)} s`,
		);
		const ratio = (ms('automatic') / ms('http')).toFixed(2);
		return [[`${roundTripMs} ms`, automatic, http, ratio, ...others].slice(0, heads.length)];
	});
	return rows.length === 0 ? '' : table([heads, ...rows]).replace('| --- |', '| ---: |');
}

/** Everything about these works, as Markdown. */
export async function describe(results: Results[]): Promise<string> {
	const measured = works.filter(({ name }) => results.some((run) => run[name]));
	const targets = measured.flatMap((work) => targetRows(work, results));
	const parts = measured.map((work) => `### ${work.title}\n\n${figureTable(work, results)}`);
	const text = [
		table([targetHead, ...targets]),
		distanceTable(results, true, ['Round trip over HTTPS', ...compared, ...otherContestants]),
		distanceTable(results, false, ['Round trip over HTTP', ...compared, ...otherContestants]),
		...parts,
	];
	return await formatted(page, text.filter((part) => part !== '').join('\n\n'));
}

export async function conditionsOf(installation: string, tarball: string): Promise<Conditions> {
	const manifest = join(installation, 'node_modules', 'n8n', 'package.json');
	const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
	const processors = cpus();
	return {
		machine: `${processors[0]?.model.trim() ?? 'unknown CPU'}, ${processors.length} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory, ${process.platform}`,
		versions: `n8n ${version}, Node.js ${process.versions.node}`,
		sources: basename(dirname(tarball)),
	};
}

/** Adds a run to those of the same conditions, or begins anew, and writes the page. */
export async function keep(conditions: Conditions, results: Results): Promise<void> {
	const { runs = [], ...known } = (await readRuns()) ?? {};
	const comparable = JSON.stringify(known) === JSON.stringify(conditions);
	const all: Runs = { ...conditions, runs: [...(comparable ? runs : []), results] };
	await writeFile(runsFile, await formatted(runsFile, JSON.stringify(all)));
	await writePage(all);
}

async function writePage({ machine, versions, runs }: Runs): Promise<void> {
	const text = await readFile(page, 'utf8');
	const [head = '', rest = ''] = text.split(marks.start);
	const [, tail = ''] = rest.split(marks.end);
	const how =
		runs.length === 1
			? 'One run.'
			: `Medians of ${runs.length} runs, with the lowest and the highest.`;
	const written = [
		`${head}${marks.start}`,
		`${how} ${machine}. ${versions}.`,
		await describe(runs),
		`${marks.end}${tail}`,
	].join('\n\n');
	await writeFile(page, await formatted(page, written));
}
