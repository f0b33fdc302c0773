import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	compare,
	completedSends,
} from '../../nodes/EmailMarketing/features/campaigns/report/comparison';
import {
	periodBetween,
	previousReport,
} from '../../nodes/EmailMarketing/features/campaigns/report/reportPeriod';
import { reportOn } from '../../nodes/EmailMarketing/features/campaigns/report/report';
import { testName } from '../../nodes/EmailMarketing/records/testName';
import {
	ratesOf,
	statisticsOf,
	type Rate,
	type RateName,
	type StatisticsSource,
} from '../../nodes/EmailMarketing/records/statistics';

const sources: StatisticsSource[] = ['singleSends', 'automations'];
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

const named = (source: StatisticsSource, counts: number[]): IDataObject =>
	Object.fromEntries(statisticsOf(source).map((field, index) => [field, counts[index]]));

const anyValue = fc.oneof(
	fc.integer({ min: -5, max: 50 }),
	fc.nat(50).map(String),
	fc.constantFrom(null, undefined, '', 'many', true, NaN, Infinity),
);
const anyCounts = fc.tuple(...Array.from({ length: 6 }, () => anyValue));

describe.each(sources)('rates of %s', (source) => {
	it('are between 0 and 100 percent of consistent counts, except that people open twice', () => {
		fc.assert(
			fc.property(consistent(), (counts) => {
				const rates = ratesOf(source, named(source, counts));
				for (const [name, { percent, count, baseCount }] of Object.entries(rates)) {
					expect(percent === null).toBe(baseCount === 0);
					if (percent === null) continue;
					expect(percent).toBeCloseTo((100 * (count ?? NaN)) / (baseCount ?? NaN), 1);
					expect(percent).toBeGreaterThanOrEqual(0);
					expect(name === 'open' || percent <= 100).toBe(true);
				}
			}),
		);
	});

	it('are numbers or null, whatever the service returns', () => {
		fc.assert(
			fc.property(anyCounts, (values) => {
				const record = named(source, values as number[]);
				for (const rate of Object.values(ratesOf(source, record))) {
					for (const value of [rate.percent, rate.count, rate.baseCount]) {
						expect(value === null || Number.isFinite(value)).toBe(true);
					}
					if (!((rate.baseCount ?? 0) > 0)) expect(rate.percent).toBeNull();
				}
			}),
		);
	});

	it('stand beside the counts, which a report repeats as they are', () => {
		fc.assert(
			fc.property(anyCounts, (values) => {
				const record = { ...named(source, values as number[]), id: 1, utr: 'u', status: 1 };
				const report = reportOn(source, record, AT);
				expect(report).toMatchObject({ ...record, reportedAt: AT.toISOString() });
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
		...named('singleSends', counts),
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

it('compares with the last completed single sends only, and not with itself', () => {
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
				.map(([, row]) => ratesOf('singleSends', row));
			expect(compared.singleSends).toBe(others.length);
			for (const name of [
				'delivery',
				'bounce',
				'uniqueOpen',
				'open',
				'unsubscribe',
			] as RateName[]) {
				const percents = others
					.map(({ [name]: rate }) => rate.percent)
					.filter((percent) => percent !== null);
				const { percent } = ratesOf('singleSends', own)[name];
				const { medianPercent, rank, of, rankLabel } = compared[name] as IDataObject;
				const wanted = middle(percents);
				if (wanted === null) expect(medianPercent).toBeNull();
				else expect(Math.abs(Number(medianPercent) - wanted)).toBeLessThan(0.0051);
				if (percent === null) {
					expect([rank, of, rankLabel]).toEqual([null, null, null]);
					continue;
				}
				const order = [...percents, percent].sort((a, b) =>
					name === 'bounce' || name === 'unsubscribe' ? a - b : b - a,
				);
				const place = order.indexOf(percent) + 1;
				expect([rank, of]).toEqual([place, order.length]);
				expect(rankLabel).toBe(`${place} of ${order.length}`);
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
		reportOn('automations', { utr: 'u', ...named('automations', counts) }, AT);
	const fields = statisticsOf('automations');

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
				for (const field of fields) {
					const sum = periods.reduce((total, period) => total + Number(period[field]), 0);
					expect(sum).toBe(Number(reports.at(-1)?.[field]) - Number(reports[0]?.[field]));
				}
				for (const period of periods) {
					const fell = fields.some((field) => Number(period[field]) < 0);
					expect([period.isReset, 'note' in period]).toEqual([fell, fell]);
					const percents = Object.values(period.rates as Record<string, Rate>).map(
						({ percent }) => percent,
					);
					if (fell) expect(new Set(percents)).toEqual(new Set([null]));
					else expect(period.rates).toEqual(ratesOf('automations', period));
				}
			}),
		);
	});

	it.each([undefined, null, '', '  ', 'null', '{}', {}])('%j is no earlier report', (value) => {
		expect(previousReport(value, 'u')).toBeUndefined();
	});

	it('need only the UTR and the counts', () => {
		const row = { utr: 'u', ...named('automations', ['6', '5', '1', '2', '3', '0'] as never[]) };
		const period = periodBetween(
			previousReport(row, 'u') as IDataObject,
			reportOf([8, 6, 2, 2, 4, 1]),
		);
		expect(period).toMatchObject({
			...{ from: null, to: AT.toISOString(), isReset: false },
			...named('automations', [2, 1, 1, 0, 1, 1]),
			rates: { unsubscribe: { percent: 100, count: 1, base: 'total_delivered', baseCount: 1 } },
		});
	});
});
