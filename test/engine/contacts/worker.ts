import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The way of one n8n process to the service. Runs wait for each other in a queue per address of the service, so those
 * that go different ways do not, as on different workers.
 */
export class Worker {
	/** Awaited before a request is passed on. */
	before: (call: string) => Promise<void> | undefined = () => undefined;
	private readonly server: Server;

	private constructor(service: URL) {
		this.server = createServer((incoming, response) => {
			void this.hold(incoming).then(() => {
				const { method, url: path, headers } = incoming;
				const { hostname, port } = service;
				const outgoing = request({ hostname, port, method, path, headers }, (answer) => {
					response.writeHead(answer.statusCode ?? 500, answer.headers);
					answer.pipe(response);
				});
				incoming.pipe(outgoing);
			});
		});
	}

	static async start(serviceUrl: string): Promise<Worker> {
		const worker = new Worker(new URL(serviceUrl));
		await new Promise<void>((resolve) => worker.server.listen(0, '127.0.0.1', resolve));
		return worker;
	}

	get baseUrl(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/api`;
	}

	close(): void {
		this.server.closeAllConnections();
		this.server.close();
	}

	private async hold({ method, url = '' }: IncomingMessage): Promise<void> {
		const { pathname } = new URL(url, this.baseUrl);
		await this.before(`${method} ${pathname.replace('/api', '')}`);
	}
}

/** Lets nobody on before so many have come. */
export function meetingOf(count: number): () => Promise<void> {
	let missing = count;
	let open = () => {};
	const all = new Promise<void>((resolve) => (open = resolve));
	return async () => {
		if (--missing === 0) open();
		await all;
	};
}
