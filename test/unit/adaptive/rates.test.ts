import { fixedWindows, slidingWindow } from './services';
import { simulate } from './simulation';

const limitOf = (ms: number) => ({ count: 50, windowMs: 1000, ms, tellsPause: true });
const kinds = { 'fixed windows': fixedWindows, 'a sliding window': slidingWindow };

describe.each(Object.entries(kinds))('a rate limit with %s', (_name, service) => {
	it.each([5, 20, 100])('at %p ms is kept after the first refusals', async (ms) => {
		const { refused, failed, ...run } = await simulate(service(limitOf(ms)), {
			count: 1000,
			ownMs: 0.5,
		});
		expect(failed).toBe(0);
		expect(refused.filter(({ at }) => at > 1000)).toEqual([]);
		expect(run.ms).toBeLessThanOrEqual(1.05 * 20_000);
	});
});
