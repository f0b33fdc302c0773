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

const atDistance = (roundTripMs: number, isTls: boolean) => {
	const name = distanceName(roundTripMs, isTls);
	return work({
		name,
		title: `Create ${COUNT.toLocaleString('en')} contacts at a round trip of ${roundTripMs} ms${isTls ? ', over TLS' : ''}`,
		contestants: {
			automatic: 'This node, mapped automatically',
			http: 'HTTP Request, five fields dragged in, all at once',
			httpBatches: 'HTTP Request, dragged in, batches of 50 every 100 ms',
			floor: `Plain HTTP, ${MOST_PARALLEL} at a time, a connection for each request`,
			floorKept: `Plain HTTP, ${MOST_PARALLEL} connections that are kept`,
		},
		rounds: 1,
		targets: [
			{
				what: 'this node ÷ HTTP Request',
				most: roundTripMs > 100 ? 1 : 0.5,
				of: ({ automatic, http }) => automatic.ms / http.ms,
			},
			{
				what: 'this node ÷ plain HTTP that connects as often',
				most: roundTripMs < 100 ? 2.5 : 1.3,
				of: ({ automatic, floor }) => automatic.ms / floor.ms,
			},
		],
		async prepare(stage) {
			const service = await stage.distantService(name, roundTripMs, isTls);
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
						await floor(service, createRequests, {
							parallel: MOST_PARALLEL,
							keepAlive,
							ca: stage.certificate,
						}),
				);
			return {
				automatic: await runOf('automatic', create(automatic)),
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
