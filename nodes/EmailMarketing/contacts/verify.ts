import { coerceText } from '../util/coerce';
import { addressKey } from '../util/email';
import { sameText } from '../util/values';
import type { Directory } from './identify';
import type { ListedContact, PlannedRow } from './types';

/** A write that was sent and not rejected. */
export interface SentWrite {
	/** Index of the row that it was for. */
	index: number;
	/** Why it is not certain that the write succeeded. */
	uncertain?: string;
	/** Part of a file: the service does not say which rows it took (#21), so it is never certain. */
	imported?: true;
}

/** Looks up a write in a list: its contact id, where that is new, or nothing when the list shows no such write. */
export type FindEffect = (row: PlannedRow) => { contactId?: number } | undefined;

export interface VerifyOptions {
	/** Reads the list again, never from a cache. */
	readList: () => Promise<FindEffect>;
	/** Whether the id of a new contact is wanted, even though its write is certain. */
	needsId?: (row: PlannedRow) => boolean;
	/** Completes the sentence "Run again: …" for when the list cannot be read. */
	rerun: string;
}

/** A row whose write failed, without what it would have changed. */
export const failedRow = (
	{ item, email, contactId }: Pick<PlannedRow, 'item' | 'email' | 'contactId'>,
	reason: string,
): PlannedRow => ({ item, action: 'failed', email, contactId, reason });

/** Whether the contact has what the row was to write. The country is compared by what the list shows. */
function hasChanges(contact: ListedContact, { changes = {} }: PlannedRow): boolean {
	return Object.entries(changes).every(([field, { from, to }]) => {
		const current = coerceText(contact[field as keyof typeof changes]);
		if (field === 'email') return addressKey(current) === addressKey(to);
		// A country without a known name cannot be compared with the name in the list.
		if (field === 'country' && /^\d+$/.test(to)) return current !== from;
		return sameText(current, to);
	});
}

/** Looks up creates, updates, moves and deletions in the contacts read afterwards. */
export function effectsIn(directory: Directory): FindEffect {
	return (row) => {
		const contact = directory.byId.get(row.contactId ?? 0);
		if (row.action === 'deleted') return contact ? undefined : {};
		if (row.action === 'moved') {
			const type = directory.otherTypeOf(row.contactId ?? 0);
			return Number(type) === row.body?.contact_type_id ? {} : undefined;
		}
		if (row.action === 'created') {
			const key = addressKey(row.email);
			const created = directory.byEmail.get(key);
			// Of several contacts with the address, the others are of somebody else, and may be the first.
			if (directory.duplicates.has(key)) return {};
			return created && { contactId: created.id };
		}
		return contact && hasChanges(contact, row) ? {} : undefined;
	};
}

function verifiedRow(
	row: PlannedRow,
	{ uncertain, imported }: SentWrite,
	findEffect: FindEffect,
): PlannedRow {
	const effect = findEffect(row);
	if (effect) {
		const isLost = uncertain !== undefined && !imported;
		return {
			...row,
			...effect,
			...(isLost && {
				reason: 'The response was lost, but the list shows that the write succeeded',
			}),
		};
	}
	if (uncertain === undefined) return row;
	return failedRow(
		row,
		imported
			? ['The contact was not found after the import', uncertain].filter((part) => part).join('. ')
			: `${uncertain} The list read afterwards shows that the write did not succeed.`,
	);
}

/**
 * Finds out about uncertain writes by one read of the list, and about the ids of new contacts where `needsId` says so.
 * Reads nothing when there is nothing to find out.
 *
 * @returns the rows as they turned out
 */
export async function verifyWrites(
	rows: readonly PlannedRow[],
	writes: readonly SentWrite[],
	{ readList, needsId = () => false, rerun }: VerifyOptions,
): Promise<PlannedRow[]> {
	const verified = [...rows];
	const open = writes.filter(({ index, uncertain }) => {
		const row = rows[index];
		return uncertain !== undefined || (row && needsId(row));
	});
	if (open.length === 0) return verified;
	const replace = (next: (row: PlannedRow, write: SentWrite) => PlannedRow) => {
		for (const write of open) {
			const row = rows[write.index];
			if (row) verified[write.index] = next(row, write);
		}
	};
	let findEffect: FindEffect;
	try {
		findEffect = await readList();
	} catch (error) {
		const problem = error instanceof Error ? error.message : String(error);
		replace((row, { uncertain }) => {
			if (uncertain === undefined) return row;
			const outcome = uncertain || 'The file was imported.';
			const reason = `${outcome} The list could not be read afterwards (${problem}). Run again: ${rerun}`;
			return failedRow(row, reason);
		});
		return verified;
	}
	replace((row, write) => verifiedRow(row, write, findEffect));
	return verified;
}
