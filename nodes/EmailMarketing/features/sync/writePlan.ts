import { isEmpty } from '../../util/coerce';
import { allSpellingsToSend, spellingsToSend } from '../../util/addressesIn';
import { spellingKey } from '../../util/email';
import { notSent, type Outcome } from '../../run/writer/outcome';
import { reasonOf, type Verification } from '../../run/writer/verify';
import { write, type Action, type WriteRequest } from '../../run/writer/write';
import {
	addToGroupRequest,
	createRequest,
	failureOf,
	removeManyRequest,
	removeRequest,
	rowAfter,
	updateRequest,
	type RemovalClearance,
	type SyncRun,
} from '../contacts/contactWrites';
import { FIELD_LABELS, type ContactField, type TextField } from '../contacts/fields';
import { createDirectory, type Directory } from '../contacts/identify';
import type { SyncReads } from '../contacts/syncReads';
import type { PlannedRow } from '../contacts/types';
import { membersIn } from './plan/readAndPlan';
import { withEarlierTries } from './earlierTries';
import { createKey, importContacts, SECOND_READ_MS, withoutImport } from './importer';
import { isWritten, RERUN_CONTACTS, type Create } from './judge';
import type { SyncOptions, WriteOptions } from './types';
import { verifyCreates } from './verifyCreates';

/** The outcome of a plan. */
export interface WriteResult {
	rows: PlannedRow[];
	/** Further notes about the run, as sentences. */
	notes: string[];
}

/**
 * Writes a plan.
 *
 * @returns the outcome of each row
 * @throws Cancelled
 */
export async function writePlan(
	planned: readonly PlannedRow[],
	given: WriteOptions,
): Promise<WriteResult> {
	const { reads, run, options, before } = given;
	const news = planned.flatMap((row, index) => (row.action === 'created' ? [{ index, row }] : []));
	// Imports come first, so that any other change in the list is not from this run.
	const { imported, notes, problem } = await importContacts(news, given);
	const toWrite = planned.map((row, index) =>
		imported.has(index) ? row : withoutImport(row, options.csvImport, problem),
	);
	let reading: Promise<Directory> | undefined;
	const readDirectory = async () =>
		await (reading ??= readAfterwards(reads, run, options, imported));
	const actions = actionsOf(toWrite, given, readDirectory);
	const outcomes = await write(
		run,
		actions.map((action, index) => (action && !imported.has(index) ? action : notSent)),
		false,
	);
	const rows = toWrite.map((row, index) => rowAfter(row, outcomes[index]));
	const creates = new Map(imported);
	for (const [index, row] of toWrite.entries()) {
		const create = row.action === 'created' ? createOf(row, outcomes[index]) : undefined;
		if (create && !imported.has(index)) creates.set(index, create);
	}
	const verified = await verifyCreates(creates, {
		...{ readDirectory, before, run },
		...(options.list?.suppresses !== true && {
			remove: (id: number, clearance: RemovalClearance) =>
				removalRequest(given, [id], true, clearance),
		}),
	});
	for (const [index, row] of verified) {
		const known = rows[index];
		const isConfirmed = known && row.action === known.action && row.reason === known.reason;
		rows[index] = { ...row, at: isConfirmed && known.at ? known.at : new Date().toISOString() };
	}
	const cleared = await withUncleared(rows, readDirectory);
	const { contactTypeId, list } = options;
	let directory: Directory | undefined;
	const listed = () => (directory ??= createDirectory(before, contactTypeId, list));
	return {
		rows: withEarlierTries(cleared.rows, toWrite, listed, run),
		notes: [...notes, ...cleared.notes],
	};
}

const clearedBy = ({ action, changes = {} }: PlannedRow) =>
	action === 'updated'
		? Object.entries(changes).flatMap(([field, { to }]) =>
				to === '' ? [field as ContactField] : [],
			)
		: [];

/**
 * The reference does not say whether an empty value clears a field (23). So contacts with cleared fields are read again,
 * and their rows name the values that are still there.
 */
async function withUncleared(
	rows: PlannedRow[],
	readDirectory: () => Promise<Directory>,
): Promise<WriteResult> {
	if (rows.every((row) => clearedBy(row).length === 0)) return { rows, notes: [] };
	const directory = await readDirectory().catch(() => undefined);
	const uncleared = new Set<ContactField>();
	const reported = rows.map((row) => {
		const fields = clearedBy(row);
		if (fields.length === 0) return row;
		const contact = directory?.byId.get(row.contactId ?? 0);
		const left = fields.filter((field) => !isEmpty(contact?.[field as TextField]));
		for (const field of left) uncleared.add(field);
		const note = !directory
			? 'fields may not have been cleared: the contacts could not be read again'
			: left.length > 0 &&
				`the service did not clear ${labelsOf(left)}: it ignored the empty value`;
		return note ? { ...row, reason: [row.reason, note].filter(Boolean).join('; ') } : row;
	});
	const note = `The service did not clear all fields that were to be cleared: ${labelsOf(uncleared)}`;
	return { rows: reported, notes: uncleared.size > 0 ? [note] : [] };
}

