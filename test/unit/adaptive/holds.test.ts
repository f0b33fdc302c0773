import fc from 'fast-check';

import { CircuitBreaker } from '../../../nodes/EmailMarketing/service/circuitBreaker';
import { httpOptionsOf, ServiceClient } from '../../../nodes/EmailMarketing/service/client';
import { endpoints } from '../../../nodes/EmailMarketing/service/endpoints';
import { ConcurrencyLimit } from '../../../nodes/EmailMarketing/util/concurrencyLimit';
import { constant } from './services';
import { runsOf, simulate } from './simulation';
import { VirtualClock } from './virtualClock';

/** Shared by the requests of a run, as in a run of the node. */
const breaker = () => new CircuitBreaker();

describe.each([undefined, 10, 1])('with %s parallel requests', (parallel) => {
	it('a service that always asks for a pause is not waited for by each request', async () => {
		const { ms, failed } = await simulate(() => ({ ms: 20, status: 429, retryAfter: 60 }), {
			...{ count: 200, parallel, breaker: breaker() },
		});
		expect(failed).toBe(200);
		expect(ms).toBeLessThanOrEqual(125_000);
	});

	it('a pause of no seconds does not use up the tries', async () => {
		const { failed } = await simulate(
			({ now }) =>
				now > 1000 && now < 1900 ? { ms: 20, status: 429, retryAfter: 0 } : { ms: 20, status: 200 },
			{ count: 2_000, parallel, breaker: breaker() },
		);
		expect(failed).toBe(0);
	});
});

it('a request does not wait for a pause that has become too long meanwhile', async () => {
	const clock = new VirtualClock();
	const limit = new ConcurrencyLimit({ clock });
	limit.rate.hold(10_000, new Error('first'));
	const entering = limit.enter('GET /contacts/list', 120_000, undefined);
	void clock.pause(5_000).then(() => limit.rate.hold(40_000_000, new Error('second')));
	await clock.runUntil(entering);
	expect(await entering).toBeUndefined();
	expect(clock.now()).toBe(10_000);
});

it('a single refusal takes no more time than the pause that it asks for', async () => {
	const [count, ownMs] = [1_000, 0.5];
	const early = fc.integer({ min: 1, max: 200 });
	const seconds = fc.constantFrom(1, 5, 15, 60);
	await fc.assert(
		fc.asyncProperty(
			early,
			seconds,
			fc.integer({ min: 5, max: 300 }),
			async (nth, retryAfter, ms) => {
				let sent = 0;
				const usual = await simulate(constant(ms), { count, ownMs });
				const run = await simulate(
					() => (++sent === nth ? { ms: 5, status: 429, retryAfter } : { ms, status: 200 }),
					{ count, ownMs, breaker: breaker() },
				);
				expect(run.failed).toBe(0);
				expect(run.ms).toBeLessThanOrEqual(1.15 * (usual.ms + retryAfter * 1000));
			},
		),
		{ numRuns: runsOf(8) },
	);
});

it('a timeout that is no whole number is one', async () => {
	const client = new ServiceClient({
		retries: true,
		transport: async () => ({
			statusCode: 200,
			headers: {},
			body: { status: 'success', message: 'Updated Successfully' },
		}),
		httpOptions: httpOptionsOf({ parameters: {} } as never, { timeout: 10_000 / 3 }),
		isInteractive: false,
	});
	const read = ({ statusCode }: { statusCode: number }) => statusCode;
	expect(await client.write({ endpoint: endpoints.contactType.update }, read)).toBe(200);
});
