import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { N8nClient } from '../../../scripts/lib/n8n-client';

/** A client of a server that responds to each request with this. */
async function withClient(
	respond: (request: IncomingMessage) => unknown,
	use: (client: N8nClient) => Promise<void>,
): Promise<void> {
	const server = createServer((request, response) => {
		response.end(JSON.stringify(respond(request)));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	try {
		await use(new N8nClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
	} finally {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
}

it('opens a connection for each request, which a busy n8n cannot close before it reads it', async () => {
	const sockets = new Set<Socket>();
	const respond = ({ socket, url }: IncomingMessage) => {
		sockets.add(socket);
		return url?.startsWith('/rest') ? { data: [] } : [];
	};
	await withClient(respond, async (client) => {
		for (let round = 0; round < 2; round++) {
			expect(await client.workflows()).toEqual([]);
			expect(await client.nodeTypes()).toEqual([]);
		}
		expect(sockets.size).toBe(4);
	});
});

it('counts an execution once that n8n lists as running and as ended', async () => {
	const of = (id: string, status: string) => ({ id, status });
	const results = [of('2', 'running'), of('2', 'success'), of('1', 'success')];
	await withClient(
		() => ({ data: { results, count: 2 } }),
		async (client) =>
			expect(await client.executions('workflow')).toEqual([of('2', 'success'), of('1', 'success')]),
	);
});
