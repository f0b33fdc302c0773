import fc from 'fast-check';

import { atMost, constant, queueing } from './services';
import { bestFixed, simulate, type Behaviour } from './simulation';

const count = 2000;

async function isNearBest(make: () => Behaviour): Promise<void> {
	const automatic = await simulate(make(), { count });
	expect(automatic.failed).toBe(0);
	expect(automatic.ms).toBeLessThanOrEqual(1.15 * (await bestFixed(make, { count })));
}

test('with constant response times the time is near that of the best fixed number', async () => {
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 0, max: 300 }), async (ms) => {
			await isNearBest(() => constant(ms));
		}),
		{ numRuns: 5 },
	);
});

test('where requests queue up, it is too', async () => {
	const servers = fc.integer({ min: 1, max: 64 });
	await fc.assert(
		fc.asyncProperty(servers, fc.integer({ min: 5, max: 200 }), async (number, ms) => {
			await isNearBest(() => queueing(number, ms));
		}),
		{ numRuns: 5 },
	);
});

test('random response times are not taken for overload', async () => {
	const anyMs = fc.integer({ min: 5, max: 300 });
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 0 }), anyMs, async (seed, ms) => {
			// As many servers as requests are sent at a time: none waits for another.
			const make = () => queueing(64, ms, seed);
			const automatic = await simulate(make(), { count });
			const fixed = await simulate(make(), { count, parallel: 64 });
			expect(automatic.ms).toBeLessThanOrEqual(1.15 * fixed.ms);
		}),
		{ numRuns: 10, examples: [[13, 122]] },
	);
});

test('a service that takes only so many at a time refuses few', async () => {
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 4, max: 60 }), async (capacity) => {
			const { refused, failed } = await simulate(atMost(capacity, 100), { count });
			expect(failed).toBe(0);
			expect(refused.length).toBeLessThanOrEqual(count / 10);
		}),
		{ numRuns: 10 },
	);
});

test.each([
	[100, 3000],
	[300, 7000],
])('1,000 requests at %p ms take no more than %p ms', async (ms, most) => {
	expect((await simulate(constant(ms), { count: 1000 })).ms).toBeLessThanOrEqual(most);
});
