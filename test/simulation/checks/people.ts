import type { IDataObject } from 'n8n-workflow';

import { recipientList, type ActorChoice, type Limit } from '../actors/index.ts';
import { LISTED } from '../sometimes.ts';
import { GROUP, LEFT_GROUP, RECIPIENT_GROUP, SEGMENT, TYPE } from '../world.ts';
import {
	COMPARED,
	checkContacts,
	checkLimits,
	isAsSaid,
	namesEverybody,
	namesId,
} from './contacts.ts';
import {
	addressOf,
	contactOf,
	rowsOfItems,
	runsOf,
	writeIn,
	type Run,
	type Write,
} from './executions.ts';
import type { Evidence, Finding } from './finding.ts';

/** A list that a workflow keeps as its input says. */
interface Kept {
	workflow: string;
	list: string;
	/** To which whoever is missing is added, in place of a removal. */
	leftList?: string;
	removal: {
		missing: string;
		removeAfter: number;
		onlyAddedBySync: boolean;
		isApproved: boolean;
		limits: Limit[];
	};
	/** Values that the last run leaves behind. */
	compares: string[];
	runs: Run[];
	/** Whom others have changed during each run: what the list shows of them says nothing about it. */
	touched: Map<Run, Set<string>>;
	/** Whom others have removed or moved during each run. */
	left: Map<Run, Set<string>>;
}

const contactList = `contacts ${TYPE}`;

function keptLists(evidence: Evidence): Kept[] {
	const { sync, recipients, others } = evidence.choice as ActorChoice;
	const { resource, ...removal } = recipients;
	const lists = [
		{
			...{ workflow: 'sync', list: contactList, leftList: `group ${LEFT_GROUP}` },
			removal: sync,
			compares: COMPARED,
		},
		{
			...{ workflow: 'recipients', list: recipientList(resource) },
			// Whoever unsubscribed in the service stays on an unsubscribe list.
			removal: resource === 'segment' ? removal : { ...removal, onlyAddedBySync: true },
			compares: resource === 'segment' ? ['first_name'] : [],
		},
	];
	return lists
		.filter(({ workflow }) => workflow === 'sync' || others.includes(workflow))
		.map((kept) => {
			const runs = runsOf(evidence, kept.workflow);
			return { ...kept, runs, ...touchedIn(evidence, runs) };
		});
}

function touchedIn({ entries }: Evidence, runs: Run[]): Pick<Kept, 'touched' | 'left'> {
	const touches = entries.flatMap((entry) => {
		const { at, data = {} } = entry;
		const isByHand = ['edited', 'removedByHand', 'movedByHand'].includes(String(data.change));
		const write = writeIn(entry);
		const emails = isByHand ? [addressOf(data.email)] : (write?.emails ?? []);
		const isLeaving =
			['removedByHand', 'movedByHand'].includes(String(data.change)) ||
			write?.kind === 'remove' ||
			write?.kind === 'move';
		return isByHand || write ? [{ at, emails, isLeaving, run: write?.run }] : [];
	});
	const during = (those: typeof touches) =>
		new Map(
			runs.map((run) => {
				const others = those.filter(
					({ at, run: by }) => by !== run.id && at >= run.began && at <= run.ended,
				);
				return [run, new Set(others.flatMap(({ emails }) => emails))];
			}),
		);
	return { touched: during(touches), left: during(touches.filter(({ isLeaving }) => isLeaving)) };
}

const namedIn = ({ items }: Run) => new Set(items.map(({ email }) => addressOf(email)));

/** The ID that the item of a row has in the other system. */
const customerOf = ({ items, of }: Run, position: number) => items[of[position] ?? -1]?.customer;

/** When contacts were removed or moved first, by whomever: one that is marked as deleted may go for good later. */
function departures({ entries }: Evidence): Map<unknown, number> {
	const gone = new Map<unknown, number>();
	for (const entry of entries) {
		const { at, data = {} } = entry;
		const { kind, ids = [] } = writeIn(entry) ?? {};
		const isLeaving = kind === 'remove' || kind === 'move';
		const isByHand = ['removedByHand', 'movedByHand'].includes(String(data.change));
		const left = isByHand ? [data.id] : isLeaving ? ids : [];
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
		const named = new Set(run.rows.map(contactOf));
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
		const own = contactOf(row);
		return own === undefined || own === contact ? [contact] : [];
	});
	return new Set(named);
}

/**
 * Whose contact is whose, as those runs have shown that had ended when a run began.
 *
 * @param runs are asked for in this order, which is that of their beginning
 */
