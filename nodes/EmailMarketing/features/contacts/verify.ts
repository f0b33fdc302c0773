import type { ErrorCode } from '../../service/errorCode';
import { coerceText } from '../../util/coerce';
import { addressKey } from '../../util/email';
import { sameText } from '../../util/values';
import type { WriteFailure } from './syncPort';
import type { Directory } from './identify';
import type { ListedContact, PlannedRow } from './types';

/** A write that was sent and may have succeeded. */
export interface SentWrite {
	/** Index of the row that it was for. */
	index: number;
	/** Why it is not certain that the write succeeded. */
	uncertain?: string;
	/** Of the failure that leaves it uncertain. */
	code?: ErrorCode;
	/** Why the service rejected it alone, after it had rejected it with others and may have carried out some of them. */
	rejection?: string;
}

/**
 * Why a failed write may have succeeded nonetheless.
 *
 * @param isAlone whether the service rejected it with others before: it doesn't say whether it carried out some of them
 * @returns undefined for a write that was rejected and had no effect
 */
export function uncertaintyOf(
	{ code, message, problem, effect, isRejected }: WriteFailure,
	isAlone: boolean,
): Pick<SentWrite, 'uncertain' | 'code' | 'rejection'> | undefined {
	if (effect === 'unknown') return { uncertain: message, code };
	return isAlone && isRejected ? { uncertain: problem, code, rejection: message } : undefined;
}

/** Whether a list shows that a write succeeded. */
export type HasEffect = (row: PlannedRow) => boolean;

/** The reason of a row whose write was found in the list. */
export const LOST_BUT_LISTED = 'The response was lost, but the list shows that the write succeeded';
/** The same for a write that was rejected alone, since the request with others before it had succeeded in part. */
export const REJECTED_BUT_LISTED =
	'The service rejected the request, but the list shows that the write succeeded';
/** What follows the problem of a write that was not found in the list. */
export const NOT_LISTED = 'The list read afterwards shows that the write did not succeed.';

export interface VerifyOptions {
	/** Reads the list again, never from a cache. */
	readList: () => Promise<HasEffect>;
	/** Completes the sentence "Run again: …" for when the list cannot be read. */
	rerun: string;
}

/** A row whose write failed, without what it would have changed. */
export const failedRow = (
	{ item, email, contactId }: Pick<PlannedRow, 'item' | 'email' | 'contactId'>,
	code: ErrorCode | undefined,
	reason: string,
): PlannedRow => ({ item, action: 'failed', email, contactId, code, reason });

/** Whether the contact has what the row was to write. The country is compared by what the list shows. */
export function hasChanges(contact: ListedContact, { changes = {} }: PlannedRow): boolean {
	return Object.entries(changes).every(([field, { from, to }]) => {
		const current = coerceText(contact[field as keyof typeof changes]);
		if (field === 'email') return addressKey(current) === addressKey(to);
		// A country without a known name cannot be compared with the name in the list.
		if (field === 'country' && /^\d+$/.test(to)) return current !== from;
		return sameText(current, to);
	});
}

/** Looks up updates, moves and deletions in the contacts read afterwards. */
export function effectsIn(directory: Directory): HasEffect {
	return (row) => {
		const contact = directory.byId.get(row.contactId ?? 0);
		if (row.action === 'deleted') return contact === undefined;
		if (row.action === 'moved') {
			const type = directory.otherTypeOf(row.contactId ?? 0);
			return Number(type) === row.body?.contact_type_id;
		}
		return contact !== undefined && hasChanges(contact, row);
	};
}

export const messageOf = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);

/** A row whose write is uncertain, where the list could not be read. */
export const unreadRow = (
	row: PlannedRow,
	outcome: string,
	problem: string,
	rerun: string,
): PlannedRow =>
	failedRow(
		row,
		'write-unverified',
		`${outcome} The list could not be read afterwards (${problem}). Run again: ${rerun}`,
	);

/**
 * Finds out about uncertain writes by one read of the list. Reads nothing when there is nothing to find out.
 *
 * @returns the rows as they turned out
 */
export async function verifyWrites(
	rows: readonly PlannedRow[],
	writes: readonly SentWrite[],
	{ readList, rerun }: VerifyOptions,
): Promise<PlannedRow[]> {
	const verified = [...rows];
	const open = writes.filter(({ uncertain }) => uncertain !== undefined);
	if (open.length === 0) return verified;
	const replace = (next: (row: PlannedRow, write: SentWrite) => PlannedRow) => {
		for (const write of open) {
			const row = rows[write.index];
			if (row) verified[write.index] = next(row, write);
		}
	};
	let hasEffect: HasEffect;
	try {
		hasEffect = await readList();
	} catch (error) {
		replace((row, { uncertain = '' }) => unreadRow(row, uncertain, messageOf(error), rerun));
		return verified;
	}
	replace((row, { uncertain = '', code, rejection }) =>
		hasEffect(row)
			? { ...row, reason: rejection === undefined ? LOST_BUT_LISTED : REJECTED_BUT_LISTED }
			: failedRow(row, code, rejection ?? `${uncertain} ${NOT_LISTED}`),
	);
	return verified;
}
