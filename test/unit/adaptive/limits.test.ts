import fc from 'fast-check';

import {
	ConcurrencyLimit,
	parallelAtFirst,
} from '../../../nodes/EmailMarketing/util/concurrencyLimit';
import { atMost, constant, queueing, randomOf } from './services';
import { runsOf, simulate } from './simulation';

const count = 2000;

afterEach(() => jest.restoreAllMocks());

test('random response times are not taken for overload', async () => {
	const anyMs = fc.integer({ min: 5, max: 300 });
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 0 }), anyMs, async (seed, ms) => {
			// As many servers as requests are sent at a time: none waits for another.
			const make = () => queueing(64, ms, seed);
			const automatic = await simulate(make(), { count });
			const fixed = await simulate(make(), { count, parallel: 64 });
			// Some round trips more, until it is sure of the usual time.
			expect(automatic.ms).toBeLessThanOrEqual(2 * fixed.ms + 20 * ms);
		}),
		{ numRuns: runsOf(3), examples: [[13, 122]] },
	);
});

test('a service that takes only so many at a time refuses few, whatever it refuses them with', async () => {
	const capacities = fc.integer({ min: 1, max: 60 });
	const anyMs = fc.integer({ min: 5, max: 300 });
	const refusals = fc.constantFrom({ status: 503 }, { status: 429, retryAfter: 1 });
	await fc.assert(
		fc.asyncProperty(capacities, anyMs, refusals, fc.nat(), async (capacity, ms, refusal, seed) => {
			jest.spyOn(Math, 'random').mockImplementation(randomOf(seed));
			const { refused, failed } = await simulate(atMost(capacity, ms, refusal), { count });
			// The tries of a request are random: hardly one is refused five times.
			expect(failed).toBeLessThanOrEqual(count / 1000);
			expect(refused.length).toBeLessThanOrEqual(count / 10);
		}),
		{ numRuns: runsOf(12) },
	);
});

test.each([
	[100, 900],
	[300, 2_700],
])('1,000 requests at %p ms take no more than %p ms', async (ms, most) => {
	expect((await simulate(constant(ms), { count: 1000 })).ms).toBeLessThanOrEqual(most);
});

test('the next run begins with what this one ended with, for an hour', async () => {
	const service = 'https://example.com/api';
	const startedAtOnce = async () => {
		const { seen } = await simulate(constant(100), { count: 1000, service });
		return seen.filter(({ at }) => at === 0).length;
	};
	expect([await startedAtOnce(), await startedAtOnce()]).toEqual([parallelAtFirst, 256]);
	const clock = { now: () => 2 * 3_600_000, pause: async () => {} };
	expect(new ConcurrencyLimit({ service, clock }).limit).toBe(parallelAtFirst);
});

test('the next run never begins with fewer requests than the first one', async () => {
	const service = 'https://example.com/busy';
	await simulate(atMost(3, 100), { count: 100, service });
	expect(new ConcurrencyLimit({ service }).limit).toBe(parallelAtFirst);
});
