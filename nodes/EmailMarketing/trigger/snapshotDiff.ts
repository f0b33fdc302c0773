import { coerceText } from '../util/coerce';
import type { Milestone } from './milestones';
import { FIRST_STATUS, statusOf } from './statuses';
import type { Row, TriggerEvent } from './types';

/**
 * Its status, how often that has changed, and the milestones that it has reached, by their place in `watched`. The
 * complement of a place (`~0` for the first) is a milestone that was added while the record was absent: whether it has
 * reached that shows when it comes back, and is not reported.
 */
type KnownRecord = [status: string, changes: number, ...reached: number[]];

/** State of a list whose polls are compared record by record. */
export interface SnapshotState {
	/** `user_id` of the account that the records belong to. */
	owner?: string;
	/** The `account` of the watch. */
	account?: string;
	/** That of the account before, until the list, which is empty now, shows whose it is. */
	earlier?: SnapshotState;
	/** When the list was first polled. */
	since: string;
	/** By utr or id. A deleted record stays known, so that it is not new if it comes back. */
	records: Record<string, KnownRecord>;
	/** The sum over consecutive polls without a record, see `ABSENCE`. */
	absent: Record<string, number>;
	/** Names of the milestones that were watched at the last poll. */
	watched: string[];
	/** The keys of those that are test sends; absent while these are not watched. */
	testSends?: string[];
}

/**
 * The amount that a poll without a record adds to its absence, and the absence at which it counts as deleted: at the
 * second poll in a row without it, or at the fifth while most of the list is missing, which may be a mistake of the
 * service.
 */
export const ABSENCE = { certain: 5, uncertain: 2, isReported: 6, isDeleted: 10 };

/** Beyond this number, the oldest deleted records are forgotten. */
const MAX_DELETED = 10_000;

interface SnapshotOptions {
	milestones: Milestone[];
	/** Whether the records of a first poll count as changes. */
	emitExisting: boolean;
	/** Keys of records that exist, but were not watched before. They are remembered without changes. */
	newlyWatched: ReadonlySet<string>;
	/** The time of the poll. */
	now: string;
}

interface Change {
	key: string;
	row: Row;
	status: string;
	previous: string | null;
}

export type RecordChange =
	| (Change & { kind: 'created' })
	| (Change & { kind: 'status'; turn: string })
	| (Change & { kind: 'reached'; milestone: Milestone; reached: Partial<TriggerEvent> })
	| { kind: 'deleted'; key: string; previous: string; turn: string };

export interface SnapshotFields {
	key: 'utr' | 'id';
	status: 'status' | 'is_verified';
}

/**
 * Places the milestones among those that are watched. One that is no longer watched is forgotten: if it is added again, it
 * is new, and records that are past it already do not reach it.
 */
function place(milestones: Milestone[], before: SnapshotState | undefined) {
	const known = before?.watched ?? [];
	const watched = [...new Set(milestones.map(({ name }) => name))];
	const placed = milestones.map((milestone) => ({
		...milestone,
		index: watched.indexOf(milestone.name),
		// At a first poll, everything is new, and `emitExisting` decides instead.
		isNew: before !== undefined && !known.includes(milestone.name),
	}));
	const records = new Map(Object.entries(before?.records ?? {}));
	if (known.join() === watched.join()) return { watched, placed, records };
	const moves = new Map<number, number>();
	for (const [from, name] of known.entries()) {
		const to = watched.indexOf(name);
		if (to >= 0) moves.set(from, to).set(~from, ~to);
	}
	const added = watched.flatMap((name, index) => (known.includes(name) ? [] : ~index));
	for (const [key, [status, changes, ...places]] of records) {
		const still = places.flatMap((place) => moves.get(place) ?? []);
		records.set(key, [status, changes, ...still, ...added]);
	}
	return { watched, placed, records };
}

