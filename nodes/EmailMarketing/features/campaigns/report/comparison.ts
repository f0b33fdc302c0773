import type { IDataObject } from 'n8n-workflow';

import { COMPLETED } from '../../../records/statusLabels';
import { countIn, median, RATE_NAMES, ratesOf } from '../../../records/statistics';
import type { RateName } from '../../../records/statistics';
import { coerceNumber, coerceText } from '../../../util/coerce';
import { isTestSend } from '../../../records/testName';

/** Rates that are better the lower they are. */
const LOWER_IS_BETTER: ReadonlySet<RateName> = new Set(['bounce', 'unsubscribe']);

/** The completed single sends that went to somebody and are no tests, the newest first. */
export function completedSends(sends: readonly IDataObject[]): IDataObject[] {
	const sentAt = (send: IDataObject) => coerceText(send.sent_at);
	return sends
		.filter(
			(send) =>
				coerceText(send.status).trim() === COMPLETED &&
				(countIn(send, 'triggered') ?? 0) > 0 &&
				!isTestSend(send),
		)
		.sort((a, b) => {
			if (sentAt(a) !== sentAt(b)) return sentAt(a) < sentAt(b) ? 1 : -1;
			return (coerceNumber(b.id) || 0) - (coerceNumber(a.id) || 0);
		});
}

function rank(own: number, others: number[], lowerIsBetter: boolean): IDataObject {
	const better = others.filter((other) => (lowerIsBetter ? other < own : other > own)).length;
	const [position, of] = [better + 1, others.length + 1];
	return { rank: position, of, rankLabel: `${position} of ${of}` };
}

/**
 * How a single send did among the last ones, whether they were sent before or after it.
 *
 * @param completed the newest first
 * @param most how many others it is compared with; it is not one of them itself
 */
export function compare(
	send: IDataObject,
	completed: readonly IDataObject[],
	most: number,
): IDataObject {
	const utr = coerceText(send.utr);
	const others = completed.filter((other) => coerceText(other.utr) !== utr).slice(0, most);
	const own = ratesOf('singleSends', send);
	const rates = others.map((other) => ratesOf('singleSends', other));
	const compared = RATE_NAMES.map((name) => {
		const percents = rates.flatMap(({ [name]: { percent } }) =>
			percent === null ? [] : [percent],
		);
		const { percent } = own[name];
		const position =
			percent === null
				? { rank: null, of: null, rankLabel: null }
				: rank(percent, percents, LOWER_IS_BETTER.has(name));
		return [name, { medianPercent: median(percents), ...position }];
	});
	return { singleSends: others.length, ...(Object.fromEntries(compared) as IDataObject) };
}
