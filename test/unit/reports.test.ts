import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	compare,
	completedSends,
	periodBetween,
	previousReport,
	reportOn,
} from '../../nodes/EmailMarketing/features/campaigns/report';
import { testName } from '../../nodes/EmailMarketing/records/testName';
import {
	COUNT_NAMES,
	countsOf,
	median,
	percentOf,
	RATE_NAMES,
	ratesOf,
	statisticsOf,
	type StatisticsKind,
} from '../../nodes/EmailMarketing/records/statistics';

const kinds: StatisticsKind[] = ['singleSend', 'automation'];
const AT = new Date('2026-03-02T12:00:00Z');

/** Counts as a service that counts right has them, in the order of `statisticsOf`. */
const consistent = (most = 1000) =>
	fc
		.tuple(...Array.from({ length: 5 }, () => fc.nat(most)))
		.map(([lost = 0, bounces = 0, unopened = 0, uniqueOpens = 0, more = 0]) => {
			const delivered = unopened + uniqueOpens;
			const unsubscribes = Math.min(more, delivered);
			return [
				delivered + bounces + lost,
				delivered,
				bounces,
				uniqueOpens,
				uniqueOpens + more,
				unsubscribes,
			];
		});

const named = (kind: StatisticsKind, counts: number[]): IDataObject =>
	Object.fromEntries(statisticsOf(kind).map((field, index) => [field, counts[index]]));

const anyValue = fc.oneof(
	fc.integer({ min: -5, max: 50 }),
	fc.nat(50).map(String),
	fc.constantFrom(null, undefined, '', 'many', true, NaN, Infinity),
);
const anyCounts = fc.tuple(...Array.from({ length: 6 }, () => anyValue));

describe.each(kinds)('rates of %s', (kind) => {
	const rates = (values: number[]) => ratesOf(countsOf(kind, named(kind, values)));

	it('are parts of what was delivered or triggered, up to 100 percent of consistent counts', () => {
		fc.assert(
			fc.property(consistent(), (counts) => {
				const [triggered = 0, delivered = 0, bounces = 0, unique = 0, opens = 0, left = 0] = counts;
				const wanted: Array<[number, number, number]> = [
					[unique, delivered, 100],
					[left, delivered, 100],
					[bounces, triggered, 100],
					[delivered, triggered, 100],
					[opens, delivered, 1],
				];
				const found = rates(counts);
				RATE_NAMES.forEach((name, index) => {
					const [count, base, whole] = wanted[index] ?? [0, 0, 0];
					expect(found[name] === null).toBe(base === 0);
					if (found[name] === null) return;
					expect(Math.abs(found[name] - (whole * count) / base)).toBeLessThan(0.0051);
					expect(found[name] >= 0 && (whole === 1 || found[name] <= 100)).toBe(true);
				});
			}),
		);
	});

	it('are numbers or null, whatever the service returns', () => {
		fc.assert(
			fc.property(anyCounts, (values) => {
				const record = named(kind, values as number[]);
				for (const value of [countsOf(kind, record), rates(values as number[])].flatMap(
					Object.values,
				)) {
					expect(value === null || Number.isFinite(value)).toBe(true);
				}
			}),
		);
	});

	it('stand in a report beside the counts, one column each', () => {
		fc.assert(
			fc.property(anyCounts, (values) => {
				const record = { ...named(kind, values as number[]), id: 1, utr: 'u', status: 1 };
				const report = reportOn(kind, record, AT);
				expect(report).toMatchObject({
					...countsOf(kind, record),
					...rates(values as number[]),
					...{ id: 1, utr: 'u', reportedAt: AT.toISOString() },
				});
				expect(Object.values(report).filter((value) => Object(value) === value)).toEqual([]);
			}),
		);
	});
});

const sends = fc.array(
	fc.record({ counts: consistent(20), status: fc.integer({ min: 0, max: 4 }), day: fc.nat(27) }),
	{ minLength: 1, maxLength: 14 },
);
const rowsOf = (made: Array<{ counts: number[]; status: number; day: number }>): IDataObject[] =>
	made.map(({ counts, status, day }, index) => ({
		...named('singleSend', counts),
		id: index + 1,
		utr: `send-${index + 1}`,
		status,
		sent_at: `2026-02-${String(day + 1).padStart(2, '0')} 09:00:00`,
	}));

/** The middle of some numbers, found by leaving out the smallest and the largest as long as there are more than two. */
function middle(numbers: number[]): number | null {
	const left = [...numbers].sort((a, b) => a - b);
	while (left.length > 2) {
		left.pop();
		left.shift();
	}
	return left.length === 0 ? null : left.reduce((sum, one) => sum + one, 0) / left.length;
}

