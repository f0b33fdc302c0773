import type { Evidence, Finding } from './evidence.ts';
import { addressOf, runsOf, writeIn, type Run } from './executions.ts';

/** The records of each person, as `contacts 21 5`: those that keep them off lists are not to be erased. */
const recordsIn = (look: Run['before'], email: string): string[] =>
	((look?.[email] ?? []) as string[]).filter((record) => !record.startsWith('global '));

const isSuppressed = (look: Run['before'], email: string): boolean =>
	((look?.[email] ?? []) as string[]).some((record) => record.startsWith('global '));

/** Since when each address has been on the list of global unsubscribes. */
function suppressedSince({ entries, first }: Evidence): Map<string, number> {
	const since = new Map(first.globalUnsubscribes.map((row) => [addressOf(row.email_address), 0]));
	for (const entry of entries) {
		const { at, data = {} } = entry;
		const write = writeIn(entry);
		const isAdded = write?.list === 'global' && write.kind === 'add';
		const byThemselves = data.table === 'globalUnsubscribes' ? [addressOf(data.email)] : [];
		for (const email of isAdded ? write.emails : byThemselves) {
			if (!since.has(email)) since.set(email, at);
		}
	}
	return since;
}

/** Nobody else is erased, nobody who may be added again, and a receipt says no more than what was done. */
export function checkErasures(evidence: Evidence): Finding[] {
	const since = suppressedSince(evidence);
	return runsOf(evidence, 'erasures').flatMap((run) => {
		const named = new Set(run.items?.map(({ email }) => addressOf(email)));
		const removals = run.writes.filter(({ kind }) => kind === 'remove');
		const listed = [...named].flatMap((email) => recordsIn(run.before, email));
		const findings = removals.flatMap(({ emails, ids, list, at }): Finding[] => {
			const what = `${emails.join(', ')} at ${at}`;
			if (!emails.every((email) => named.has(email))) {
				// Somebody may have given a contact another address since.
				if (ids.every((id) => listed.includes(`${list} ${id}`))) return [];
				return [{ promise: 'Nobody is erased whom no item names', what }];
			}
			const isKeptOff = emails.every((email) => (since.get(email) ?? Infinity) <= at);
			return isKeptOff
				? []
				: [{ promise: 'Nobody is erased before they are kept off all lists', what }];
		});
		for (const { email, isComplete } of run.rows) {
			if (isComplete !== true) continue;
			const address = addressOf(email);
			const left = recordsIn(run.before, address).filter((record) =>
				recordsIn(run.after, address).includes(record),
			);
			if (left.length === 0 && isSuppressed(run.after, address)) continue;
			const what = `${address}: ${left.join(', ') || 'not on the global list'}`;
			findings.push({ promise: 'A complete erasure leaves nothing behind', what });
		}
		return findings;
	});
}
