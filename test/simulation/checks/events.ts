import type { IDataObject } from 'n8n-workflow';

import type { Entry } from '../history.ts';
import { THRESHOLD } from '../actors/index.ts';
import { GROUP } from '../world.ts';
import type { Evidence, Finding } from './finding.ts';

/** An event as the trigger reported it, and when. */
interface Reported {
	at: number;
	event: string;
	eventId: string;
	/** `utr` of the record, or its ID. */
	key: string;
	previous: number | null;
	status: number | null;
	record: IDataObject;
}

const lost = (what: string): Finding => ({ promise: 'No event is lost', what });
const twice = (what: string): Finding => ({ promise: 'No event is reported twice', what });
const wrong = (what: string): Finding => ({ promise: 'An event says what happened', what });

const codeOf = (status: unknown) => (status as { code?: number } | null | undefined)?.code ?? null;
const keyOf = (record: IDataObject) => String(record.utr ?? record.id);

function toReported(at: number, event: IDataObject): Reported {
	const record = event.record as IDataObject;
	return {
		at,
		event: String(event.event),
		eventId: String(event.eventId),
		key: keyOf(record),
		previous: codeOf(event.previousStatus),
		status: codeOf(event.status),
		record,
	};
}

/** What n8n saved of the events that a poll returned. */
interface Emission {
	at: number;
	events: IDataObject[];
	/** When the poll began, with the state that was saved by then. */
	began: number;
	/** When its own state was saved. */
	stateAt?: number;
	hasExecution: boolean;
	process: string;
}

function emissionsOf(entries: readonly Entry[]): Emission[] {
	const emissions = new Map<number, Emission>();
	const polls = new Map<number, number>();
	for (const { at, id, op, type, process, of: run = 0, data = {} } of entries) {
		if (op === 'poll' && type === 'invoke') polls.set(id, at);
		if (op === 'emit' && type === 'invoke') {
			const events = data.events as IDataObject[];
			emissions.set(id, { at, events, began: polls.get(run) ?? 0, hasExecution: false, process });
		}
		const of = op === 'emit' ? id : op === 'saved' ? Number(data.emit) : 0;
		const { hasState, hasExecution } = data;
		const emission = emissions.get(of);
		if (emission && hasState === true) emission.stateAt ??= at;
		if (emission && hasExecution === true) emission.hasExecution = true;
	}
	return [...emissions.values()];
}

/**
 * The events of which n8n has saved something. An event may come again only where n8n has saved its execution and not
 * the state, or not before another main polled: then with the same ID. What n8n loses after it has saved the state, no node can report.
 */
function reportedIn(entries: readonly Entry[]): { reported: Reported[]; findings: Finding[] } {
	const polls = entries.filter(({ op, type }) => op === 'poll' && type === 'invoke');
	/** Whether another main began from the state before it: what it reports then, it may report at any later poll. */
	const isOvertaken = ({ at, stateAt = Infinity, process }: Emission) =>
		polls.some((poll) => poll.process !== process && poll.at >= at && poll.at <= stateAt);
	const reported: Reported[] = [];
	const findings: Finding[] = [];
	const known = new Map<string, Emission>();
	for (const emission of emissionsOf(entries)) {
		const { at, events, began, stateAt, hasExecution } = emission;
		if (stateAt === undefined && !hasExecution) continue;
		for (const event of events) {
			const one = toReported(at, event);
			const before = known.get(one.eventId);
			known.set(one.eventId, emission);
			if (before === undefined) reported.push(one);
			else if ((before.stateAt ?? Infinity) < began && !isOvertaken(before))
				findings.push(twice(`${one.event} of ${one.key} at ${at}`));
		}
	}
	return { reported, findings };
}

const isOf =
	(key: string, ...events: string[]) =>
	(one: Reported) =>
		one.key === key && events.includes(one.event);

const SNAPSHOTS = [
	{ table: 'singleSends', kind: 'singleSend', path: '/single-send/list' },
	{ table: 'automations', kind: 'automation', path: '/automations' },
] as const;

interface Tracked {
	utr: string;
	single_send_name?: string;
	status: number;
	bounces?: number;
	deleted_at?: string | null;
}

const isThere = ({ deleted_at }: { deleted_at?: string | null }) => !deleted_at;
/** Tests are not reported. */
const isTest = ({ single_send_name: name = '' }: Tracked) =>
	/^\[Test\] .*\([0-9a-z]{8,}-[0-9a-z]{6}\)$/.test(name);

/** How many reads of a list may have lacked a record, because it was deleted or the list was not whole. */
function readsWithout(entries: readonly Entry[], path: string, key: string, at: number): number {
	const absences = entries.flatMap(({ at: from, process, data = {} }) => {
		if (process !== 'trouble') return [];
		if (data.change === 'deleted' && data.key === key) return [{ from, to: Infinity }];
		return data.shorten === path ? [{ from, to: from + Number(data.ms) }] : [];
	});
	const sent = new Map<number, number>();
	let count = 0;
	for (const { at: now, id, op, type } of entries) {
		if (op !== `GET ${path}` || now > at) continue;
		if (type === 'invoke') sent.set(id, now);
		const since = sent.get(id) ?? now;
		if (type === 'ok' && absences.some(({ from, to }) => from <= now && to >= since)) count++;
	}
	return count;
}

