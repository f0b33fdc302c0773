import { thresholdName, toThreshold } from '../../../nodes/EmailMarketing/trigger/milestones';
import { showStatus } from '../../../nodes/EmailMarketing/trigger/statuses';
import { diffByWatermark, OVERLAP } from '../../../nodes/EmailMarketing/trigger/watermarkDiff';
import { time } from './arbitraries';

const row = (id: number, seconds: number) => ({ id, updated_at: time(seconds) });
const ids = (rows: Array<{ id?: unknown }>) => rows.map(({ id }) => id);
const nothing = { max: 0, gaps: [] };

it('remembers which rows have which time', () => {
	const rows = [row(10, 5), row(12, 5), row(15, 1), row(20, 5)];
	const { after } = diffByWatermark(rows, undefined, true);
	expect(after).toEqual({
		max: 20,
		gaps: [
			...[
				[1, 9],
				[11, 11],
				[13, 14],
				[16, 19],
			],
		],
		updates: { until: '', seen: { [time(5)]: [10, 12, 20], [time(1)]: [15] } },
	});
	const next = diffByWatermark([row(10, 1), row(15, 5), row(20, 5)], after, true);
	expect(ids(next.updated)).toEqual([10, 15]);
	expect(next.after.updates).toEqual({
		...{ until: '', seen: { [time(5)]: [10, 12, 20, 15], [time(1)]: [15, 10] } },
	});
});

it('remembers the latest 500 updates, and those of the five minutes before', () => {
	const spread = Array.from({ length: 1000 }, (_, index) => row(index + 1, index));
	const { updates } = diffByWatermark(spread, undefined, true).after;
	expect(Object.keys(updates?.seen ?? {})).toHaveLength(OVERLAP.least + 300);
	expect(updates?.until).toBe(time(199));
	const { updated } = diffByWatermark(
		[row(1, 199), row(2, 200.5)],
		{ ...nothing, max: 2, updates },
		true,
	);
	expect(ids(updated)).toEqual([2]);
});

it('remembers at most 5,000, and none of a time that has more', () => {
	const bulk = (seconds: number, count: number) =>
		Array.from({ length: count }, (_, index) => row(seconds * 10_000 + index, seconds));
	const rows = [...bulk(1, 100), ...bulk(2, 4900), ...bulk(3, 100)];
	const { updates } = diffByWatermark(rows, undefined, true).after;
	expect(updates?.until).toBe(time(1));
	expect(Object.values(updates?.seen ?? {}).flat()).toHaveLength(OVERLAP.most);
	const more = diffByWatermark(bulk(4, 5001), { ...nothing, updates }, true);
	expect(more.after.updates).toEqual({ until: time(4), seen: {} });
});

it('goes back behind no time, whatever is missing from a list', () => {
	const spread = Array.from({ length: 1000 }, (_, index) => row(index + 1, index));
	const { after } = diffByWatermark(spread, undefined, true);
	const empty = diffByWatermark([], after, true).after;
	expect(empty).toEqual(after);
	expect(diffByWatermark(spread, empty, true).updated).toEqual([]);
});

it('remembers the latest IDs that its first poll has not seen, but no old ones', () => {
	const { after } = diffByWatermark([row(1, 1), row(5_000, 1), row(5_002, 1)], undefined, false);
	expect(after).toEqual({
		max: 5_002,
		gaps: [
			[4_903, 4_999],
			[5_001, 5_001],
		],
	});
	const { added } = diffByWatermark([row(7, 1), row(5_001, 1)], after, false);
	expect(ids(added)).toEqual([5_001]);
});

it('remembers the IDs that it has not seen, until they appear', () => {
	const before = { max: 5, gaps: [[2, 3]] as Array<[number, number]> };
	const { added, after } = diffByWatermark([row(2, 1), row(5, 1), row(8, 1)], before, false);
	expect(ids(added)).toEqual([2, 8]);
	expect(after).toEqual({
		max: 8,
		gaps: [
			[3, 3],
			[6, 7],
		],
	});
});

it('remembers the newest 1,000 gaps in the IDs', () => {
	const rows = Array.from({ length: 1_050 }, (_, index) => row(2 * index + 2, 1));
	const { gaps } = diffByWatermark(rows, nothing, false).after;
	expect(gaps).toHaveLength(1_000);
	expect([gaps[0], gaps.at(-1)]).toEqual([
		[101, 101],
		[2_099, 2_099],
	]);
});

it.each([
	undefined,
	null,
	5,
	'x2026-01-01T00:00',
	'2026-01-01T00:0',
	'2026-01-01',
	'2026-13-01T00:00',
	'2026-00-01T00:00',
	'2026-01-32T00:00',
	'2026-01-00T00:00',
	'2026-01-01T24:00',
	'2026-01-01T00:60',
])('takes %j for no time', (updated_at) => {
	const odd = { id: 1, updated_at } as never;
	expect(diffByWatermark([odd], undefined, true).after.updates).toEqual({ until: '', seen: {} });
});

it('names a threshold by all that it compares', () => {
	const chosen = { statistic: 'bounces', value: 5, minimumMessages: 40 };
	const named = (unit: 'percent' | 'count') =>
		thresholdName(toThreshold('singleSends', { ...chosen, unit }));
	expect([named('percent'), named('count')]).toEqual(['bounces>=5%/40', 'bounces>=5']);
});

it('shows a status of several digits as a number', () => {
	expect(showStatus('singleSends', '12').code).toBe(12);
});
