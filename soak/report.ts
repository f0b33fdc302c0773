import type { Entry } from '../sandbox/journal.ts';
import type { Account } from './account.ts';
import type { MemoryFigures, Spread } from './memory.ts';
import { memoryFigures } from './memory.ts';
import { isCut, isGivenUp, type Stored } from './executions.ts';
import { countMet, isUsed, KINDS, type Target, TARGETS } from './faults.ts';
import type { Cursors } from './n8n.ts';
import type { Run } from './run.ts';
import { kindOf, type Kind } from './kinds.ts';
import type { World } from './world.ts';

const number = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 0 });
const clock = (ms: number) => {
	const seconds = Math.round(ms / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

const isPoll = ({ path }: Entry) => path === '/single-send/list';
const isWrite = ({ method }: Entry) => method !== 'GET';
const count = <T>(list: T[], wanted: (one: T) => boolean) => list.filter(wanted).length;

/** How often a process was killed; of all at once, each counts. */
export const killsOf = ({ n8n }: World) =>
	n8n.members.reduce((sum, { kills }) => sum + kills.length, 0);

/** One line about where a run is. */
export async function progress(run: Run, sinceMs: number): Promise<string> {
	const { world, faults, logs, memory } = run;
	const journal = await world.sandbox.journal();
	const events = [logs.everything, logs.completed]
		.flatMap((log) => log.last())
		.reduce((sum, { items = [] }) => sum + items.length, 0);
	const parts = [
		`${world.cursors} cursors`.padEnd(15),
		`${killsOf(world)} kills`,
		`${count(journal, isPoll)} polls`,
		`${logs.sync.last().length} syncs`,
		`${count(journal, isWrite)} writes`,
		`${faults.injected} faults`,
		`${events} events`,
		world.n8n.main.isUp ? `${number(memory.at(-1)?.rss ?? 0)} MB` : 'n8n is down',
	];
	return `${clock(sinceMs).padStart(5)}  ${parts.join('  ')}`;
}

function executionsAs(list: Stored[]): string {
	const cut = count(list, isCut);
	const failed = count(list, (one) => one.status === 'error') - count(list, isGivenUp);
	return `${list.length} (${failed} failed, ${cut} interrupted by a kill)`;
}

/** How often each target met a kind of fault; a dash where it never shall. */
const faultRows = (journal: Entry[], cursors: Cursors) =>
	KINDS.map((kind) => {
		const met = (target: Target) =>
			isUsed(cursors, target, kind) ? number(countMet(journal, target, kind)) : '–';
		return [`  ${kind}: ${TARGETS.join(' / ')}`, TARGETS.map(met).join(' / ')];
	});

/** The faults that should have been met and were not, so that the run says nothing about them. */
export const neverMet = (journal: Entry[], cursors: Cursors): string[] =>
	TARGETS.map((target) => {
		const missed = KINDS.filter(
			(kind) => isUsed(cursors, target, kind) && countMet(journal, target, kind) === 0,
		);
		return missed.length === 0 ? '' : `no request of ${target} met ${missed.join(', ')}`;
	}).filter((line) => line !== '');

const megabytes = ({ min, median, max }: Spread) =>
	`${[min, median, max].map(number).join(' / ')} MB`;

/** Dashes where n8n never ran long enough between two kills. */
function memoryRows(all: MemoryFigures | null, name: 'rss' | 'heap', label: string): string[][] {
	const { first, last, slope } = all?.[name] ?? {};
	const perMinute = slope === undefined ? '–' : `${slope.toFixed(1)} MB`;
	return [
		[`${label}, first half: min / median / max`, first ? megabytes(first) : '–'],
		[`${label}, last half`, last ? megabytes(last) : '–'],
		[`${label}, growth in a minute`, perMinute],
	];
}

/** What a run came to, as names and values. */
export function figures(run: Run, account: Account, ms: number): string[][] {
	const { world, service, faults, memory } = run;
	const { findings, journal, entries, executions, events } = account;
	const triggers = [...executions.everything, ...executions.completed];
	const of = (kind: Kind) => String(count(findings, (one) => kindOf(one) === kind));
	const inMemory = memoryFigures(memory);
	const steps = count(
		service.history.entries,
		({ data }) => data?.table === 'singleSends' && data.change !== 'created',
	);
	const effects = entries.filter(({ op }) => op === 'effect').length;
	return [
		['Cursors', world.cursors],
		['Time', clock(ms)],
		...world.n8n.members.map(({ name, kills, failedStarts }) => [
			`Killed: ${name}`,
			`${kills.length} (${failedStarts.length} starts failed)`,
		]),
		['Polls of the two triggers', number(count(journal, isPoll))],
		['Polls that failed', number(count(triggers, ({ failed }) => failed))],
		['Executions of the sync', executionsAs(executions.sync)],
		['Executions of the triggers', executionsAs(triggers.filter(({ failed }) => !failed))],
		['Requests', number(journal.length)],
		['Writes', `${number(count(journal, isWrite))} (${effects} took effect)`],
		['Faults injected', number(faults.injected)],
		['Requests that met one', number(count(journal, ({ fault }) => fault !== null))],
		...faultRows(journal, world.cursors),
		['Changes in the other system', number(world.source.changes)],
		['Changes in the service', `${number(service.acts)} (${steps} steps of campaigns)`],
		['People synced, unsubscribed', `${world.source.people.size}, ${service.unsubscribed.size}`],
		['Events reported', number(events)],
		['Lost', of('lost')],
		['Duplicates', of('doubled')],
		['Otherwise wrong', of('wrong')],
		['Expected losses', of('expected')],
		['Memory measured for', inMemory ? `${inMemory.minutes.toFixed(1)} minutes` : '–'],
		...memoryRows(inMemory, 'rss', 'Memory of n8n'),
		...memoryRows(inMemory, 'heap', 'Its heap'),
	];
}

/** Rows of the same names side by side. */
export function table(columns: string[][][]): string {
	const names = columns[0]?.map(([name = '']) => name) ?? [];
	const cells = [names, ...columns.map((column) => column.map(([, value = '']) => value))];
	const widths = cells.map((column) => Math.max(...column.map(({ length }) => length)));
	return names
		.map((_, row) =>
			cells
				.map((column, index) => (column[row] ?? '').padEnd(widths[index] ?? 0))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}
