import { once } from 'node:events';
import { type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers requests when it is told to, and not before. */
export class Gate {
	/** The requests that wait, by what they call themselves in `?id=`. */
	private readonly waiting = new Map<string, ServerResponse>();
	private readonly server: Server;

	private constructor(server: Server) {
		this.server = server;
		server.on('request', (request, response: ServerResponse) => {
			const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
			const id = searchParams.get('id') ?? '';
			this.waiting.set(id, response);
			response.on('close', () => this.waiting.delete(id));
		});
	}

	static async open(): Promise<Gate> {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		return new Gate(server);
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	/** Whose requests wait. */
	get ids(): string[] {
		return [...this.waiting.keys()];
	}

	release(id: string): void {
		this.waiting.get(id)?.writeHead(200, { 'content-type': 'application/json' }).end('{}');
		this.waiting.delete(id);
	}

	close(): void {
		for (const id of this.ids) this.release(id);
		this.server.close();
	}
}
