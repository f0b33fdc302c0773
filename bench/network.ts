// What lies between n8n and a service far away: the time that bytes take, and TLS. It runs in a thread of its own.
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

export interface Distance {
	roundTripMs: number;
	/** Connections served at a time, if not all of them, and how long each keeps one busy before it is answered. */
	workers?: { count: number; ms: number };
	/** Key and certificate, if the service speaks TLS. */
	tls?: { key: string; cert: string };
}

interface Route extends Distance {
	/** Port of the service on this machine. */
	port: number;
}

/** Passes on what a socket sends, each piece so much later. */
function delay(from: Socket, to: Socket, ms: number, handshakeMs = 0): void {
	const pieces: Array<() => void> = [];
	let earliest = performance.now() + handshakeMs;
	const later = (piece: () => void) => {
		earliest = Math.max(earliest, performance.now() + ms);
		pieces.push(piece);
		setTimeout(() => pieces.shift()?.(), Math.max(0, earliest - performance.now()));
	};
	from.on('data', (bytes) => later(() => to.write(bytes)));
	from.on('end', () => later(() => to.end()));
	from.on('close', () => later(() => to.destroy()));
	from.on('error', () => undefined);
}

function pipeBoth(one: Socket, other: Socket): void {
	one.pipe(other).pipe(one);
	for (const [socket, peer] of [
		[one, other],
		[other, one],
	] as const) {
		socket.on('error', () => undefined);
		socket.on('close', () => peer.destroy());
	}
}

/** Serves so many connections at a time. The others wait, first come, first served. */
async function behindWorkers(port: number, { count, ms }: { count: number; ms: number }) {
	const waiting: Array<() => void> = [];
	let busy = 0;
	const next = () => {
		if (busy < count && waiting.length > 0) {
			busy++;
			waiting.shift()?.();
		}
	};
	const server = createServer({ noDelay: true }, (near) => {
		near.on('error', () => undefined);
		waiting.push(() => {
			setTimeout(() => {
				const far = connect({ port, host: '127.0.0.1', noDelay: true });
				pipeBoth(near, far);
				far.once('data', () => {
					busy--;
					next();
				});
			}, ms);
		});
		next();
	});
	return await listen(server);
}

async function listen(server: Server): Promise<number> {
	await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
	return (server.address() as AddressInfo).port;
}

async function open({ port, roundTripMs, tls, workers }: Route): Promise<number> {
	const served = workers ? await behindWorkers(port, workers) : port;
	const inner = tls
		? await listen(createTlsServer(tls, (socket) => pipeBoth(socket, connect(served, '127.0.0.1'))))
		: served;
	return await listen(
		createServer({ noDelay: true }, (near) => {
			const far = connect({ port: inner, host: '127.0.0.1', noDelay: true });
			// A connection is there at once on this machine; over a distance, it takes a round trip.
			delay(near, far, roundTripMs / 2, (roundTripMs * 3) / 2);
			delay(far, near, roundTripMs / 2);
		}),
	);
}

if (!isMainThread) parentPort?.postMessage(await open(workerData as Route));

/**
 * Puts a service at a distance.
 *
 * @param url where it is on this machine
 * @returns its address over there, and how to take the distance away
 */
export async function atDistance(
	url: string,
	distance: Distance,
): Promise<{ url: string; stop: () => Promise<unknown> }> {
	const { tls } = distance;
	const route: Route = { port: Number(new URL(url).port), ...distance };
	const worker = new Worker(new URL(import.meta.url), { workerData: route });
	const port = await new Promise<number>((resolve, reject) => {
		worker.once('message', resolve);
		worker.once('error', reject);
	});
	return {
		url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
		stop: async () => await worker.terminate(),
	};
}
