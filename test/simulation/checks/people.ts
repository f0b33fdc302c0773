import type { IDataObject } from 'n8n-workflow';

import type { Entry } from '../history.ts';
import { GROUP, OTHER_TYPE, TYPE } from '../world.ts';
import { troubles, type Evidence, type Finding } from './finding.ts';

/** A run of the sync, and what it wrote. */
interface Run {
	id: number;
	began: number;
	ended: number;
	/** Whether n8n has saved what it left behind. */
	isSaved: boolean;
	named: Set<string>;
	writes: Write[];
	/** Of the node that wrote. */
	rows: IDataObject[];
	/** Whom somebody else changed meanwhile: what the list shows of them says nothing about this run. */
	touched: Set<string>;
}

interface Write {
	at: number;
	kind: 'add' | 'update' | 'delete' | 'move' | 'addToGroup';
	ids: number[];
	emails: string[];
	run: number;
}

const addressOf = (email: unknown) => String(email).trim().toLowerCase();

function kindOf({ write, body }: IDataObject): Write['kind'] | undefined {
	const { contact_type_id: type } = (body ?? {}) as IDataObject;
	switch (write) {
		case 'POST /contacts/add':
			return 'add';
		case 'POST /contacts/update':
			return Number(type) === OTHER_TYPE ? 'move' : 'update';
		case 'POST /contacts/bulk-delete':
		case 'DELETE /contacts/delete':
			return 'delete';
		case 'POST /unsubscribes-groups/manually-add':
			return 'addToGroup';
		default:
			return undefined;
	}
}

function writesOf(entries: readonly Entry[]): Write[] {
	return entries.flatMap(({ at, op, data = {} }) => {
		const kind = op === 'effect' ? kindOf(data) : undefined;
		if (kind === undefined) return [];
		const { ids, emails, run } = data as unknown as Write;
		return [{ at, kind, ids, emails, run }];
	});
}

function runsOf({ entries, quiet }: Evidence): Run[] {
	const writes = writesOf(entries);
	const runs = new Map<number, Run>();
	for (const { at, id, op, type, data = {} } of entries) {
		if (op === 'output') {
			runs.get(Number(data.run))?.rows.splice(0, Infinity, ...(data.items as IDataObject[]));
		}
		if (op !== 'execution') continue;
		if (type !== 'invoke') {
			Object.assign(runs.get(id) ?? {}, { ended: at, isSaved: true });
			continue;
		}
		const items = data.items as IDataObject[];
		runs.set(id, {
			...{ id, began: at, ended: quiet.from, isSaved: false, rows: [], touched: new Set() },
			named: new Set(items.map(({ email }) => addressOf(email))),
			writes: writes.filter(({ run }) => run === id),
		});
	}
	for (const run of runs.values()) {
		const { began: from, ended: to } = run;
		for (const { at, data = {} } of troubles(entries, 'change')) {
			const isTouched = ['edited', 'removedByHand'].includes(String(data.change));
			if (isTouched && at >= from && at <= to) run.touched.add(addressOf(data.email));
		}
	}
	return [...runs.values()];
}

const REMOVALS: ReadonlySet<Write['kind']> = new Set(['delete', 'move', 'addToGroup']);

/** Nobody is removed whom the input names, nor before it was missing often enough, nor whom the sync did not add. */
function checkRemovals({ choice }: Evidence, runs: Run[]): Finding[] {
	const { missing, removeAfter, onlyAddedBySync } = choice;
	const own = new Set<string>();
	const findings: Finding[] = [];
	const remember = (run: Run) =>
		run.writes.forEach(
			({ kind, emails }) => kind === 'add' && emails.forEach((one) => own.add(one)),
		);
	runs.forEach((run, index) => {
		remember(run);
		const counted = runs.slice(0, index).filter(({ isSaved }) => isSaved);
		const before = counted.slice(counted.length - (removeAfter - 1));
		const added = new Set(run.writes.flatMap(({ kind, emails }) => (kind === 'add' ? emails : [])));
		for (const { kind, emails, at } of run.writes.filter(({ kind: one }) => REMOVALS.has(one))) {
			for (const email of emails) {
				// One of two contacts that this run has created.
				if (kind === 'delete' && added.has(email)) continue;
				const about = `${email} at ${at} (${kind})`;
				const no = (promise: string) => findings.push({ promise, what: about });
				if (missing === 'ignore') no('Nobody is removed unless it is asked for');
				if (run.named.has(email)) no('Nobody is removed whom the input names');
				if (before.length < removeAfter - 1 || before.some(({ named }) => named.has(email))) {
					no(`Nobody is removed before ${removeAfter} executions without them`);
				}
				if (onlyAddedBySync && !own.has(email)) no('Nobody is removed whom the sync did not add');
			}
		}
	});
	return findings;
}

