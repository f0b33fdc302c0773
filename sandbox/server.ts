import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { Api } from './api.ts';
import { addControls } from './controls.ts';
import { Persistence } from './persistence.ts';
import type { SeedName } from './seed.ts';
import type { Settings } from './settings.ts';
import { State } from './state.ts';

export interface SandboxOptions {
	/** 0, the default, takes a free one. */
	port?: number;
	/** Loopback only, unless `anyHost` is set. */
	host?: string;
	/** For a container, whose ports are published one by one. */
	anyHost?: boolean;
	basePath?: string;
	/** SQLite file; without one nothing outlives the process. */
	data?: string;
	seed?: SeedName;
	publicKey?: string;
	secretKey?: string;
	settings?: Partial<Settings>;
	/** How many requests the journal holds. */
	journalLimit?: number;
	/** HTML of the page at `/`. */
	page?: string;
}

export interface Sandbox {
	/** `http://127.0.0.1:4010` */
	url: string;
	/** The base URL of the API: `http://127.0.0.1:4010/api` */
	baseUrl: string;
	port: number;
	/** For tests in the same process. */
	state: State;
	close(): Promise<void>;
}

export const DEFAULTS = {
	basePath: '/api',
	publicKey: 'sandbox-public-key',
	secretKey: 'sandbox-secret-key',
	journalLimit: 200_000,
};

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
// Longer than callers keep idle connections, so that none is closed just as it is used again.
const KEEP_ALIVE_MS = 72_000;
const CONTROL_BODY_LIMIT = 512 * 1024 * 1024;

/** Starts a sandbox. Throws when the port is taken or the data file cannot be opened. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, host = '127.0.0.1', page = 'Sandbox', data } = options;
	if (!LOOPBACK.has(host) && options.anyHost !== true) {
		throw new Error(`The sandbox listens on loopback only, not on ${host}`);
	}
	const persistence = data === undefined ? null : new Persistence(data);
	const state = new State(
		{
			basePath: (options.basePath ?? DEFAULTS.basePath).replace(/\/+$/, ''),
			seed: options.seed ?? 'demo',
			publicKey: options.publicKey ?? DEFAULTS.publicKey,
			secretKey: options.secretKey ?? DEFAULTS.secretKey,
			settings: options.settings ?? {},
			journalLimit: options.journalLimit ?? DEFAULTS.journalLimit,
		},
		persistence,
	);
	const api = new Api(state);
	// A browser that looks at the controls asks for the icon by itself.
	const isOurs = (url: string) =>
		url === '/' || url === '/favicon.ico' || url.startsWith('/__sandbox/');

	// The API needs the bare request (strict decoding, broken answers); the controls do not.
	const app = Fastify({
		bodyLimit: CONTROL_BODY_LIMIT,
		forceCloseConnections: true,
		ajv: { customOptions: { removeAdditional: false, coerceTypes: false, allowUnionTypes: true } },
		serverFactory: (controls) =>
			createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
				if (isOurs(request.url ?? '')) controls(request, response);
				else void api.handle(request, response);
			}),
	});
	app.get('/', async (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
	await app.register(async (scope) => addControls(scope, state), { prefix: '/__sandbox' });
	try {
		await app.listen({ port, host });
	} catch (error) {
		state.close();
		throw error;
	}
	const bound = app.server.address() as AddressInfo;
	const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
	const url = `http://${name}:${bound.port}`;
	return {
		url,
		baseUrl: url + state.basePath,
		port: bound.port,
		state,
		close: async () => {
			app.server.closeAllConnections();
			await app.close();
			state.close();
		},
	};
}
