import { baseOf, countIn, countsOf, percentOf, ratesOf } from '../records/statistics';
import { isUnsent } from '../records/recordKind';
import { reachesPercent } from '../util/percent';
import { kindOf } from './sources';
import type { EventName, StatisticsSource } from './sources';
import type { ReachedStatistic, Row, Threshold, TriggerEvent } from './types';

/** A threshold or an age, which a record reaches once. A copy may have the counts and the send time of its original. */
export interface Milestone {
	/** Its name in the state, which stays the same however the node is edited. */
	name: string;
	event: EventName;
	/** The content of the event; undefined for a record that has not reached it. */
	reach: (row: Row) => Partial<TriggerEvent> | undefined;
}

export const MAX_THRESHOLDS = 30;
export const MAX_AGES = 10;
const MS_PER_MINUTE = 60_000;

/** A threshold from the editor. A statistic without a percentage is always compared as a count. */
export function toThreshold(source: StatisticsSource, chosen: Omit<Threshold, 'base'>): Threshold {
	const base = baseOf(kindOf(source), chosen.statistic);
	const isPercentage = base !== undefined && chosen.unit === 'percent';
	return {
		...chosen,
		...(base !== undefined && { base }),
		unit: isPercentage ? 'percent' : 'count',
		minimumMessages: isPercentage ? chosen.minimumMessages : 0,
	};
}

/** Names a threshold by everything that it compares. */
export const thresholdName = ({ statistic, unit, value, minimumMessages }: Threshold): string =>
	unit === 'percent' ? `${statistic}>=${value}%/${minimumMessages}` : `${statistic}>=${value}`;

/** The current value of a threshold's statistic, whether it is reached or not. */
function measure(row: Row, { statistic, base, unit, value }: Threshold): ReachedStatistic {
	const count = countIn(row, statistic) ?? 0;
	const baseCount = base === undefined ? null : (countIn(row, base) ?? 0);
	return {
		name: statistic,
		unit,
		threshold: value,
		value: unit === 'percent' ? (percentOf(count, baseCount) ?? 0) : count,
		count,
		base: base ?? null,
		baseCount,
	};
}

export const thresholdMilestone = (event: EventName, threshold: Threshold): Milestone => ({
	name: thresholdName(threshold),
	event,
	reach: (row) => {
		if (event === 'singleSendStatisticReached' && isUnsent(row)) return undefined;
		const { unit, value, minimumMessages } = threshold;
		const statistic = measure(row, threshold);
		const { count, baseCount } = statistic;
		const isReached =
			unit === 'count' || baseCount === null
				? count >= value
				: baseCount > 0 && baseCount >= minimumMessages && reachesPercent(count, baseCount, value);
		return isReached ? { statistic } : undefined;
	},
});

/**
 * @param minutes the age
 * @param sentAt reads when a record was sent, in milliseconds since 1970; undefined if it was not
 * @param now the time of the poll, in milliseconds since 1970
 */
export const ageMilestone = (
	event: EventName,
	minutes: number,
	sentAt: (row: Row) => number | undefined,
	now: number,
): Milestone => ({
	name: `${minutes}m`,
	event,
	reach: (row) => {
		if (isUnsent(row)) return undefined;
		const dueAt = (sentAt(row) ?? Infinity) + minutes * MS_PER_MINUTE;
		if (now < dueAt) return undefined;
		const occurredAt = new Date(dueAt).toISOString();
		const snapshot = {
			ageHours: Math.round((minutes / 60) * 100) / 100,
			dueAt: occurredAt,
			polledAt: new Date(now).toISOString(),
			lateMinutes: Math.floor((now - dueAt) / MS_PER_MINUTE),
			...ratesOf(countsOf('singleSend', row)),
		};
		return { occurredAt, snapshot };
	},
});
