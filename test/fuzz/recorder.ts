import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { decode } from '../../sandbox/decode.ts';
import { endpoints } from '../../sandbox/endpoints/index.ts';
import { defaultSettings } from '../../sandbox/settings.ts';
import { keys } from '../engine/engine';
import { readMultipart, readPairs, type Part } from '../simulation/form.ts';

/** A request as it was on the wire, taken apart. */
export interface Received {
	method: string;
	/** Below the base URL, as it was sent. */
	path: string;
	query: Part[];
	body: Part[];
}

export interface Reply {
	status?: number;
	contentType?: string;
	body: string | Buffer;
}

/** Bytes of a request before they are judged. */
export interface Raw {
	method: string;
	url: string;
	headers: string[];
	body: Buffer;
}

export const basePath = '/api';

/** Headers that the HTTP client sends, and ours. */
const known = new Set([
	...['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host'],
	...['publickey', 'secretkey', 'transfer-encoding', 'user-agent'],
]);

function readHeaders(raw: string[]): Map<string, string> {
	const headers = new Map<string, string>();
	for (let at = 0; at < raw.length; at += 2) {
		const name = (raw[at] ?? '').toLowerCase();
		if (!known.has(name)) throw new Error(`The header ${name} was sent`);
		if (headers.has(name)) throw new Error(`The header ${name} was sent twice`);
		headers.set(name, raw[at + 1] ?? '');
	}
	if (headers.get('publickey') !== keys.publicKey || headers.get('secretkey') !== keys.secretKey) {
		throw new Error('The keys are not as they should be');
	}
	return headers;
}

/**
 * Takes a request apart, and holds it against what the sandbox knows of its endpoint.
 *
 * @param keepsAnything whether values may come from a record that is not in order
 * @throws Error for anything that the specification does not have: another header, field, path, …
 */
export function judge({ method, url, headers: raw, body }: Raw, keepsAnything = false): Received {
	const headers = readHeaders(raw);
	const [path = '', query = '', ...more] = url.split('?');
	if (more.length > 0) throw new Error(`More than one ? in ${url}`);
	if (!path.startsWith(`${basePath}/`)) throw new Error(`Another path: ${path}`);
	const received: Received = {
		method,
		path: path.slice(basePath.length),
		query: readPairs(query),
		body: [],
	};
	const endpoint = endpoints.find(
		(one) => one.path === received.path && one.methods.some((known) => known === method),
	);
	if (endpoint === undefined) throw new Error(`No endpoint: ${method} ${received.path}`);
	const contentType = headers.get('content-type');
	if (endpoint.encoding === 'none') {
		if (body.length > 0) throw new Error(`${method} ${path} came with a body`);
	} else if (endpoint.encoding === 'multipart') {
		received.body = readMultipart(body, contentType ?? '');
	} else if (contentType === 'application/x-www-form-urlencoded') {
		received.body = readPairs(body.toString('latin1'));
	} else {
		throw new Error(`${method} ${path} came as ${contentType}`);
	}
	const part = ({ name, value, fileName }: Part) => ({
		name,
		value,
		...(fileName !== undefined && {
			file: { filename: fileName, contentType: 'text/csv', bytes: Buffer.from(value) },
		}),
	});
	const { violations, errors } = decode(
		endpoint,
		received.query.map(part),
		received.body.map(part),
		{ ...defaultSettings, emptyOptional: 'refuse' },
	);
	// What an update keeps goes back as the service has it, be it in order or not.
	const isKept = ({ rule }: { rule: string }) =>
		keepsAnything && /^(?:json|date|time|recipient)$/.test(rule);
	const wrong = [
		...violations.filter((violation) => !isKept(violation)).map(({ detail }) => detail),
		...(keepsAnything ? [] : Object.values(errors).flat()),
	];
	if (wrong.length > 0) throw new Error(`${method} ${path}: ${wrong.join(' ').slice(0, 500)}`);
	return received;
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}

/** A server that keeps every request byte by byte, and answers what the test says. */
export class Recorder {
	private readonly server: Server;
	private raw: Raw[] = [];
	private problem: unknown;
	answer: (raw: Raw) => Reply | Promise<Reply> = () => ({ body: '' });

	constructor() {
		this.server = createServer(async (request, response) => {
			const { method = '', url = '', rawHeaders } = request;
			try {
				const raw = { method, url, headers: rawHeaders, body: await bytesOf(request) };
				this.raw.push(raw);
				const { status = 200, contentType = 'application/json', body } = await this.answer(raw);
				response.writeHead(status, { 'content-type': contentType });
				response.end(body);
			} catch (error) {
				this.problem = error;
				response.destroy();
			}
		});
	}

	async start(): Promise<void> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	get baseUrl(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${basePath}`;
	}

	/** All requests since the last call, each held against the specification. */
	take({ keepsAnything = false } = {}): Received[] {
		const { raw, problem } = this;
		this.raw = [];
		// The next case starts without it, so that a failure shows the case that it came from.
		this.problem = undefined;
		if (problem !== undefined) throw problem;
		return raw.map((one) => judge(one, keepsAnything));
	}
}
