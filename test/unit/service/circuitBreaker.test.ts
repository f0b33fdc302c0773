import fc from 'fast-check';

import { CircuitBreaker } from '../../../nodes/EmailMarketing/service/circuitBreaker';
import { fixedWindows, randomOf } from '../adaptive/services';
import { simulate } from '../adaptive/simulation';
import type { Behaviour, Decision, Simulation } from '../adaptive/simulation';

const minutes = 60_000;
const silence: Decision = { ms: 5 * minutes, status: 0, lost: 'ETIMEDOUT' };
const failures: Decision[] = [
	silence,
	{ ms: minutes, status: 504 },
	{ ms: 10, status: 503 },
	{ ms: 10, status: 429, retryAfter: 30 },
	{ ms: 4 * minutes, status: 0, lost: 'ECONNRESET' },
	{ ms: 130_000, status: 0, lost: 'connect ETIMEDOUT 192.0.2.1:443' },
];

const run = async (behaviour: Behaviour, rest: Partial<Simulation> = {}) =>
	await simulate(behaviour, { count: 60, breaker: new CircuitBreaker(), ...rest });

const wasSent = ({ failure }: { failure: { description: string } }) =>
	!failure.description.includes('was not sent');

test.each([
	[1, 15, 3, 3],
	[10, 10, 12, 10],
	[undefined, 10, 18, 16],
])('of 60 writes, %p at a time, to a silent service', async (parallel, most, mostSent, failed) => {
	const { ms, seen, failures: all } = await run(() => silence, { parallel });
	expect(ms).toBeLessThanOrEqual(most * minutes);
	expect(seen.length).toBeLessThanOrEqual(mostSent);
	expect(all).toHaveLength(60);
	expect(all.filter(wasSent)).toHaveLength(seen.length);
	expect(all.at(-1)?.failure).toEqual({
		code: 'timeout',
		message: 'The service did not respond in time',
		description: `The request was not sent, because ${failed} requests in a row failed. Run again when the service responds. Nothing was changed.`,
		effect: 'none',
		retryable: true,
		httpCode: undefined,
	});
});

test('what is not sent anymore does not wait for the rate of the service', async () => {
	const service = fixedWindows({ count: 60, windowMs: minutes, ms: 10, tellsPause: true });
	const silentFrom = 10 * minutes;
	const { ms, failed } = await run(
		(arrival) => (arrival.now < silentFrom ? service(arrival) : silence),
		{ count: 3_000 },
	);
	expect(failed).toBeGreaterThan(2_000);
	expect(ms - silentFrom).toBeLessThanOrEqual(10 * minutes);
});

test('no run takes longer than docs/faults.md says without one success', async () => {
	const parallel = fc.constantFrom(undefined, 1, 2, 3, 10, 64);
	const kinds = fc.uniqueArray(fc.constantFrom(...failures), { minLength: 1 });
	await fc.assert(
		fc.asyncProperty(
			...[parallel, kinds, fc.nat(), fc.boolean(), fc.constantFrom(60, 1000)],
			async (atATime, some, seed, isShared, count) => {
				const random = randomOf(seed);
				const pick = () => some[Math.floor(random() * some.length)] as Decision;
				const { ms } = await run(pick, { parallel: atATime, isShared, count });
				expect(ms).toBeLessThanOrEqual((isShared ? 26 : 21) * minutes);
			},
		),
		{ numRuns: 60 },
	);
});

test('a success between timeouts keeps a run going', async () => {
	let sent = 0;
	const twoOfThree: Behaviour = () => (++sent % 3 === 0 ? { ms: 10, status: 200 } : silence);
	expect((await run(twoOfThree, { parallel: 1 })).seen).toHaveLength(60);
});

test('one shared read finds out whether the service is back', async () => {
	let sent = 0;
	const back: Behaviour = () => (++sent > 3 ? { ms: 10, status: 200 } : silence);
	const { seen, failed } = await run(back, { parallel: 1, isShared: true });
	expect([seen.length, failed]).toEqual([60, 3]);
	const { ms, seen: tried } = await run(() => silence, { parallel: 1, isShared: true });
	expect([ms, tried.length]).toEqual([20 * minutes, 4]);
});
