import type { IDataObject } from 'n8n-workflow';

import { troubles, type Evidence, type Finding, type Tables, type Trigger } from './evidence.ts';
import type { Entry } from './history.ts';

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

/**
 * A loss, or one that is expected since it fits a gap.
 *
 * @param changes when there was something to report
 * @param since when the record was reported last
 * @param shownAt when the loss showed
 */
function missed(
	what: string,
	{ gaps }: Trigger,
	changes: readonly number[],
	since = -Infinity,
	shownAt = Infinity,
): Finding {
	const unreported = changes.filter((change) => change > since);
	const gap = gaps.find(
		({ at, since: from }) =>
			at <= shownAt && unreported.some((change) => from <= change && change <= at),
	);
	return gap === undefined ? lost(what) : { ...lost(what), expected: gap.why };
}

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
			const events = (data.events ?? []) as IDataObject[];
			emissions.set(id, { at, events, began: polls.get(run) ?? at, hasExecution: false, process });
		}
		const of = op === 'emit' ? id : op === 'saved' ? Number(data.emit) : 0;
		const { hasState, hasExecution } = data;
		const emission = emissions.get(of);
		if (emission && hasState === true) emission.stateAt ??= at;
		if (emission && hasExecution === true) emission.hasExecution = true;
	}
	return [...emissions.values()];
}

/** What a trigger has done, where a history has several. */
const entriesOf = ({ entries }: Pick<Evidence, 'entries'>, { workflow }: Trigger) =>
	workflow === undefined
		? entries
		: entries.filter(
				({ data, op }) => !['poll', 'emit'].includes(op) || data?.workflow === workflow,
			);

/**
 * The events of which n8n has saved something. An event may come again only where n8n has saved its execution and not
 * the state, or not before another main polled: then with the same ID. What n8n loses after it has saved the state, no
 * node can report.
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
			else if (
				before === emission ||
				((before.stateAt ?? Infinity) < began && !isOvertaken(before))
			)
				findings.push(twice(`${one.event} of ${one.key} at ${at}`));
		}
	}
	return { reported, findings };
}

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
/** The status of a campaign that is being sent; before, it has the counts of its original, if any. */
const RUNNING = 2;
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

const describe = ({ event, previous, status }: Reported) =>
	`${event} ${previous ?? '–'}→${status ?? '–'}`;

/** Whether an event goes on from the status that was reported last. */
function goesOn({ event, previous, status }: Reported, known: number | undefined): boolean {
	if (event.endsWith('Created')) return known === undefined;
	if (event.endsWith('Deleted')) return known !== undefined && previous === known;
	// A record that was new and had moved already has both events at once.
	return previous === null ? status === known : previous === known && status !== known;
}

/**
 * A campaign or an automation from event to event: each goes on from the status that the one before ended with, up to
 * the status that the record has now. So every change is reported exactly once, be it alone or together with others.
 */
function follow(
	[kind, key]: [kind: string, key: string],
	events: readonly Reported[],
	{ old, now }: { old?: Tracked; now?: Tracked },
	changes: Array<{ at: number; change: unknown }>,
	trigger: Trigger,
): Finding[] {
	const about = `${kind} ${key}`;
	const findings: Finding[] = [];
	const times = changes.map(({ at }) => at);
	const deletedAt = changes.find(({ change }) => change === 'deleted')?.at ?? Infinity;
	let known = old?.status;
	let since: number | undefined;
	let isGone = false;
	const described = new Set<string>();
	for (const one of events) {
		const what = describe(one);
		if (isGone || !goesOn(one, known)) {
			const found = missed(`${about}: ${what} after ${known}`, trigger, times, since, one.at);
			const isAgain = found.expected === undefined && described.has(what);
			findings.push(isAgain ? twice(found.what) : found);
		}
		described.add(what);
		if (!one.event.endsWith('Deleted')) known = one.status ?? undefined;
		// A list that is not whole may show the record again.
		else if (deletedAt <= one.at) isGone = true;
		since = one.at;
	}
	const isReported = events.some(({ event }) => event.endsWith('Deleted'));
	if (now && now.status !== known) {
		const what = `${about} has status ${now.status}, and ${known} was reported last`;
		findings.push(missed(what, trigger, times, since));
	}
	// Of a record that no poll has seen, nothing is reported.
	const isKnown = old !== undefined || events.length > 0;
	const isDue = !now && isKnown && trigger.events.includes(`${kind}Deleted`) && !isReported;
	if (isDue) findings.push(missed(`${about} deleted`, trigger, times, since));
	return findings;
}

