import type { ErrorCode } from '../../../service/errorCode';
import { exceedsPercent } from '../../../util/percent';
import type { RowAction, PlannedRow } from '../../contacts/types';
import type { ExceededLimit, PlanLimits, PlanOptions } from '../types';

/** The actions that count as removals, worded for messages. */
const REMOVALS: Partial<Record<RowAction, string>> = {
	deleted: 'deleted',
	moved: 'moved',
	addedToGroup: 'added to the unsubscribe group',
};

/** Applies without "Max Failures (Percent)". In a small input, a few failures would already exceed the percentage. */
const DEFAULT_FAILURES = { percent: 50, fromItems: 20 };

const CODES: Record<ExceededLimit['kind'], ErrorCode> = {
	removals: 'too-many-removals',
	failures: 'too-many-failures',
	additions: 'too-many-additions',
	updates: 'too-many-updates',
};

interface Totals {
	/** Contacts of the type before the run. */
	contacts: number;
	/** How many of them this sync could remove. */
	removable: number;
	items: number;
	/** Items that identify a contact, existing or new. */
	identified: number;
}

/** Whether the limit counts the row. A failure without an item is not counted, because the input did not cause it. */
export function isCounted({ action, item }: PlannedRow, kind: ExceededLimit['kind']): boolean {
	switch (kind) {
		case 'removals':
			return REMOVALS[action] !== undefined;
		case 'failures':
			return action === 'failed' && item !== undefined;
		case 'additions':
			return action === 'created';
		case 'updates':
			return action === 'updated';
	}
}

interface Count {
	/** For a message, such as `12 of 300 contacts would be updated`. */
	figures: string;
	count: number;
	total: number;
}

type Excess = Omit<ExceededLimit, 'kind' | 'code'>;

/** The percentage that allows the plan, rounded up to one decimal. */
const percentNeeded = (count: number, total: number): number =>
	Math.ceil((count / total) * 1000) / 10;

/** The second parameter names the two limits, the absolute one first. */
function excess(
	{ figures, count, total }: Count,
	[absolute, relative]: [keyof PlanLimits, keyof PlanLimits],
	max?: number,
	percent?: number,
): Excess | undefined {
	const reasons: string[] = [];
	const toRaise: Excess['toRaise'] = [];
	if (max !== undefined && count > max) {
		reasons.push(`${figures}, more than the ${max} allowed`);
		toRaise.push({ limit: absolute, value: count });
	}
	if (percent !== undefined && exceedsPercent(count, total, percent)) {
		reasons.push(`${figures}, more than the ${percent}% allowed`);
		toRaise.push({ limit: relative, value: percentNeeded(count, total) });
	}
	const [reason] = reasons;
	return reason === undefined ? undefined : { reason, toRaise };
}

function removalExcess(
	rows: readonly PlannedRow[],
	{ contacts, removable, identified }: Totals,
	{ maxDeletions, maxDeletionPercent, onlyAddedBySync, list }: PlanOptions,
): Excess | undefined {
	const [first] = rows;
	if (!first) return undefined;
	const [entry, done] = list ? ['recipient', 'removed'] : ['contact', REMOVALS[first.action]];
	if (identified === 0) {
		const reason = `No input item identifies a ${entry}, so ${rows.length} of ${contacts} ${entry}s would be ${done}`;
		return { reason, toRaise: [] };
	}
	const those = onlyAddedBySync ? `${entry}s that this sync added` : `${entry}s`;
	const count = rows.length;
	const figures = `${count} of ${removable} ${those} would be ${done}`;
	return excess(
		{ figures, count, total: removable },
		['maxDeletions', 'maxDeletionPercent'],
		maxDeletions,
		maxDeletionPercent,
	);
}

function additionExcess(
	count: number,
	{ contacts }: Totals,
	{ maxAdditions, maxAdditionPercent, list }: PlanOptions,
): Excess | undefined {
	const figures = `${count} ${list ? 'recipients' : 'contacts'} would be added to the existing ${contacts}`;
	const percent = contacts === 0 ? undefined : maxAdditionPercent;
	return excess(
		{ figures, count, total: contacts },
		['maxAdditions', 'maxAdditionPercent'],
		maxAdditions,
		percent,
	);
}

function excessOf(
	kind: ExceededLimit['kind'],
	rows: readonly PlannedRow[],
	totals: Totals,
	limits: PlanOptions,
): Excess | undefined {
	const { contacts, items } = totals;
	const { maxUpdates, maxUpdatePercent, maxFailures, maxFailurePercent } = limits;
	const count = rows.length;
	switch (kind) {
		case 'removals':
			return removalExcess(rows, totals, limits);
		case 'additions':
			return additionExcess(count, totals, limits);
		case 'updates': {
			const figures = `${count} of ${contacts} contacts would be updated`;
			const updates = { figures, count, total: contacts };
			return excess(updates, ['maxUpdates', 'maxUpdatePercent'], maxUpdates, maxUpdatePercent);
		}
		case 'failures': {
			const { percent, fromItems } = DEFAULT_FAILURES;
			const failures = { figures: `${count} of ${items} items would fail`, count, total: items };
			const most = maxFailurePercent ?? (items < fromItems ? undefined : percent);
			return excess(failures, ['maxFailures', 'maxFailurePercent'], maxFailures, most);
		}
	}
}

function codeOf(kind: ExceededLimit['kind'], { identified }: Totals): ErrorCode {
	if (kind === 'removals' && identified === 0) return 'nobody-identified';
	return CODES[kind];
}

/** Checks removals first, and reports only the first limit that the plan exceeds. */
export function exceededLimit(
	rows: readonly PlannedRow[],
	totals: Totals,
	limits: PlanOptions,
): ExceededLimit | undefined {
	for (const kind of ['removals', 'failures', 'additions', 'updates'] as const) {
		const counted = rows.filter((row) => isCounted(row, kind));
		const found = excessOf(kind, counted, totals, limits);
		if (found !== undefined) return { kind, code: codeOf(kind, totals), ...found };
	}
	return undefined;
}