/** Each record that was there at any time. */
function checkSnapshots(
	{ entries, first, last }: Evidence,
	reported: Reported[],
	{ table, kind, path }: (typeof SNAPSHOTS)[number],
): Finding[] {
	const findings: Finding[] = [];
	const old = new Map((first[table] as Tracked[]).map((row) => [row.utr, row]));
	const now = new Map(
		(last[table] as Tracked[])
			.filter((row) => isThere(row) && !isTest(row))
			.map((row) => [row.utr, row]),
	);
	const keys = new Set([
		...[...old.keys(), ...now.keys()],
		...reported.filter(({ event }) => event.startsWith(kind)).map(({ key }) => key),
	]);
	for (const key of keys) {
		const about = `${kind} ${key}`;
		const of = (event: string) => reported.filter(isOf(key, `${kind}${event}`));
		const [created, deleted] = [of('Created'), of('Deleted')];
		const isNew = !old.has(key);
		if (created.length > Number(isNew)) findings.push(twice(`${about} created`));
		if (isNew && now.has(key) && created.length === 0) findings.push(lost(`${about} created`));
		let known = old.get(key)?.status ?? 0;
		for (const { previous, status, at } of of('StatusChanged')) {
			if ((previous ?? 0) !== known) {
				findings.push(
					wrong(`${about} at ${at}: from ${previous}, but ${known} was reported before`),
				);
			}
			known = status ?? -1;
		}
		const current = now.get(key);
		if (current && current.status !== known) {
			findings.push(lost(`${about} has status ${current.status}, and ${known} was reported last`));
		}
		if (!current && (!isNew || created.length > 0) && deleted.length === 0) {
			findings.push(lost(`${about} deleted`));
		}
		for (const { at } of deleted) {
			const reads = readsWithout(entries, path, key, at);
			if (reads < 2) findings.push(wrong(`${about} deleted at ${at}`));
		}
		const reached = of('StatisticReached').length;
		if (reached > 1) findings.push(twice(`${about} reached ${THRESHOLD} bounces`));
		const mustReach =
			(current?.bounces ?? 0) >= THRESHOLD && (old.get(key)?.bounces ?? 0) < THRESHOLD;
		if (kind === 'singleSend' && mustReach && reached === 0) {
			findings.push(lost(`${about} reached ${THRESHOLD} bounces`));
		}
	}
	return findings;
}

const ENTRIES = [
	['contacts', 'contactAdded'],
	['globalUnsubscribes', 'globalUnsubscribeAdded'],
	['groupRecipients', 'unsubscribeGroupRecipientAdded'],
	['segmentRecipients', 'segmentRecipientAdded'],
] as const;

interface Listed {
	id: number;
	deleted_at?: string | null;
	unsubscribe_groups_id?: number | null;
}

/** Entries of lists that are read up to a mark. */
function checkEntries({ first, last }: Evidence, reported: Reported[]): Finding[] {
	return ENTRIES.flatMap(([table, event]) => {
		const old = new Set(first[table].map(({ id }) => String(id)));
		const told = reported.filter((one) => one.event === event).map(({ key }) => key);
		const isWatched = (row: Listed) =>
			table !== 'groupRecipients' || row.unsubscribe_groups_id === GROUP;
		const added = (last[table] as Listed[])
			.filter((row) => isThere(row) && isWatched(row))
			.map(({ id }) => String(id))
			.filter((id) => !old.has(id));
		return [
			...told.filter((id) => old.has(id)).map((id) => wrong(`${event} ${id} was there before`)),
			...told.filter((id, index) => told.indexOf(id) < index).map((id) => twice(`${event} ${id}`)),
			...added.filter((id) => !told.includes(id)).map((id) => lost(`${event} ${id}`)),
		];
	});
}

/** The last change of each contact that is there. */
function checkUpdates({ first, last }: Evidence, reported: Reported[]): Finding[] {
	const old = new Map(first.contacts.map(({ id, updated_at }) => [id, updated_at]));
	return last.contacts.filter(isThere).flatMap(({ id, updated_at }) => {
		const told = reported
			.filter(isOf(String(id), 'contactAdded', 'contactUpdated'))
			.map(({ record }) => String(record.updated_at));
		const known = [old.get(id) ?? '', ...told].sort().at(-1);
		return known === updated_at ? [] : [lost(`contact ${id} changed at ${updated_at}`)];
	});
}

function checkSenders({ first, last }: Evidence, reported: Reported[]): Finding[] {
	const old = new Map(first.senders.map(({ id, is_verified }) => [id, is_verified]));
	return last.senders.flatMap(({ id, is_verified }) => {
		const told = reported.filter(
			(one) => one.event === 'senderVerified' && one.record.id === id,
		).length;
		const expected = Number(is_verified === 1 && old.get(id) !== 1);
		if (told > expected) return [twice(`sender ${id} verified`)];
		return told < expected ? [lost(`sender ${id} verified`)] : [];
	});
}

/** No event is lost, none is reported twice, and each says what happened. */
export function checkEvents(evidence: Evidence): Finding[] {
	const { reported, findings } = reportedIn(evidence.entries);
	return [
		...findings,
		...SNAPSHOTS.flatMap((snapshot) => checkSnapshots(evidence, reported, snapshot)),
		...checkEntries(evidence, reported),
		...checkUpdates(evidence, reported),
		...checkSenders(evidence, reported),
	];
}
