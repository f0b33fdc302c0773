import { isSettled, type SyncRun } from '../contacts/contactWrites';
import type { PlannedRow } from '../contacts/types';

/** Whether a write may have succeeded although its row failed. */
const isUncertain = ({ code }: PlannedRow): boolean =>
	code === 'write-unverified' || code === 'import-missing';

/**
 * Completes the rows of a further try of the node with what earlier tries have written, or may have. To this one, such a
 * contact is unchanged or refused, and whoever was removed is no longer there.
 */
export function withEarlierTries(
	rows: readonly PlannedRow[],
	{ ledger, account }: SyncRun,
): PlannedRow[] {
	const earlier = ledger.notesOf<PlannedRow>(`rows of ${account}`);
	const whole = rows.map((row) => {
		const before = isSettled(row) && row.item !== undefined ? earlier.get(nameOf(row)) : undefined;
		// By now, the list shows that the write succeeded.
		const isKnownNow = before && isUncertain(before) && row.action === 'unchanged';
		return before && !isKnownNow ? before : row;
	});
	const names = new Set(rows.map(nameOf));
	for (const [name, row] of earlier) {
		if (row.item === undefined && !names.has(name) && !isUncertain(row)) whole.push(row);
	}
	for (const row of whole) {
		if (!isSettled(row) || isUncertain(row)) earlier.set(nameOf(row), row);
	}
	return whole;
}

const nameOf = ({ item, contactId }: PlannedRow): string =>
	item === undefined ? `contact ${contactId}` : `item ${item}`;
