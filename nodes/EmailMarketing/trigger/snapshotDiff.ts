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
	/** Not in the list at the last poll; deleted if it is not there at the next one either. */
	missing: boolean;
	/** A bit for each threshold that was reached. */
	reached: number;
}

export type RecordChange =
	| { kind: 'created'; key: string; row: Row; status: string }
	| { kind: 'status'; key: string; row: Row; previous: string | null; status: string }
	| { kind: 'reached'; key: string; row: Row; threshold: Threshold }
	| { kind: 'deleted'; key: string; previous: string };

export interface SnapshotFields {
	key: 'utr' | 'id';
	status: 'status' | 'is_verified';
}

/** `3`, `3!` (missing once) or `3~5` (the thresholds of bits 0 and 2 were reached; in base 36). */
function pack({ status, missing, reached }: KnownRecord): string {
	return `${status}${missing ? '!' : ''}${reached === 0 ? '' : `~${reached.toString(36)}`}`;
}

function unpack(packed: string): KnownRecord {
	const tilde = packed.indexOf('~');
	const head = tilde === -1 ? packed : packed.slice(0, tilde);
	const missing = head.endsWith('!');
	return {
		status: missing ? head.slice(0, -1) : head,
		missing,
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
 * @param emitExisting whether the records of a first poll count as changes
 */
export function diffSnapshots(
	rows: Row[],
	before: SnapshotState | undefined,
	fields: SnapshotFields,
	thresholds: Threshold[],
	emitExisting: boolean,
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
		const reachedBefore = (last?.reached ?? 0) & ~newBits;
		const { reached, newlyReached } = updateReached(row, reachedBefore, watched);
		if (!silent) {
			if (last === undefined) changes.push({ kind: 'created', key, row, status });
			const changed = last
				? last.status !== status
				: before === undefined || status !== FIRST_STATUS;
			if (changed) {
				changes.push({ kind: 'status', key, row, previous: last?.status ?? null, status });
			}
			for (const threshold of newlyReached) changes.push({ kind: 'reached', key, row, threshold });
		}
		records.set(key, pack({ status, missing: false, reached }));
	}

	for (const [key, packed] of known) {
		if (records.has(key)) continue;
		const last = unpack(packed);
		if (last.missing) changes.push({ kind: 'deleted', key, previous: last.status });
		else {
			const reached = last.reached & ~newBits;
			records.set(key, pack({ status: last.status, missing: true, reached }));
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
