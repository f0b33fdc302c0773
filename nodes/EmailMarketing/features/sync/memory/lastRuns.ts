import { median } from '../../../records/statistics';
import { actions, countsOf } from '../output';
import type { RowAction, PlannedRow } from '../../contacts/types';

/** What a run is compared in with earlier ones, in the order in which the memory keeps it. */
const FIGURES = ['items', 'created', 'updated', 'removed', 'failed'] as const;

type Figure = (typeof FIGURES)[number];

export type StoredRun = number[];
export type Medians = Record<Figure, number>;

const MIN_RUNS = 3;
const MAX_RUNS = 10;

/** A small number may vary by this much without being unusual. */
const TOLERANCE = 10;

const figureOf: Partial<Record<RowAction, Figure>> = {
	...{ created: 'created', updated: 'updated', failed: 'failed' },
	...{ deleted: 'removed', moved: 'removed', addedToGroup: 'removed' },
};

function figuresOf(items: number, rows: readonly PlannedRow[]): Medians {
	const figures: Medians = { items, created: 0, updated: 0, removed: 0, failed: 0 };
	for (const [action, count] of actions(countsOf(rows))) {
		const figure = figureOf[action];
		if (figure) figures[figure] += count;
	}
	return figures;
}

export function withRun(
	runs: readonly StoredRun[],
	items: number,
	rows: readonly PlannedRow[],
): StoredRun[] {
	const figures = figuresOf(items, rows);
	return [...runs, FIGURES.map((figure) => figures[figure])].slice(-MAX_RUNS);
}

/** The median of each figure; undefined after fewer than three runs. */
export function mediansOf(runs: readonly StoredRun[]): Medians | undefined {
	if (runs.length < MIN_RUNS) return undefined;
	const columns = FIGURES.map((figure, index) => [
		figure,
		median(runs.map((run) => run[index] ?? 0)) ?? 0,
	]);
	return Object.fromEntries(columns) as Medians;
}

/** Whether a figure is more than twice its median, or less than half of it. */
const isUnusual = (figure: number, usual: number): boolean =>
	figure > 2 * usual + TOLERANCE || figure < usual / 2 - TOLERANCE;

/** A note if the run differs much from earlier ones. */
export function unusualNote(
	medians: Medians | undefined,
	items: number,
	rows: readonly PlannedRow[],
): string[] {
	if (!medians) return [];
	const figures = figuresOf(items, rows);
	const unusual = FIGURES.filter((figure) => isUnusual(figures[figure], medians[figure]));
	if (unusual.length === 0) return [];
	const differences = unusual.map(
		(figure) => `${figure} ${figures[figure]} (median ${medians[figure]})`,
	);
	return [
		`This run differs a lot from previous runs: ${differences.join(', ')}. Check the source.`,
	];
}
