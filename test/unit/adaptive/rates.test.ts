import fc from 'fast-check';

import { constant, fixedWindows, randomOf, slidingWindow } from './services';
import type { RateLimit } from './services';
import { runsOf, simulate } from './simulation';

beforeEach(() => {
	jest.spyOn(Math, 'random').mockImplementation(randomOf(1));
});
afterEach(() => {
	jest.restoreAllMocks();
});

const limitOf = (ms: number) => ({ count: 50, windowMs: 1000, ms, tellsPause: true });
const kinds = { 'fixed windows': fixedWindows, 'a sliding window': slidingWindow };
const ownMs = 0.5;

describe.each(Object.entries(kinds))('a rate limit with %s', (_name, service) => {
	it.each([5, 20, 100])('at %p ms is kept after the first refusals', async (ms) => {
		const { refused, failed, ...run } = await simulate(service(limitOf(ms)), {
			count: 1000,
			ownMs,
		});
		expect(failed).toBe(0);
		expect(refused.filter(({ at }) => at > 1000)).toEqual([]);
		expect(run.ms).toBeLessThanOrEqual(1.05 * 20_000);
	});
});

/** Without a pause that is asked for, the tries of a request do not last for a longer window. */
const longestUnknown = 15;

/** 5 to 200 requests per second. */
const anyLimit: fc.Arbitrary<RateLimit> = fc
	.record({
		perSecond: fc.integer({ min: 5, max: 200 }),
		seconds: fc.integer({ min: 1, max: 60 }),
		ms: fc.integer({ min: 0, max: 500 }),
		tellsPause: fc.boolean(),
	})
	.filter(({ tellsPause, seconds }) => tellsPause || seconds <= longestUnknown)
	.map(({ perSecond, seconds, ms, tellsPause }) => ({
		...{ count: Math.max(10, Math.min(perSecond * seconds, 500)), windowMs: seconds * 1000 },
		...{ ms, tellsPause },
	}));

/** Runs through eight windows, or 1,000 requests if that is more. */
async function isNearIdeal(limit: RateLimit, begunMs?: number): Promise<void> {
	const windows = Math.max(8, Math.ceil(1000 / limit.count));
	const count = windows * limit.count;
	const service = begunMs === undefined ? slidingWindow(limit) : fixedWindows(limit, begunMs);
	const { refused, failed, ms } = await simulate(service, { count, ownMs });
	const unlimited = await simulate(constant(limit.ms), { count, ownMs });
	expect(failed).toBe(0);
	expect(refused.filter(({ at }) => at > limit.windowMs).length).toBeLessThanOrEqual(mostRefused);
	const ideal = Math.max(unlimited.ms, windows * limit.windowMs);
	expect(ms).toBeLessThanOrEqual(1.2 * ideal + searchMs);
}

/** Three times what is under way at most: a rate is learned from two refusals, and then a higher one is tried. */
const mostRefused = 768;

/** A few pauses of a second, by each of which a rate in short windows is searched for. */
const searchMs = 5_000;

describe('any rate limit is kept, in not much more time than it takes', () => {
	const numRuns = runsOf(2);

	it('with windows that begin with the first request', async () => {
		await fc.assert(
			fc.asyncProperty(anyLimit, async (limit) => {
				await isNearIdeal(limit, 0);
			}),
			// Many refusals at once in a small service leave one request at a time, but not for long.
			{ numRuns, examples: [[{ count: 19, windowMs: 1000, ms: 438, tellsPause: false }]] },
		);
	});

	it('with windows that began before', async () => {
		await fc.assert(
			fc.asyncProperty(
				anyLimit,
				fc.double({ min: 0, max: 0.99, noNaN: true }),
				async (limit, part) => {
					await isNearIdeal(limit, part * limit.windowMs);
				},
			),
			{ numRuns },
		);
	});

	it('with a sliding window', async () => {
		await fc.assert(
			fc.asyncProperty(anyLimit, async (limit) => {
				await isNearIdeal(limit);
			}),
			{ numRuns },
		);
	});
});
