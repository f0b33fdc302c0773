import { isCut, isGivenUp, type Stored } from '../executions.ts';
import type { KillOf } from '../n8n.ts';

/** How long a request of an n8n that is gone may wait in the sandbox's queue. */
const underWayMs = 1_000;

/** An execution of the sync, and when its requests can have come. */
export interface SyncRun {
	execution: Stored;
	from: number;
	until: number;
	/** A kill cut it short, so that it says nothing of what it did. */
	isCut: boolean;
}

export const runsOf = (executions: Stored[], killOf: KillOf): SyncRun[] =>
	executions.map((execution): SyncRun => {
		const { createdAt, startedAt, stoppedAt } = execution;
		// Whoever gives it up writes a new start over the old one.
		const from = isGivenUp(execution) ? createdAt : startedAt;
		if (!isCut(execution)) return { execution, from, until: stoppedAt, isCut: false };
		// Without a kill, no process had begun it.
		const killed = killOf(execution)?.getTime() ?? from;
		return { execution, from, until: killed + underWayMs, isCut: true };
	});

export const within = ({ at }: { at: number }, { from, until }: Pick<SyncRun, 'from' | 'until'>) =>
	from <= at && at <= until;
