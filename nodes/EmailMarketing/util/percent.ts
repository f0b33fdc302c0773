/**
 * Decimals such as 1.1 are inexact in binary, and so is their product: 33 of 3,000 would not be 1.1 %. Real differences
 * are far larger than this.
 */
const ROUNDING = 2 * Number.EPSILON;

/** Whether the count is the percentage of the total, or more. */
export const reachesPercent = (count: number, total: number, percent: number): boolean =>
	count * 100 >= total * percent * (1 - ROUNDING);

/** Whether the count is more than the percentage of the total. */
export const exceedsPercent = (count: number, total: number, percent: number): boolean =>
	count * 100 > total * percent * (1 + ROUNDING);