const labelsOf = (fields: Iterable<ContactField>): string =>
	[...fields].map((field) => FIELD_LABELS[field]).join(', ');

/** The service may still work on an accepted import, so a list without its contacts is read again. */
async function readAfterwards(
	reads: SyncReads,
	{ pool }: SyncRun,
	{ contactTypeId, list }: SyncOptions,
	imported: ReadonlyMap<number, Create>,
): Promise<Directory> {
	const read = async () => createDirectory(await reads.listContacts(), contactTypeId, list);
	const directory = await read();
	const isLate = [...imported.values()].some(
		({ row }) => !directory.byEmail.has(directory.keyOf(row.email)),
	);
	if (!isLate) return directory;
	await reads.wait(SECOND_READ_MS);
	pool.check();
	return await read().catch(() => directory);
}

/** @throws NotCleared for an entry that has not passed the removal gate */
function removalRequest(
	{ run: { client }, options: { list } }: Pick<WriteOptions, 'run' | 'options'>,
	ids: readonly number[],
	isAlone: boolean,
	removal: RemovalClearance,
): WriteRequest {
	if (list) {
		removal.require(ids);
		return list.remove(ids);
	}
	return isAlone
		? removeRequest(client, ids[0] ?? 0, removal)
		: removeManyRequest(client, ids, removal);
}

type RowWrite = Action<PlannedRow>;

/** The actions of the rows, by index. Contacts are created before moves and deletions may free their addresses. */
function actionsOf(
	rows: readonly PlannedRow[],
	given: WriteOptions,
	readDirectory: () => Promise<Directory>,
): Array<RowWrite | undefined> {
	const { reads, run, options, removal } = given;
	const { client } = run;
	const { missing, list } = options;
	const inList: Verification<PlannedRow> = {
		async read() {
			const directory = await readDirectory();
			return (row) => isWritten(directory, row);
		},
		rerun: RERUN_CONTACTS,
	};
	const groupId = missing.kind === 'addToUnsubscribeGroup' ? missing.unsubscribeGroupId : 0;
	const inGroup: Verification<PlannedRow> = {
		async read() {
			const recipients = await reads.listGroupRecipients(groupId);
			const members = membersIn(recipients);
			return ({ email }) => spellingsToSend(email).every((one) => members.has(spellingKey(one)));
		},
		rerun: 'addresses already in the group are not added twice.',
	};
	return rows.map((row): RowWrite | undefined => {
		const { action, body, contactId = 0 } = row;
		switch (action) {
			case 'created':
				return (
					body && {
						part: row,
						keys: [createKey(row)],
						...(list?.takesMany && { batch: 'created' }),
						prepare: ({ parts }) =>
							list
								? list.add(parts.flatMap((part) => part.body ?? []))
								: createRequest(client, body),
					}
				);
			case 'updated':
			case 'moved':
				return (
					body && {
						part: row,
						phase: action === 'moved' ? 1 : 0,
						prepare: () => updateRequest(client, contactId, body),
						verify: inList,
					}
				);
			case 'addedToGroup':
				return {
					part: row,
					phase: 2,
					batch: 'added',
					prepare: ({ parts }) =>
						addToGroupRequest(client, groupId, allSpellingsToSend(parts.map(({ email }) => email))),
					verify: inGroup,
				};
			case 'deleted':
				return {
					part: row,
					phase: 3,
					...(list?.removesMany !== false && { batch: 'deleted' }),
					// The service refuses the whole request if one of its entries no longer exists (25).
					prepare: ({ parts, isAlone }) =>
						removalRequest(
							given,
							parts.map((part) => part.contactId ?? 0),
							isAlone,
							removal,
						),
					// Another run may have removed it since the list was read.
					explain: (failure, { parts }) =>
						parts.length === 1 && failure.isNotFound ? undefined : failure,
					verify: inList,
				};
			default:
				return undefined;
		}
	});
}

/** What the requests that add people call the address (2, 9, 19, 28, 50b). */
const ADDRESS_FIELDS: ReadonlySet<string> = new Set(['email', 'email_address']);

/** A create to look up in the list; undefined if it was not sent, or certainly refused. */
function createOf(row: PlannedRow, outcome: Outcome | undefined): Create | undefined {
	const failure = failureOf(outcome);
	if (outcome === undefined || outcome.kind === 'notSent') return undefined;
	if (!failure) return { row, answer: 'succeeded', problem: '' };
	const { code, effect, rejectedFields } = failure;
	const known = { row, code, problem: reasonOf(failure) };
	if (effect === 'unknown') return { ...known, answer: 'lost' };
	// Another run may have created it in the meantime, or the service may have written a part of a batch.
	const wasRejectedTogether = outcome.kind === 'failed' && outcome.wasRejectedTogether === true;
	const mayBeTaken =
		wasRejectedTogether ||
		rejectedFields?.length === 0 ||
		rejectedFields?.some((field) => ADDRESS_FIELDS.has(field));
	return mayBeTaken ? { ...known, answer: 'refused', wasRejectedTogether } : undefined;
}
