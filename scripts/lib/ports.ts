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

async function isFree(port: number): Promise<boolean> {
	try {
		await listen(port);
		return true;
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === 'EADDRINUSE' || code === 'EACCES') return false;
		throw error;
	}
}

/**
 * @param wanted what listens, on which port, whether the user named that port, and with which option
 * @returns the port, or a free one above it when it is in use and nobody asked for just that one
 * @throws UserError that names the port and the option when it is in use and the user asked for it
 */
export async function choosePort(wanted: {
	what: string;
	port: number;
	named: boolean;
	option: string;
}): Promise<number> {
	const { what, port, named, option } = wanted;
	if (await isFree(port)) return port;
	if (!named) {
		// In twos: an n8n on the port may have its task broker on the next one.
		for (let other = port + 2; other < 65_536; other += 2) if (await isFree(other)) return other;
	}
	throw new UserError(
		`Port ${port} is in use, so ${what} can't run there. ` +
			`Stop the program that uses it, or choose another port with ${option}.`,
	);
}
