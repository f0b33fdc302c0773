// What npm run test:matrix found out, and how docs/compatibility.md shows it.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const projectRoot = join(import.meta.dirname, '..', '..');

/** Tests that did not run, since this n8n lacks what they are about. */
export interface NotApplicable {
	/** In the words of the test: "durable cursors". */
	needs: string;
	tests: string[];
}

export interface CompatibilityRow {
	/** As in `npm run test:matrix -- --only NAME`. */
	name: string;
	n8n: string;
	/** What its settings are, where they are not n8n's own. */
	settings?: string;
	node: string;
	/** When it ran last. */
	date: string;
	passed: number;
	notApplicable: NotApplicable[];
}

/** A test in the report that Jest writes. */
export interface ReportedTest {
	fullName: string;
	status: string;
}

/** How a test that does not apply says in its name what it needs. */
export const needsNote = (what: string) => ` [needs ${what}]`;

const noted = /^(?<test>.*) \[needs (?<needs>[^\]]+)\]$/s;

export const file = join(projectRoot, 'docs', 'compatibility.json');
export const page = join(projectRoot, 'docs', 'compatibility.md');

/** Groups the tests that did not run by what they need, in alphabetical order: Jest runs them in any order. */
export function notApplicable(tests: ReportedTest[]): NotApplicable[] {
	const groups = new Map<string, string[]>();
	for (const { fullName, status } of tests) {
		if (status !== 'pending') continue;
		const { test = fullName, needs = 'no reason given' } = noted.exec(fullName)?.groups ?? {};
		groups.set(needs, [...(groups.get(needs) ?? []), test]);
	}
	const sorted = [...groups].sort(([a], [b]) => a.localeCompare(b, 'en'));
	return sorted.map(([needs, names]) => ({ needs, tests: names.sort() }));
}

/** Rows in the order of the names, the new ones in place of older ones of the same name. */
export function mergeRows(
	names: string[],
	before: CompatibilityRow[],
	now: CompatibilityRow[],
): CompatibilityRow[] {
	const rows = new Map([...before, ...now].map((row) => [row.name, row]));
	return names.flatMap((name) => rows.get(name) ?? []);
}

export async function readRows(): Promise<CompatibilityRow[]> {
	return JSON.parse(await readFile(file, 'utf8')) as CompatibilityRow[];
}

function notApplicableCount({ notApplicable: groups }: CompatibilityRow): string {
	return String(groups.reduce((sum, { tests }) => sum + tests.length, 0) || 'none');
}

/** The table as Prettier leaves it. */
export function compatibilityTable(rows: CompatibilityRow[]): string {
	const head = ['n8n', 'Node', 'Tested on', 'Tests passed', 'Not applicable'];
	const cells = rows.map((row) => [
		row.settings ? `${row.n8n}, with ${row.settings}` : row.n8n,
		row.node,
		row.date,
		String(row.passed),
		notApplicableCount(row),
	]);
	const widths = head.map((title, column) =>
		Math.max(title.length, ...cells.map((cell) => cell[column]?.length ?? 0)),
	);
	const line = (texts: string[]) =>
		`| ${texts.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
	const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
	return [line(head), rule, ...cells.map(line)].join('\n');
}

const shown = /(?<=^## Compatibility\n(?:(?!\n## )[\s\S])*?\n\n)\|[^\n]*(?:\n\|[^\n]*)*/m;

/** The table that the page shows. */
export const shownTable = (text: string) => shown.exec(text)?.[0];

/** Puts the rows into the results file and into the page. */
export async function publishRows(rows: CompatibilityRow[]): Promise<void> {
	await writeFile(file, `${JSON.stringify(rows, undefined, 2)}\n`);
	const text = await readFile(page, 'utf8');
	await writeFile(
		page,
		text.replace(shown, () => compatibilityTable(rows)),
	);
}
