import { coerceText } from '../util/coerce';
import { FIRST_STATUS, statusOf } from './statuses';
import { assignBits, isReached } from './thresholds';
import type { AssignedThreshold } from './thresholds';
import type { Row, Threshold } from './types';

/** State of a list whose polls are compared record by record. */
export interface SnapshotState {
	/** `user_id` of the account that the records belong to. */
	owner?: number;
	/** By utr or id; packed, since n8n loads and saves the state at each poll. */
	records: Record<string, string>;
	/** Names of the thresholds by their bit in `reached`. */
	thresholds?: string[];
}

interface KnownRecord {
	status: string;
	/** What the polls in a row without it add up to, see `ABSENCE`; 0 if the last poll had it. */
	absence: number;
	/** A bit for each threshold that was reached. */
	reached: number;
}

/**
 * What a poll without a record adds to its absence, and the absence at which it counts as deleted: at
 * the second poll in a row without it, or at the third if one of them had an answer that is doubtful.
 */
export const ABSENCE = { certain: 3, doubtful: 2, isDeleted: 6 };

export interface SnapshotOptions {
	thresholds: Threshold[];
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
	| { kind: 'deleted'; key: string; previous: string };

export interface SnapshotFields {
	key: 'utr' | 'id';
	status: 'status' | 'is_verified';
}

/** `3`, `3!2` (with its absence) or `3~5` (the thresholds of bits 0 and 2 were reached; in base 36). */
function pack({ status, absence, reached }: KnownRecord): string {
	return `${status}${absence === 0 ? '' : `!${absence}`}${reached === 0 ? '' : `~${reached.toString(36)}`}`;
}

function unpack(packed: string): KnownRecord {
	const tilde = packed.indexOf('~');
	const head = tilde === -1 ? packed : packed.slice(0, tilde);
	const [status = '', absence = '0'] = head.split('!');
	return {
		status,
		absence: Number(absence),
		reached: tilde === -1 ? 0 : Number.parseInt(packed.slice(tilde + 1), 36),
	};
}

function updateReached(row: Row, before: number, assigned: AssignedThreshold[]) {
	let reached = before;
	const newlyReached: Threshold[] = [];
	for (const { threshold, bit, isNew } of assigned) {
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
	{ thresholds, emitExisting, absence }: SnapshotOptions,
): { changes: RecordChange[]; after: SnapshotState } {
	const silent = before === undefined && !emitExisting;
	const { names, assigned } = assignBits(before?.thresholds ?? [], thresholds);
	// At a first poll all thresholds are new, and emitExisting decides instead.
	const watched =
		before === undefined ? assigned.map((entry) => ({ ...entry, isNew: false })) : assigned;
	const newBits = watched.reduce((bits, { bit, isNew }) => (isNew ? bits | bit : bits), 0);
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
		}
		records.set(key, pack({ status, absence: 0, reached }));
	}

	for (const [key, packed] of known) {
		if (records.has(key)) continue;
		const last = unpack(packed);
		const total = last.absence + absence;
		if (total >= ABSENCE.isDeleted) {
			changes.push({ kind: 'deleted', key, previous: last.status });
		} else {
			records.set(key, pack({ ...last, absence: total, reached: last.reached & ~newBits }));
		}
	}

	return {
		changes,
		after: {
			records: Object.fromEntries(records),
			...(names.length > 0 ? { thresholds: names } : {}),
		},
	};
}
