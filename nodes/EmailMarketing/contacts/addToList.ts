import type { WriteFailure } from './api';
import { FIELD_LABELS, type ContactInput } from './fields';
import { notAnAddress } from './identify';
import type { Pool } from '../util/pool';
import type { PlannedRow } from './types';
import { addressKey, isAddress, toText } from '../util/values';

/** One entry to add to a list, read from an item. */
export interface Entry {
	email: string;
	fields: Record<string, string>;
}

/** A list of addresses that can only be read as a whole and added to. */
export interface AddressList {
	/** What comes along with an address; all of it is required. */
	fields: ReadonlyArray<'first_name' | 'last_name'>;
	/** Entries that one request takes. */
	chunk: number;
	/** The addresses on the list. */
	read(): Promise<string[]>;
	add(entries: Entry[]): Promise<WriteFailure | undefined>;
}

function failed(item: number, email: string, label: string, problem: string): PlannedRow {
	return { item, action: 'failed', email, field: label, reason: `${label} ${problem}` };
}

function readEntry(input: ContactInput, list: AddressList, item: number): Entry | PlannedRow {
	if (input.unreadable) {
		return failed(item, '', input.unreadable.field, input.unreadable.problem);
	}
	const email = toText(input.values.email);
	if (typeof email !== 'string') return failed(item, '', FIELD_LABELS.email, email.problem);
	if (email === '') return failed(item, '', FIELD_LABELS.email, 'is missing. Map the column');
	if (!isAddress(email)) {
		return failed(item, email, FIELD_LABELS.email, notAnAddress(email));
	}
	const fields: Record<string, string> = {};
	for (const name of list.fields) {
		const text = toText(input.values[name]);
		if (typeof text !== 'string') return failed(item, email, FIELD_LABELS[name], text.problem);
		if (text === '') {
			return failed(item, email, FIELD_LABELS[name], 'is missing: the service wants it. Map it');
		}
		fields[name] = text;
	}
	return { email, fields };
}

const readKeys = async (list: AddressList): Promise<Set<string>> =>
	new Set((await list.read()).map(addressKey));

function planRow(
	row: Entry | PlannedRow,
	item: number,
	there: Set<string>,
	last: Map<string, number>,
): PlannedRow {
	if ('action' in row) return row;
	const known = { item, email: row.email };
	if (there.has(addressKey(row.email))) {
		return { ...known, action: 'skipped', reason: 'already on the list' };
	}
	const winner = last.get(addressKey(row.email));
	if (winner !== undefined && winner !== item) {
		const reason = `duplicate: item ${winner} has the same address, and the last one wins`;
		return { ...known, action: 'skipped', reason };
	}
	return { ...known, action: 'created' };
}

/**
 * Adds what is not there yet, with as few requests as the list allows. No request that may have been carried out is
 * repeated; it is looked up in the list. A refused chunk is tried entry by entry, so that one address does not fail others.
 *
 * @param inputs what the items say
 * @param list the list
 * @param pace how fast
 * @returns what became of each item
 * @throws Cancelled; what the first read of the list throws
 */
export async function addEntries(
	inputs: readonly ContactInput[],
	list: AddressList,
	pool: Pool,
): Promise<PlannedRow[]> {
	const there = await readKeys(list);
	const entries = inputs.map((input, item) => readEntry(input, list, item));
	const last = new Map<string, number>();
	entries.forEach((entry, item) => {
		if (!('action' in entry)) last.set(addressKey(entry.email), item);
	});
	const rows: PlannedRow[] = entries.map((entry, item) => planRow(entry, item, there, last));
	const wanted = rows.flatMap(({ action }, item) => (action === 'created' ? [item] : []));
	const chunks: number[][] = [];
	for (let start = 0; start < wanted.length; start += list.chunk) {
		chunks.push(wanted.slice(start, start + list.chunk));
	}

	const doubts = new Map<number, string>();
	const refused: number[] = [];
	const add = async (chunk: number[]) => {
		const failure = await list.add(chunk.map((item) => entries[item] as Entry));
		if (failure?.effect === 'unknown') {
			for (const item of chunk) doubts.set(item, failure.message);
		} else if (failure?.isRejected && chunk.length > 1) {
			refused.push(...chunk);
		} else if (failure) {
			for (const item of chunk) rows[item] = fail(rows[item], failure.message);
		}
	};
	await pool.each(chunks, add);
	await pool.each(
		refused.map((item) => [item]),
		add,
	);
	if (doubts.size > 0) await lookUp(rows, doubts, list);
	return rows;
}

function fail(row: PlannedRow | undefined, reason: string): PlannedRow {
	return { item: row?.item, action: 'failed', email: row?.email ?? '', reason };
}

async function lookUp(
	rows: PlannedRow[],
	doubts: ReadonlyMap<number, string>,
	list: AddressList,
): Promise<void> {
	let there: Set<string> | undefined;
	let problem = 'The list read afterwards shows that it was not carried out.';
	try {
		there = await readKeys(list);
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		problem = `The list could not be read afterwards (${message}). Run again: what is there is skipped.`;
	}
	for (const [item, doubt] of doubts) {
		const row = rows[item];
		const found = row && there?.has(addressKey(row.email));
		rows[item] = found
			? { ...row, reason: 'The answer was lost, but the list shows that it was carried out' }
			: fail(row, `${doubt} ${problem}`);
	}
}
