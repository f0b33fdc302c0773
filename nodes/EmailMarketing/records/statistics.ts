import type { IDataObject } from 'n8n-workflow';

import type { CountName } from './recordKind';
import { kindNamed, records } from './records';
import { coerceNumber } from '../util/coerce';

/** Kinds of records with statistics. */
export type StatisticsKind = 'singleSend' | 'automation';

export const hasStatistics = (kind: string): kind is StatisticsKind =>
	kindNamed(kind)?.statistics !== undefined;

export const COUNT_NAMES = Object.keys(records.singleSend.statistics) as CountName[];

/** The count of a rate, and the count that it is a part of. */
const RATES = {
	openRatePercent: { count: 'uniqueOpens', base: 'delivered' },
	unsubscribeRatePercent: { count: 'unsubscribes', base: 'delivered' },
	// Every triggered message may have bounced, so that none was delivered.
	bounceRatePercent: { count: 'bounces', base: 'triggered' },
	deliveryRatePercent: { count: 'delivered', base: 'triggered' },
	opensPerDelivered: { count: 'totalOpens', base: 'delivered' },
} as const satisfies Record<string, { count: CountName; base: CountName }>;

export type RateName = keyof typeof RATES;
export const RATE_NAMES = Object.keys(RATES) as RateName[];

export type Counts = Record<CountName, number | null>;
/** Null where a rate cannot be known. */
export type Rates = Record<RateName, number | null>;

export const statisticsOf = (kind: StatisticsKind): string[] =>
	Object.values(records[kind].statistics);

/** The field that the percentage of another one is of; undefined for one without a percentage. */
export function baseOf(kind: StatisticsKind, statistic: string): string | undefined {
	const { statistics: fields } = records[kind];
	const rate = Object.values(RATES).find(({ count }) => fields[count] === statistic);
	return rate && fields[rate.base];
}

/** The number in a field of a record; null where it has none. */
export function countIn(record: IDataObject, field: string): number | null {
	const count = coerceNumber(record[field]);
	return Number.isFinite(count) ? count : null;
}

/** With two decimals; null if the base is unknown or 0. */
function partOf(count: number | null, base: number | null, whole: number): number | null {
	if (count === null || base === null || base <= 0 || count < 0) return null;
	// Divided last, so that 14.375 is rounded up.
	return Math.round((count * whole * 100) / base) / 100;
}

export const percentOf = (count: number | null, base: number | null): number | null =>
	partOf(count, base, 100);

export const countsOf = (kind: StatisticsKind, record: IDataObject): Counts =>
	Object.fromEntries(
		COUNT_NAMES.map((name) => [name, countIn(record, records[kind].statistics[name])]),
	) as Counts;

export const ratesOf = (counts: Counts): Rates =>
	Object.fromEntries(
		RATE_NAMES.map((name) => {
			const { count, base } = RATES[name];
			const whole = name === 'opensPerDelivered' ? 1 : 100;
			return [name, partOf(counts[count], counts[base], whole)];
		}),
	) as Rates;

/** The middle of some numbers; null of none. */
export function median(numbers: readonly number[]): number | null {
	const sorted = [...numbers].sort((a, b) => a - b);
	const [low, high] = [(sorted.length - 1) >> 1, sorted.length >> 1].map((index) => sorted[index]);
	if (low === undefined || high === undefined) return null;
	return Math.round((Math.round(low * 100) + Math.round(high * 100)) / 2) / 100;
}
