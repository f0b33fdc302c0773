import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Answers a request byte by byte, as no HTTP server would. */
export type Raw = (socket: Socket) => void;

/** Counts its requests; n8n opens a connection for each. */
export class RawService {
	answer: Raw = (socket) => void socket.end();
	/** The first line of each request. */
	readonly requests: string[] = [];
	private readonly server: Server;
	private readonly open = new Set<Socket>();

	constructor() {
		this.server = createServer((socket) => {
			this.open.add(socket);
			socket.on('error', () => socket.destroy()).on('close', () => this.open.delete(socket));
			socket.once('data', (head) => {
				this.requests.push(head.toString().split(' HTTP/')[0] ?? '');
				this.answer(socket);
			});
		});
	}

	async start(): Promise<void> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
	}

	async stop(): Promise<void> {
		for (const socket of this.open) socket.destroy();
		await new Promise((resolve) => this.server.close(resolve));
	}

	get baseUrl(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/api`;
	}
}

/** One for each test file. It listens anew for each test: what arrives late is no request of the next one. */
export function useRawService(): RawService {
	const service = new RawService();
	beforeEach(async () => {
		service.requests.splice(0);
		await service.start();
	});
	afterEach(async () => await service.stop());
	return service;
}

export const head = (...lines: string[]): string =>
	['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');

/** A whole answer with this body. */
export const whole =
	(body: string | Buffer, ...lines: string[]): Raw =>
	(socket) => {
		const bytes = Buffer.from(body as string);
		socket.end(
			Buffer.concat([Buffer.from(head(...lines, `content-length: ${bytes.length}`)), bytes]),
		);
	};

/** Answers with some text that says little, again and again. */
export const forever =
	(first: string, again: string): Raw =>
	(socket) => {
		socket.write(first);
		const timer = setInterval(() => socket.write(again), 5);
		socket.on('close', () => clearInterval(timer));
	};
