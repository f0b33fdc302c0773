import type { IDataObject } from 'n8n-workflow';

import type { RateName, Statistics } from './recordKind';
import { records } from './records';
import { coerceNumber } from '../util/coerce';

export type { RateName };

/** Lists whose records have statistics. */
export type StatisticsSource = 'singleSends' | 'automations';

const STATISTICS: Record<StatisticsSource, Statistics> = {
	singleSends: records.singleSend.statistics,
	automations: records.automation.statistics,
};

export const RATE_NAMES = Object.keys(STATISTICS.singleSends.rates) as RateName[];

export function statisticsOf(source: StatisticsSource): string[] {
	const { triggered, rates } = STATISTICS[source];
	return [triggered, ...Object.values(rates).map(({ count }) => count)];
}

/** The statistic that the percentage of another one is of; undefined for one without a percentage. */
export function baseOf(source: StatisticsSource, statistic: string): string | undefined {
	const { rates } = STATISTICS[source];
	return Object.values(rates).find(({ count }) => count === statistic)?.base;
}

/** The number in a field of a record; null where it has none. */
export function countIn(record: IDataObject, field: string): number | null {
	const count = coerceNumber(record[field]);
	return Number.isFinite(count) ? count : null;
}

const round = (number: number): number => Math.round(number * 100) / 100;

/** With two decimals; null of a base that is unknown, or of which nothing can be a percentage. */
export function percentOf(count: number | null, base: number | null): number | null {
	if (count === null || base === null || base <= 0 || count < 0) return null;
	return round((count / base) * 100);
}

export interface Rate extends IDataObject {
	percent: number | null;
	count: number | null;
	/** The field that the percentage is of. */
	base: string;
	baseCount: number | null;
}

/** The rates of a record that has the counts of a single send or an automation. */
export function ratesOf(source: StatisticsSource, record: IDataObject): Record<RateName, Rate> {
	const rateOf = (name: RateName): Rate => {
		const { rates } = STATISTICS[source];
		const [count, baseCount] = [
			countIn(record, rates[name].count),
			countIn(record, rates[name].base),
		];
		return { percent: percentOf(count, baseCount), count, base: rates[name].base, baseCount };
	};
	return Object.fromEntries(RATE_NAMES.map((name) => [name, rateOf(name)])) as Record<
		RateName,
		Rate
	>;
}

/** The middle of some numbers; null of none. */
export function median(numbers: readonly number[]): number | null {
	const sorted = [...numbers].sort((a, b) => a - b);
	const [low, high] = [(sorted.length - 1) >> 1, sorted.length >> 1].map((index) => sorted[index]);
	return low === undefined || high === undefined ? null : round((low + high) / 2);
}
