import type { ServerResponse } from 'node:http';

export const FAULT_KINDS = [
	'status',
	'failed',
	'shape',
	'html',
	'redirect',
	'empty',
	'truncated',
	'slow',
	'reset-before',
	'reset-after',
	'timeout',
	'timeout-after',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
	kind: FaultKind;
	/** Both compared as they are; a path is one of the reference, without the base path. */
	match?: { method?: string; path?: string };
	/** For how many matching requests; 1 when not given. */
	times?: number;
	/** So many matching requests pass first. */
	skip?: number;
	/** Whether the request is carried out before the fault. */
	effect?: boolean;
	status?: number;
	headers?: Record<string, string>;
	/** Text and bytes are sent as they are, anything else as JSON. */
	body?: unknown;
	/** The `errors` of kind failed. */
	errors?: unknown;
	/** The target of kind redirect. */
	url?: string;
	/** How long kind slow takes. */
	ms?: number;
	/** Kind truncated: announce the length of the whole (and cut the connection), or of what is sent. */
	contentLength?: 'full' | 'cut';
}

export const faultSchema = {
	type: 'object',
	required: ['kind'],
	additionalProperties: false,
	properties: {
		kind: { enum: FAULT_KINDS },
		match: {
			type: 'object',
			additionalProperties: false,
			properties: { method: { type: 'string' }, path: { type: 'string' } },
		},
		times: { type: 'integer', minimum: 1 },
		skip: { type: 'integer', minimum: 0 },
		effect: { type: 'boolean' },
		status: { type: 'integer', minimum: 200, maximum: 599 },
		headers: { type: 'object', additionalProperties: { type: 'string' } },
		body: {},
		errors: {},
		url: { type: 'string' },
		ms: { type: 'number', minimum: 0 },
		contentLength: { enum: ['full', 'cut'] },
	},
};

const CARRIED_OUT: ReadonlySet<FaultKind> = new Set([
	'empty',
	'truncated',
	'slow',
	'reset-after',
	'timeout-after',
]);

export const carriesOut = (fault: Fault): boolean => fault.effect ?? CARRIED_OUT.has(fault.kind);

interface Active extends Fault {
	id: number;
	times: number;
	skip: number;
}

export class Faults {
	private active: Active[] = [];
	private lastId = 0;

	add(fault: Fault): Active {
		const added = { times: 1, skip: 0, ...fault, id: ++this.lastId };
		this.active.push(added);
		return added;
	}

	list(): readonly Active[] {
		return this.active;
	}

	clear(): void {
		this.active = [];
	}

	/** The first fault that this request meets, counted down. */
	take(method: string, path: string): Fault | null {
		for (const fault of this.active) {
			if (fault.match?.method !== undefined && fault.match.method !== method) continue;
			if (fault.match?.path !== undefined && fault.match.path !== path) continue;
			if (fault.skip > 0) {
				fault.skip--;
				continue;
			}
			fault.times--;
			if (fault.times === 0) this.active = this.active.filter((other) => other !== fault);
			return fault;
		}
		return null;
	}
}

export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: string | Buffer;
}

export const JSON_TYPE = 'application/json';

const asBytes = (body: unknown): string | Buffer =>
	typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body ?? null);

const SLOW_PIECES = 20;

/** Sends what the fault makes of the answer. Returns what the caller saw; null when he saw nothing. */
export async function sendFaulty(
	response: ServerResponse,
	fault: Fault,
	answer: Answer,
): Promise<Answer | null> {
	const { status = answer.status, headers = {} } = fault;
	const send = (code: number, type: string, body: string | Buffer): Answer => {
		const length = { 'content-length': String(Buffer.byteLength(body)) };
		const sent = { status: code, headers: { 'content-type': type, ...length, ...headers }, body };
		response.writeHead(code, sent.headers).end(body);
		return sent;
	};
	switch (fault.kind) {
		case 'reset-before':
		case 'reset-after':
			response.socket?.resetAndDestroy();
			return null;
		case 'timeout':
		case 'timeout-after':
			return null;
		case 'status': {
			const { body = '' } = fault;
			const type = typeof body === 'string' ? 'text/html; charset=utf-8' : JSON_TYPE;
			return send(fault.status ?? 500, type, asBytes(body));
		}
		case 'html': {
			const page = '<!DOCTYPE html><html><body><h1>Service unavailable</h1></body></html>';
			return send(fault.status ?? 200, 'text/html; charset=utf-8', asBytes(fault.body ?? page));
		}
		case 'failed': {
			const errors = fault.errors ?? 'Something went wrong';
			return send(fault.status ?? 200, JSON_TYPE, JSON.stringify({ status: 'failed', errors }));
		}
		case 'shape':
			return send(fault.status ?? 200, JSON_TYPE, JSON.stringify(fault.body ?? null));
		case 'redirect':
			response.setHeader('location', fault.url ?? '/');
			return send(fault.status ?? 302, 'text/html; charset=utf-8', '');
		case 'empty':
			return send(status, JSON_TYPE, '');
		case 'truncated': {
			const whole = Buffer.from(answer.body);
			const part = whole.subarray(0, Math.floor(whole.length / 2));
			if (fault.contentLength === 'cut') return send(status, JSON_TYPE, part);
			response.writeHead(status, { ...answer.headers, 'content-length': String(whole.length) });
			await new Promise<void>((resolve) => response.write(part, () => resolve()));
			response.socket?.destroy();
			return { ...answer, status, body: part };
		}
		case 'slow':
			await drip(response, status, answer, fault.ms ?? 1000);
			return { ...answer, status };
	}
}

async function drip(response: ServerResponse, status: number, answer: Answer, ms: number) {
	const whole = Buffer.from(answer.body);
	response.writeHead(status, { ...answer.headers, 'content-length': String(whole.length) });
	const size = Math.ceil(whole.length / SLOW_PIECES);
	for (let at = 0; at < whole.length && !response.destroyed; at += size) {
		response.write(whole.subarray(at, at + size));
		await new Promise((resolve) => setTimeout(resolve, ms / SLOW_PIECES));
	}
	response.end();
}
