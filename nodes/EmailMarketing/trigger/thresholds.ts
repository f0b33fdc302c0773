import { coerceNumber } from '../util/coerce';
import type { ReachedStatistic, Row, Threshold } from './types';

/** The thresholds that a record has reached are bits of one number, which has 31 of them and a sign. */
export const MAX_THRESHOLDS = 30;

/** Names a threshold in the state. The name stays the same however the node is edited. */
export function thresholdName(threshold: Threshold): string {
	const { statistic, unit, value, minimumDelivered } = threshold;
	return unit === 'percent'
		? `${statistic}>=${value}%/${minimumDelivered}`
		: `${statistic}>=${value}`;
}

export interface AssignedThreshold {
	threshold: Threshold;
	bit: number;
	/** Not watched before: records that are past it already are noted without an event. */
	isNew: boolean;
}

/**
 * Assigns a bit to each configured threshold. A threshold that is no longer configured keeps its bit
 * until another one needs it, so that adding it again neither repeats nor loses events.
 *
 * @param before names of the thresholds by bit
 */
export function assignBits(
	before: string[],
	thresholds: Threshold[],
): { names: string[]; assigned: AssignedThreshold[] } {
	const names = [...before];
	const configured = new Map(thresholds.map((threshold) => [thresholdName(threshold), threshold]));
	const assigned: AssignedThreshold[] = [];
	for (const [name, threshold] of configured) {
		let index = names.indexOf(name);
		const isNew = index === -1;
		if (isNew) {
			index =
				names.length < MAX_THRESHOLDS
					? names.length
					: names.findIndex((taken) => !configured.has(taken));
			names[index] = name;
		}
		assigned.push({ threshold, bit: 1 << index, isNew });
	}
	return { names, assigned };
}

const numberIn = (row: Row, field: string) => {
	const number = coerceNumber(row[field]);
	return Number.isFinite(number) ? number : 0;
};

/** The current value of a threshold's statistic, whether it is reached or not. */
export function measure(row: Row, threshold: Threshold): ReachedStatistic {
	const { statistic, unit, value } = threshold;
	const delivered = numberIn(row, 'delivered');
	const count = numberIn(row, statistic);
	const percentage = delivered > 0 ? Math.round((count / delivered) * 1e4) / 1e2 : 0;
	return {
		name: statistic,
		unit,
		threshold: value,
		value: unit === 'percent' ? percentage : count,
		delivered,
	};
}

export function isReached(row: Row, threshold: Threshold): boolean {
	const count = numberIn(row, threshold.statistic);
	if (threshold.unit === 'count') return count >= threshold.value;
	const delivered = numberIn(row, 'delivered');
	return (
		delivered > 0 &&
		delivered >= threshold.minimumDelivered &&
		count * 100 >= threshold.value * delivered
	);
}
