import type { Evidence, Finding } from './evidence.ts';
import { addressOf, writeIn } from './executions.ts';

/** How runs read the lists of those who have unsubscribed. */
const READS = ['GET /global-unsubscribes', 'GET /unsubscribes-groups/recipients-list'];
const readOf = (list: string) => READS[list === 'global' ? 0 : 1] ?? '';

/** Nobody who unsubscribed before a run read the lists is put on another list by it, or changed on one. */
export function checkSuppressed({ entries, first, promises }: Evidence): Finding[] {
	const { suppressing, keepingOff } = promises;
	const counts = new Map<string, number>();
	/** Since when each address is on such a list, by list. */
	const since = new Map<string, Map<string, number>>();
	const add = (list: string, email: string, by: number, at: number) => {
		const count = (counts.get(`${list} ${email}`) ?? 0) + by;
		counts.set(`${list} ${email}`, count);
		const times = since.get(email) ?? new Map<string, number>();
		since.set(email, times);
		if (count <= 0) times.delete(list);
		else if (!times.has(list)) times.set(list, at);
	};
	for (const { email_address } of first.globalUnsubscribes) {
		add('global', addressOf(email_address), 1, -Infinity);
	}
	for (const { email_address, unsubscribe_groups_id: group } of first.groupRecipients) {
		const list = `group ${group}`;
		if (suppressing.includes(list)) add(list, addressOf(email_address), 1, -Infinity);
	}
	/** When each run began, and when it read each of the lists last. */
	const looked = new Map<string, number>();
	const findings: Finding[] = [];
	for (const entry of entries) {
		const { at, op, id, of, type, data = {} } = entry;
		if (op === 'execution' && type === 'invoke') looked.set(`${id}`, at);
		if (READS.includes(op) && type === 'invoke') looked.set(`${of} ${op}`, at);
		if (data.change === 'unsubscribes') {
			const list = data.table === 'globalUnsubscribes' ? 'global' : suppressing.at(-1);
			add(list ?? '', addressOf(data.email), 1, at);
		}
		const write = writeIn(entry);
		if (!write) continue;
		const { kind, list, emails, runs } = write;
		const by = kind === 'add' ? 1 : kind === 'remove' ? -1 : 0;
		if (suppressing.includes(list)) for (const email of emails) add(list, email, by, at);
		if (kind === 'remove' || keepingOff.includes(list)) continue;
		const wrong = emails.filter((email) =>
			[...(since.get(email) ?? [])].some(([of, from]) =>
				runs.every(
					(run) => from < (looked.get(`${run} ${readOf(of)}`) ?? looked.get(`${run}`) ?? 0),
				),
			),
		);
		const promise = 'Nobody is added who has unsubscribed';
		findings.push(...wrong.map((email) => ({ promise, what: `${email} at ${at} (${kind})` })));
	}
	return findings;
}
