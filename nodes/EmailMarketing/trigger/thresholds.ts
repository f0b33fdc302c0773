import { baseOf, countIn, percentOf } from '../output/statistics';
import type { StatisticsSource } from '../output/statistics';
import { reachesPercent } from '../util/percent';
import { assignBits } from './bits';
import type { ReachedStatistic, Row, Threshold } from './types';

/** The thresholds that a record has reached are bits of one number, which has 31 of them and a sign. */
export const MAX_THRESHOLDS = 30;

/** A threshold as the editor has it; a statistic without a percentage is always compared as a count. */
export function toThreshold(source: StatisticsSource, chosen: Omit<Threshold, 'base'>): Threshold {
	const base = baseOf(source, chosen.statistic);
	const isPercentage = base !== undefined && chosen.unit === 'percent';
	return {
		...chosen,
		...(base !== undefined && { base }),
		unit: isPercentage ? 'percent' : 'count',
		minimumMessages: isPercentage ? chosen.minimumMessages : 0,
	};
}

/** Names a threshold in the state. The name stays the same however the node is edited. */
export function thresholdName(threshold: Threshold): string {
	const { statistic, unit, value, minimumMessages } = threshold;
	return unit === 'percent'
		? `${statistic}>=${value}%/${minimumMessages}`
		: `${statistic}>=${value}`;
}

/** @param before names of the thresholds by bit */
export const assignThresholds = (before: string[], thresholds: Threshold[]) =>
	assignBits(
		before,
		new Map(thresholds.map((threshold) => [thresholdName(threshold), threshold])),
		MAX_THRESHOLDS,
	);

const numberIn = (row: Row, field: string) => countIn(row, field) ?? 0;

/** The current value of a threshold's statistic, whether it is reached or not. */
export function measure(row: Row, threshold: Threshold): ReachedStatistic {
	const { statistic, base, unit, value } = threshold;
	const count = numberIn(row, statistic);
	const baseCount = base === undefined ? null : numberIn(row, base);
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

export function isReached(row: Row, threshold: Threshold): boolean {
	const { statistic, base, unit, value, minimumMessages } = threshold;
	const count = numberIn(row, statistic);
	if (unit === 'count' || base === undefined) return count >= value;
	const baseCount = numberIn(row, base);
	return baseCount > 0 && baseCount >= minimumMessages && reachesPercent(count, baseCount, value);
}
