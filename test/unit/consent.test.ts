import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const tests = join(root, 'test', 'engine');
const pages = ['consent.md', 'consent-cases.md']
	.map((file) => readFileSync(join(root, 'docs', file), 'utf8'))
	.join('\n');

/** The rows of the tables whose last column names a test. */
const rows = pages
	.split(/^#+ /m)
	.filter((section) => /^\| How it could happen .*\| Test +\|$/m.test(section))
	.flatMap((section) =>
		section
			.split('\n')
			.filter((line) => /^\| [^-]/.test(line))
			.slice(1),
	)
	.map((line) => {
		const [, way = '', what = '', test = ''] = line.split('|').map((cell) => cell.trim());
		return { way, verdict: /^\*\*(.+?)\*\*/.exec(what)?.[1], test: /^`(.+)`$/.exec(test)?.[1] };
	});
const named = rows.flatMap(({ test }) => test ?? []);

/** What the titles of the tests in a folder begin with. */
const provenIn = (folder: string): Set<string> =>
	new Set(
		readdirSync(join(tests, folder))
			.filter((file) => file.endsWith('.test.ts'))
			.flatMap((file) => [
				...readFileSync(join(tests, folder, file), 'utf8').matchAll(/(?:^\s*|\()'([a-z-]+): /gm),
			])
			.map(([, name = '']) => name),
	);

const proven = provenIn('consent');
/** What the pages say of imports, mirrors and test sends is tested along with the rest of them. */
const provenElsewhere = new Set(
	['contacts', 'membership', 'sendTest'].flatMap((folder) => [...provenIn(folder)]),
);

it('says of every way whether it is prevented, and names a test where it is', () => {
	expect(rows.length).toBeGreaterThan(30);
	for (const { way, verdict, test } of rows) {
		const isClosed = ['Prevented', 'Refused'].includes(verdict ?? '');
		expect([way, isClosed || ['Warned', "Can't be prevented"].includes(verdict ?? '')]).toEqual([
			way,
			true,
		]);
		expect([way, test !== undefined]).toEqual([way, isClosed]);
	}
	expect(new Set(named).size).toBe(named.length);
});

it('names tests that there are, and all of those on consent', () => {
	expect(named.filter((name) => !proven.has(name) && !provenElsewhere.has(name))).toEqual([]);
	expect(named).toEqual(expect.arrayContaining([...proven]));
});
