import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { parts, strykerOptions } from '../../../scripts/lib/mutation-parts';
import { figuresOf, figuresTable } from '../../../scripts/lib/mutation-report';

const root = join(__dirname, '..', '..', '..');
const rows = Object.entries(parts);

/** Each place of a list in braces by itself. */
function alternatives(glob: string): string[] {
	const [, before = '', inner = '', after = ''] = /^(.*?)\{(.*?)\}(.*)$/.exec(glob) ?? [];
	if (inner === '') return [glob];
	return inner.split(',').flatMap((one) => alternatives(`${before}${one}${after}`));
}

it.each(rows)('what %s mutates, and the tests for it, exist', (_, { mutate, tests }) => {
	const paths = [
		...mutate.flatMap(alternatives).map((path) => `nodes/EmailMarketing/${path}`),
		...tests.flatMap(alternatives).map((path) => `test/${path.replace(/!\(.*\)/, '*')}.test.ts`),
	];
	expect(paths.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([]);
});

it('mutates nothing in two parts', () => {
	const files = rows.flatMap(([, { mutate }]) =>
		mutate.flatMap((path) => globSync(`nodes/EmailMarketing/${path}`, { cwd: root })),
	);
	expect(files.filter((file, index) => files.indexOf(file) !== index)).toEqual([]);
});

it('runs each part every night', () => {
	const workflow = parse(readFileSync(join(root, '.github/workflows/nightly.yml'), 'utf8')) as {
		jobs: { mutation: { strategy: { matrix: { part: string[] } } } };
	};
	expect(workflow.jobs.mutation.strategy.matrix.part).toEqual(Object.keys(parts));
});

it('mutates the files of a part, or only those that are asked for', () => {
	const part = { mutate: ['service/*.ts'], tests: ['unit/retry'] };
	const { mutate, jest, force } = strykerOptions('api', part, { fresh: false });
	expect(mutate).toEqual(['nodes/EmailMarketing/service/*.ts']);
	expect(jest.config.testMatch).toEqual(['<rootDir>/test/unit/retry.test.ts']);
	expect(force).toBe(false);
	const only = ['nodes/EmailMarketing/service/form.ts'];
	expect(strykerOptions('api', part, { only, fresh: true })).toMatchObject({
		mutate: only,
		force: true,
	});
});

const report = (...statuses: string[]) => ({
	files: { 'one.ts': { mutants: statuses.map((status) => ({ status })) } },
});

it('counts what tests noticed among what they could notice', () => {
	const figures = figuresOf(
		'api',
		report('Killed', 'Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored', 'RuntimeError'),
		90_000,
	);
	expect(figures).toEqual({
		part: 'api',
		mutants: 5,
		killed: 2,
		timeout: 1,
		survived: 1,
		noCoverage: 1,
		score: 60,
		minutes: 1.5,
	});
	expect(figuresTable([figures]).split('\n')).toEqual([
		'| Part | Mutants | Killed | Timeout | Survived | Not covered | Score | Minutes |',
		'| --- | --- | --- | --- | --- | --- | --- | --- |',
		'| api | 5 | 2 | 1 | 1 | 1 | 60.0 % | 2 |',
	]);
});

it('takes a part without mutants as tested', () => {
	expect(figuresOf('api', report('Ignored'), 0).score).toBe(100);
});
