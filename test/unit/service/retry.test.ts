import fc from 'fast-check';

import { CircuitBreaker } from '../../../nodes/EmailMarketing/service/circuitBreaker';
import { ServiceError } from '../../../nodes/EmailMarketing/service/failure';
import type { Failure } from '../../../nodes/EmailMarketing/service/failure';
import { retryPolicyOf, withRetries } from '../../../nodes/EmailMarketing/service/retry';
import { failure } from './failures';

interface Told {
	/** Milliseconds from the first try to each of them. */
	triedAt: number[];
	result: unknown;
}

/** Lets a request fail with each of the failures in turn, and then succeed. */
async function tell(
	failures: Failure[],
	{
		changesData = false,
		isInteractive = false,
		retries = true,
		signal = undefined as AbortSignal | undefined,
		breaker = undefined as CircuitBreaker | undefined,
	} = {},
): Promise<Told> {
	const started = performance.now();
	const triedAt: number[] = [];
	const send = async () => {
		const next = failures[triedAt.length];
		triedAt.push(performance.now() - started);
		if (next !== undefined) throw new ServiceError(next);
		return 'answered';
	};
	const policy = retryPolicyOf({ isInteractive, retries, signal, breaker });
	const result = withRetries(send, { changesData }, policy).catch((error: unknown) => error);
	await jest.advanceTimersByTimeAsync(600_000);
	return { triedAt, result: await result };
}

beforeEach(() => {
	jest.useFakeTimers();
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

const many = (count: number, rest: Partial<Failure> = {}) =>
	Array.from({ length: count }, () => failure(rest));

describe('a read', () => {
	it('is tried again after pauses that double', async () => {
		const { triedAt, result } = await tell(many(4, { effect: 'unknown' }));
		expect(result).toBe('answered');
		expect(triedAt.map(Math.round)).toEqual([0, 375, 1125, 2625, 5625]);
	});

	it('fails after five tries, and says so', async () => {
		const { triedAt, result } = await tell(many(9));
		expect(triedAt).toHaveLength(5);
		expect((result as ServiceError).failure).toEqual(
			failure({ description: 'Try again later. Tried 5 times.' }),
		);
	});

	it('says how often it was tried also where there is nothing else to say', async () => {
		const { result } = await tell(many(9, { description: '' }));
		expect((result as ServiceError).failure.description).toBe('Tried 5 times.');
	});

	it('fails at once for a lasting reason, in its own words', async () => {
		const { triedAt, result } = await tell(many(1, { retryable: false }));
		expect(triedAt).toEqual([0]);
		expect((result as ServiceError).failure).toEqual(failure({ retryable: false }));
	});

	it('waits as long as the service asks for', async () => {
		const { triedAt } = await tell(many(1, { retryAfterMs: 30_000 }));
		expect(triedAt.map(Math.round)).toEqual([0, 30_125]);
	});

	it('does not wait for longer than two minutes in all', async () => {
		expect((await tell(many(9, { retryAfterMs: 50_000 }))).triedAt).toHaveLength(3);
		expect((await tell(many(9, { retryAfterMs: 121_000 }))).triedAt).toHaveLength(1);
	});

	it('keeps nobody waiting at the editor', async () => {
		expect((await tell(many(9), { isInteractive: true })).triedAt).toHaveLength(3);
		expect((await tell(many(9, { retryAfterMs: 6_000 }), { isInteractive: true })).triedAt).toEqual(
			[0],
		);
	});

	it('is sent once when repetitions are switched off', async () => {
		expect((await tell(many(1), { retries: false })).triedAt).toEqual([0]);
	});

	it('ends its pause when the execution is cancelled', async () => {
		const cancelling = new AbortController();
		setTimeout(() => cancelling.abort(), 10_000);
		const asked = { retryAfterMs: 60_000 };
		const { triedAt, result } = await tell(many(2, asked), { signal: cancelling.signal });
		expect(triedAt).toEqual([0]);
		expect((result as ServiceError).failure).toEqual(failure(asked));
	});
});

describe('the requests of one run', () => {
	it('are tried once each after one has been given up, until the service answers', async () => {
		const breaker = new CircuitBreaker();
		const triesFor = async (failures: Failure[]) =>
			(await tell(failures, { breaker })).triedAt.length;
		expect(await triesFor(many(9))).toBe(5);
		expect(await triesFor(many(9))).toBe(1);
		expect(await triesFor([])).toBe(1);
		expect(await triesFor(many(9))).toBe(5);
		expect(await triesFor(many(1, { retryable: false, httpCode: '200' }))).toBe(1);
		expect(await triesFor(many(2))).toBe(3);
	});

	it('go on with their tries when another is given up meanwhile', async () => {
		const breaker = new CircuitBreaker();
		const both = await Promise.all([
			tell(many(9), { breaker }),
			tell(many(4, { retryAfterMs: 5_000 }), { breaker }),
		]);
		expect(both.map(({ triedAt }) => triedAt.length)).toEqual([5, 5]);
	});
});

describe('a write', () => {
	it('is sent again when the service turned it away', async () => {
		expect((await tell(many(2), { changesData: true })).result).toBe('answered');
	});

	it('is never sent again when it may have been carried out', async () => {
		const unknown = { effect: 'unknown' as const };
		const { triedAt } = await tell(many(2, unknown), { changesData: true });
		expect(triedAt).toEqual([0]);
	});

	it('stops at the first failure that leaves it open, whatever went before', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(
					fc.record({
						effect: fc.constantFrom('none' as const, 'unknown' as const),
						retryable: fc.boolean(),
						retryAfterMs: fc.option(fc.integer({ min: 0, max: 60_000 }), { nil: undefined }),
					}),
					{ maxLength: 8 },
				),
				async (given) => {
					const { triedAt } = await tell(given.map(failure), { changesData: true });
					const safe = given.findIndex(
						({ effect, retryable }) => effect === 'unknown' || !retryable,
					);
					expect(triedAt.length).toBeLessThanOrEqual(safe === -1 ? given.length + 1 : safe + 1);
					expect(triedAt.length).toBeLessThanOrEqual(5);
					expect(triedAt.at(-1)).toBeLessThanOrEqual(120_000);
				},
			),
		);
	});
});
