// Creating contacts at a distance: over connections on which bytes take their time, with and without TLS.
import {
	automatic,
	batches,
	COUNT,
	create,
	createRequests,
	dragged,
	http,
	items,
	listRequests,
} from './create.ts';
import { floor } from './contestants.ts';
import { resetContacts } from './contacts.ts';
import type { Figures } from './stage.ts';
import { work } from './work.ts';

/** The most that this node sends in parallel. */
const MOST_PARALLEL = 256;

/** In milliseconds. */
export const roundTrips = [0, 20, 100, 300];

export const distanceName = (roundTripMs: number, isTls: boolean): string =>
	`distance-${roundTripMs}${isTls ? '-tls' : ''}`;

/** Of the time of the HTTP Request node. */
function mostOf(roundTripMs: number, isTls: boolean): number {
	if (roundTripMs > 100) return 0.9;
	if (roundTripMs === 100) return isTls ? 0.6 : 0.5;
	return isTls ? 0.35 : 0.2;
}

const atDistance = (roundTripMs: number, isTls: boolean) => {
	const name = distanceName(roundTripMs, isTls);
	return work({
		name,
		title: `Create ${COUNT.toLocaleString('en')} contacts at a round trip of ${roundTripMs} ms${isTls ? ', over TLS' : ''}`,
		contestants: {
			automatic: 'This node, mapped automatically',
			fixed: `This node, Parallel Requests: ${MOST_PARALLEL}`,
			http: 'HTTP Request, five fields dragged in, all at once',
			httpBatches: 'HTTP Request, dragged in, batches of 50 every 100 ms',
			floor: `Plain HTTP, the same requests, ${MOST_PARALLEL} at a time, a connection for each`,
			floorKept: `Plain HTTP, the same requests, ${MOST_PARALLEL} connections that are kept`,
		},
		rounds: 3,
		targets: [
			{
				what: 'this node ÷ HTTP Request',
				most: mostOf(roundTripMs, isTls),
				of: ({ automatic, http }) => automatic.ms / http.ms,
			},
			{
				what: `${MOST_PARALLEL} parallel requests of this node ÷ of plain HTTP that connects as often`,
				most: roundTripMs < 100 ? 2.5 : 1.25,
				of: ({ fixed, floor }) => fixed.ms / floor.ms,
			},
		],
		async prepare(stage) {
			const service = await stage.distantService(name, { roundTripMs }, isTls);
			const fresh = (run: () => Promise<Figures>) => async () => {
				await resetContacts(service, 0);
				return await run();
			};
			const runOf = async (contestant: string, node: ReturnType<typeof create>) => {
				const run = await stage.workflow(`${name}-${contestant}`, service, [node]);
				return fresh(async () => await run(items, COUNT));
			};
			const loop = (keepAlive: boolean) =>
				fresh(
					async () =>
						await floor(
							service,
							createRequests,
							{ parallel: MOST_PARALLEL, keepAlive, ca: stage.certificate },
							listRequests,
						),
				);
			return {
				automatic: await runOf('automatic', create(automatic)),
				fixed: await runOf('fixed', create(automatic, { parallelRequests: MOST_PARALLEL })),
				http: await runOf('http', http(service, dragged)),
				httpBatches: await runOf('http-batches', http(service, dragged, batches(50, 100))),
				floor: loop(false),
				floorKept: loop(true),
			};
		},
	});
};

export const distances = roundTrips.flatMap((roundTripMs) => [
	atDistance(roundTripMs, false),
	atDistance(roundTripMs, true),
]);

/** How long a worker takes for a request, and how far away it is, in milliseconds. */
const BUSY = 50;
const NEAR = 20;

const withWorkers = (count: number) => {
	const name = `workers-${count}`;
	const fixed = (parallel: number) => create(automatic, { parallelRequests: parallel });
	return work({
		name,
		title: `Create ${COUNT.toLocaleString('en')} contacts in a service of ${count} workers, each ${BUSY} ms a request`,
		contestants: {
			automatic: 'This node, mapped automatically',
			fixed: `This node, Parallel Requests: ${2 * count}`,
			http: 'HTTP Request, five fields dragged in, all at once',
			httpBatches: 'HTTP Request, dragged in, batches of 50 every 100 ms',
		},
		rounds: 3,
		targets: [
			{
				what: 'Automatic ÷ a fixed number that keeps all workers busy',
				most: 1.25,
				of: ({ automatic, fixed }) => automatic.ms / fixed.ms,
			},
		],
		async prepare(stage) {
			const workers = { count, ms: BUSY };
			const service = await stage.distantService(name, { roundTripMs: NEAR, workers });
			const runOf = async (contestant: string, node: ReturnType<typeof create>) => {
				const run = await stage.workflow(`${name}-${contestant}`, service, [node]);
				return async () => {
					await resetContacts(service, 0);
					return await run(items, COUNT);
				};
			};
			return {
				automatic: await runOf('automatic', create(automatic)),
				fixed: await runOf('fixed', fixed(2 * count)),
				http: await runOf('http', http(service, dragged)),
				httpBatches: await runOf('http-batches', http(service, dragged, batches(50, 100))),
			};
		},
	});
};

export const workerCounts = [8, 64].map(withWorkers);
