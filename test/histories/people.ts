import type { IDataObject } from 'n8n-workflow';

import { checkContacts, namesEverybody, namesId } from './contacts.ts';
import { checkContents } from './contents.ts';
import { duplicatesIn, type Duplicates } from './duplicates.ts';
import type { Evidence, Finding } from './evidence.ts';
import {
	addressOf,
	countOfItems,
	isOf,
	LISTED,
	writeIn,
	type Run,
	type Write,
} from './executions.ts';
import { isTakenOff, keptLists, type Kept } from './kept.ts';
import { checkLimits } from './limits.ts';
import { checkSuppressed } from './suppressed.ts';

const namedIn = ({ items }: Run) => new Set(items?.map(({ email }) => addressOf(email)));

/** The ID that the item of a row has in the other system. */
const customerOf = (run: Run, position: number): unknown =>
	position < countOfItems(run.of) ? run.items?.[run.of[position] ?? -1]?.customer : undefined;

/** When contacts were removed or moved first, by whomever: one that is marked as deleted may go for good later. */
function departures({ entries }: Evidence): Map<unknown, number> {
	const gone = new Map<unknown, number>();
	for (const entry of entries) {
		const { at, data = {} } = entry;
		const { kind, ids = [] } = writeIn(entry) ?? {};
		const isLeaving = kind === 'remove' || kind === 'move';
		const left = isTakenOff(data.change) ? [data.id] : isLeaving ? ids : [];
		for (const id of left) if (!gone.has(id)) gone.set(id, at);
	}
	return gone;
}

/** Whoever has a new address stays one contact, unless another item names it. */
function checkIds(evidence: Evidence, { removal, runs }: Kept): Finding[] {
	if (removal.isApproved) return [];
	const knownBefore = contactsBefore(runs);
	const gone = departures(evidence);
	return runs.flatMap((run) => {
		const known = knownBefore(run);
		const named = new Set(run.rows.map(({ contactId }) => contactId));
		const created = run.rows.filter(({ action }, position) => {
			const contact = known.get(String(customerOf(run, position)));
			const isThere = contact !== undefined && (gone.get(contact) ?? Infinity) > run.ended;
			return action === 'created' && isThere && !named.has(contact);
		});
		const promise = 'Whoever has a new address stays one contact';
		return created.map(({ email }) => ({ promise, what: `${String(email)} at ${run.began}` }));
	});
}

/** The contacts that the items of a run name by their IDs in the other system alone, by what earlier runs have shown. */
function namedById(known: ReadonlyMap<string, unknown>, run: Run): Set<unknown> {
	const named = run.rows.flatMap((row, position) => {
		const contact = known.get(String(customerOf(run, position)));
		const { contactId: own } = row;
		return own === undefined || own === contact ? [contact] : [];
	});
	return new Set(named);
}

/** Whether n8n keeps nothing of a run, because an overlapping one of another process was saved after it. */
const isOverwritten = (run: Run, runs: readonly Run[]): boolean =>
	runs.some(
		({ process, began, ended, isSaved }) =>
			isSaved && process !== run.process && began < run.ended && ended > run.ended,
	);

/**
 * Whose contact is whose, as those runs have shown that had ended when a run began.
 *
 * @param runs are asked for in this order, which is that of their beginning
 */
function contactsBefore(runs: Run[]): (run: Run) => ReadonlyMap<string, unknown> {
	const known = new Map<string, unknown>();
	const toNote = runs.filter((run) => !isOverwritten(run, runs)).sort((a, b) => b.ended - a.ended);
	return ({ began }) => {
		while ((toNote.at(-1)?.ended ?? Infinity) <= began) noteContacts(known, toNote.pop() as Run);
		return known;
	};
}

/** A contact is whose address it has: somebody else who takes that over takes over the contact. */
function noteContacts(known: Map<string, unknown>, run: Run): void {
	if (!run.isSaved) return;
	run.rows.forEach(({ action, contactId }, position) => {
		const customer = customerOf(run, position);
		if (customer === undefined || contactId === undefined) return;
		const isKnown = ['created', 'updated', 'unchanged'].includes(String(action));
		const isStill = action === 'skipped' && known.get(String(customer)) === contactId;
		if (isStill || !(isKnown || action === 'failed' || action === 'skipped')) return;
		// Also where nothing was written: the address is theirs.
		for (const [other, contact] of known) if (contact === contactId) known.delete(other);
		if (isKnown) known.set(String(customer), contactId);
	});
}

/** How many executions count when a node finds out whether it is called several times in each. */
const callsRemembered = 10;

/**
 * Whether it is the first of these executions that calls the workflow several times, or would have if it had not failed:
 * its first call cannot know that.
 */
