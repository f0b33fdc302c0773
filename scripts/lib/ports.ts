import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { UserError } from './user-error.ts';

async function isFree(port: number): Promise<boolean> {
	try {
		const server = createServer().listen(port, '127.0.0.1');
		await once(server, 'listening');
		server.close();
		await once(server, 'close');
		return true;
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === 'EADDRINUSE' || code === 'EACCES') return false;
		throw error;
	}
}

/** Above the ports that programs are known by, and below those that Linux, macOS and Windows give to outgoing connections. */
const [lowest, highest] = [15_000, 32_767];
const given = new Set<number>();

/**
 * A port of the loopback address that nothing listens on, and no port twice. A program may take seconds until it
 * listens, so it is none that a connection could take in the meantime.
 */
export async function freePort(): Promise<number> {
	const port = randomInt(lowest, highest + 1);
	if (given.has(port)) return await freePort();
	given.add(port);
	return (await isFree(port)) ? port : await freePort();
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
