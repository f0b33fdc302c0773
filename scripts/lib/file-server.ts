import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';

export interface FileServer {
	url: string;
	stop(): Promise<void>;
}

/**
 * Serves one CSV file, as it is at the time of the request.
 *
 * @param port 0 for any that is free
 * @param host another than the loopback address only in a container
 */
export async function serveFile(file: string, port = 0, host = '127.0.0.1'): Promise<FileServer> {
	const path = `/${basename(file)}`;
	const server = createServer((request, response) => {
		if (request.method !== 'GET' || request.url !== path) {
			response.writeHead(404).end();
			return;
		}
		readFile(file).then(
			(content) => response.writeHead(200, { 'content-type': 'text/csv' }).end(content),
			(error: Error) => response.writeHead(500).end(error.message),
		);
	}).listen(port, host);
	await once(server, 'listening');
	return {
		url: `http://${host}:${(server.address() as AddressInfo).port}${path}`,
		stop: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
