import { thresholdName, toThreshold } from '../../../nodes/EmailMarketing/trigger/thresholds';
import { showStatus } from '../../../nodes/EmailMarketing/trigger/statuses';
import { diffByWatermark } from '../../../nodes/EmailMarketing/trigger/watermarkDiff';
import { time } from './arbitraries';

const row = (id: number, seconds: number) => ({ id, updated_at: time(seconds) });
const at = time(5);
const now = Date.UTC(2026, 0, 1, 12);
const ids = (rows: Array<{ id?: unknown }>) => rows.map(({ id }) => id);

/** `count` rows of the newest time, each with an older one behind it. */
const scattered = (count: number) =>
	Array.from({ length: 2 * count }, (_, index) => row(index + 1, index % 2 === 0 ? 5 : 1));

it('remembers which rows have the newest time, as ranges of neighbours in the list', () => {
	const rows = [row(10, 5), row(12, 5), row(15, 1), row(20, 5)];
	expect(diffByWatermark(rows, undefined, true, now).after).toEqual({
		ids: { max: 20, gaps: [] },
		updated: {
			at,
			seen: [
				[10, 12],
				[20, 20],
			],
		},
	});
});

it('takes all rows as seen where they are too scattered to remember', () => {
	const seenOf = (count: number) =>
		diffByWatermark(scattered(count), undefined, true, now).after.updated?.seen;
	expect(seenOf(50)).toHaveLength(50);
	expect(seenOf(51)).toEqual([[0, Number.MAX_SAFE_INTEGER]]);
});

it('remembers the IDs that it has not seen, until they appear', () => {
	const before = { ids: { max: 5, gaps: [[2, 3]] as Array<[number, number]> } };
	const { added, after } = diffByWatermark([row(2, 1), row(5, 1), row(8, 1)], before, false, now);
	expect(ids(added)).toEqual([2, 8]);
	expect(after).toEqual({
		ids: {
			max: 8,
			gaps: [
				[3, 3],
				[6, 7],
			],
		},
	});
});

it('remembers the newest 100 gaps in the IDs', () => {
	const rows = Array.from({ length: 150 }, (_, index) => row(2 * index + 2, 1));
	const before = { ids: { max: 0, gaps: [] } };
	const { gaps } = diffByWatermark(rows, before, false, now).after.ids;
	expect(gaps).toHaveLength(100);
	expect([gaps[0], gaps.at(-1)]).toEqual([
		[101, 101],
		[299, 299],
	]);
});

describe('where the newest time has too many scattered rows to remember', () => {
	type Range = [first: number, last: number];
	const odd = (count: number) => Array.from({ length: count }, (_, index) => 2 * index + 1);
	/** The odd IDs appear late, with the newest time; contacts 400 and 402 are updated, 402 at the newest time. */
	const polled = (count: number) => {
		const late = odd(count);
		const before = {
			ids: { max: 402, gaps: [...late, 301].map((id): Range => [id, id]) },
			updated: { at: time(2), seen: [] },
		};
		const known = late.map((id) => row(id + 1, 1));
		const rows = [...late.map((id) => row(id, 5)), ...known, row(301, 3), row(400, 4), row(402, 5)];
		const { added, updated, after } = diffByWatermark(rows, before, true, now);
		expect(ids(added)).toEqual([...late, 301]);
		const next = diffByWatermark(rows, after, true, now);
		expect(next.added).toEqual([]);
		return { updated: ids(updated), after: after.updated, next: ids(next.updated) };
	};

	it('remembers those that are few enough', () => {
		const seen = [...odd(49), 402].map((id): Range => [id, id]);
		expect(polled(49)).toEqual({ updated: [400, 402], after: { at, seen }, next: [] });
	});

	it('leaves its updates to the next poll, and remembers what was added', () => {
		const seen = odd(50).map((id): Range => [id, id]);
		expect(polled(50)).toEqual({ updated: [400], after: { at, seen }, next: [402] });
	});

	it('takes all of them as seen where those that were added are too many already', () => {
		const seen: Range[] = [[0, Number.MAX_SAFE_INTEGER]];
		expect(polled(51)).toEqual({ updated: [400, 402], after: { at, seen }, next: [] });
	});
});

it('joins ranges of seen rows that touch or overlap', () => {
	const before = {
		ids: { max: 20, gaps: [] },
		updated: {
			at,
			seen: [
				[8, 9],
				[1, 2],
				[15, 15],
			] as Array<[number, number]>,
		},
	};
	const rows = [row(1, 5), row(2, 5), row(3, 5), row(6, 1), row(9, 5), row(10, 5)];
	const { updated, after } = diffByWatermark(rows, before, true, now);
	expect(ids(updated)).toEqual([3, 10]);
	expect(after.updated).toEqual({
		at,
		seen: [
			[1, 3],
			[8, 10],
			[15, 15],
		],
	});
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
	expect(diffByWatermark([odd], undefined, true, now).after.updated).toEqual({
		at: '',
		seen: [[1, 1]],
	});
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
