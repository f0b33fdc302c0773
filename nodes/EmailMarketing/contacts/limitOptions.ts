import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INode } from 'n8n-workflow';

import { numberOption } from '../params/numberOption';
import type { PlanLimitError } from './execute';
import type { PlanLimits } from './types';

const DEFAULT_PERCENT = 10;
const NAMED_FAILURES = 3;
const decreaseLabel = 'Max Input Decrease (Percent)';

/**
 * The limits in Options.
 *
 * @throws InvalidInput for one that is no number
 */
export const limitsOf = (options: IDataObject): PlanLimits => ({
	maxDeletions: numberOption(options, 'maxDeletions', 'Max Deletions', 0),
	maxDeletionPercent:
		numberOption(options, 'maxDeletionPercent', 'Max Deletions (Percent)', 0) ?? DEFAULT_PERCENT,
	maxUpdates: numberOption(options, 'maxUpdates', 'Max Updates', 0),
	maxUpdatePercent: numberOption(options, 'maxUpdatePercent', 'Max Updates (Percent)', 0),
	maxFailures: numberOption(options, 'maxFailures', 'Max Failures', 0),
	maxFailurePercent: numberOption(options, 'maxFailurePercent', 'Max Failures (Percent)', 0),
	maxInputDecreasePercent: numberOption(options, 'maxInputDecreasePercent', decreaseLabel, 0),
});

function remedyOf({ kind, counted }: PlanLimitError): { description: string } {
	switch (kind) {
		case 'input':
			return {
				description: `Nothing was written. Check that the source returned everything. If it did, raise "${decreaseLabel}" in Options, or remove the option for one run.`,
			};
		case 'removals':
			return {
				description:
					'Nothing was written. Check that the input is complete. If this is intended, review it with "Dry Run", then raise "Max Deletions" or "Max Deletions (Percent)" in Options.',
			};
		case 'updates':
			return {
				description:
					'Nothing was written. Check that the input has the right values in the right fields. If this is intended, review it with "Dry Run", then raise "Max Updates" or "Max Updates (Percent)" in Options.',
			};
		case 'failures': {
			const first = counted.slice(0, NAMED_FAILURES);
			const failures = first.map(({ item, reason }) => `Item ${item}: ${reason}.`).join(' ');
			return {
				description: `Nothing was written. ${failures} Correct the input. To sync the other items anyway, raise "Max Failures" or "Max Failures (Percent)" in Options.`,
			};
		}
	}
}

/** What stops the node when a limit is exceeded. */
export const limitError = (node: INode, error: PlanLimitError): NodeOperationError =>
	new NodeOperationError(node, error.message, remedyOf(error));
