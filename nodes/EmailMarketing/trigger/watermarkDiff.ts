import { TimesAhead } from './aheadOfTime';
import type { TimeAhead } from './aheadOfTime';
import { idOf, updatedAt } from './rows';
import type { Row } from './types';

type IdRange = [first: number, last: number];

/** State of a list that is watched by high-water marks: no larger for 500,000 records than for 50. */
export interface WatermarkState {
	/** `user_id` of the account that the records belong to. */
	owner?: number;
	/** The `account` of the watch. */
	account?: string;
	ids: IdWatermark;
	/** Only for lists whose updates are watched too. */
	updated?: TimeWatermark;
}

interface IdWatermark {
	max: number;
	/** Ids below `max` that no poll has seen: a record that was saved late may still appear there. */
	gaps: IdRange[];
}

interface TimeWatermark {
	/** The newest `updated_at` seen. */
	at: string;
	/** The ids seen with just that `updated_at`. */
	seen: IdRange[];
	/** What is too far ahead to be `at`. */
	ahead?: TimeAhead[];
}

const MAX_GAPS = 100;
const MAX_RANGES = 50;
const EVERY_ID: IdRange = [0, Number.MAX_SAFE_INTEGER];

const isWithin = (ranges: IdRange[], id: number) =>
	ranges.some(([first, last]) => first <= id && id <= last);

/** Takes the ids out of the ranges; both are in ascending order. */
function subtractIds(ranges: IdRange[], ids: number[]): IdRange[] {
	return ranges.flatMap(([first, last]) => {
		const left: IdRange[] = [];
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
 * The ids of the chosen rows as ranges: rows that follow one another in the list are one range,
 * whatever ids of other accounts lie between them.
 */
function idRanges(rows: Row[], chosen: (row: Row) => boolean): IdRange[] {
	const ranges: IdRange[] = [];
	let open: IdRange | undefined;
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

function mergeRanges(ranges: IdRange[]): IdRange[] {
	const merged: IdRange[] = [];
	for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
		const open = merged.at(-1);
		if (open && first <= open[1] + 1) open[1] = Math.max(open[1], last);
		else merged.push([first, last]);
	}
	return merged;
}

/** Where there are too many to remember, every id counts as seen: rather none of them than one twice. */
const capRanges = (ranges: IdRange[]) => (ranges.length > MAX_RANGES ? [EVERY_ID] : ranges);

function advanceIds(rows: Row[], before: IdWatermark): { added: Row[]; after: IdWatermark } {
	const added = rows.filter((row) => idOf(row) > before.max || isWithin(before.gaps, idOf(row)));
	const max = rows.reduce((highest, row) => Math.max(highest, idOf(row)), before.max);
	const unseen: IdRange[] =
		max > before.max ? [...before.gaps, [before.max + 1, max]] : before.gaps;
	return { added, after: { max, gaps: subtractIds(unseen, added.map(idOf)).slice(-MAX_GAPS) } };
}

const newestUpdate = (rows: Row[]) =>
	rows.reduce((newest, row) => (updatedAt(row) > newest ? updatedAt(row) : newest), '');

/**
 * Rows updated since the watermark. Where the newest time has too many scattered rows to remember
 * (thousands of contacts updated at once), they wait for the next poll: by then that time is over,
 * so all of its rows can be emitted together and none has to be remembered.
 */
function advanceTime(
	rows: Row[],
	before: TimeWatermark,
	isAdded: (row: Row) => boolean,
	ahead: TimesAhead,
): { updated: Row[]; after: TimeWatermark } {
	// It is too far ahead only if n8n's clock was, at an earlier poll.
	const { at, seen } = ahead.isTooFar(before.at) ? { at: ahead.now, seen: [] } : before;
	const newest = newestUpdate(rows.filter((row) => !ahead.isAhead(row)));
	const updated = rows.filter((row) => {
		if (isAdded(row) || updatedAt(row) < before.at || ahead.hasSeen(row)) return false;
		return updatedAt(row) > before.at || !isWithin(before.seen, idOf(row));
	});
	if (newest <= at) {
		const ranges = idRanges(rows, (row) => updatedAt(row) === at);
		return { updated, after: { at, seen: capRanges(mergeRanges([...seen, ...ranges])) } };
	}
	const ranges = idRanges(rows, (row) => updatedAt(row) === newest);
	if (ranges.length <= MAX_RANGES) return { updated, after: { at: newest, seen: ranges } };
	const rangesAdded = idRanges(rows, (row) => updatedAt(row) === newest && isAdded(row));
	if (rangesAdded.length > MAX_RANGES) return { updated, after: { at: newest, seen: [EVERY_ID] } };
	return {
		updated: updated.filter((row) => updatedAt(row) !== newest),
		after: { at: newest, seen: rangesAdded },
	};
}

/** The state of a list that is polled for the first time. */
function firstState(rows: Row[], ahead: TimesAhead): { ids: IdWatermark; updated: TimeWatermark } {
	const newest = newestUpdate(rows.filter((row) => !ahead.isAhead(row)));
	return {
		ids: { max: rows.length > 0 ? idOf(rows[rows.length - 1] ?? {}) : 0, gaps: [] },
		updated: {
			at: newest,
			seen: capRanges(idRanges(rows, (row) => updatedAt(row) === newest)),
		},
	};
}

/**
 * What was added to a list, and what was updated in it, since the state before.
 *
 * @param before undefined when the list is polled for the first time
 * @param now the time of the poll, in milliseconds since 1970
 */
export function diffByWatermark(
	unsorted: Row[],
	before: WatermarkState | undefined,
	watchUpdates: boolean,
	now: number,
): { added: Row[]; updated: Row[]; after: WatermarkState } {
	const distinct = new Map(unsorted.map((row) => [idOf(row), row])).values();
	const rows = [...distinct].sort((a, b) => idOf(a) - idOf(b));
	const ahead = new TimesAhead(before?.updated?.ahead ?? [], now);
	const toRemember = () => {
		const times = ahead.after(rows);
		return times.length > 0 ? { ahead: times } : {};
	};
	if (before === undefined) {
		const { ids, updated } = firstState(rows, ahead);
		const after = watchUpdates ? { ids, updated: { ...updated, ...toRemember() } } : { ids };
		return { added: rows, updated: rows, after };
	}
	const { added, after: ids } = advanceIds(rows, before.ids);
	if (!watchUpdates || !before.updated) return { added, updated: [], after: { ids } };
	const addedRows = new Set(added);
	const isAdded = (row: Row) => addedRows.has(row);
	const { updated, after } = advanceTime(rows, before.updated, isAdded, ahead);
	return { added, updated, after: { ids, updated: { ...after, ...toRemember() } } };
}