function isFirstWithCalls(runs: readonly Run[], run: Run): boolean {
	const index = runs.indexOf(run);
	const before = runs.slice(Math.max(0, index - callsRemembered), index);
	return (run.calls > 1 || run.isCutShort) && !before.some(isNotedAsCalled);
}

/**
 * Whether the node has noted that the execution calls the workflow several times: it notes no calls that it refuses, and
 * remembers nothing if it never removes anybody.
 */
function isNotedAsCalled({ calls, rows, parameters }: Run): boolean {
	const { missing, options } = parameters;
	const ids = (options as IDataObject | undefined)?.externalIdField;
	const hasMemory = missing !== 'ignore' || ids !== undefined;
	return calls > 1 && hasMemory && rows.some(({ error }) => !error);
}

/** Nobody is removed whom the input names, nor before it was missing often enough, nor whom the sync did not add. */
function checkRemovals({ list, leftList, removal, runs }: Kept): Finding[] {
	const { missing, removeAfter, onlyAddedBySync } = removal;
	const own = new Set<string>();
	const knownBefore = contactsBefore(runs);
	const findings: Finding[] = [];
	const isOwnAdd = (write: Write) => write.kind === 'add' && write.list === list;
	const addedAt = new Map<string, number>();
	for (const write of runs.flatMap(({ writes }) => writes).filter(isOwnAdd)) {
		for (const email of write.emails) {
			addedAt.set(email, Math.min(write.at, addedAt.get(email) ?? Infinity));
		}
	}
	// Whoever is moved back was moved by hand meanwhile.
	const isRemoval = ({ kind, list: of }: Write) =>
		kind === 'add' ? of === leftList : kind === 'remove' || (kind === 'move' && of === list);
	const names = new Map(
		runs.map((run) => [run, isFirstWithCalls(runs, run) ? new Set<string>() : namedIn(run)]),
	);
	const namesOf = (run: Run) => names.get(run) ?? new Set<string>();
	runs.forEach((run, index) => {
		const added = new Set(run.writes.filter(isOwnAdd).flatMap(({ emails }) => emails));
		for (const email of added) own.add(email);
		for (const {
			emails: [before = ''],
			renamedTo,
			at,
		} of run.writes) {
			// A run that began later may have ended earlier.
			const isOwn = own.has(before) || (addedAt.get(before) ?? Infinity) < at;
			if (renamedTo !== undefined && isOwn) own.add(renamedTo);
		}
		const earlier = runs.slice(0, index);
		// One that was counted in this process may be killed before it is saved.
		const counted = [earlier.filter(({ isSaved }) => isSaved), earlier].map((those) =>
			those.slice(-(removeAfter - 1)),
		);
		const isFirst = isFirstWithCalls(runs, run);
		const named = namesOf(run);
		// An approved plan is not remembered.
		const ids =
			removal.isApproved || isFirst ? new Set<unknown>() : namedById(knownBefore(run), run);
		const removals = run.writes.filter((write) => isRemoval(write) && isOf(write, run));
		for (const { kind, emails, at, ids: removed } of run.items ? removals : []) {
			if (removed.some((id) => ids.has(id))) {
				findings.push({
					promise: 'Nobody is removed whom an ID names',
					what: `${emails} at ${at}`,
				});
			}
			if (!isFirst && (removed.some((id) => namesId(run, id)) || namesEverybody(run))) {
				// One of two contacts that this run has created.
				if (kind === 'remove' && emails.every((email) => added.has(email))) continue;
				findings.push({
					promise: 'Nobody is removed whom the contact ID of an item names, or may name',
					what: `${emails} at ${at}`,
				});
			}
			const wasNamed = (of: Run, email: string) =>
				namesOf(of).has(email) ||
				(!isFirstWithCalls(runs, of) &&
					(namesEverybody(of) || removed.some((id) => namesId(of, id))));
			for (const email of emails) {
				// One of two contacts that this run has created.
				if (kind === 'remove' && added.has(email)) continue;
				const about = `${email} at ${at} (${kind})`;
				const no = (promise: string) => findings.push({ promise, what: about });
				if (missing === 'ignore') no('Nobody is removed unless it is asked for');
				if (named.has(email)) no('Nobody is removed whom the input names');
				const isMissingInAll = (those: Run[]) =>
					those.length >= removeAfter - 1 && !those.some((of) => wasNamed(of, email));
				if (removeAfter > 1 && !counted.some(isMissingInAll)) {
					no(`Nobody is removed before ${removeAfter} executions without them`);
				}
				if (onlyAddedBySync && !own.has(email)) no('Nobody is removed whom the sync did not add');
			}
		}
	});
	return findings;
}

const DONE: Record<string, Write['kind']> = {
	created: 'add',
	added: 'add',
	updated: 'update',
	deleted: 'remove',
	removed: 'remove',
	moved: 'move',
	addedToGroup: 'add',
};

