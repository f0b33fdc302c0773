import { coerceText } from '../util/coerce';
import { FIRST_STATUS, statusOf } from './statuses';
import { assignSlots, isReached } from './thresholds';
import type { SlottedThreshold } from './thresholds';
import type { Row, Threshold } from './types';

/** State of a list that is watched record by record: `{utr: "<status>[!][~<reached>]"}`. */
export interface RecordsState {
	/** `user_id` of the account whose records these are. */
	owner?: number;
	records: Record<string, string>;
	/** Names of the thresholds behind the bits of `<reached>`. */
	thresholds?: string[];
}

interface Memory {
	status: string;
	/** Not in the last answer; gone if it is not in the next one either. */
	missing: boolean;
	/** A bit for each threshold that was reached. */
	reached: number;
}

export type RecordChange =
	| { kind: 'created'; key: string; row: Row; status: string }
	| { kind: 'status'; key: string; row: Row; previous: string | null; status: string }
	| { kind: 'reached'; key: string; row: Row; threshold: Threshold }
	| { kind: 'deleted'; key: string; previous: string };

export interface RecordFields {
	key: 'utr' | 'id';
	status: 'status' | 'is_verified';
}

/** `3`, `3!` (missing once) or `3~5` (the thresholds of bits 0 and 2 were reached). */
export function pack({ status, missing, reached }: Memory): string {
	return `${status}${missing ? '!' : ''}${reached === 0 ? '' : `~${reached.toString(36)}`}`;
}

export function unpack(packed: string): Memory {
	const tilde = packed.indexOf('~');
	const head = tilde === -1 ? packed : packed.slice(0, tilde);
	const missing = head.endsWith('!');
	return {
		status: missing ? head.slice(0, -1) : head,
		missing,
		reached: tilde === -1 ? 0 : Number.parseInt(packed.slice(tilde + 1), 36),
	};
}

function newlyReached(row: Row, before: number, slotted: SlottedThreshold[], silently: boolean) {
	let reached = before;
	const passed: Threshold[] = [];
	for (const { threshold, bit, fresh } of slotted) {
		if ((reached & bit) !== 0 || !isReached(row, threshold)) continue;
		reached |= bit;
		if (!silently && !fresh) passed.push(threshold);
	}
	return { reached, passed };
}

/**
 * What happened to the records of a list between the state and the rows.
 *
 * @param before undefined when the list is looked at for the first time
 * @param emitExisting whether the records of a first look are changes too
 */
export function diffRecords(
	rows: Row[],
	before: RecordsState | undefined,
	fields: RecordFields,
	thresholds: Threshold[],
	emitExisting: boolean,
): { changes: RecordChange[]; after: RecordsState } {
	const silently = before === undefined && !emitExisting;
	const { slots, slotted: assigned } = assignSlots(before?.thresholds ?? [], thresholds);
	const slotted =
		before === undefined ? assigned.map((slot) => ({ ...slot, fresh: false })) : assigned;
	const freshBits = slotted.reduce((bits, { bit, fresh }) => (fresh ? bits | bit : bits), 0);
	const known = new Map(Object.entries(before?.records ?? {}));
	const records = new Map<string, string>();
	const changes: RecordChange[] = [];

	for (const [key, row] of new Map(rows.map((row) => [coerceText(row[fields.key]), row]))) {
		const packed = known.get(key);
		const memory = packed === undefined ? undefined : unpack(packed);
		const status = statusOf(row, fields.status) ?? memory?.status ?? FIRST_STATUS;
		const { reached, passed } = newlyReached(
			row,
			(memory?.reached ?? 0) & ~freshBits,
			slotted,
			silently,
		);
		if (!silently) {
			if (memory === undefined) changes.push({ kind: 'created', key, row, status });
			const changed = memory
				? memory.status !== status
				: before === undefined || status !== FIRST_STATUS;
			if (changed) {
				changes.push({ kind: 'status', key, row, previous: memory?.status ?? null, status });
			}
			for (const threshold of passed) changes.push({ kind: 'reached', key, row, threshold });
		}
		records.set(key, pack({ status, missing: false, reached }));
	}

	for (const [key, packed] of known) {
		if (records.has(key)) continue;
		const memory = unpack(packed);
		if (memory.missing) changes.push({ kind: 'deleted', key, previous: memory.status });
		else {
			const reached = memory.reached & ~freshBits;
			records.set(key, pack({ status: memory.status, missing: true, reached }));
		}
	}

	return {
		changes,
		after: {
			records: Object.fromEntries(records),
			...(slots.length > 0 ? { thresholds: slots } : {}),
		},
	};
}
