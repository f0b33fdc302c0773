import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

import { endpoints } from '../../nodes/EmailMarketing/service/endpoints';
import { mostParallel, parallelAtFirst } from '../../nodes/EmailMarketing/util/concurrencyLimit';
import { optionsOf, properties } from '../unit/operations';
import { library } from './scripts/freshHome';
import { targetsFor } from './scripts/targets';

const root = join(__dirname, '..', '..');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const readme = read('README.md');
/** The first n8n with durable cursors, according to its documentation. */
const firstWithCursors = '2.36';
/** The pages with figures that come from elsewhere. */
const pages = [readme, read('docs', 'using.md'), read('docs', 'compatibility.md')];

/** By work and contestant. */
interface Runs {
	runs: Array<Record<string, Record<string, { ms: number; requests: number }>>>;
}

interface Installation {
	megabytes: number;
	cachedGigabytes: number;
	gigabytes: number;
	minutes: number;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

function installations(): Installation[] {
	const text = `import { forStart } from ${library('installs.mjs')};
		console.log(JSON.stringify(forStart));`;
	const options = ['--input-type=module', '--eval', text];
	return JSON.parse(
		execFileSync(process.execPath, options, { encoding: 'utf8' }),
	) as Installation[];
}

function exampleFile(): { rows: number; unusable: number } {
	const rows = parse(read('examples', 'data', 'contacts.csv'), { columns: true, bom: true });
	const addresses = (rows as Array<Record<string, string>>).map((row) => row['E-mail'] ?? '');
	const unusable = addresses.filter(
		(address) => !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address.trim()),
	);
	return { rows: rows.length, unusable: unusable.length };
}

const minor = (version: string) => version.replace(/\.\d+$/, '');

const inWords = (count: number) => count.toLocaleString('en');

/** Each sentence of these pages that has a figure in it, made of where the figure comes from. */
function claims(): string[] {
	const endpointCount = Object.values(endpoints).flatMap((group) => Object.values(group)).length;
	const { rows, unusable } = exampleFile();
	const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
	const [, nodeMajor] = /^>=(\d+)/.exec(engines.node) ?? [];
	const needed = installations();
	const sum = (key: keyof Installation) => needed.reduce((total, one) => total + one[key], 0);
	const minutes = Math.round(sum('minutes'));
	const { runs } = JSON.parse(read('bench', 'runs.json')) as Runs;
	const seconds = median(runs.map(({ sync }) => sync?.sync?.ms ?? NaN)) / 1000;
	const requests = median(runs.map(({ sync }) => sync?.sync?.requests ?? NaN));
	const { chosen } = targetsFor();
	const versions = [...new Set(chosen.map(({ n8nVersion }) => n8nVersion))];
	const newest = versions.at(-1) ?? '';
	return [
		`syncs ${inWords(rows)} rows of a CSV file: ${inWords(rows - unusable)} succeeded, ${unusable} were routed`,
		`one node covers all ${endpointCount} endpoints`,
		`from ${minor(versions[0] ?? '')} to ${minor(newest)}.`,
		`tested with n8n ${newest} on Node 24`,
		`on n8n ${versions.slice(0, -1).join(', ')} and ${newest}, also with n8n 3.0's defaults`,
		`n8n ${firstWithCursors} and newer can use durable cursors (tested with ${newest})`,
		`[Node.js](https://nodejs.org) ${nodeMajor} or newer with npm, Python 3,`,
		`downloads ${(sum('megabytes') / 1000).toFixed(1)} GB, uses ${(sum('gigabytes') + sum('cachedGigabytes')).toFixed(1)} GB of disk space, and takes ${minutes} to ${minutes * 2} minutes`,
		`syncing 10,000 contacts of which 100 changed takes ${seconds.toFixed(2)} seconds and ${requests} requests`,
		`${parallelAtFirst} at first, and up to ${mostParallel} while`,
	];
}

/** What is left of the README once code, addresses, checked tables and checked sentences are taken out. */
function unchecked(text: string): string[] {
	const sentences = claims();
	const prose = sentences.reduce((rest, sentence) => rest.replace(sentence, ''), text);
	return prose
		.replace(/^\s*```[^]*?^\s*```$/gm, '')
		.split('\n')
		.filter((line) => !/^\s*\|/.test(line))
		.map((line) =>
			line
				.replace(/\]\([^)]*\)/g, ']')
				.replace(/`[^`]*`/g, '')
				.replace(/^\s*\d+\. /, ''),
		)
		.filter((line) => /\d/.test(line.replaceAll('n8n', '')));
}

it('has figures, versions and counts that are true', () => {
	for (const sentence of claims()) expect(pages.join('\n')).toContain(sentence);
});

it('names the same n8n for durable cursors as the page about them', () => {
	const newest = targetsFor().chosen.at(-1)?.n8nVersion;
	expect(read('docs', 'trigger-guarantees.md')).toContain(
		`need n8n ${firstWithCursors} or newer (tested with ${newest})`,
	);
});

it('has no figure that nothing checks', () => {
	expect(pages.flatMap(unchecked)).toEqual([]);
	expect(unchecked(`${readme}\nTwice as fast: 7 seconds.`)).toHaveLength(1);
});

it('is short enough to be read', () => {
	const prose = readme.replace(/^```[^]*?^```$/gm, '').replace(/\]\([^)]*\)/g, ']');
	const words = prose.split(/\s+/).filter((word) => /\w/.test(word));
	expect(words.length).toBeLessThanOrEqual(1_000);
});

it('says how many requests are sent at a time', () => {
	const options = properties.flatMap((property) =>
		property.name === 'options' ? optionsOf(property) : [],
	);
	const parallel = options.filter(({ name }) => name === 'parallelRequests');
	expect(parallel.length).toBeGreaterThan(0);
	const says = `Start with ${parallelAtFirst} or more, go up to ${mostParallel}`;
	const description = expect.stringContaining(says) as unknown;
	for (const option of parallel) {
		expect(option).toMatchObject({ default: 'automatic' });
		expect(option).toHaveProperty('options.0.description', description);
	}
});
