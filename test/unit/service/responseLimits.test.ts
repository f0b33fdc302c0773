import { ServiceClient } from '../../../nodes/EmailMarketing/service/client';
import { Clearance } from '../../../nodes/EmailMarketing/service/clearance';
import { endpoints } from '../../../nodes/EmailMarketing/service/endpoints';
import type { ServiceError } from '../../../nodes/EmailMarketing/service/failure';
import { fetchEach, fetchList } from '../../../nodes/EmailMarketing/service/lists';

/** A client whose service never stops; the same bytes again and again need no memory. */
function endlessClient(log: { received: number; closed: boolean; signal?: AbortSignal }) {
	const part = Buffer.alloc(5_000_000, ' ');
	return new ServiceClient({
		retries: true,
		httpOptions: {},
		isInteractive: false,
		transport: async ({ abortSignal }) => {
			log.signal = abortSignal as AbortSignal;
			return {
				statusCode: 200,
				headers: {},
				body: (async function* () {
					try {
						for (;;) {
							log.received += part.length;
							yield part;
						}
					} finally {
						log.closed = true;
					}
				})(),
			};
		},
	});
}

const { contact } = endpoints;

it.each([
	['a list', 500, (client: ServiceClient) => fetchList(client, contact.getAll)],
	[
		'a list read by parts',
		1_000,
		(client: ServiceClient) => fetchEach(client, contact.getAll, Number),
	],
	[
		'a write',
		16,
		(client: ServiceClient) =>
			client.write(
				{ endpoint: contact.create, body: {}, clearance: new Clearance('consent') },
				() => 0,
			),
	],
])('of %s, no more than %i MB are received', async (_what, megabytes, call) => {
	const log = { received: 0, closed: false, signal: undefined as AbortSignal | undefined };
	const error: unknown = await call(endlessClient(log)).then(
		() => undefined,
		(problem: unknown) => problem,
	);
	expect((error as ServiceError).message).toBe(
		`The response of the service is longer than ${megabytes} MB`,
	);
	expect((error as ServiceError).failure.retryable).toBe(false);
	expect(log.received).toBeLessThanOrEqual((megabytes + 5) * 1_000_000);
	expect([log.closed, log.signal?.aborted]).toEqual([true, true]);
});
