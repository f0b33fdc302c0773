import { FIRST_IDS } from '../../sandbox/blanks.ts';
import type { Entry } from '../../sandbox/journal.ts';
import type { Service, SuppressionList } from '../service.ts';
import { SYNCED_TYPE } from '../workflows.ts';
import { doubled, wrong, type Finding } from './finding.ts';

export interface Write {
	n: number;
	at: number;
	kind: 'create' | 'update' | 'delete';
	/** The contacts, by id; a create has one only where it was carried out. */
	ids: number[];
	/** Of a create and of an update. */
	email: string;
	body: Record<string, string>;
	carriedOut: boolean;
	/** What the caller saw left no doubt that it was not carried out. */
	turnedAway: boolean;
	/** Counts the runs of the sync: each starts by reading the suppression lists. */
	run: number;
	/** When that run read each suppression list. */
	readAt: Record<SuppressionList, number>;
}

const KINDS: Record<string, Write['kind']> = {
	'/contacts/add': 'create',
	'/contacts/update': 'update',
	'/contacts/bulk-delete': 'delete',
	'/contacts/delete': 'delete',
};
const LISTS: Record<string, SuppressionList> = {
	'/global-unsubscribes': 'globalUnsubscribes',
	'/unsubscribes-groups/recipients-list': 'groupRecipients',
};
/** Statuses that say that nothing was done; the soak sends 503 with a Retry-After only. */
const AWAY = new Set([401, 403, 404, 429, 503]);

function textsOf({ body, query }: Entry): Record<string, string> {
	const texts: Record<string, string> = {};
	for (const [name, value] of Object.entries({ ...query, ...body })) {
		if (typeof value === 'string') texts[name] = value;
	}
	return texts;
}

/** Every write that the sandbox got, in its order. Only the sync reads the suppression lists, one run at a time. */
export function writesOf(journal: Entry[]): Write[] {
	const writes: Write[] = [];
	const readAt: Write['readAt'] = { globalUnsubscribes: 0, groupRecipients: 0 };
	let run = 0;
	// The soak's own contacts came first, and others are numbered as they are added.
	let created = 0;
	for (const entry of journal) {
		const list = LISTS[entry.path];
		if (list !== undefined) {
			if (list === 'globalUnsubscribes') run++;
			readAt[list] = Date.parse(entry.time);
		}
		const kind = KINDS[entry.path];
		if (kind === undefined) continue;
		const body = textsOf(entry);
		const carriedOut = entry.outcome === 'success';
		const named = Object.entries(body).filter(([name]) => /^strIds|^contact_id$/.test(name));
		const ids =
			kind === 'create' ? (carriedOut ? [created++] : []) : named.map(([, id]) => Number(id));
		const turnedAway = entry.fault === 'status' && AWAY.has(entry.status ?? 0);
		const at = Date.parse(entry.time);
		const email = (body.email ?? '').toLowerCase();
		writes.push({
			n: entry.n,
			at,
			kind,
			ids,
			email,
			body,
			carriedOut,
			turnedAway,
			run,
			readAt: { ...readAt },
		});
	}
	return writes;
}

/** Ids of the contacts that the sync created, in place of their ordinal numbers. */
export function numberCreated(writes: Write[], seeded: number): Write[] {
	const first = FIRST_IDS.contacts + seeded;
	return writes.map((write) =>
		write.kind === 'create' ? { ...write, ids: write.ids.map((id) => id + first) } : write,
	);
}

/** The address that each contact has had. */
function addressesById(writes: Write[], { seeded }: Service): Map<number, string> {
	const addresses = new Map(seeded.map(({ id, email }) => [id, email.toLowerCase()]));
	for (const { kind, ids, email } of writes) {
		if (kind === 'create') for (const id of ids) addresses.set(id, email);
	}
	return addresses;
}

/** What the writes must not be, whatever came of them. */
export function checkWrites(writes: Write[], service: Service): Finding[] {
	const addresses = addressesById(writes, service);
	return [
		...createdTwice(writes, service),
		...writes.flatMap((write) => [
			...blanks(write),
			...write.ids.flatMap((id) => unwanted(write, addresses.get(id), service)),
		]),
		...repeated(writes),
	];
}

function createdTwice(writes: Write[], { seeded }: Service): Finding[] {
	const findings: Finding[] = [];
	const present = new Map(seeded.map(({ id, email }) => [id, email.toLowerCase()]));
	for (const { n, kind, ids, email, carriedOut } of writes) {
		if (!carriedOut) continue;
		if (kind === 'delete') for (const id of ids) present.delete(id);
		if (kind !== 'create') continue;
		if ([...present.values()].includes(email)) {
			findings.push(doubled(`request ${n} created ${email}, who was there already`));
		}
		for (const id of ids) present.set(id, email);
	}
	return findings;
}

function blanks({ n, kind, body }: Write): Finding[] {
	if (kind === 'delete') return [];
	const blank = Object.keys(body).filter((name) => body[name]?.trim() === '');
	const type = Number(body.contact_type_id);
	return [
		...blank.map((name) => wrong(`request ${n} blanks ${name} of ${body.email}`)),
		...(type === SYNCED_TYPE ? [] : [wrong(`request ${n} writes to contact type ${type}`)]),
	];
}

/** A write for somebody who unsubscribed before its run read the list. */
function unwanted(
	{ n, kind, readAt, carriedOut }: Write,
	email: string | undefined,
	{ unsubscribed }: Service,
): Finding[] {
	const entry = email === undefined ? undefined : unsubscribed.get(email);
	if (!entry || !carriedOut || readAt[entry.list] <= entry.at) return [];
	return [wrong(`request ${n} is a ${kind} of ${email}, who had unsubscribed`)];
}

/** A write sent again by the same run although the first one may have been carried out. */
function repeated(writes: Write[]): Finding[] {
	const open = new Map<string, number>();
	const findings: Finding[] = [];
	for (const { n, kind, run, email, ids, turnedAway } of writes) {
		const keys = kind === 'create' ? [email] : ids.map(String);
		// A chunk that was refused is deleted one by one, which is not the same request.
		const key = `${run} ${kind} ${keys.join()}`;
		const before = open.get(key);
		if (before !== undefined) findings.push(doubled(`request ${n} repeats request ${before}`));
		if (!turnedAway) open.set(key, n);
	}
	return findings;
}
