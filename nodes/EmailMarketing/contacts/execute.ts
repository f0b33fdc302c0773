import type { Pool } from '../util/pool';
import type { SyncApi } from './api';
import { Executor } from './executor';
import type { ContactInput } from './fields';
import { readAndPlan } from './readAndPlan';
import type { SyncOptions } from './syncOptions';
import type { ExceededLimit, Plan, PlannedRow } from './types';

/** Nothing was written, because the plan exceeds a limit. */
export class PlanLimitError extends Error {
	constructor({ reason }: ExceededLimit) {
		super(reason);
		this.name = 'PlanLimitError';
	}
}

/**
 * Makes the service hold what the input says, with one read of each list and only the writes that are needed. No
 * write that may have succeeded is repeated; it is looked up in the list before it is called failed.
 *
 * @returns the outcome for each item and each contact that no item names, and the plan
 * @throws PlanLimitError before any write; Cancelled; what the first reads throw
 */
export async function syncContacts(
	items: readonly ContactInput[],
	api: SyncApi,
	options: SyncOptions,
	pool: Pool,
): Promise<{ rows: PlannedRow[]; plan: Plan }> {
	const plan = await readAndPlan(items, api, options, pool);
	const { rows, limit } = plan;
	if (options.dryRun) return { rows: limit ? withheld(rows, limit) : rows, plan };
	if (limit) throw new PlanLimitError(limit);
	pool.check();
	return { rows: await new Executor(rows, api, options, pool).run(), plan };
}

/** The rows that the limit counts say so in a dry run. */
const withheld = (rows: readonly PlannedRow[], { actions, reason }: ExceededLimit): PlannedRow[] =>
	rows.map((row) => {
		if (!actions.includes(row.action)) return row;
		const reasons = [row.reason ?? '', `stopped by the limit: ${reason}`];
		return { ...row, reason: reasons.filter((part) => part !== '').join('; ') };
	});
