import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { decode } from './decode.ts';
import type { Endpoint, Method } from './endpoint.ts';
import { endpointByPath } from './endpoints/index.ts';
import { carriesOut, JSON_TYPE, sendFaulty, type Answer } from './faults.ts';
import { randomFrom } from './format.ts';
import {
	checkPath,
	encodingOf,
	parseMultipart,
	parseQuery,
	parseUrlencoded,
	type Broken,
	type Parsed,
} from './forms.ts';
import { fieldsOf, shownHeaders, type Entry, type KeyState } from './journal.ts';
import { RateLimit } from './rateLimit.ts';
import { badCredentials, failureJson, invalid, statusOf, type Reply } from './replies.ts';
import type { State } from './state.ts';
import { wireForm } from './wireForm.ts';

/** What the service says to wrong keys is not shown; this is the sandbox's own text. */
export const WRONG_KEYS = 'Invalid credentials';

const BODY_LIMIT = 256 * 1024 * 1024;

interface Incoming {
	method: string;
	/** Below the base path; the whole path of a request that is outside of it. */
	path: string;
	outside: boolean;
	query: Parsed;
	body: Parsed;
	bodySize: number;
	contentType: string | undefined;
	keys: Entry['keys'];
	pathBroken: Broken[];
}

/** Answers the requests below the base path. */
export class Api {
	private readonly state: State;
	private readonly random = randomFrom(7);
	private readonly rateLimit = new RateLimit();

	constructor(state: State) {
		this.state = state;
	}

	async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { journal } = this.state;
		journal.begin();
		response.once('close', () => journal.end());
		const started = performance.now();
		const incoming = await this.read(request);
		if (!incoming) return;
		const entry = this.note(request, incoming);
		const refusal = this.overLimit(entry);
		if (refusal) {
			journal.answered(entry, refusal);
			send(response, refusal);
			return;
		}
		const fault = this.state.faults.take(incoming.method, incoming.path);
		entry.fault = fault?.kind ?? null;
		await this.wait();
		const answer: Answer =
			fault && !carriesOut(fault)
				? { status: 200, headers: { 'content-type': JSON_TYPE }, body: '' }
				: this.carryOut(incoming, entry);
		if (fault) {
			entry.outcome ??= 'fault';
			journal.answered(entry, await sendFaulty(response, fault, answer));
		} else {
			journal.answered(entry, answer);
			send(response, answer);
		}
		entry.durationMs = Math.round(performance.now() - started);
	}

	private overLimit(entry: Entry): Answer | undefined {
		const { rateLimit } = this.state.settings;
		if (rateLimit === null) return undefined;
		const seconds = this.rateLimit.secondsToWait(rateLimit, performance.now());
		if (seconds === undefined) return undefined;
		entry.outcome = 'rate limit';
		const { headers, ...answer } = jsonAnswer(429, failureJson('Too many requests'));
		return { ...answer, headers: { ...headers, 'retry-after': String(seconds) } };
	}

	/** Null when the caller hung up. */
	private async read(request: IncomingMessage): Promise<Incoming | null> {
		const chunks: Buffer[] = [];
		let bodySize = 0;
		try {
			for await (const chunk of request) {
				bodySize += (chunk as Buffer).length;
				if (bodySize > BODY_LIMIT) throw new Error('The body is too large');
				chunks.push(chunk as Buffer);
			}
		} catch {
			request.destroy();
			return null;
		}
		const { basePath, keys } = this.state;
		const [rawPath = '', ...rest] = (request.url ?? '').split('?');
		const outside = !rawPath.startsWith(`${basePath}/`);
		const contentType = request.headers['content-type'];
		const encoding = encodingOf(contentType);
		const bytes = Buffer.concat(chunks);
		let body: Parsed = { parts: [], broken: [] };
		if (bodySize > 0 && encoding === 'multipart') {
			body = await parseMultipart(bytes, contentType ?? '');
		} else if (bodySize > 0 && encoding === 'urlencoded') body = parseUrlencoded(bytes);
		return {
			method: request.method ?? '',
			path: outside ? rawPath : rawPath.slice(basePath.length),
			outside,
			query: parseQuery(rest.join('?')),
			body,
			bodySize,
			contentType,
			keys: {
				publicKey: keyState(request.headers['publickey'], keys.publicKey),
				secretKey: keyState(request.headers['secretkey'], keys.secretKey),
			},
			pathBroken: checkPath(rawPath),
		};
	}

	private note(request: IncomingMessage, incoming: Incoming): Entry {
		return this.state.journal.add(
			{
				time: new Date(this.state.clock.now()).toISOString(),
				method: incoming.method,
				path: incoming.path,
				query: fieldsOf(incoming.query.parts),
				headers: shownHeaders(request.headers),
				keys: incoming.keys,
				contentType: incoming.contentType ?? null,
				bodySize: incoming.bodySize,
				notes: [],
				fault: null,
				status: null,
				outcome: null,
				durationMs: null,
			},
			incoming.body.parts,
		);
	}

	private async wait(): Promise<void> {
		const { latencyMs, jitterMs } = this.state.settings;
		const ms = latencyMs + this.random() * jitterMs;
		if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
	}

	private carryOut(incoming: Incoming, entry: Entry): Answer {
		try {
			this.state.settle();
			const answer = this.judge(incoming, entry);
			this.state.save();
			return answer;
		} catch (error) {
			// Records put in by a control are not checked, and a disk can be full.
			console.error(error);
			entry.outcome = 'error';
			return jsonAnswer(500, failureJson(`The sandbox itself failed: ${String(error)}`));
		}
	}

	private judge(incoming: Incoming, entry: Entry): Answer {
		const { journal, settings } = this.state;
		const violate = ({ rule, detail }: Broken) => journal.violate(entry, rule, detail);
		const stop = (status: number, broken: Broken[]): Answer => {
			for (const one of broken) violate(one);
			entry.outcome = 'violation';
			const errors = Object.fromEntries(broken.map(({ rule, detail }) => [rule, [detail]]));
			return jsonAnswer(status, failureJson(errors));
		};
		if (incoming.pathBroken.length > 0) return stop(404, incoming.pathBroken);
		const endpoint = incoming.outside ? undefined : endpointByPath.get(incoming.path);
		if (!endpoint) {
			return stop(404, [{ rule: 'path', detail: `There is no ${incoming.path}` }]);
		}
		if (!endpoint.methods.includes(incoming.method as Method)) {
			const detail = `${endpoint.path} takes ${endpoint.methods.join(' or ')}, not ${incoming.method}`;
			return stop(405, [{ rule: 'method', detail }]);
		}
		// Of two methods, the reference lists the one and shows the other.
		const [shown, listed] = endpoint.methods;
		const only = { both: undefined, shown, listed }[settings.methods];
		if (listed !== undefined && only !== undefined && incoming.method !== only) {
			entry.outcome = 'validation';
			return jsonAnswer(405, failureJson(`The ${incoming.method} method is not supported`));
		}
		const wrongKeys = refuseKeys(incoming.keys);
		if (wrongKeys) return this.answerWith(wrongKeys, entry);

		const broken = [
			...encodingBroken(endpoint, incoming),
			...incoming.query.broken,
			...incoming.body.broken,
		];
		if (broken.length > 0) return stop(statusOf('validation', settings.failureStatus), broken);
		const decoded = decode(endpoint, incoming.query.parts, incoming.body.parts, settings);
		entry.notes = decoded.notes;
		const input = decoded.input as never;
		const conflict = Object.keys(decoded.errors).length === 0 ? endpoint.conflict(input) : null;
		if (conflict) {
			decoded.errors[conflict.field] = [conflict.words];
			decoded.violations.push({ rule: conflict.rule, detail: conflict.words });
		}
		for (const violation of decoded.violations) violate(violation);
		if (Object.keys(decoded.errors).length > 0) {
			const answer = this.answerWith(invalid(decoded.errors), entry);
			if (decoded.violations.length > 0) entry.outcome = 'violation';
			return answer;
		}
		const reply = endpoint.run(input, this.state);
		return this.answerWith(wireForm(endpoint, reply, settings), entry);
	}

	private answerWith(reply: Reply, entry: Entry): Answer {
		entry.outcome = reply.outcome;
		if (reply.outcome === 'success') return jsonAnswer(200, reply.json);
		if (reply.outcome === 'attachment') {
			const disposition = `attachment; filename="${reply.filename}"`;
			const headers = { 'content-type': reply.contentType, 'content-disposition': disposition };
			return { status: 200, headers, body: reply.content };
		}
		const status = statusOf(reply.outcome, this.state.settings.failureStatus);
		return jsonAnswer(status, failureJson(reply.errors));
	}
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
	const length = { 'content-length': String(Buffer.byteLength(body)) };
	response.writeHead(status, { ...headers, ...length }).end(body);
}