it('compares with the last completed campaigns only, and not with itself', () => {
	fc.assert(
		fc.property(sends, fc.nat(14), fc.nat(5), (made, chosen, most) => {
			const rows = rowsOf(made);
			const own = rows[chosen % rows.length] as IDataObject;
			const compared = compare(own, completedSends(rows), most);
			const others = rows
				.filter(({ utr, status, triggered }) => utr !== own.utr && status === 3 && triggered !== 0)
				.map((row) => [`${String(row.sent_at)} ${String(row.id).padStart(3, '0')}`, row] as const)
				.sort(([a], [b]) => (a < b ? 1 : -1))
				.slice(0, most)
				.map(([, row]) => ratesOf(countsOf('singleSend', row)));
			expect(compared.comparedWith).toBe(others.length);
			for (const name of RATE_NAMES) {
				const numbers = others.map((rates) => rates[name]).filter((rate) => rate !== null);
				const rate = ratesOf(countsOf('singleSend', own))[name];
				const stem = name.replace('Percent', '');
				const median = compared[`${stem}Median${stem === name ? '' : 'Percent'}`];
				const wanted = middle(numbers);
				if (wanted === null) expect(median).toBeNull();
				else expect(Math.abs(Number(median) - wanted)).toBeLessThan(0.0051);
				if (rate === null) {
					expect(compared[`${stem}Rank`]).toBeNull();
					continue;
				}
				const order = [...numbers, rate].sort((a, b) =>
					/^(bounce|unsubscribe)/.test(name) ? a - b : b - a,
				);
				expect(compared[`${stem}Rank`]).toBe(`${order.indexOf(rate) + 1} of ${order.length}`);
			}
		}),
	);
});

it('compares with no test of "Send Test"', () => {
	const [own, ...others] = rowsOf(
		Array.from({ length: 4 }, (_, day) => ({ counts: [10, 8, 1, 4, 5, 1], status: 3, day })),
	);
	const names = [testName('Spring'), '[Test] by hand', 'Spring (m3x9k2ab-1a2b3c)'];
	const rows = others.map((row, index) => ({ ...row, single_send_name: names[index] }));
	expect(completedSends([own as IDataObject, ...rows]).map(({ utr }) => utr)).toEqual([
		...['send-4', 'send-3', 'send-1'],
	]);
});

describe('periods of an automation', () => {
	const reportOf = (counts: number[]) =>
		reportOn('automation', { utr: 'u', ...named('automation', counts) }, AT);

	it('add up to the whole, and have no rates where a count went down', () => {
		const histories = fc.array(fc.array(fc.nat(30), { minLength: 6, maxLength: 6 }), {
			minLength: 2,
			maxLength: 8,
		});
		fc.assert(
			fc.property(histories, (history) => {
				const reports = history.map(reportOf);
				const periods = reports.slice(1).map((report, index) => {
					const kept = JSON.stringify(reports[index]);
					return periodBetween(previousReport(kept, 'u') as IDataObject, report);
				});
				for (const field of COUNT_NAMES) {
					const sum = periods.reduce((total, period) => total + Number(period[field]), 0);
					expect(sum).toBe(Number(reports.at(-1)?.[field]) - Number(reports[0]?.[field]));
				}
				for (const period of periods) {
					const fell = COUNT_NAMES.some((field) => Number(period[field]) < 0);
					expect([period.isReset, 'note' in period]).toEqual([fell, fell]);
					const rates = Object.fromEntries(RATE_NAMES.map((name) => [name, period[name]]));
					if (fell) expect(new Set(Object.values(rates))).toEqual(new Set([null]));
					else expect(rates).toEqual(ratesOf(period as unknown as ReturnType<typeof countsOf>));
				}
			}),
		);
	});

	it.each([undefined, null, '', '  ', 'null', '{}', {}])('%j is no earlier report', (value) => {
		expect(previousReport(value, 'u')).toBeUndefined();
	});

	it('need only the UTR and the counts', () => {
		const counted = (counts: unknown[]) =>
			Object.fromEntries(COUNT_NAMES.map((name, index) => [name, counts[index]])) as IDataObject;
		const row = { utr: 'u', ...counted(['6', '5', '1', '2', '3', '0']) };
		const period = periodBetween(
			previousReport(row, 'u') as IDataObject,
			reportOf([8, 6, 2, 2, 4, 1]),
		);
		expect(period).toMatchObject({
			...{ from: null, to: AT.toISOString(), isReset: false },
			...counted([2, 1, 1, 0, 1, 1]),
			unsubscribeRatePercent: 100,
		});
	});
});

test.each([
	[23, 160, 14.38],
	[41, 160, 25.63],
	[201, 20_000, 1.01],
	[1, 160, 0.63],
	[1, 3, 33.33],
])('%d of %d are %d percent', (count, base, percent) => {
	expect(percentOf(count, base)).toBe(percent);
});

test.each([
	[[1, 1.01], 1.01],
	[[2.05, 2.06], 2.06],
	[[3, 1, 2], 2],
	[[], null],
])('the median of %j is %d', (numbers, middle) => {
	expect(median(numbers)).toBe(middle);
});
