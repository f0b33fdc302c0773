import { addTo } from '../util/groups';
import type { Row } from './types';

type IdRange = [first: number, last: number];

/** State of a list that is watched by high-water marks: it grows with the latest changes, not with the list. */
export interface WatermarkState {
	/** `user_id` of the account that the records belong to. */
	owner?: string;
	/** The `account` of the watch. */
	account?: string;
	/** That of the account before, until the list, which is empty now, shows whose it is. */
	earlier?: WatermarkState;
	max: number;
	/** Ids below `max` that no poll has seen: a record that was saved late may still appear there. */
	gaps: IdRange[];
	/** Only for lists whose updates are watched too. */
	updates?: SeenUpdates;
}

interface SeenUpdates {
	/** Updates up to this time are no longer remembered, and count as seen. */
	until: string;
	/** The ids by their `updated_at`. */
	seen: Record<string, number[]>;
}

const MAX_GAPS = 1_000;
/** How far below the highest id of the first poll an id may still appear and count as new, as during an import. */
const LATE_IDS = 100;
/**
 * How many of the latest updates are remembered one by one, with those of the minutes before, since the service may not
 * show them in the order of their times. The same number may have a time far in the future without hiding others.
 */
export const OVERLAP = { least: 500, ms: 5 * 60_000, most: 5_000 };

const TIME = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[T ]([01]\d|2[0-3]):[0-5]\d/;

const idOf = (row: Row): number => Number(row.id);

/** When a row was updated; empty if that is not a time, because no later one would compare as newer. */
const updatedAt = ({ updated_at: time }: Row): string =>
	typeof time === 'string' && TIME.test(time) ? time : '';

/** @param ids in ascending order, as are the ranges */
function idsWithin(ranges: IdRange[], ids: number[]): Set<number> {
	const found = new Set<number>();
	let position = 0;
	for (const id of ids) {
		while (id > (ranges[position]?.[1] ?? Infinity)) position++;
		if (id >= (ranges[position]?.[0] ?? Infinity)) found.add(id);
	}
	return found;
}

/** Takes the ids out of the ranges; both are in ascending order. */
function subtractIds(ranges: IdRange[], ids: number[]): IdRange[] {
	let position = 0;
	return ranges.flatMap(([first, last]) => {
		const left: IdRange[] = [];
		let from = first;
		for (; (ids[position] ?? Infinity) <= last; position++) {
			const id = ids[position] as number;
			if (id < first) continue;
			if (id > from) left.push([from, id - 1]);
			from = id + 1;
		}
		if (from <= last) left.push([from, last]);
		return left;
	});
}

function advanceIds(rows: Row[], { max: before, gaps }: Pick<WatermarkState, 'max' | 'gaps'>) {
	const late = idsWithin(gaps, rows.map(idOf));
	const added = rows.filter((row) => idOf(row) > before || late.has(idOf(row)));
	const max = rows.reduce((highest, row) => Math.max(highest, idOf(row)), before);
	const unseen: IdRange[] = max > before ? [...gaps, [before + 1, max]] : gaps;
	return { added, after: { max, gaps: subtractIds(unseen, added.map(idOf)).slice(-MAX_GAPS) } };
}

/** The updates to remember: those seen after `until`. */
function forgetOld(seen: ReadonlyMap<string, number[]>, until: string): SeenUpdates {
	const times = [...seen].sort(([a], [b]) => (a < b ? 1 : -1));
	let [kept, count, oldest] = [0, 0, -Infinity];
	for (const [time, ids] of times) {
		const ms = Date.parse(time);
		if (count < OVERLAP.least) oldest = ms - OVERLAP.ms;
		count += ids.length;
		if (count > OVERLAP.most || ms < oldest) break;
		kept++;
	}
	return { until: times[kept]?.[0] ?? until, seen: Object.fromEntries(times.slice(0, kept)) };
}

function advanceUpdates(rows: Row[], { until, seen }: SeenUpdates) {
	const pairs = new Set(
		Object.entries(seen).flatMap(([time, ids]) => ids.map((id) => `${id} ${time}`)),
	);
	const after = new Map(Object.entries(seen).map(([time, ids]) => [time, [...ids]]));
	const updated = rows.filter((row) => {
		const time = updatedAt(row);
		return time > until && !pairs.has(`${idOf(row)} ${time}`);
	});
	for (const row of updated) addTo(after, updatedAt(row), idOf(row));
	return { updated, after: forgetOld(after, until) };
}

/**
 * The rows that were added or updated since the state before.
 *
 * @param before undefined when the list is polled for the first time
 */
export function diffByWatermark(
	unsorted: Row[],
	before: WatermarkState | undefined,
	watchUpdates: boolean,
): { added: Row[]; updated: Row[]; after: WatermarkState } {
	const distinct = new Map(unsorted.map((row) => [idOf(row), row])).values();
	const rows = [...distinct].sort((a, b) => idOf(a) - idOf(b));
	const latest = idOf(rows.at(-1) ?? { id: 0 });
	const { added, after: ids } = before
		? advanceIds(rows, before)
		: { ...advanceIds(rows, { max: Math.max(0, latest - LATE_IDS), gaps: [] }), added: rows };
	if (!watchUpdates) return { added, updated: [], after: ids };
	const changes = advanceUpdates(rows, before?.updates ?? { until: '', seen: {} });
	const isAdded = new Set(added);
	const updated = before ? changes.updated.filter((row) => !isAdded.has(row)) : rows;
	return { added, updated, after: { ...ids, updates: changes.after } };
}