/** What happens once at most, and is to be reported if it has happened. */
function checkOnce(
	about: string,
	reported: number,
	isDue: boolean,
	orElse: () => Finding,
): Finding[] {
	if (reported > 1) return [twice(about)];
	return isDue && reported === 0 ? [orElse()] : [];
}

/** Each record that was there at any time. */
function checkSnapshots(
	{ entries, first, last }: Evidence,
	trigger: Trigger,
	reported: Reported[],
	{ table, kind, path }: (typeof SNAPSHOTS)[number],
): Finding[] {
	const { threshold, toStatus } = trigger;
	const own = reported.filter(({ event }) => event.startsWith(kind));
	const reads = entries.filter(({ op, process }) => op === `GET ${path}` || process === 'trouble');
	const changes = troubles(entries, 'change').filter(({ data }) => data?.table === table);
	const old = new Map((first[table] as Tracked[]).map((row) => [row.utr, row]));
	const there = (last[table] as Tracked[]).filter((row) => isThere(row) && !isTest(row));
	const now = new Map(there.map((row) => [row.utr, row]));
	const keys = new Set([
		...[...old.keys(), ...now.keys(), ...own.map(({ key }) => key)],
		...changes
			.filter(({ data }) => data?.change === 'created')
			.map(({ data }) => String(data?.key)),
	]);
	return [...keys].flatMap((key) => {
		const about = `${kind} ${key}`;
		const row = { old: old.get(key), now: now.get(key) };
		const of = own.filter((one) => one.key === key);
		const named = (...events: string[]) =>
			of.filter(({ event }) => events.some((name) => event === `${kind}${name}`));
		const acts = changes.flatMap(({ at, data }) =>
			data?.key === key ? [{ at, change: data.change }] : [],
		);
		const times = acts.map(({ at }) => at);
		if (toStatus !== undefined) {
			const what = `${about} at status ${toStatus}`;
			const isDue = row.now?.status === toStatus && row.old?.status !== toStatus;
			return checkOnce(what, of.length, isDue, () => missed(what, trigger, times.slice(-1)));
		}
		const reached = named('StatisticReached').length;
		const bounces = `${about} reached ${threshold} bounces`;
		const hasReached = ({ bounces: count = 0, status = 0 }: Partial<Tracked> = {}) =>
			threshold !== undefined && status >= RUNNING && count >= threshold;
		const mustReach = kind === 'singleSend' && hasReached(row.now) && !hasReached(row.old);
		return [
			...follow([kind, key], named('Created', 'StatusChanged', 'Deleted'), row, acts, trigger),
			...named('Deleted')
				.filter(({ at }) => readsWithout(reads, path, key, at) < 2)
				.map(({ at }) => wrong(`${about} deleted at ${at}`)),
			...checkOnce(bounces, reached, mustReach, () => lost(bounces)),
		];
	});
}

const ENTRIES = [
	['contacts', 'contactAdded'],
	['globalUnsubscribes', 'globalUnsubscribeAdded'],
	['groupRecipients', 'unsubscribeGroupRecipientAdded'],
	['segmentRecipients', 'segmentRecipientAdded'],
] as const;

interface Listed {
	id: number;
	created_at: string;
	deleted_at?: string | null;
	contact_type_id?: number;
	unsubscribe_groups_id?: number | null;
}