const jsonAnswer = (status: number, body: string | Buffer): Answer => ({
	status,
	headers: { 'content-type': JSON_TYPE },
	body,
});

function keyState(sent: string | string[] | undefined, right: string): KeyState {
	if (sent === undefined || sent === '') return 'absent';
	const given = Buffer.from(String(sent));
	const wanted = Buffer.from(right);
	return given.length === wanted.length && timingSafeEqual(given, wanted) ? 'correct' : 'wrong';
}

function refuseKeys({ publicKey, secretKey }: Entry['keys']): Reply | null {
	const missing: Record<string, string[]> = {};
	if (publicKey === 'absent') missing.PublicKey = ['The public key field is required.'];
	if (secretKey === 'absent') missing.SecretKey = ['The secret key field is required.'];
	if (Object.keys(missing).length > 0) return badCredentials(missing);
	return publicKey === 'wrong' || secretKey === 'wrong' ? badCredentials(WRONG_KEYS) : null;
}

function encodingBroken(endpoint: Endpoint, { method, bodySize, contentType }: Incoming): Broken[] {
	const encoding = encodingOf(contentType);
	if (method !== 'POST') {
		return bodySize > 0 ? [{ rule: 'body', detail: `a ${method} carries no body` }] : [];
	}
	const wanted = endpoint.encoding === 'none' ? 'multipart' : endpoint.encoding;
	// #39 and #51 take nothing in the body: it may be left out altogether.
	if (endpoint.encoding === 'none' && bodySize === 0) return [];
	if (encoding === wanted) return [];
	const name = wanted === 'multipart' ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
	return [
		{ rule: 'encoding', detail: `the body must be ${name}, not ${contentType ?? 'untyped'}` },
	];
}
