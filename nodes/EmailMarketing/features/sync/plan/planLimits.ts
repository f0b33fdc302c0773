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

/** The limits of each kind, the absolute one first. Removals are checked first. */
const LIMITS: ReadonlyArray<
	[ExceededLimit['kind'], ErrorCode, keyof PlanLimits, keyof PlanLimits]
> = [
	['removals', 'too-many-removals', 'maxRemovals', 'maxRemovalPercent'],
	['failures', 'too-many-failures', 'maxFailures', 'maxFailurePercent'],
	['additions', 'too-many-additions', 'maxAdditions', 'maxAdditionPercent'],
	['updates', 'too-many-updates', 'maxUpdates', 'maxUpdatePercent'],
];

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

/** What further executions could remove, once these rows are written. */
export function afterwards(totals: Totals, rows: readonly PlannedRow[]): Totals {
	const count = (kind: ExceededLimit['kind']) => rows.filter((row) => isCounted(row, kind)).length;
	return { ...totals, removable: totals.removable + count('additions') - count('removals') };
}

/** The percentage that allows the plan, rounded up to one decimal. */
const percentNeeded = (count: number, total: number): number =>
	Math.ceil((count / total) * 1000) / 10;

const removed = ([first]: readonly PlannedRow[], { list }: PlanOptions): string | undefined =>
	list ? 'removed' : first && REMOVALS[first.action];

/** What the rows are of how many, for a message, and the percentage that applies. */
function shareOf(
	kind: ExceededLimit['kind'],
	rows: readonly PlannedRow[],
	{ contacts, removable, items }: Totals,
	options: PlanOptions,
): { figures: string; total: number; percent?: number } {
	const count = rows.length;
	const entries = options.list ? 'recipients' : 'contacts';
	switch (kind) {
		case 'removals': {
			const those = options.onlyAddedBySync ? `${entries} that this sync added` : entries;
			const figures = `${count} of ${removable} ${those} would be ${removed(rows, options)}`;
			return { figures, total: removable, percent: options.maxRemovalPercent };
		}
		case 'failures': {
			const { percent, fromItems } = DEFAULT_FAILURES;
			const preset = items < fromItems ? undefined : percent;
			return {
				figures: `${count} of ${items} items would fail`,
				...{ total: items, percent: options.maxFailurePercent ?? preset },
			};
		}
		case 'additions':
			return {
				figures: `${count} ${entries} would be added to the existing ${contacts}`,
				...{ total: contacts, percent: contacts === 0 ? undefined : options.maxAdditionPercent },
			};
		case 'updates':
			return {
				figures: `${count} of ${contacts} contacts would be updated`,
				...{ total: contacts, percent: options.maxUpdatePercent },
			};
	}
}

function nobodyIdentified(
	rows: readonly PlannedRow[],
	{ contacts }: Totals,
	options: PlanOptions,
): ExceededLimit {
	const entry = options.list ? 'recipient' : 'contact';
	const reason = `No input item identifies a ${entry}, so ${rows.length} of ${contacts} ${entry}s would be ${removed(rows, options)}`;
	return { kind: 'removals', code: 'nobody-identified', reason, toRaise: [] };
}

/** The first limit that the plan exceeds. */
export function exceededLimit(
	rows: readonly PlannedRow[],
	totals: Totals,
	options: PlanOptions,
): ExceededLimit | undefined {
	for (const [kind, code, absolute, relative] of LIMITS) {
		const counted = rows.filter((row) => isCounted(row, kind));
		const count = counted.length;
		if (count === 0) continue;
		if (kind === 'removals' && totals.identified === 0) {
			return nobodyIdentified(counted, totals, options);
		}
		const { figures, total, percent = Infinity } = shareOf(kind, counted, totals, options);
		const max = options[absolute] ?? Infinity;
		const allowed: string[] = [];
		const toRaise: ExceededLimit['toRaise'] = [];
		if (count > max) {
			allowed.push(String(max));
			toRaise.push({ limit: absolute, value: count });
		}
		// Otherwise, a short list could never lose anybody.
		const isOnlyOne = kind === 'removals' && count === 1 && total > 1 && percent > 0;
		if (!isOnlyOne && exceedsPercent(count, total, percent)) {
			allowed.push(`${percent}%`);
			toRaise.push({ limit: relative, value: percentNeeded(count, total) });
		}
		if (allowed.length === 0) continue;
		return { kind, code, reason: `${figures}, more than the ${allowed[0]} allowed`, toRaise };
	}
	return undefined;
}
