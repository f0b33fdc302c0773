import type { Evidence, KeptList } from './evidence.ts';
import { addressOf, isOf, runsOf, writeIn, type Run } from './executions.ts';

/** A list that a workflow keeps as its input says, and how. */
export interface Kept extends KeptList {
	runs: Run[];
	/** Whom others have changed during each run: what the list shows of them says nothing about it. */
	touched: Map<Run, Set<string>>;
	/** Whom others have removed or moved during each run. */
	left: Map<Run, Set<string>>;
}

/** Whether somebody has taken a person off a list by hand. */
export const isTakenOff = (change: unknown): boolean =>
	change === 'removedByHand' || change === 'movedByHand';

function touchedIn({ entries }: Evidence, runs: Run[]): Pick<Kept, 'touched' | 'left'> {
	const touches = entries.flatMap((entry) => {
		const { at, data = {} } = entry;
		const isByHand = data.change === 'edited' || isTakenOff(data.change);
		const write = writeIn(entry);
		const emails = isByHand ? [addressOf(data.email)] : (write?.emails ?? []);
		const isLeaving = isTakenOff(data.change) || write?.kind === 'remove' || write?.kind === 'move';
		return isByHand || write ? [{ at, emails, isLeaving, write }] : [];
	});
	const during = (those: typeof touches) =>
		new Map(
			runs.map((run) => {
				const others = those.filter(
					({ at, write }) => !(write && isOf(write, run)) && at >= run.began && at <= run.ended,
				);
				return [run, new Set(others.flatMap(({ emails }) => emails))];
			}),
		);
	return { touched: during(touches), left: during(touches.filter(({ isLeaving }) => isLeaving)) };
}

export const keptLists = (evidence: Evidence): Kept[] =>
	evidence.promises.lists.map((kept) => {
		const runs = runsOf(evidence, kept.workflow);
		return { ...kept, runs, ...touchedIn(evidence, runs) };
	});
