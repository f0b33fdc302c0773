import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { N8nClient } from '../../../scripts/lib/n8n-client';

const answer = JSON.stringify({ data: [] });
const response = `HTTP/1.1 200 OK\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`;

let server: Server;
let client: N8nClient;
let requests: string[];

/** Resets the connections of the first requests, and answers those after them. */
async function listen(resets: number): Promise<void> {
	requests = [];
	server = createServer((socket: Socket) => {
		socket.on('error', () => undefined);
		socket.on('data', (data) => {
			requests.push(data.toString().split(' HTTP')[0] ?? '');
			if (requests.length <= resets) socket.resetAndDestroy();
			else socket.end(response);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	client = new N8nClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

afterEach(async () => await new Promise((resolve) => server.close(resolve)));

it('reads once more when n8n has reset the connection', async () => {
	await listen(1);
	expect(await client.workflows()).toEqual([]);
	expect(requests).toEqual(['GET /rest/workflows', 'GET /rest/workflows']);
});

it('gives up after the second reset', async () => {
	await listen(2);
	await expect(client.workflows()).rejects.toThrow('fetch failed');
	expect(requests).toHaveLength(2);
});

it('does not repeat what changes something', async () => {
	await listen(1);
	await expect(client.createCredential('Name', 'type', {})).rejects.toThrow('fetch failed');
	expect(requests).toEqual(['POST /rest/credentials']);
});
