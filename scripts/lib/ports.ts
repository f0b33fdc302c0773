import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { UserError } from './user-error.ts';

async function listen(port: number): Promise<number> {
	const server = createServer().listen(port, '127.0.0.1');
	await once(server, 'listening');
	const { port: taken } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return taken;
}

/** A port of the loopback address that nothing listens on. */
export const freePort = (): Promise<number> => listen(0);

/** @throws UserError that names the port and `option` when something listens on the port */
export async function requireFreePort(port: number, what: string, option: string): Promise<void> {
	try {
		await listen(port);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
		throw new UserError(
			`Port ${port}, where ${what} should listen, is taken. ` +
				`Stop the program that uses it, or choose another port with ${option}.`,
		);
	}
}
