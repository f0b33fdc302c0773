import { FIRST_IDS } from '../../sandbox/blanks.ts';
import type { Entry } from '../../sandbox/journal.ts';
import type { Service, SuppressionList } from '../service.ts';
import { SYNCED_TYPE } from '../workflows.ts';
import { doubled, wrong, type Finding } from './finding.ts';
import { type Overlaps, secondCreates } from './overlaps.ts';
import { type SyncRun, within } from './runs.ts';
import type { PossibleRun, Write } from './write.ts';

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

/**
 * Every write that the sandbox got, in its order. Only the sync reads the suppression lists, at its start and, in one
 * process, one run at a time.
 */
export function writesOf(journal: Entry[]): Write[] {
	const writes: Write[] = [];
	let run: PossibleRun = { id: 0, from: 0, readAt: { globalUnsubscribes: 0, groupRecipients: 0 } };
	// The soak's own contacts came first, and others are numbered as they are added.
	let created = 0;
	for (const entry of journal) {
		const list = LISTS[entry.path];
		if (list !== undefined) {
			const at = Date.parse(entry.time);
			if (list === 'globalUnsubscribes') run = { ...run, id: run.id + 1, from: at };
			run = { ...run, readAt: { ...run.readAt, [list]: at } };
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
			runs: [run],
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

/** The writes with the executions that may have sent them, where several run at the same time. */
export const amongRuns = (writes: Write[], runs: SyncRun[]): Write[] =>
	writes.map((write) => ({
		...write,
		runs: runs
			.filter((run) => within(write, run))
			.map(({ execution: { id }, from }) => ({
				id,
				from,
				readAt: { globalUnsubscribes: from, groupRecipients: from },
			})),
	}));

/** The addresses of the contacts that were there first. */
export const seededAddresses = ({ seeded }: Pick<Service, 'seeded'>): Map<number, string> =>
	new Map(seeded.map(({ id, email }) => [id, email.toLowerCase()]));

/** The address that each contact has had. */
function addressesById(writes: Write[], service: Service): Map<number, string> {
	const addresses = seededAddresses(service);
	for (const { kind, ids, email } of writes) {
		if (kind === 'create') for (const id of ids) addresses.set(id, email);
	}
	return addresses;
}

/** What the writes must not be, whatever came of them. */
export function checkWrites(writes: Write[], service: Service, overlaps: Overlaps): Finding[] {
	const addresses = addressesById(writes, service);
	return [
		...secondCreates(writes, seededAddresses(service))
			.filter(({ second }) => !overlaps.has(second))
			.map(({ email, second: { n } }) =>
				doubled(`request ${n} created ${email}, who was there already`),
			),
		...writes.flatMap((write) => [
			...blanks(write),
			...write.ids.flatMap((id) => unwanted(write, addresses.get(id), service)),
		]),
		...repeated(writes),
	];
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
	{ n, kind, runs, carriedOut }: Write,
	email: string | undefined,
	{ unsubscribed }: Service,
): Finding[] {
	const entry = email === undefined ? undefined : unsubscribed.get(email);
	if (!entry || !carriedOut) return [];
	if (runs.some(({ readAt }) => readAt[entry.list] <= entry.at)) return [];
	return [wrong(`request ${n} is a ${kind} of ${email}, who had unsubscribed`)];
}

/** A write sent again by the same run although the first one may have been carried out. */
function repeated(writes: Write[]): Finding[] {
	const open = new Map<string, number>();
	const findings: Finding[] = [];
	for (const { n, kind, runs, email, ids, turnedAway } of writes) {
		const [run, another] = runs;
		if (run === undefined || another !== undefined) continue;
		const keys = kind === 'create' ? [email] : ids.map(String);
		// A chunk that was refused is deleted one by one, which is not the same request.
		const key = `${run.id} ${kind} ${keys.join()}`;
		const before = open.get(key);
		if (before !== undefined) findings.push(doubled(`request ${n} repeats request ${before}`));
		if (!turnedAway) open.set(key, n);
	}
	return findings;
}
