import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { N8nClient } from '../../../scripts/lib/n8n-client';

it('opens a connection for each request, which a busy n8n cannot close before it reads it', async () => {
	const sockets = new Set<Socket>();
	const server = createServer((request, response) => {
		sockets.add(request.socket);
		response.end(request.url?.startsWith('/rest') ? '{"data":[]}' : '[]');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const client = new N8nClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	try {
		for (let round = 0; round < 2; round++) {
			expect(await client.workflows()).toEqual([]);
			expect(await client.nodeTypes()).toEqual([]);
		}
		expect(sockets.size).toBe(4);
	} finally {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
});
