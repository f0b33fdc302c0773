import type { NodeOperationError, IDataObject, INode } from 'n8n-workflow';

import { operationError } from '../../service/errors';
import { choiceOf, numberOf } from '../../params/givenOption';
import { failedFieldsInWords } from './output';
import type { PlanLimitError } from './syncContacts';
import type { ExceededLimit, PlanLimits } from './types';

const DEFAULT_PERCENT = 10;
const NAMED_FAILURES = 3;

const labels = {
	maxAdditions: 'Max Additions',
	maxAdditionPercent: 'Max Additions (Percent)',
	maxRemovals: 'Max Removals',
	maxRemovalPercent: 'Max Removals (Percent)',
	maxUpdates: 'Max Updates',
	maxUpdatePercent: 'Max Updates (Percent)',
	maxFailures: 'Max Failures',
	maxFailurePercent: 'Max Failures (Percent)',
} as const satisfies Record<keyof PlanLimits, string>;

const kinds = Object.keys(labels) as Array<keyof PlanLimits>;

/**
 * "Limits" in Options. If a limit is set twice, the lower value counts.
 *
 * @throws InvalidInput for an unknown limit, or a value that is not a number
 */
export function limitsOf({ limits }: IDataObject): PlanLimits {
	const given: Partial<PlanLimits> = {};
	for (const row of ((limits as IDataObject | undefined)?.limit ?? []) as IDataObject[]) {
		const kind = choiceOf(row.kind, 'Limit', kinds);
		given[kind] = Math.min(given[kind] ?? Infinity, numberOf(row.value, labels[kind], 0));
	}
	return { maxRemovalPercent: DEFAULT_PERCENT, ...given };
}

/** What to do before a limit is raised. */
const checks = {
	removals: { remedy: 'Check that the input is complete.' },
	additions: { remedy: 'Check that the input has the right people.' },
	updates: { remedy: 'Check that the input has the right values in the right fields.' },
} as const;

/** Which limits to raise to what, such as `"Max Removals" to 12`; '' if none would do. */
export const raisesOf = (toRaise: ExceededLimit['toRaise']): string =>
	toRaise.map(({ limit, value }) => `"${labels[limit]}" to ${value}`).join(' and ');

function remedyOf({ kind, toRaise, counted }: PlanLimitError): { description: string } {
	const values = raisesOf(toRaise);
	if (values === '') {
		return {
			description:
				'Nothing was written. Check that the input is complete. To see the plan, turn on "Dry Run".',
		};
	}
	if (kind !== 'failures') {
		return {
			description: `Nothing was written. ${checks[kind].remedy} If this is intended, review it with "Dry Run", then raise ${values} under "Limits" in Options for this run.`,
		};
	}
	const first = counted.slice(0, NAMED_FAILURES);
	const failures = first.map(({ item, reason }) => `Item ${item}: ${reason}.`).join(' ');
	return {
		description: `Nothing was written. ${failures} Correct the input. To sync the other items anyway, raise ${values} under "Limits" in Options.`,
	};
}

/** The headline of failures also says what is wrong with which values. */
export const limitError = (node: INode, error: PlanLimitError): NodeOperationError =>
	operationError(
		node,
		error.code,
		`${error.message}${error.kind === 'failures' ? failedFieldsInWords(error.counted) : ''}`,
		remedyOf(error),
	);
