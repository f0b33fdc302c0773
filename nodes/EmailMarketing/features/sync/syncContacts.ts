import type { ErrorCode } from '../../service/errorCode';
import type { SyncRun } from '../contacts/contactWrites';
import type { SyncReads } from '../contacts/syncReads';
import { writePlan, type WriteResult } from './writePlan';
import type { ContactInput } from '../contacts/fields';
import { isCounted } from './plan/planLimits';
import { readAndPlan } from './plan/readAndPlan';
import type { SyncContext } from './syncContext';
import type { ExceededLimit, Plan, SyncOptions } from './types';
import type { PlannedRow } from '../contacts/types';

/** Nothing was written, because the plan exceeds a limit. */
export class PlanLimitError extends Error {
	readonly code: ErrorCode;
	readonly kind: ExceededLimit['kind'];
	/** The exceeded limits, each with a value that allows the plan. */
	readonly toRaise: ExceededLimit['toRaise'];
	/** The rows that the limit counts. */
	readonly counted: readonly PlannedRow[];

	constructor(limit: ExceededLimit, rows: readonly PlannedRow[]) {
		super(limit.reason);
		this.name = 'PlanLimitError';
		this.code = limit.code;
		this.kind = limit.kind;
		this.toRaise = limit.toRaise;
		this.counted = rows.filter((row) => isCounted(row, limit.kind));
	}
}

/** The rows are the outcomes of all items, followed by those of missing contacts. */
export interface SyncResult extends WriteResult {
	plan: Plan;
	/** When the plan was complete, in ISO 8601. */
	plannedAt: string;
}

/**
 * Makes the service match the input, with one read of each list for the plan and only the necessary writes. A write
 * that may have succeeded is never repeated. It counts as failed only after a lookup in the list.
 *
 * @throws PlanLimitError before any write; Cancelled; errors of the first reads
 */
export async function syncContacts(
	items: readonly ContactInput[],
	reads: SyncReads,
	options: SyncOptions,
	run: SyncRun,
	context: SyncContext,
): Promise<SyncResult> {
	const plan = await readAndPlan(items, reads, options, context);
	const plannedAt = new Date().toISOString();
	const { rows, limit } = plan;
	context.note(plan.named);
	if (options.dryRun) {
		// It is not remembered, so it does not count toward "Remove After".
		const counted = { ...plan, removedNextCount: 0 };
		const shown = limit ? withheld(rows, limit) : rows;
		return { rows: shown, notes: [], plan: counted, plannedAt };
	}
	if (limit) {
		context.memory?.save({ items, rows: [], plan, isStopped: true });
		throw new PlanLimitError(limit, rows);
	}
	run.pool.check();
	context.memory?.noteRemovals(rows);
	const { listed: before, removal, suppressions } = plan;
	const executed = await writePlan(rows, { reads, run, options, before, removal, suppressions });
	context.memory?.save({ items, rows: executed.rows, plan, isStopped: false });
	return { ...executed, plan, plannedAt };
}

/** In a dry run, all rows that the limit counts say that it stops them. The first one also says why. */
function withheld(rows: readonly PlannedRow[], limit: ExceededLimit): PlannedRow[] {
	const first = rows.findIndex((row) => isCounted(row, limit.kind));
	return rows.map((row, index) => {
		if (!isCounted(row, limit.kind)) return row;
		const stopped = 'stopped by the limit';
		const reasons = [row.reason ?? '', index === first ? `${stopped}: ${limit.reason}` : stopped];
		return { ...row, reason: reasons.filter((part) => part !== '').join('; ') };
	});
}
