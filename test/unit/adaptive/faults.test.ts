import fc from 'fast-check';

import {
	atMost,
	bucket,
	constant,
	drifting,
	fixedWindows,
	queueing,
	randomOf,
	sometimes,
} from './services';
import { bestFixed, runsOf, simulate } from './simulation';
import type { Behaviour, Decision } from './simulation';

const numRuns = runsOf(3);
const count = 1_000;

/** Before the last refused requests are sent again. */
const pauseMs = 1_000;

const reset: Decision = { ms: 20, status: 0, lost: 'ECONNRESET' };
const busy: Decision = { ms: 5, status: 503 };
const anyFault = fc.constantFrom(reset, busy, { ms: 20, status: 500 });
const anyMs = fc.integer({ min: 5, max: 400 });
const seeds = fc.nat();

beforeEach(() => {
	jest.spyOn(Math, 'random').mockImplementation(randomOf(1));
});
afterEach(() => {
	jest.restoreAllMocks();
});

test('random faults leave at least half the speed of ten at a time', async () => {
	const share = fc.double({ min: 0, max: 0.05, noNaN: true });
	await fc.assert(
		fc.asyncProperty(share, anyFault, anyMs, seeds, async (part, fault, ms, seed) => {
			const make = () => sometimes(part, fault, constant(ms), seed);
			const automatic = await simulate(make(), { count });
			const ten = await simulate(make(), { count, parallel: 10 });
			expect(automatic.ms).toBeLessThanOrEqual(2 * ten.ms);
		}),
		{
			numRuns,
			examples: [
				[0.01, reset, 180, 1],
				[0.005, busy, 180, 1],
			],
		},
	);
});

test('with one in a hundred connections lost, the requests take hardly longer', async () => {
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 50, max: 400 }), seeds, async (ms, seed) => {
			const { ms: usual } = await simulate(constant(ms), { count });
			const run = await simulate(sometimes(0.01, reset, constant(ms), seed), { count });
			expect(run.ms).toBeLessThanOrEqual(1.3 * usual + pauseMs);
		}),
		{ numRuns },
	);
});

test('no service takes twice as long as with its best fixed number', async () => {
	const services = fc.oneof(
		fc.tuple(fc.integer({ min: 1, max: 128 }), anyMs, seeds).map(
			([workers, ms, seed]) =>
				() =>
					queueing(workers, ms, seed),
		),
		fc.tuple(fc.integer({ min: 1, max: 128 }), anyMs).map(
			([workers, ms]) =>
				() =>
					queueing(workers, ms),
		),
		fc.tuple(fc.integer({ min: 16, max: 300 }), anyMs).map(
			([capacity, ms]) =>
				() =>
					atMost(capacity, ms),
		),
		fc.tuple(anyMs, fc.integer({ min: 500, max: 20_000 })).map(
			([ms, periodMs]) =>
				() =>
					drifting(ms, periodMs),
		),
		fc.tuple(anyMs, seeds).map(
			([ms, seed]) =>
				() =>
					sometimes(0.01, { ms: 10 * ms, status: 200 }, constant(ms), seed),
		),
	);
	await fc.assert(
		fc.asyncProperty(services as fc.Arbitrary<() => Behaviour>, async (make) => {
			const { ms, failed } = await simulate(make(), { count: 2 * count });
			expect(failed).toBe(0);
			expect(ms).toBeLessThanOrEqual(2 * (await bestFixed(make, { count: 2 * count })) + pauseMs);
		}),
		{ numRuns, examples: [[() => atMost(18, 8)]] },
	);
});

test('a service of eight workers answers within twice its time once the limit has settled', async () => {
	await fc.assert(
		fc.asyncProperty(anyMs, fc.boolean(), async (ms, hasList) => {
			const { seen } = await simulate(queueing(8, ms), {
				count,
				...(hasList && { listMs: 20 * ms }),
			});
			const settled = seen.slice(count / 4);
			const mean = settled.reduce((sum, one) => sum + one.ms, 0) / settled.length;
			expect(mean).toBeLessThanOrEqual(2 * ms);
		}),
		{ numRuns },
	);
});

test('a slow list before does not falsify the rate', async () => {
	const listMs = fc.integer({ min: 0, max: 60_000 });
	const limits = fc.record({
		perSecond: fc.integer({ min: 10, max: 100 }),
		seconds: fc.integer({ min: 1, max: 10 }),
		isBucket: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(
			listMs,
			limits,
			anyMs,
			async (before, { perSecond, seconds, isBucket }, ms) => {
				const size = perSecond * seconds;
				const windows = Math.max(10, Math.ceil((2 * count) / size));
				const total = windows * size;
				const service = isBucket
					? bucket(size, perSecond, ms)
					: fixedWindows({ count: size, windowMs: 1000 * seconds, ms, tellsPause: true });
				const run = await simulate(service, { count: total, listMs: before, ownMs: 0.5 });
				const { ms: free } = await simulate(constant(ms), { count: total, ownMs: 0.5 });
				const ideal = Math.max(free, ((total - (isBucket ? size : 0)) / perSecond) * 1000);
				expect(run.failed).toBe(0);
				expect(run.ms - before).toBeLessThanOrEqual(1.2 * ideal);
			},
		),
		{ numRuns, examples: [[10_000, { perSecond: 50, seconds: 1, isBucket: false }, 20]] },
	);
});

test('after a burst of refusals, it is as fast as before within a few rounds', async () => {
	const burst: Behaviour = ({ now }) =>
		now > 1_500 && now < 1_600 ? busy : { ms: 100, status: 200 };
	const { seen } = await simulate(burst, { count: 8_000 });
	const after = seen.filter(({ at }) => at >= 2_600 && at < 2_700).length;
	expect(after).toBeGreaterThanOrEqual(128);
});
