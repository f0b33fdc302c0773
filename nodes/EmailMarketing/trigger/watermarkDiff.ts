import type { Row } from './types';

type Range = [first: number, last: number];

/** State of a list that is watched by high-water marks: as large for 500,000 entries as for 50. */
export interface EntriesState {
	/** `user_id` of the account whose entries these are. */
	owner?: number;
	ids: IdMark;
	/** Kept for lists whose updates are watched too. */
	updated?: TimeMark;
}

interface IdMark {
	max: number;
	/** Ids below `max` that no answer has shown: an entry saved late may still turn up there. */
	gaps: Range[];
}

interface TimeMark {
	/** The newest `updated_at` seen. */
	at: string;
	/** The ids seen with just that `updated_at`. */
	seen: Range[];
}

const MOST_GAPS = 100;
const MOST_RUNS = 50;
const EVERY_ID: Range = [0, Number.MAX_SAFE_INTEGER];

const idOf = (row: Row) => Number(row.id);
/** What is no time must not become the newest one seen: nothing would be newer any more. */
const updatedAt = ({ updated_at: time }: Row) =>
	typeof time === 'string' && /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(time) ? time : '';

const within = (ranges: Range[], id: number) =>
	ranges.some(([first, last]) => first <= id && id <= last);

/** The ranges without the ids; both in ascending order. */
function without(ranges: Range[], ids: number[]): Range[] {
	return ranges.flatMap(([first, last]) => {
		const left: Range[] = [];
		let from = first;
		for (const id of ids) {
			if (id < first || id > last) continue;
			if (id > from) left.push([from, id - 1]);
			from = id + 1;
		}
		if (from <= last) left.push([from, last]);
		return left;
	});
}

/**
 * The ids of the rows that are chosen, as ranges: rows that follow one another in the list are one
 * range, whatever ids of other accounts lie between them.
 */
function runs(rows: Row[], chosen: (row: Row) => boolean): Range[] {
	const ranges: Range[] = [];
	let open: Range | undefined;
	for (const row of rows) {
		if (!chosen(row)) {
			open = undefined;
		} else if (open) {
			open[1] = idOf(row);
		} else {
			open = [idOf(row), idOf(row)];
			ranges.push(open);
		}
	}
	return ranges;
}

function merge(ranges: Range[]): Range[] {
	const merged: Range[] = [];
	for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
		const open = merged.at(-1);
		if (open && first <= open[1] + 1) open[1] = Math.max(open[1], last);
		else merged.push([first, last]);
	}
	return merged;
}

const bounded = (ranges: Range[]) => (ranges.length > MOST_RUNS ? [EVERY_ID] : ranges);

function advanceIds(rows: Row[], before: IdMark): { added: Row[]; after: IdMark } {
	const added = rows.filter((row) => idOf(row) > before.max || within(before.gaps, idOf(row)));
	const max = rows.reduce((highest, row) => Math.max(highest, idOf(row)), before.max);
	const unseen: Range[] = max > before.max ? [...before.gaps, [before.max + 1, max]] : before.gaps;
	return { added, after: { max, gaps: without(unseen, added.map(idOf)).slice(-MOST_GAPS) } };
}

/**
 * Rows updated since the mark. Where the newest second has too many scattered rows to remember
 * (an update of thousands of contacts at once), they wait for the next poll, when that second is
 * over and all of its rows can be emitted together and none has to be remembered.
 */
function advanceTime(
	rows: Row[],
	before: TimeMark,
	isAdded: (row: Row) => boolean,
): { updated: Row[]; after: TimeMark } {
	const { at, newest } = { at: before.at, newest: newestUpdate(rows) };
	const updated = rows.filter((row) => {
		if (isAdded(row) || updatedAt(row) < at) return false;
		return updatedAt(row) > at || !within(before.seen, idOf(row));
	});
	if (newest <= at) {
		const seen = merge([...before.seen, ...runs(rows, (row) => updatedAt(row) === at)]);
		return { updated, after: { at, seen: bounded(seen) } };
	}
	const seen = runs(rows, (row) => updatedAt(row) === newest);
	if (seen.length <= MOST_RUNS) return { updated, after: { at: newest, seen } };
	const seenAdded = runs(rows, (row) => updatedAt(row) === newest && isAdded(row));
	if (seenAdded.length > MOST_RUNS) return { updated, after: { at: newest, seen: [EVERY_ID] } };
	return {
		updated: updated.filter((row) => updatedAt(row) < newest),
		after: { at: newest, seen: seenAdded },
	};
}

const newestUpdate = (rows: Row[]) =>
	rows.reduce((newest, row) => (updatedAt(row) > newest ? updatedAt(row) : newest), '');

/**
 * What was added to a list, and what was updated in it, between the state and the rows.
 *
 * @param before undefined when the list is looked at for the first time
 * @param watchUpdates whether the list's updates are watched too
 */
export function diffEntries(
	unordered: Row[],
	before: EntriesState | undefined,
	watchUpdates: boolean,
): { added: Row[]; updated: Row[]; after: EntriesState } {
	const distinct = new Map(unordered.map((row) => [idOf(row), row])).values();
	const rows = [...distinct].sort((a, b) => idOf(a) - idOf(b));
	if (before === undefined) {
		const newest = newestUpdate(rows);
		const seen = bounded(runs(rows, (row) => updatedAt(row) === newest));
		const ids: IdMark = { max: rows.length > 0 ? idOf(rows[rows.length - 1] ?? {}) : 0, gaps: [] };
		const after = watchUpdates ? { ids, updated: { at: newest, seen } } : { ids };
		return { added: rows, updated: rows, after };
	}
	const { added, after: ids } = advanceIds(rows, before.ids);
	if (!watchUpdates || !before.updated) return { added, updated: [], after: { ids } };
	const ofAdded = new Set(added);
	const { updated, after } = advanceTime(rows, before.updated, (row) => ofAdded.has(row));
	return { added, updated, after: { ids, updated: after } };
}
