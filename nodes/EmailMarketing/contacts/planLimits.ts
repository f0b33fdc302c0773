import type { Action, ExceededLimit, PlannedRow, PlanOptions } from './types';

/** What is done to contacts that no item names. */
const REMOVALS: Partial<Record<Action, string>> = {
	deleted: 'deleted',
	moved: 'moved',
	addedToGroup: 'added to the unsubscribe group',
};
const removals = Object.keys(REMOVALS) as Action[];

export interface Totals {
	/** Contacts of the type before the run. */
	contacts: number;
	/** Items that identify a contact. */
	identified: number;
}

function exceeds(
	what: string,
	count: number,
	total: number,
	max: number | undefined,
	maxPercent: number | undefined,
): string | undefined {
	if (max !== undefined && count > max) return `${what}, more than the ${max} allowed`;
	if (maxPercent !== undefined && count * 100 > total * maxPercent) {
		return `${what}, more than the ${maxPercent}% allowed`;
	}
	return undefined;
}

function removalLimit(
	rows: readonly PlannedRow[],
	totals: Totals,
	{ maxDeletions, maxDeletionPercent }: PlanOptions,
): string | undefined {
	const planned = rows.filter(({ action }) => removals.includes(action));
	const [first] = planned;
	if (!first) return undefined;
	const done = REMOVALS[first.action];
	if (totals.identified === 0) {
		return `No input item identifies a contact, so all contacts of this contact type would be ${done}`;
	}
	const { length } = planned;
	const what = `${length} of ${totals.contacts} contacts would be ${done}`;
	return exceeds(what, length, totals.contacts, maxDeletions, maxDeletionPercent);
}

/** The first limit that the rows exceed. */
export function exceededLimit(
	rows: readonly PlannedRow[],
	totals: Totals,
	options: PlanOptions,
): ExceededLimit | undefined {
	const reason = removalLimit(rows, totals, options);
	return reason === undefined ? undefined : { actions: removals, reason };
}
