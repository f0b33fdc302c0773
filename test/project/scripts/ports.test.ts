import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { choosePort, freePort } from '../../../scripts/lib/ports.ts';

const servers: Server[] = [];
async function listen(port: number): Promise<number> {
	const server = createServer().listen(port, '127.0.0.1');
	servers.push(server);
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
}
afterEach(() => servers.splice(0).forEach((server) => server.close()));

const n8n = (port: number, named: boolean) => ({ what: 'n8n', port, named, option: '--n8n-port' });

it('takes the port when it is free', async () => {
	const port = await freePort();
	expect(await choosePort(n8n(port, false))).toBe(port);
	expect(await choosePort(n8n(port, true))).toBe(port);
});

it('gives no free port twice, and none that an outgoing connection could take before it is used', async () => {
	const ports = await Promise.all(Array.from({ length: 200 }, freePort));
	expect(new Set(ports).size).toBe(200);
	expect(Math.max(...ports)).toBeLessThan(32_768);
});

it('takes one above it when another program has it', async () => {
	const port = await listen(0);
	const other = await choosePort(n8n(port, false));
	expect(other).toBeGreaterThan(port + 1);
	await expect(listen(other)).resolves.toBe(other);
});

it('says that the port is in use when the user asked for just that one', async () => {
	const port = await listen(0);
	await expect(choosePort(n8n(port, true))).rejects.toThrow(
		`Port ${port} is in use, so n8n can't run there. Stop the program that uses it, or choose another port with --n8n-port.`,
	);
});