/** Since when each address is on a list that the sync respects, for certain. */
function suppressedSince({ entries, first }: Evidence): Map<string, number> {
	const since = new Map<string, number>();
	const there = [
		...first.globalUnsubscribes,
		...first.groupRecipients.filter((one) => one.unsubscribe_groups_id === GROUP),
	];
	for (const { email_address } of there) since.set(addressOf(email_address), 0);
	for (const { at, data } of troubles(entries, 'change')) {
		const email = addressOf(data?.email);
		if (data?.change === 'unsubscribes' && !since.has(email)) since.set(email, at);
	}
	return since;
}

/** Nobody who unsubscribed before a run began is written by it. */
function checkSuppressed(evidence: Evidence, runs: Run[]): Finding[] {
	const since = suppressedSince(evidence);
	return runs.flatMap(({ began, writes }) =>
		writes.flatMap(({ kind, emails, at }) =>
			emails
				.filter((email) => kind !== 'delete' && (since.get(email) ?? Infinity) < began)
				.map((email) => ({
					promise: 'Nobody is added who has unsubscribed',
					what: `${email} at ${at} (${kind})`,
				})),
		),
	);
}

/** No run adds somebody whom it has added, or who was there before it began. */
function checkDoubles({ first, entries }: Evidence): Finding[] {
	const there = new Map<string, number>();
	const add = (email: string, by: number) => there.set(email, (there.get(email) ?? 0) + by);
	for (const { email, contact_type_id } of first.contacts) {
		if (contact_type_id === TYPE) add(addressOf(email), 1);
	}
	const findings: Finding[] = [];
	for (const { op, at, data = {} } of entries) {
		if (data.change === 'addedByHand') add(addressOf(data.email), 1);
		if (data.change === 'removedByHand') add(addressOf(data.email), -1);
		const [write] = op === 'effect' ? writesOf([{ at, op, data } as Entry]) : [];
		if (!write || write.kind === 'update' || write.kind === 'addToGroup') continue;
		for (const email of write.emails) {
			if (write.kind !== 'add') {
				add(email, -write.ids.length / write.emails.length);
				continue;
			}
			if ((there.get(email) ?? 0) > 0) {
				findings.push({ promise: 'Nobody is added twice', what: `${email} at ${at}` });
			}
			add(email, 1);
		}
	}
	return findings;
}

const DONE: Record<string, Write['kind']> = {
	created: 'add',
	updated: 'update',
	deleted: 'delete',
	moved: 'move',
};

/** What an item says was done, was done; and what failed, certainly had no effect. */
function checkOutcomes(_evidence: Evidence, runs: Run[]): Finding[] {
	return runs.flatMap(({ rows, writes, touched }) =>
		rows.flatMap((row): Finding[] => {
			const failed = (row.error as IDataObject | undefined)?.message ?? row.reason;
			const email = addressOf(row.email);
			const kind = DONE[String(row.action)];
			const wrote = writes.filter((write) => write.emails.includes(email));
			if (kind && !wrote.some((write) => write.kind === kind)) {
				return [{ promise: 'What is reported as done was done', what: `${row.action} ${email}` }];
			}
			const isFailed = row.action === 'failed' || row.error !== undefined;
			const isOpen = String(failed).includes('could not be read afterwards') || touched.has(email);
			if (!isFailed || isOpen || wrote.length === 0) return [];
			return [
				{ promise: 'What failed had no effect', what: `${email}: ${wrote[0]?.kind}: ${failed}` },
			];
		}),
	);
}

/** In the end, the service has what the last run says. */
function checkResult({ last, entries }: Evidence, runs: Run[]): Finding[] {
	const run = runs.findLast(({ isSaved }) => isSaved);
	const items = entries.find(({ id, op }) => op === 'execution' && id === run?.id)?.data?.items;
	const wanted = new Map((items as IDataObject[]).map((item) => [addressOf(item.email), item]));
	return (run?.rows ?? []).flatMap(({ action, email: shown }): Finding[] => {
		const email = addressOf(shown);
		const item = wanted.get(email);
		if (!item || !['created', 'updated', 'unchanged'].includes(String(action))) return [];
		const there = last.contacts.filter(
			(one) => addressOf(one.email) === email && one.contact_type_id === TYPE && !one.deleted_at,
		);
		const isRight = there.every((one) => one.first_name === item.first_name);
		if (there.length === 1 && isRight) return [];
		const what = `${email} is there ${there.length} times, ${JSON.stringify(there[0] ?? {})}`;
		return [{ promise: 'In the end, the service has what the input says', what }];
	});
}

/** The gates of a sync: nobody is removed, added or called done by mistake. */
export function checkPeople(evidence: Evidence): Finding[] {
	const runs = runsOf(evidence);
	return [checkRemovals, checkSuppressed, checkDoubles, checkOutcomes, checkResult].flatMap(
		(check) => check(evidence, runs),
	);
}
