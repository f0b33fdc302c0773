import { coerceText } from '../util/coerce';
import { assignAges, updateAges } from './ages';
import type { AgeClock, DueAge } from './ages';
import { newBitsOf } from './bits';
import type { AssignedBit } from './bits';
import { FIRST_STATUS, statusOf } from './statuses';
import { assignThresholds, isReached } from './thresholds';
import type { Row, Threshold } from './types';

/** State of a list whose polls are compared record by record. */
export interface SnapshotState {
	/** `user_id` of the account that the records belong to. */
	owner?: number;
	/** The `account` of the watch. */
	account?: string;
	/** By utr or id; packed, since n8n loads and saves the state at each poll. */
	records: Record<string, string>;
	/** Names of the thresholds by their bit in `reached`. */
	thresholds?: string[];
	/** Ages in minutes by their bit in `aged`. */
	ages?: string[];
	/** In which they were counted, if that is not UTC. */
	sentAtTimezone?: string;
}

interface KnownRecord {
	status: string;
	/** What the polls in a row without it add up to, see `ABSENCE`; 0 if the last poll had it. */
	absence: number;
	/** A bit for each threshold that was reached. */
	reached: number;
	/** A bit for each age that was reached after it was sent. */
	aged: number;
}

/**
 * What a poll without a record adds to its absence, and the absence at which it counts as deleted: at
 * the second poll in a row without it, or at the third if one of them had an answer that is doubtful.
 */
export const ABSENCE = { certain: 3, doubtful: 2, isDeleted: 6 };

export interface SnapshotOptions {
	thresholds: Threshold[];
	/** In minutes. */
	ages: number[];
	clock: AgeClock;
	/** Whether the records of a first poll count as changes. */
	emitExisting: boolean;
	/** What this poll adds to the absence of records that are not in the list. */
	absence: number;
}

export type RecordChange =
	| { kind: 'created'; key: string; row: Row; status: string }
	| { kind: 'status'; key: string; row: Row; previous: string | null; status: string }
	| {
			kind: 'reached';
			key: string;
			row: Row;
			previous: string | null;
			status: string;
			threshold: Threshold;
	  }
	| {
			kind: 'aged';
			key: string;
			row: Row;
			previous: string | null;
			status: string;
			due: DueAge;
	  }
	| { kind: 'deleted'; key: string; previous: string };

export interface SnapshotFields {
	key: 'utr' | 'id';
	status: 'status' | 'is_verified';
}

/**
 * `3`, `3!2` (with its absence), `3~5` (the thresholds of bits 0 and 2 were reached) or `3@5` (the ages of these bits
 * were); bits are in base 36.
 */
function pack({ status, absence, reached, aged }: KnownRecord): string {
	const bits = (mark: string, value: number) => (value === 0 ? '' : `${mark}${value.toString(36)}`);
	return `${status}${absence === 0 ? '' : `!${absence}`}${bits('~', reached)}${bits('@', aged)}`;
}

function unpack(packed: string): KnownRecord {
	const [, status = '', absence = '0', reached = '0', aged = '0'] =
		/^([^!~@]*)(?:!(\d+))?(?:~(\w+))?(?:@(\w+))?$/.exec(packed) ?? [];
	return {
		status,
		absence: Number(absence),
		reached: Number.parseInt(reached, 36),
		aged: Number.parseInt(aged, 36),
	};
}

function updateReached(row: Row, before: number, assigned: Array<AssignedBit<Threshold>>) {
	let reached = before;
	const newlyReached: Threshold[] = [];
	for (const { value: threshold, bit, isNew } of assigned) {
		if ((reached & bit) !== 0 || !isReached(row, threshold)) continue;
		reached |= bit;
		if (!isNew) newlyReached.push(threshold);
	}
	return { reached, newlyReached };
}

/**
 * What happened to the records of a list since the state before.
 *
 * @param before undefined when the list is polled for the first time
 */
export function diffSnapshots(
	rows: Row[],
	before: SnapshotState | undefined,
	fields: SnapshotFields,
	{ thresholds, ages, clock, emitExisting, absence }: SnapshotOptions,
): { changes: RecordChange[]; after: SnapshotState } {
	const silent = before === undefined && !emitExisting;
	// At a first poll everything is new, and emitExisting decides instead.
	const notNew = <T extends AssignedBit<unknown>>(assigned: T[]): T[] =>
		before === undefined ? assigned.map((entry) => ({ ...entry, isNew: false })) : assigned;
	const reachable = assignThresholds(before?.thresholds ?? [], thresholds);
	const watched = notNew(reachable.assigned);
	const newBits = newBitsOf(watched);
	const agesNow = assignAges(before?.ages ?? [], ages);
	const watchedAges = notNew(agesNow.assigned);
	const newAges = newBitsOf(watchedAges);
	const known = new Map(Object.entries(before?.records ?? {}));
	const records = new Map<string, string>();
	const changes: RecordChange[] = [];

	for (const [key, row] of new Map(rows.map((row) => [coerceText(row[fields.key]), row]))) {
		const packed = known.get(key);
		const last = packed === undefined ? undefined : unpack(packed);
		const status = statusOf(row, fields.status) ?? last?.status ?? FIRST_STATUS;
		const previous = last?.status ?? null;
		const reachedBefore = (last?.reached ?? 0) & ~newBits;
		const { reached, newlyReached } = updateReached(row, reachedBefore, watched);
		const { aged, due } = updateAges(row, (last?.aged ?? 0) & ~newAges, watchedAges, clock);
		if (!silent) {
			if (last === undefined) changes.push({ kind: 'created', key, row, status });
			const changed = last
				? last.status !== status
				: before === undefined || status !== FIRST_STATUS;
			if (changed) {
				changes.push({ kind: 'status', key, row, previous, status });
			}
			for (const threshold of newlyReached) {
				changes.push({ kind: 'reached', key, row, previous, status, threshold });
			}
			for (const one of due) {
				changes.push({ kind: 'aged', key, row, previous, status, due: one });
			}
		}
		records.set(key, pack({ status, absence: 0, reached, aged }));
	}

	for (const [key, packed] of known) {
		if (records.has(key)) continue;
		const last = unpack(packed);
		const total = last.absence + absence;
		if (total >= ABSENCE.isDeleted) {
			changes.push({ kind: 'deleted', key, previous: last.status });
		} else {
			const [reached, aged] = [last.reached & ~newBits, last.aged & ~newAges];
			records.set(key, pack({ ...last, absence: total, reached, aged }));
		}
	}

	return {
		changes,
		after: {
			records: Object.fromEntries(records),
			...(reachable.names.length > 0 ? { thresholds: reachable.names } : {}),
			...(agesNow.names.length > 0 ? { ages: agesNow.names } : {}),
		},
	};
}
