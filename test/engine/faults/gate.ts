import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands before a service, so that its port can be closed for a while. */
export class Gate {
	private readonly server: Server;
	private readonly sockets = new Set<Socket>();
	private port = 0;
	private left = Infinity;

	constructor(servicePort: number) {
		this.server = createServer((client) => {
			const service = connect(servicePort, '127.0.0.1');
			for (const socket of [client, service]) {
				this.sockets.add(socket);
				socket.on('error', () => [client, service].forEach((one) => one.destroy()));
				socket.on('close', () => this.sockets.delete(socket));
			}
			client.pipe(service).pipe(client);
			this.left -= 1;
			// Those who are in stay; nobody else gets in.
			if (this.left === 0) this.server.close();
		});
	}

	/** @param connections closes again after so many */
	async open(connections = Infinity): Promise<void> {
		this.left = connections;
		if (this.server.listening) return;
		await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
		this.port = (this.server.address() as AddressInfo).port;
	}

	close(): void {
		if (this.server.listening) this.server.close();
	}

	/** Ends the connections as well. */
	destroy(): void {
		this.close();
		for (const socket of this.sockets) socket.destroy();
	}

	get baseUrl(): string {
		return `http://127.0.0.1:${this.port}/api`;
	}
}