const isWatched = (row: Listed, table: keyof Tables, { group, contactType }: Trigger) =>
	isThere(row) &&
	(table !== 'groupRecipients' || row.unsubscribe_groups_id === group) &&
	(table !== 'contacts' || contactType === undefined || row.contact_type_id === contactType);

/** Entries of lists that are read up to a mark. */
function checkEntries({ first, last, start }: Evidence, trigger: Trigger, reported: Reported[]) {
	return ENTRIES.flatMap(([table, event]): Finding[] => {
		if (!trigger.events.includes(event)) return [];
		const old = new Set(first[table].map(({ id }) => String(id)));
		const told = reported.filter((one) => one.event === event).map(({ key }) => key);
		const added = (last[table] as Listed[]).filter(
			(row) => isWatched(row, table, trigger) && ![...told, ...old].includes(String(row.id)),
		);
		return [
			...told.filter((id) => old.has(id)).map((id) => wrong(`${event} ${id} was there before`)),
			...told.filter((id, index) => told.indexOf(id) < index).map((id) => twice(`${event} ${id}`)),
			...added.map(({ id, created_at }) =>
				missed(`${event} ${id}`, trigger, [Date.parse(created_at) - start]),
			),
		];
	});
}

/** The last change of each contact that is there, and none of them twice. */
function checkUpdates({ first, last, start }: Evidence, trigger: Trigger, reported: Reported[]) {
	if (!trigger.events.includes('contactUpdated')) return [];
	const old = new Map(first.contacts.map(({ id, updated_at }) => [String(id), updated_at]));
	const updates = reported.filter(({ event }) => /^contact(Added|Updated)$/.test(event));
	const changeOf = ({ key, event, record }: Reported) => `${event} ${key} ${record.updated_at}`;
	const again = updates.filter(
		(one, index) => updates.findIndex((other) => changeOf(other) === changeOf(one)) < index,
	);
	const missing = last.contacts.flatMap((row): Finding[] => {
		const { id, updated_at } = row;
		const told = updates.filter(({ key }) => key === String(id));
		const known = [
			old.get(String(id)) ?? '',
			...told.map(({ record }) => String(record.updated_at)),
		]
			.sort()
			.at(-1);
		if (!isWatched(row, 'contacts', trigger) || known === '' || known === updated_at) return [];
		const what = `contact ${id} changed at ${updated_at}, and ${known} was reported last`;
		return [missed(what, trigger, [Date.parse(updated_at) - start])];
	});
	const isUpdate = ({ event }: Reported) => event === 'contactUpdated';
	return [...again.filter(isUpdate).map((one) => twice(changeOf(one))), ...missing];
}

function checkSenders({ first, last }: Evidence, trigger: Trigger, reported: Reported[]) {
	if (!trigger.events.includes('senderVerified')) return [];
	const old = new Map(first.senders.map(({ id, is_verified }) => [id, is_verified]));
	return last.senders.flatMap(({ id, is_verified }): Finding[] => {
		const about = `sender ${id} verified`;
		const events = reported.filter((one) => one.event === 'senderVerified' && one.record.id === id);
		const isDue = is_verified === 1 && old.get(id) !== 1;
		if (!isDue && events.length > 0) return [twice(about)];
		return checkOnce(about, events.length, isDue, () => lost(about));
	});
}

/** No event is lost, none is reported twice, and each says what happened. */
export function checkEvents(evidence: Evidence): Finding[] {
	return evidence.promises.triggers.flatMap((trigger) => {
		const { reported, findings } = reportedIn(entriesOf(evidence, trigger));
		return [
			...findings,
			...SNAPSHOTS.filter(({ kind }) =>
				trigger.events.some((event) => event.startsWith(kind)),
			).flatMap((snapshot) => checkSnapshots(evidence, trigger, reported, snapshot)),
			...checkEntries(evidence, trigger, reported),
			...checkUpdates(evidence, trigger, reported),
			...checkSenders(evidence, trigger, reported),
		];
	});
}
