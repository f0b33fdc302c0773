import { coerceNumber } from '../util/coerce';
import type { Reached, Row, Threshold } from './types';

/** Reached thresholds are bits of one number per record; more than 30 do not fit a 32-bit one. */
export const MOST_THRESHOLDS = 30;

/** Names a threshold in the state; the same threshold has the same name after any edit of the node. */
export function thresholdName(threshold: Threshold): string {
	const { statistic, unit, value, minimumDelivered } = threshold;
	return unit === 'percent'
		? `${statistic}>=${value}%/${minimumDelivered}`
		: `${statistic}>=${value}`;
}

export interface SlottedThreshold {
	threshold: Threshold;
	bit: number;
	/** Not watched before: what has already passed it is recorded without an event. */
	fresh: boolean;
}

/**
 * Gives each configured threshold its bit. A threshold that is no longer configured keeps its bit,
 * so that putting it back neither repeats nor loses anything, until its bit is needed for another.
 */
export function assignSlots(
	before: string[],
	thresholds: Threshold[],
): { slots: string[]; slotted: SlottedThreshold[] } {
	const slots = [...before];
	const configured = new Map(thresholds.map((threshold) => [thresholdName(threshold), threshold]));
	const slotted: SlottedThreshold[] = [];
	for (const [name, threshold] of configured) {
		let slot = slots.indexOf(name);
		const fresh = slot === -1;
		if (fresh) {
			slot =
				slots.length < MOST_THRESHOLDS
					? slots.length
					: slots.findIndex((taken) => !configured.has(taken));
			slots[slot] = name;
		}
		slotted.push({ threshold, bit: 1 << slot, fresh });
	}
	return { slots, slotted };
}

const numberIn = (row: Row, field: string) => {
	const number = coerceNumber(row[field]);
	return Number.isFinite(number) ? number : 0;
};

/** What a single send shows of a threshold's statistic, whether reached or not. */
export function measure(row: Row, threshold: Threshold): Reached {
	const { statistic, unit, value } = threshold;
	const delivered = numberIn(row, 'delivered');
	const count = numberIn(row, statistic);
	const share = delivered > 0 ? Math.round((count / delivered) * 1e4) / 1e2 : 0;
	return {
		name: statistic,
		unit,
		threshold: value,
		value: unit === 'percent' ? share : count,
		delivered,
	};
}

/** Whether the row is at or past the threshold. */
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
