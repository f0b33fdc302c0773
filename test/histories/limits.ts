import type { Finding } from './evidence.ts';
import { isOf, type Write } from './executions.ts';
import type { Kept } from './kept.ts';

/** What the limits count, of the writes of a run. */
const COUNTS: Record<string, (writes: Write[], of: Kept) => unknown[]> = {
	maxAdditions: (writes, { list: own }) =>
		writes.flatMap(({ kind, list, emails }) => (kind === 'add' && list === own ? emails : [])),
	maxUpdates: (writes) => writes.filter(({ kind }) => kind === 'update'),
	maxRemovals: (writes, { list: own, leftList }) => {
		// Duplicates that the run itself has created are no removals.
		const added = new Set(writes.flatMap(({ kind, emails }) => (kind === 'add' ? emails : [])));
		return writes.flatMap(({ kind, list, emails }) => {
			if (kind === 'add') return list === leftList ? emails : [];
			const isRemoval = kind === 'remove' || (kind === 'move' && list === own);
			return isRemoval ? emails.filter((email) => !added.has(email)) : [];
		});
	},
};

/** How often n8n runs a node that fails; each try is measured on its own. */
const mostTries = 3;

/** No run writes more than a limit allows. */
export const checkLimits = (kept: Kept): Finding[] =>
	(kept.removal.limits ?? []).flatMap(({ kind, value }) =>
		kept.runs.flatMap((run) => {
			const own = run.writes.filter((write) => isOf(write, run));
			const count = COUNTS[kind]?.(own, kept).length ?? 0;
			const what = `${kind} ${value}, but ${count} at ${run.began}`;
			const isExceeded = count > value * (kept.isRetried ? mostTries : 1);
			return isExceeded ? [{ promise: 'No run exceeds a limit', what }] : [];
		}),
	);
