import type { Evidence, Finding } from './evidence.ts';
import { addressOf, writeIn } from './executions.ts';

const twice = (email: string, list: string, at: number): Finding => ({
	promise: 'Nobody is added twice',
	what: `${email} at ${at} (${list})`,
});

/** The lists on which nobody is to be twice, with those who were there first. */
function startOf({ first, promises }: Evidence): Map<string, Map<string, number>> {
	const there = new Map<string, Map<string, number>>();
	const add = (list: string, email: string) => {
		const counts = there.get(list) ?? new Map<string, number>();
		there.set(list, counts.set(addressOf(email), (counts.get(addressOf(email)) ?? 0) + 1));
	};
	for (const { email, contact_type_id: type } of first.contacts) add(`contacts ${type}`, email);
	for (const { email, segment_id: segment } of first.segmentRecipients) {
		add(`segment ${segment}`, email);
	}
	const groups = first.groupRecipients.map(({ unsubscribe_groups_id: id }) => `group ${id}`);
	const hasStart = (list: string) => list !== 'global' && !groups.includes(list);
	for (const { list } of promises.lists) {
		if (hasStart(list) && !there.has(list)) there.set(list, new Map());
	}
	return there;
}

export interface Duplicates {
	findings: Finding[];
	/**
	 * Who was in two files, or in a file and renamed, since the first one was not imported yet when the second run began.
	 * How often the service imported them is unknown.
	 */
	inTwoFiles: ReadonlySet<string>;
	/** Who is there twice, because somebody moved one of the contacts there. */
	doubledByHand: ReadonlySet<string>;
	/** The runs of different processes that added somebody at the same time. */
	atOnce: ReadonlyMap<string, readonly number[]>;
}

/**
 * No run adds somebody whom it has added, or who was there before it began. Runs of one process wait for each other, so
 * this holds for whom they have added meanwhile, too. Those of two processes cannot.
 */
export function duplicatesIn(evidence: Evidence): Duplicates {
	const { entries, promises } = evidence;
	const there = startOf(evidence);
	const byHand = promises.lists[0]?.list ?? '';
	const add = (list: string, email: string, by: number) => {
		const counts = there.get(list);
		counts?.set(email, (counts.get(email) ?? 0) + by);
	};
	const began = new Map<number, { at: number; process: string }>();
	/** Which runs may have added somebody last. */
	const added = new Map<string, { at: number; runs: number[] }>();
	/** When those who were in a file are on the list, and whose file it was. */
	const imported = new Map<string, { runs: number[]; from: number }>();
	const findings: Finding[] = [];
	const inTwoFiles = new Set<string>();
	const doubledByHand = new Set<string>();
	/** When somebody moved a contact there. */
	const movedThere = new Map<string, number>();
	const atOnce = new Map<string, number[]>();
	/** Whether the file of another run had somebody whom the list did not show yet when these runs began. */
	const isHidden = (key: string, runs: readonly number[]) => {
		const file = imported.get(key);
		return (
			file !== undefined &&
			runs.every((run) => !file.runs.includes(run) && file.from > (began.get(run)?.at ?? 0))
		);
	};
	for (const entry of entries) {
		const { at, op, id, type, process, data = {} } = entry;
		if (op === 'execution' && type === 'invoke') began.set(id, { at, process });
		if (data.change === 'addedByHand') add(byHand, addressOf(data.email), 1);
		if (data.change === 'removedByHand') add(byHand, addressOf(data.email), -1);
		if (data.change === 'movedByHand') {
			const [email, to] = [addressOf(data.email), `contacts ${Number(data.to)}`];
			add(`contacts ${Number(data.from)}`, email, -1);
			if ((there.get(to)?.get(email) ?? 0) > 0) doubledByHand.add(`${to} ${email}`);
			movedThere.set(`${to} ${email}`, at);
			add(to, email, 1);
		}
		const write = writeIn(entry);
		if (!write || (write.kind === 'update' && write.renamedTo === undefined)) continue;
		const { kind, list, emails, ids, before, body, runs, request, renamedTo } = write;
		// A deleted contact is on no list, whatever is written to it.
		if (before && (before.deleted_at ?? null) !== null) continue;
		if (renamedTo !== undefined) {
			add(list, emails[0] ?? '', -1);
			const to = kind === 'move' ? `contacts ${Number(body.contact_type_id)}` : list;
			const key = `${to} ${renamedTo}`;
			const isThere = (there.get(to)?.get(renamedTo) ?? 0) > 0;
			if (isThere && isHidden(key, runs)) inTwoFiles.add(key);
			else if (isThere && !inTwoFiles.has(key)) findings.push(twice(renamedTo, to, at));
			add(to, renamedTo, 1);
			continue;
		}
		for (const email of emails) {
			if (kind !== 'add') add(list, email, -ids.length / emails.length);
			if (kind === 'move') add(`contacts ${Number(body.contact_type_id)}`, email, 1);
			if (kind !== 'add') continue;
			const key = `${list} ${email}`;
			const other = added.get(key);
			const isAtOnce = runs.some((run) => {
				const own = began.get(run);
				const isElsewhere = (one: number) => began.get(one)?.process !== own?.process;
				return other && other.at > (own?.at ?? 0) && other.runs.some(isElsewhere);
			});
			const isThere = (there.get(list)?.get(email) ?? 0) > 0;
			const isMovedMeanwhile = runs.every(
				(run) => (movedThere.get(key) ?? 0) > (began.get(run)?.at ?? 0),
			);
			if (isThere && isHidden(key, runs)) inTwoFiles.add(key);
			else if (isThere && isMovedMeanwhile) doubledByHand.add(key);
			else if (isThere && isAtOnce) {
				atOnce.set(key, [...(atOnce.get(key) ?? []), ...(other?.runs ?? []), ...runs]);
			} else if (isThere && !inTwoFiles.has(key)) {
				findings.push(twice(email, list, at));
			}
			add(list, email, 1);
			added.set(key, { at, runs });
			const from = at + promises.csvDelayMs;
			if (request === 'POST /contacts/upload-csv') imported.set(key, { runs, from });
		}
	}
	return { findings, inTwoFiles, doubledByHand, atOnce };
}
