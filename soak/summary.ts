import type { Half, Outcome } from './once.ts';
import { kindOf, type Kind } from './kinds.ts';

const countOf = ({ findings }: Half, wanted: Kind) =>
	findings.filter((finding) => kindOf(finding) === wanted).length;

export const hasProblems = ({ errors, halves }: Outcome) =>
	errors.length > 0 ||
	halves.some(({ findings }) => findings.some((finding) => kindOf(finding) !== 'expected'));

/** One line about a run. */
export function verdict(outcome: Outcome): string {
	const { seed, halves, errors } = outcome;
	const expected = halves.reduce((sum, half) => sum + countOf(half, 'expected'), 0);
	const kept = outcome.kept === undefined ? '' : `. Logs and data: ${outcome.kept}`;
	if (errors.length > 0) return `Seed ${seed}: not completed${kept}`;
	if (hasProblems(outcome)) return `Seed ${seed}: findings${kept}`;
	if (expected === 0) return `Seed ${seed}: nothing lost, nothing duplicated`;
	return `Seed ${seed}: nothing duplicated, and only expected losses: ${expected}${kept}`;
}

const NAMES = ['Seed', 'Cursors', 'Kills', 'Events', 'Lost', 'Duplicates', 'Wrong', 'Expected'];

/** All runs, one row for each half of them. */
export function summary(outcomes: Outcome[]): string {
	const rows = outcomes.flatMap(({ seed, halves, errors }) => [
		...halves.map((half) => [
			seed,
			half.cursors,
			String(half.kills),
			half.events.toLocaleString('en-US'),
			...(['lost', 'doubled', 'wrong', 'expected'] as const).map((kind) =>
				String(countOf(half, kind)),
			),
		]),
		...errors.map(() => [seed, 'not completed']),
	]);
	const widths = NAMES.map((name, column) =>
		Math.max(name.length, ...rows.map((row) => (row[column] ?? '').length)),
	);
	return [NAMES, ...rows]
		.map((row) =>
			row
				.map((cell, column) => {
					const width = widths[column] ?? 0;
					return column < 2 ? cell.padEnd(width) : cell.padStart(width);
				})
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}
