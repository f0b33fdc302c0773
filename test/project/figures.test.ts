import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

import { seeds } from '../../sandbox/seed.ts';
import { Store } from '../../sandbox/store.ts';

const root = join(__dirname, '..', '..');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');

interface Run {
	ms: number;
	requests: number;
	addedMemoryMb: number;
}

const { runs } = JSON.parse(read('bench', 'runs.json')) as {
	runs: Array<Record<string, Record<string, Run>>>;
};

/** The median of all runs of the benchmarks. */
function measured(work: string, contestant: string, what: keyof Run): number {
	const values = runs.map((run) => run[work]?.[contestant]?.[what] ?? NaN);
	return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}

const seconds = (work: string, contestant: string) => {
	const value = measured(work, contestant, 'ms') / 1000;
	return `${value.toFixed(value < 1 ? 2 : 1)} s`;
};
const requests = (work: string, contestant: string) =>
	String(measured(work, contestant, 'requests'));
const gigabytes = (work: string, contestant: string) =>
	measured(work, contestant, 'addedMemoryMb') / 1000;

/** The table rows of a page, without the spaces that align them. */
const rowsOf = (page: string) =>
	read('docs', page)
		.split('\n')
		.filter((line) => line.startsWith('|'))
		.map((line) =>
			line
				.split('|')
				.slice(1, -1)
				.map((cell) => cell.trim())
				.join(' | '),
		);

it('the time, requests and memory of a sync are those of the benchmarks', () => {
	const memory = (text: string) => `; n8n uses ${text} GB more memory`;
	const of = (work: string, contestant: string) =>
		`${seconds(work, contestant)} | ${requests(work, contestant)}`;
	expect(rowsOf('scaling.md')).toEqual(
		expect.arrayContaining([
			`1,000 | none | ${of('scale', 'thousand')}`,
			`10,000 | none | ${of('scale', 'tenThousand')}`,
			`10,000 | 100 | ${of('sync', 'sync')}`,
			`100,000 | none | ${of('scale', 'hundredThousand')}${memory(gigabytes('scale', 'hundredThousand').toFixed(1))}`,
			`500,000 | none | ${of('half-million', 'halfMillion')}${memory(`about ${gigabytes('half-million', 'halfMillion').toFixed(1)}`)}`,
		]),
	);
	const withHttp = Math.round(measured('sync', 'http', 'ms') / 1000);
	expect(read('docs', 'scaling.md')).toContain(`takes about ${withHttp} seconds`);
});

it('a poll is compared with parsing its response as in the benchmarks', () => {
	const ratio = measured('poll', 'poll', 'ms') / measured('poll', 'parse', 'ms');
	expect(ratio).toBeGreaterThan(1);
	expect(ratio).toBeLessThan(2.5);
	expect(read('docs', 'trigger-guarantees.md')).toContain(
		'between one and two times as much CPU time as parsing the response',
	);
});

it('the time between saving the state and the execution is that of the soak tests', () => {
	const [window = ''] = /\d+ to \d+ ms/.exec(read('docs', 'trigger-guarantees.md')) ?? [];
	expect(window).not.toBe('');
	expect(read('docs', 'dev', 'reliability.md')).toContain(window);
});

function demoUnsubscribes(): string[] {
	const { tables } = new Store(false);
	seeds.demo(tables, Date.now());
	return tables.globalUnsubscribes.all().map(({ email_address }) => email_address);
}

it('the tutorial counts the rows that add nobody', () => {
	const rows = parse(read('examples', 'data', 'contacts.csv'), {
		columns: true,
		bom: true,
	}) as Array<Record<string, string>>;
	const addresses = rows.map((row) => (row['E-mail'] ?? '').trim().toLowerCase());
	const valid = addresses.filter((address) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address));
	const duplicates = valid.length - new Set(valid).size;
	const invalid = addresses.length - valid.length;
	const held = demoUnsubscribes().filter((address) => valid.includes(address)).length;
	const inWords = (count: number) => count.toLocaleString('en');
	const added = new Set(valid).size - held;
	expect(held).toBeGreaterThan(0);
	expect(read('docs', 'tutorial.md')).toContain(
		`already had 41, and ${rows.length - added} of the ${inWords(rows.length)} rows add nobody: ${duplicates} are duplicates, ${invalid} have no valid address, and ${held} are of people who unsubscribed.`,
	);
	expect(read('docs', 'tutorial.md')).toContain(`${41 + added} contacts`);
});