const isDone = ({ action }: IDataObject) => String(action) in DONE;
const saidIn = ({ error, reason }: IDataObject) =>
	String((error as IDataObject | undefined)?.message ?? reason);
/** Whether a row says that it does not know. */
const isOpen = (row: IDataObject) =>
	/could not be read afterwards|may still appear/.test(saidIn(row));

/** Whether a row is about what a write did for an address. */
function isAbout({ kind, ids, emails }: Write, email: string, row: IDataObject): boolean {
	const { contactId: contact } = row;
	const isOther =
		kind !== 'add' && contact !== undefined && ids.length > 0 && !ids.includes(Number(contact));
	const address = addressOf(row.email);
	return !isOther && (kind === 'update' ? emails.includes(address) : email === address);
}

/** What an item says was done, was done. */
function checkDone({ list, runs, touched, left }: Kept): Finding[] {
	return runs.flatMap((run) =>
		run.rows.filter(isDone).flatMap((row): Finding[] => {
			const email = addressOf(row.email);
			const kind = DONE[String(row.action)];
			// The service confirms the removal or move of somebody whom another run has removed or moved.
			const isGone = (kind === 'remove' || kind === 'move') && left.get(run)?.has(email);
			const isShown = touched.get(run)?.has(email) && String(row.reason).includes(LISTED);
			const wrote = run.writes.some((write) => write.kind === kind && isAbout(write, email, row));
			// A contact that somebody has moved meanwhile is moved back with its new values.
			const isMovedBack = ({ kind: own, emails, body }: Write) =>
				own === 'move' &&
				emails.includes(email) &&
				list === `contacts ${Number(body.contact_type_id)}`;
			const isBack = kind === 'update' && run.writes.some(isMovedBack);
			if (isGone || isShown || isBack || wrote) return [];
			const what = `${row.action} ${email} in ${run.id}`;
			return [{ promise: 'What is reported as done was done', what }];
		}),
	);
}

/** What was done is reported as done by the run that did it, and not as failed. */
function checkReported(
	{ list, runs, touched, isRetried }: Kept,
	{ atOnce }: Duplicates,
): Finding[] {
	const byId = new Map(runs.map((run) => [run.id, run]));
	const writes = new Set(runs.flatMap((run) => run.writes));
	return [...writes].flatMap((write) => {
		const possible = write.runs.flatMap((id) => byId.get(id) ?? []);
		if (possible.some(({ isSaved }) => !isSaved)) return [];
		const isOwn = (email: string, { writes: all }: Run) =>
			all.some(({ kind, emails }) => kind === 'add' && emails.includes(email));
		return write.emails.flatMap((email): Finding[] => {
			// One of two contacts of whom one was to go.
			if (write.kind === 'remove' && possible.some((run) => isOwn(email, run))) return [];
			if (atOnce.has(`${write.list} ${email}`)) return [];
			const isTouched = (run: Run) => write.emails.some((own) => touched.get(run)?.has(own));
			if (possible.some(isTouched)) return [];
			const rows = possible.flatMap((run) => run.rows.filter((row) => isAbout(write, email, row)));
			const isFromBefore = ({ action }: IDataObject) =>
				isRetried && ['unchanged', 'skipped'].includes(String(action));
			if (rows.some((row) => isDone(row) || isOpen(row) || isFromBefore(row))) return [];
			// The last try failed as a whole, and says nothing of what the first one did.
			const hasFailed = ({ rows: all }: Run) => all.some(({ action }) => action === undefined);
			if (isRetried && possible.some(hasFailed)) return [];
			// A further try of the node no longer finds whom the first one removed, or may no longer decide about them.
			const isOfMissing = write.kind === 'remove' || write.kind === 'move' || write.list !== list;
			if (isRetried && rows.length === 0 && isOfMissing) return [];
			const [row] = rows;
			const promise = row ? 'What failed had no effect' : 'What was done is reported';
			const what = `${write.kind} of ${email} in ${write.runs}`;
			return [{ promise, what: row ? `${what}: ${row.action}: ${saidIn(row)}` : what }];
		});
	});
}

/** Nobody is removed, added or called done by mistake. */
export function checkPeople(evidence: Evidence): Finding[] {
	const duplicates = duplicatesIn(evidence);
	const lists = keptLists(evidence);
	return [
		...checkSuppressed(evidence),
		...duplicates.findings,
		...lists.flatMap((kept) => [
			...checkRemovals(kept),
			...checkLimits(kept),
			...checkContacts(evidence, kept),
			...checkIds(evidence, kept),
			...checkDone(kept),
			...checkReported(kept, duplicates),
		]),
		...checkContents(evidence, lists, duplicates),
	];
}
