import { LOST_BUT_LISTED, NOT_LISTED } from '../../run/writer/verify';
import { isSettled, type SyncRun } from '../contacts/contactWrites';
import type { Directory } from '../contacts/identify';
import type { PlannedRow } from '../contacts/types';
import { isWritten } from './judge';

/** A row of an earlier try, as it was planned and as it was reported. */
interface EarlierRow {
	planned: PlannedRow;
	reported: PlannedRow;
}

/** Whether a write may have succeeded although its row failed: a contact may still appear in the list. */
const isUncertain = ({ planned, reported }: EarlierRow): boolean =>
	reported.code === 'write-unverified' ||
	reported.code === 'import-missing' ||
	(planned.action === 'created' && reported.reason?.endsWith(NOT_LISTED) === true);

/**
 * Completes the rows of a further try of the node with what earlier tries have written, or may have. To this one, such a
 * contact is unchanged or refused, and whoever was removed is no longer there. What this try has written, or the list
 * shows by now, takes the place of what was uncertain.
 *
 * @param planned the rows before the writes, in the same order
 * @param listed makes the directory of the contacts that this try has read
 */
export function withEarlierTries(
	rows: readonly PlannedRow[],
	planned: readonly PlannedRow[],
	listed: () => Directory,
	{ ledger, account }: SyncRun,
): PlannedRow[] {
	const earlier = ledger.notesOf<EarlierRow>(`rows of ${account}`);
	const notes = rows.map((reported, index): EarlierRow => {
		const own = { planned: planned[index] ?? reported, reported };
		const before =
			reported.item !== undefined && isSettled(reported) && earlier.get(nameOf(reported));
		if (!before) return own;
		const isKnownNow = reported.action === 'unchanged' || !isSettled(own.planned);
		return isUncertain(before) && isKnownNow ? own : before;
	});
	const names = new Set(rows.map(nameOf));
	for (const [name, before] of earlier) {
		if (before.reported.item !== undefined || names.has(name)) continue;
		// Whether somebody was added to a group does not show in this list.
		const isInList = ['deleted', 'moved'].includes(before.planned.action);
		const isDone = isInList && isUncertain(before) && isWritten(listed(), before.planned);
		notes.push(isDone ? { ...before, reported: done(before.planned) } : before);
	}
	for (const note of notes) {
		if (!isSettled(note.reported) || isUncertain(note)) earlier.set(nameOf(note.reported), note);
	}
	return notes.map(({ reported }) => reported);
}

const done = (planned: PlannedRow): PlannedRow => ({
	...planned,
	at: new Date().toISOString(),
	reason: LOST_BUT_LISTED,
});

const nameOf = ({ item, contactId }: PlannedRow): string =>
	item === undefined ? `contact ${contactId}` : `item ${item}`;
