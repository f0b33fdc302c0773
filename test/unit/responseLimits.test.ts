import type { INode } from 'n8n-workflow';

import { ServiceClient } from '../../nodes/EmailMarketing/api/client';
import { Deadline } from '../../nodes/EmailMarketing/api/deadline';
import { endpoints } from '../../nodes/EmailMarketing/api/endpoints';
import type { ServiceError } from '../../nodes/EmailMarketing/api/failure';
import { fetchEach, fetchList } from '../../nodes/EmailMarketing/api/lists';

const node = { name: 'Email Marketing', parameters: {} } as unknown as INode;

/** A client whose service never stops; the same bytes again and again need no memory. */
function endlessClient(log: { received: number; closed: boolean; signal?: AbortSignal }) {
	const part = Buffer.alloc(5_000_000, ' ');
	return new ServiceClient({
		node,
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
		(client: ServiceClient) => client.send({ endpoint: contact.create, body: {} }, () => 0),
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

it('a response that is no stream is taken as it is', async () => {
	const body = { status: 'success', message: { contacts: [{ id: 1 }] } };
	const client = new ServiceClient({
		node,
		httpOptions: {},
		isInteractive: false,
		transport: async () => ({ statusCode: 200, headers: {}, body }),
	});
	expect(await fetchList(client, contact.getAll)).toEqual([{ id: 1 }]);
});

describe('a deadline', () => {
	const none = 2 ** 31 - 1;

	it('follows what else ends the request, until it is stopped', () => {
		const sources = [new AbortController(), new AbortController()];
		const signals = sources.map(({ signal }) => signal);
		const [stopped, followed] = [new Deadline(none, signals), new Deadline(none, signals)];
		stopped.stop();
		sources[1]?.abort();
		expect([stopped, followed].map(({ signal, isOver }) => [signal.aborted, isOver])).toEqual([
			[false, false],
			[true, false],
		]);
		followed.stop();
	});

	it('is aborted from the start where that is over already', () => {
		const deadline = new Deadline(none, [undefined, AbortSignal.abort()]);
		expect(deadline.signal.aborted).toBe(true);
		deadline.stop();
	});

	it('ends when the last time that was begun is up', async () => {
		const deadline = new Deadline(20, []);
		deadline.restart();
		await new Promise((resolve) => deadline.signal.addEventListener('abort', resolve));
		expect(deadline.isOver).toBe(true);
	});
});
