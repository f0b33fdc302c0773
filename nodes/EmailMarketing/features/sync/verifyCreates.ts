import { notSent } from '../../run/writer/outcome';
import { messageOf, reasonOf } from '../../run/writer/verify';
import { write, type WriteRequest } from '../../run/writer/write';
import { isDeleted } from '../../records/recordKind';
import {
	failedRow,
	failureOf,
	type RemovalClearance,
	type SyncRun,
} from '../contacts/contactWrites';
import type { Directory } from '../contacts/identify';
import { clearOwnDuplicates } from './removalGate';
import { judgeCreate, RERUN_CONTACTS, type Create, type Duplicates } from './judge';
import type { ListedContact, PlannedRow } from '../contacts/types';

interface VerifyCreatesOptions {
	/** Reads the contacts again, after all writes. */
	readDirectory: () => Promise<Directory>;
	/** All contacts of the account at the time of the plan. */
	before: readonly ListedContact[];
	run: SyncRun;
	/** Absent for lists of unsubscribes: nothing shows which run added a duplicate, so none is removed. */
	remove?: (id: number, clearance: RemovalClearance) => WriteRequest;
}

function withAddress(
	{ byEmail, duplicates, byId, keyOf }: Directory,
	email: string,
): ListedContact[] {
	const key = keyOf(email);
	const first = byEmail.get(key);
	if (!first) return [];
	return [first, ...(duplicates.get(key) ?? []).flatMap((id) => byId.get(id) ?? [])];
}

/** The row if the list could not be read afterwards; undefined for a refused create, which has failed anyway. */
function unread({ row, answer, problem }: Create, why: string): PlannedRow | undefined {
	if (answer === 'refused') return undefined;
	if (answer !== 'succeeded') {
		const reason = `${problem || 'The file was imported.'} The list could not be read afterwards (${why}). Run again: ${RERUN_CONTACTS}`;
		return failedRow(row, 'write-unverified', reason);
	}
	const reason = `The list could not be read afterwards (${why}), so it is unknown whether another run added this address too`;
	return { ...row, reason };
}

/**
 * Removes one duplicate for each row. Each removal is a separate request (24), because its response shows whether this
 * run removed the contact, or another run already had. That decides which run created the contact that stays.
 */
async function removeDuplicates(
	rows: Map<number, PlannedRow>,
	found: Array<[index: number, duplicates: Duplicates]>,
	{ run, remove }: Pick<Required<VerifyCreatesOptions>, 'run' | 'remove'>,
): Promise<void> {
	let open = found;
	for (let nth = 0; open.length > 0; nth++) {
		const outcomes = await write(
			run,
			open.map(([, { ids }]) => ({
				part: ids[nth] ?? 0,
				prepare: () => remove(ids[nth] ?? 0, clearOwnDuplicates(ids)),
			})),
			false,
		);
		open = open.filter(([index, { ids, removed, gone, kept }], position) => {
			const failure = failureOf(outcomes[position] ?? notSent);
			if (failure?.isNotFound && nth + 1 < ids.length) return true;
			const left = failure && kept(ids[nth] ?? 0, reasonOf(failure));
			rows.set(index, failure?.isNotFound ? gone : (left ?? removed));
			return false;
		});
	}
}

/** Somebody who is not on a list of unsubscribes may get email, whatever the service responded. */
const NOT_ON_LIST =
	'The service accepted this address, but it is not on the list. Run again, or add it in the service';

/**
 * Looks up all creates in the list after the writes: to find their IDs, to settle uncertain creates, and to find
 * contacts that other runs created at the same time. Reads nothing if nothing was created.
 *
 * @returns the changed rows, by index
 * @throws Cancelled
 */
export async function verifyCreates(
	creates: ReadonlyMap<number, Create>,
	options: VerifyCreatesOptions,
): Promise<Map<number, PlannedRow>> {
	const rows = new Map<number, PlannedRow>();
	if (creates.size === 0) return rows;
	let directory: Directory;
	try {
		directory = await options.readDirectory();
	} catch (error) {
		for (const [index, create] of creates) {
			const row = unread(create, messageOf(error));
			if (row) rows.set(index, row);
		}
		return rows;
	}
	// A deleted contact counts as new, since the service may restore it instead of creating another one.
	const live = options.before.filter((contact) => !isDeleted(contact));
	const before = new Set(live.map(({ id }) => id));
	const duplicates: Array<[index: number, duplicates: Duplicates]> = [];
	for (const [index, create] of creates) {
		const listed = withAddress(directory, create.row.email);
		if (!options.remove && listed.length === 0 && create.answer === 'succeeded') {
			rows.set(index, failedRow(create.row, 'add-not-listed', NOT_ON_LIST));
			continue;
		}
		const settled = judgeCreate(create, listed, (id) => before.has(id));
		if ('ids' in settled && options.remove) duplicates.push([index, settled]);
		else if ('ids' in settled) rows.set(index, settled.gone);
		else rows.set(index, settled);
	}
	const { run, remove } = options;
	if (remove) await removeDuplicates(rows, duplicates, { run, remove });
	return rows;
}
