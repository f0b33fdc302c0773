import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	type CompatibilityRow,
	compatibilityTable,
	file,
	mergeRows,
	needsNote,
	notApplicable,
	page,
	shownTable,
} from '../../../scripts/lib/compatibility';
import { targetsFor } from './targets';

const projectRoot = join(__dirname, '../../..');
const { chosen: targets, installations } = targetsFor();
const rows = JSON.parse(readFileSync(file, 'utf8')) as CompatibilityRow[];

const row = (name: string, passed: number): CompatibilityRow => ({
	...{ name, n8n: name, node: '20.20.2', date: '2026-01-01', passed },
	notApplicable: [],
});

it('docs/compatibility.md shows what the last runs found', () => {
	expect(shownTable(readFileSync(page, 'utf8'))).toBe(compatibilityTable(rows));
});

it('each row is of an n8n of the matrix, with passed tests and a reason for each that did not run', () => {
	const known = targets.map(({ name, n8nVersion }) => `${name} ${n8nVersion}`);
	expect(known).toEqual(expect.arrayContaining(rows.map(({ name, n8n }) => `${name} ${n8n}`)));
	for (const { passed, notApplicable: groups } of rows) {
		expect(passed).toBeGreaterThan(0);
		expect(groups.map(({ needs }) => needs)).not.toContain('no reason given');
	}
});

it('tests that did not run are grouped by what they need, in alphabetical order', () => {
	const pending = (fullName: string) => ({ fullName, status: 'pending' });
	const note = needsNote('durable cursors');
	expect(
		notApplicable([
			pending('another'),
			pending(`every event comes once${note}`),
			{ fullName: 'a sync', status: 'passed' },
			pending(`a snapshot comes once${note}`),
		]),
	).toEqual([
		{ needs: 'durable cursors', tests: ['a snapshot comes once', 'every event comes once'] },
		{ needs: 'no reason given', tests: ['another'] },
	]);
});

it('a new row takes the place of the one before, and the order stays', () => {
	expect(
		mergeRows(['1', '2', '3'], [row('1', 5), row('2', 6)], [row('3', 9), row('1', 7)]),
	).toEqual([row('1', 7), row('2', 6), row('3', 9)]);
});

it('runs on all of them, or on those that are named', () => {
	const { chosen, unknown } = targetsFor('--only', '2.0.3,9.9.9');
	expect([chosen.map(({ name }) => name), unknown]).toEqual([['2.0.3'], ['9.9.9']]);
	expect(new Set(installations).size).toBe(installations.length);
});

it.each(installations)('runtime/%s is pinned, without the address of a registry', (name) => {
	const lock = readFileSync(join(projectRoot, 'runtime', name, 'package-lock.json'), 'utf8');
	expect(lock).not.toContain('"resolved": "http');
});

it.each(targets)('the lock file of $name pins that n8n', ({ n8n, n8nVersion }) => {
	const lock = readFileSync(join(projectRoot, 'runtime', n8n.name, 'package-lock.json'), 'utf8');
	const { packages } = JSON.parse(lock) as { packages: Record<string, { version: string }> };
	expect(packages['node_modules/n8n']?.version).toBe(n8nVersion);
});
