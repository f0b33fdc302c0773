import type { IDataObject } from 'n8n-workflow';

import { COMPLETED } from '../../../records/statusLabels';
import { countIn, countsOf, median, RATE_NAMES, ratesOf } from '../../../records/statistics';
import type { RateName } from '../../../records/statistics';
import { codeText, coerceNumber, coerceText } from '../../../util/coerce';
import { isTestSend } from '../../../records/testName';

/** Rates where lower is better. */
const LOWER_IS_BETTER: ReadonlySet<RateName> = new Set([
	'bounceRatePercent',
	'unsubscribeRatePercent',
]);

/** The completed single sends that were sent to somebody, without tests, newest first. */
export function completedSends(sends: readonly IDataObject[]): IDataObject[] {
	const sentAt = (send: IDataObject) => coerceText(send.sent_at);
	return sends
		.filter(
			(send) =>
				codeText(send.status) === COMPLETED &&
				(countIn(send, 'triggered') ?? 0) > 0 &&
				!isTestSend(send),
		)
		.sort((a, b) => {
			if (sentAt(a) !== sentAt(b)) return sentAt(a) < sentAt(b) ? 1 : -1;
			return (coerceNumber(b.id) || 0) - (coerceNumber(a.id) || 0);
		});
}

function rank(own: number, others: number[], lowerIsBetter: boolean): string {
	const better = others.filter((other) => (lowerIsBetter ? other < own : other > own)).length;
	return `${better + 1} of ${others.length + 1}`;
}

/** Keeps the unit at the end of the name: `openRatePercent` becomes `openRateMedianPercent`. */
const compared = (name: RateName, what: string): string => {
	const stem = name.replace(/Percent$/, '');
	return stem === name ? `${name}${what}` : `${stem}${what}Percent`;
};

/**
 * How a single send compares with the last ones, sent before or after it.
 *
 * @param completed the newest first
 * @param most how many others to compare it with, not counting itself
 */
export function compare(
	send: IDataObject,
	completed: readonly IDataObject[],
	most: number,
): IDataObject {
	const utr = coerceText(send.utr);
	const others = completed.filter((other) => coerceText(other.utr) !== utr).slice(0, most);
	const [own, ...rates] = [send, ...others].map((one) => ratesOf(countsOf('singleSends', one)));
	const comparison: IDataObject = { comparedWith: others.length };
	for (const name of RATE_NAMES) {
		const numbers = rates.flatMap(({ [name]: rate }) => (rate === null ? [] : [rate]));
		const rate = own?.[name] ?? null;
		comparison[compared(name, 'Median')] = median(numbers);
		comparison[`${name.replace(/Percent$/, '')}Rank`] =
			rate === null ? null : rank(rate, numbers, LOWER_IS_BETTER.has(name));
	}
	return comparison;
}