function contactsBefore(runs: Run[]): (run: Run) => ReadonlyMap<string, unknown> {
	const known = new Map<string, unknown>();
	const toNote = [...runs].sort((a, b) => b.ended - a.ended);
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
		if (!['created', 'updated', 'unchanged'].includes(String(action))) return;
		for (const [other, contact] of known) if (contact === contactId) known.delete(other);
		known.set(String(customer), contactId);
	});
}

/** Nobody is removed whom the input names, nor before it was missing often enough, nor whom the sync did not add. */
function checkRemovals({ list, leftList, removal, runs }: Kept): Finding[] {
	const { missing, removeAfter, onlyAddedBySync } = removal;
	const own = new Set<string>();
	const knownBefore = contactsBefore(runs);
	const findings: Finding[] = [];
	const isOwnAdd = (write: Write) => write.kind === 'add' && write.list === list;
	// Whoever is moved back was moved by hand meanwhile.
	const isRemoval = ({ kind, list: of }: Write) =>
		kind === 'add' ? of === leftList : kind === 'remove' || (kind === 'move' && of === list);
	runs.forEach((run, index) => {
		const added = new Set(run.writes.filter(isOwnAdd).flatMap(({ emails }) => emails));
		for (const email of added) own.add(email);
		for (const {
			emails: [before = ''],
			renamedTo,
		} of run.writes) {
			if (renamedTo !== undefined && own.has(before)) own.add(renamedTo);
		}
		const counted = runs.slice(0, index).filter(({ isSaved }) => isSaved);
		const lastCounted = counted.slice(counted.length - (removeAfter - 1));
		const before = lastCounted.map(namedIn);
		const named = namedIn(run);
		// An approved plan is not remembered.
		const ids = removal.isApproved ? new Set<unknown>() : namedById(knownBefore(run), run);
		for (const { kind, emails, at, ids: removed } of run.writes.filter(isRemoval)) {
			if (removed.some((id) => ids.has(id))) {
				findings.push({
					promise: 'Nobody is removed whom an ID names',
					what: `${emails} at ${at}`,
				});
			}
			if (removed.some((id) => namesId(run, id)) || namesEverybody(run)) {
				// One of two contacts that this run has created.
				if (kind === 'remove' && emails.every((email) => added.has(email))) continue;
				findings.push({
					promise: 'Nobody is removed whom the contact ID of an item names, or may name',
					what: `${emails} at ${at}`,
				});
			}
			const wasNamed = (of: Run) => namesEverybody(of) || removed.some((id) => namesId(of, id));
			for (const email of emails) {
				// One of two contacts that this run has created.
				if (kind === 'remove' && added.has(email)) continue;
				const about = `${email} at ${at} (${kind})`;
				const no = (promise: string) => findings.push({ promise, what: about });
				if (missing === 'ignore') no('Nobody is removed unless it is asked for');
				if (named.has(email)) no('Nobody is removed whom the input names');
				const wasThere = before.some((those) => those.has(email)) || lastCounted.some(wasNamed);
				if (before.length < removeAfter - 1 || wasThere) {
					no(`Nobody is removed before ${removeAfter} executions without them`);
				}
				if (onlyAddedBySync && !own.has(email)) no('Nobody is removed whom the sync did not add');
			}
		}
	});
	return findings;
}

/** Lists that all workflows respect. */
const SUPPRESSING = ['global', `group ${GROUP}`];
/** Whoever is added to these gets less email. */
const KEEPING_OFF = ['', 'global', `group ${RECIPIENT_GROUP}`];

/** Nobody who unsubscribed before a run began is put on a list by it, or changed on one. */
function checkSuppressed({ entries, first }: Evidence): Finding[] {
	const counts = new Map<string, number>();
	/** Since when each address is on such a list. */
	const since = new Map<string, number>();
	const add = (email: string, by: number, at: number) => {
		const count = (counts.get(email) ?? 0) + by;
		counts.set(email, count);
		if (count <= 0) since.delete(email);
		else if (!since.has(email)) since.set(email, at);
	};
	for (const row of first.globalUnsubscribes) add(addressOf(row.email_address), 1, 0);
	for (const row of first.groupRecipients) {
		if (row.unsubscribe_groups_id === GROUP) add(addressOf(row.email_address), 1, 0);
	}
	const began = new Map<number, number>();
	const findings: Finding[] = [];
	for (const entry of entries) {
		const { at, op, id, type, data = {} } = entry;
		if (op === 'execution' && type === 'invoke') began.set(id, at);
		if (data.change === 'unsubscribes') add(addressOf(data.email), 1, at);
		const write = writeIn(entry);
		if (!write) continue;
		const { kind, list, emails, run } = write;
		const by = kind === 'add' ? 1 : kind === 'remove' ? -1 : 0;
		if (SUPPRESSING.includes(list)) for (const email of emails) add(email, by, at);
		if (kind === 'remove' || KEEPING_OFF.includes(list)) continue;
		const wrong = emails.filter((email) => (since.get(email) ?? Infinity) < (began.get(run) ?? 0));
		const promise = 'Nobody is added who has unsubscribed';
		findings.push(...wrong.map((email) => ({ promise, what: `${email} at ${at} (${kind})` })));
	}
	return findings;
}