/** Compares the rows with the known records, and updates these. */
function diffPresent(
	rows: ReadonlyMap<string, Row>,
	before: SnapshotState | undefined,
	{ placed, records }: Pick<ReturnType<typeof place>, 'placed' | 'records'>,
	status: SnapshotFields['status'],
): RecordChange[] {
	const changes: RecordChange[] = [];
	for (const [key, row] of rows) {
		const known = records.get(key);
		const [previous, turns, ...places]: [string | null, number, ...number[]] = known ?? [null, 0];
		const reached = places.filter((place) => place >= 0);
		const current = statusOf(row, status) ?? previous ?? FIRST_STATUS;
		const isChanged = known ? previous !== current : current !== FIRST_STATUS;
		const turn = turns + Number(isChanged);
		const change = { key, row, previous, status: current };
		if (!known) changes.push({ ...change, kind: 'created' });
		if (isChanged || (!known && before === undefined)) {
			// The count starts over after the state was lost.
			changes.push({ ...change, kind: 'status', turn: `${turn} ${before?.since ?? ''}` });
		}
		for (const milestone of placed) {
			const found = reached.includes(milestone.index) ? undefined : milestone.reach(row);
			if (found === undefined) continue;
			reached.push(milestone.index);
			if (!milestone.isNew && !places.includes(~milestone.index)) {
				changes.push({ ...change, kind: 'reached', milestone, reached: found });
			}
		}
		records.set(key, [current, turn, ...reached]);
	}
	return changes;
}

/**
 * The changes to the records of a list since the state before.
 *
 * @param rows those that are present
 * @param deleted keys of those that the service lists as deleted
 * @param before undefined when the list is polled for the first time
 */
export function diffSnapshots(
	rows: Row[],
	deleted: ReadonlySet<string>,
	before: SnapshotState | undefined,
	fields: SnapshotFields,
	options: SnapshotOptions,
): {
	changes: RecordChange[];
	after: SnapshotState;
	/** Only at the poll that makes the absence of most of the list long, and without what is deleted at this poll. */
	massAbsence?: { missing: number; of: number };
} {
	const { milestones, emitExisting, newlyWatched, now } = options;
	const present = new Map(rows.map((row) => [coerceText(row[fields.key]), row]));
	const { watched, placed, records } = place(milestones, before);
	const found = diffPresent(present, before, { placed, records }, fields.status);
	const isReported = before !== undefined || emitExisting;
	const changes = found.filter(({ key }) => isReported && !newlyWatched.has(key));

	const absent = new Map(Object.entries(before?.absent ?? {}).filter(([key]) => !present.has(key)));
	const isGone = (key: string) => (absent.get(key) ?? 0) >= ABSENCE.isDeleted;
	const expected = [...records.keys()].filter((key) => !isGone(key));
	const missing = expected.filter((key) => !present.has(key));
	const isVanished = (key: string) => !deleted.has(key);
	const vanished = missing.filter(isVanished);
	const uncertain = new Set(vanished.length * 2 > expected.length ? vanished : []);
	for (const key of missing) {
		const amount = uncertain.has(key) ? ABSENCE.uncertain : ABSENCE.certain;
		absent.set(key, (absent.get(key) ?? 0) + amount);
		if (!isGone(key)) continue;
		const [previous, turns, ...reached] = records.get(key) as KnownRecord;
		records.set(key, [previous, turns + 1, ...reached]);
		changes.push({ kind: 'deleted', key, previous, turn: `${turns + 1} ${before?.since}` });
	}
	// Both sums are even: these records have been missing only together with most of the list.
	const isUncertainAt = (sum: number) => [...uncertain].some((key) => absent.get(key) === sum);
	const isNewlyLong =
		isUncertainAt(ABSENCE.isReported) && !isUncertainAt(ABSENCE.isReported + ABSENCE.uncertain);
	const countLeft = (keys: string[]) => keys.filter((key) => !isGone(key)).length;
	const massAbsence = { missing: countLeft(missing), of: countLeft(expected) };
	for (const key of [...absent.keys()].filter(isGone).slice(0, -MAX_DELETED)) {
		absent.delete(key);
		records.delete(key);
	}

	return {
		changes,
		after: {
			since: before?.since ?? now,
			records: Object.fromEntries(records),
			absent: Object.fromEntries(absent),
			watched,
		},
		...(isNewlyLong && { massAbsence }),
	};
}
