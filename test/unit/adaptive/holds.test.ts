import { httpOptionsOf, ServiceClient } from '../../../nodes/EmailMarketing/api/client';
import { endpoints } from '../../../nodes/EmailMarketing/api/endpoints';
import { Admission } from '../../../nodes/EmailMarketing/util/admission';
import { simulate } from './simulation';
import { VirtualClock } from './virtualClock';

/** Shared by the requests of a run, as in a run of the node. */
const breaker = () => ({ open: false });

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
	const admission = new Admission({ clock });
	admission.hold(10_000, new Error('first'));
	const entering = admission.enter('GET /contacts/list', 120_000, undefined);
	admission.hold(40_000_000, new Error('second'));
	await clock.runUntil(entering);
	expect(await entering).toBeUndefined();
	expect(clock.now()).toBe(10_000);
});

it('after a single refusal, requests become faster again', async () => {
	let count = 0;
	const { ms } = await simulate(
		() => (++count === 11 ? { ms: 5, status: 429, retryAfter: 60 } : { ms: 100, status: 200 }),
		{ count: 1_000, breaker: breaker() },
	);
	// At the rate before the refusal, it would take 100 minutes.
	expect(ms).toBeLessThan(5 * 60_000);
});

it('a timeout that is no whole number is one', async () => {
	const client = new ServiceClient({
		node: { parameters: {} } as never,
		transport: async () => ({
			statusCode: 200,
			headers: {},
			body: { status: 'success', message: 'Updated Successfully' },
		}),
		httpOptions: httpOptionsOf({ parameters: {} } as never, { timeout: 10_000 / 3 }),
		isInteractive: false,
	});
	const read = ({ statusCode }: { statusCode: number }) => statusCode;
	expect(await client.send({ endpoint: endpoints.contactType.update }, read)).toBe(200);
});