/** The lists on which nobody is to be twice, with those who were there first. */
function startOf({ first }: Evidence): Map<string, Map<string, number>> {
	const there = new Map<string, Map<string, number>>();
	const add = (list: string, email: string) => {
		const counts = there.get(list) ?? new Map<string, number>();
		there.set(list, counts.set(addressOf(email), (counts.get(addressOf(email)) ?? 0) + 1));
	};
	for (const { email, contact_type_id: type } of first.contacts) add(`contacts ${type}`, email);
	for (const { email, segment_id: segment } of first.segmentRecipients) {
		add(`segment ${segment}`, email);
	}
	const empty = [`segment ${SEGMENT}`, `group ${RECIPIENT_GROUP}`];
	for (const list of empty) if (!there.has(list)) there.set(list, new Map());
	return there;
}

/**
 * No run adds somebody whom it has added, or who was there before it began. Runs of one process wait for each other, so
 * this holds for whom they have added meanwhile, too. Those of two processes cannot.
 *
 * @returns also who was in two files, since the first one was not imported yet when the second run began
 */
function checkDoubles(evidence: Evidence): { findings: Finding[]; inTwoFiles: Set<string> } {
	const there = startOf(evidence);
	const add = (list: string, email: string, by: number) => {
		const counts = there.get(list);
		counts?.set(email, (counts.get(email) ?? 0) + by);
	};
	const began = new Map<number, { at: number; process: string }>();
	/** Who added somebody last. */
	const added = new Map<string, { at: number; process: string | undefined }>();
	/** When those who were in a file are on the list, and whose file it was. */
	const imported = new Map<string, { run: number; from: number }>();
	const findings: Finding[] = [];
	const inTwoFiles = new Set<string>();
	for (const entry of evidence.entries) {
		const { at, op, id, type, process, data = {} } = entry;
		if (op === 'execution' && type === 'invoke') began.set(id, { at, process });
		if (data.change === 'addedByHand') add(contactList, addressOf(data.email), 1);
		if (data.change === 'removedByHand') add(contactList, addressOf(data.email), -1);
		if (data.change === 'movedByHand') {
			add(`contacts ${Number(data.from)}`, addressOf(data.email), -1);
			add(`contacts ${Number(data.to)}`, addressOf(data.email), 1);
		}
		const write = writeIn(entry);
		if (!write || (write.kind === 'update' && write.renamedTo === undefined)) continue;
		const { kind, list, emails, ids, body, run, request, renamedTo } = write;
		if (renamedTo !== undefined) {
			add(list, emails[0] ?? '', -1);
			const to = kind === 'move' ? `contacts ${Number(body.contact_type_id)}` : list;
			if ((there.get(to)?.get(renamedTo) ?? 0) > 0) {
				findings.push({
					promise: 'Nobody is added twice',
					what: `${renamedTo} at ${at} (${to})`,
				});
			}
			add(to, renamedTo, 1);
			continue;
		}
		for (const email of emails) {
			if (kind !== 'add') add(list, email, -ids.length / emails.length);
			if (kind === 'move') add(`contacts ${Number(body.contact_type_id)}`, email, 1);
			if (kind !== 'add') continue;
			const own = began.get(run);
			const other = added.get(`${list} ${email}`);
			const isAtOnce = other && other.process !== own?.process && other.at > (own?.at ?? 0);
			const file = imported.get(`${list} ${email}`);
			const isHidden = file && file.run !== run && file.from > (own?.at ?? 0);
			const isThere = (there.get(list)?.get(email) ?? 0) > 0;
			if (isThere && isHidden) inTwoFiles.add(`${list} ${email}`);
			else if (isThere && !isAtOnce) {
				findings.push({ promise: 'Nobody is added twice', what: `${email} at ${at} (${list})` });
			}
			add(list, email, 1);
			added.set(`${list} ${email}`, { at, process: own?.process });
			const from = at + evidence.choice.csvDelayMs;
			if (request === 'POST /contacts/upload-csv') imported.set(`${list} ${email}`, { run, from });
		}
	}
	return { findings, inTwoFiles };
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

/** What an item says was done, was done; and what failed, certainly had no effect. */
function checkOutcomes({ runs, touched, left }: Kept): Finding[] {
	return runs.flatMap((run) =>
		run.rows.flatMap((row): Finding[] => {
			const failed = (row.error as IDataObject | undefined)?.message ?? row.reason;
			const email = addressOf(row.email);
			const kind = DONE[String(row.action)];
			const wrote = run.writes.filter((write) => write.emails.includes(email));
			const isTouched = touched.get(run)?.has(email) === true;
			// The service confirms the removal or move of somebody whom another run has removed or moved.
			const isGone = (kind === 'remove' || kind === 'move') && left.get(run)?.has(email);
			const isShown = isTouched && String(row.reason).includes(LISTED);
			// A contact that somebody has moved meanwhile is moved back with its new values.
			const isBack = kind === 'update' && wrote.some((write) => write.kind === 'move');
			if (kind && !isGone && !isShown && !isBack && !wrote.some((write) => write.kind === kind)) {
				return [{ promise: 'What is reported as done was done', what: `${row.action} ${email}` }];
			}
			const isFailed = row.action === 'failed' || row.error !== undefined;
			const isOpen =
				isTouched || /could not be read afterwards|may still appear/.test(String(failed));
			// Another item may have the address of its contact, or be about the same one.
			const isOfOther = run.rows.some(
				(other) => other !== row && DONE[String(other.action)] && addressOf(other.email) === email,
			);
			if (!isFailed || isOpen || isOfOther || wrote.length === 0) return [];
			return [
				{ promise: 'What failed had no effect', what: `${email}: ${wrote[0]?.kind}: ${failed}` },
			];
		}),
	);
}

/** Who is on a list in the end. */
function listed({ last }: Evidence, list: string): IDataObject[] {
	const lists: Record<string, object[]> = {
		[contactList]: last.contacts.filter((one) => one.contact_type_id === TYPE && !one.deleted_at),
		[`segment ${SEGMENT}`]: last.segmentRecipients,
	};
	const others = [...last.groupRecipients, ...last.globalUnsubscribes].filter(
		({ unsubscribe_groups_id: group }) => list === (group === null ? 'global' : `group ${group}`),
	);
	return (lists[list] ?? others) as IDataObject[];
}

/** In the end, the service has what the last run says. */
function checkResult(
	evidence: Evidence,
	{ list, runs, compares }: Kept,
	inTwoFiles: ReadonlySet<string>,
): Finding[] {
	const run = runs.findLast(({ isSaved }) => isSaved);
	const { emptyValues } = (evidence.choice as ActorChoice).sync;
	return (run ? rowsOfItems(run) : []).flatMap(({ row, item }): Finding[] => {
		const email = addressOf(row.email);
		if (!['created', 'added', 'updated', 'unchanged'].includes(String(row.action))) return [];
		const there = listed(evidence, list).filter(
			(one) => addressOf(one.email ?? one.email_address) === email,
		);
		const right = there.filter((one) =>
			compares.every((field) => isAsSaid(one, item, field, emptyValues)),
		);
		if (there.length === 1 && right.length === 1) return [];
		if (right.length > 0 && inTwoFiles.has(`${list} ${email}`)) return [];
		const what = `${email} is on ${list} ${there.length} times, ${JSON.stringify(there[0] ?? {})}`;
		return [{ promise: 'In the end, the service has what the input says', what }];
	});
}

/** Nobody is removed, added or called done by mistake. */
export function checkPeople(evidence: Evidence): Finding[] {
	const { findings, inTwoFiles } = checkDoubles(evidence);
	return [
		...checkSuppressed(evidence),
		...checkContacts(evidence),
		...findings,
		...keptLists(evidence).flatMap((kept) => [
			...checkRemovals(kept),
			...checkLimits(kept, (evidence.choice as ActorChoice).retriesOnFail ? 3 : 1),
			...checkIds(evidence, kept),
			...checkOutcomes(kept),
			...checkResult(evidence, kept, inTwoFiles),
		]),
	];
}
