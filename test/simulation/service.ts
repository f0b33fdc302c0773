import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { decode } from '../../sandbox/decode.ts';
import type { Method } from '../../sandbox/endpoint.ts';
import { endpointByPath } from '../../sandbox/endpoints/index.ts';
import { carriesOut, type Fault } from '../../sandbox/faults.ts';
import type { Part } from '../../sandbox/forms.ts';
import { invalid, statusOf, failureJson } from '../../sandbox/replies.ts';
import type { Settings } from '../../sandbox/settings.ts';
import { State } from '../../sandbox/state.ts';
import { wireForm } from '../../sandbox/wireForm.ts';
import type { Random } from '../../soak/random.ts';
import { readMultipart, readPairs } from './form.ts';
import type { History } from '../histories/history.ts';
import {
	LISTS,
	listedAddress,
	shownParts,
	subjectsOf,
	type Listed,
	type ListTable,
} from '../histories/subjects.ts';
import type { Owner, Scheduler } from './scheduler.ts';

export const keys = { publicKey: 'sandbox-public-key', secretKey: 'sandbox-secret-key' };

export interface Response {
	statusCode: number;
	headers: IDataObject;
	body: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };
interface UploadedFile {
	name: string;
	type: string;
	stream(): AsyncIterable<Uint8Array>;
}

/** A body as text, a form with a file, which is read as it is sent, or a query. */
async function partsOf(form: string | object = {}, contentType = ''): Promise<Part[]> {
	if (typeof form === 'string') {
		return contentType === 'application/x-www-form-urlencoded'
			? readPairs(form)
			: readMultipart(Buffer.from(form), contentType);
	}
	const isIterable = Symbol.iterator in form;
	const fields = isIterable ? [...(form as Iterable<[string, unknown]>)] : Object.entries(form);
	return await Promise.all(
		fields.map(async ([name, value]) => {
			if (typeof value !== 'object') return { name, value: String(value) };
			const { name: filename, type, stream } = value as UploadedFile;
			const chunks: Uint8Array[] = [];
			for await (const chunk of stream()) chunks.push(chunk);
			const file = { filename, contentType: type, bytes: Buffer.concat(chunks) };
			return { name, value: '', file };
		}),
	);
}

/** A request as it is on the wire. */
interface Sent {
	method: string;
	url: string;
	query: Part[];
	body: Part[];
}

/** A GET that has an effect. */
const isWrite = (method: string, url: string) =>
	method !== 'GET' || url === '/automations/set-live';

/** The sandbox, with neither HTTP nor a clock of its own. */
export class Service {
	readonly state: State;
	/** Requests that break a rule of the reference. */
	readonly violations: string[] = [];
	private readonly now: () => number;

	constructor(settings: Partial<Settings>, now: () => number) {
		this.now = now;
		const options = { basePath: '', seed: 'empty' as const, ...keys, journalLimit: 0 };
		this.state = new State({ ...options, settings: { tickMs: 0, ...settings } }, null);
		this.state.clock.freeze(true);
		this.tick();
	}

	/** Brings the clock of the service up to the present. */
	tick(): void {
		this.state.clock.set(this.now());
	}

	/** The rows of a table by which people are listed. */
	private rowsOf(table: ListTable): Listed[] {
		return this.state.tables[table].all() as unknown as Listed[];
	}

	/** What a write is about, as it is before it. */
	subjectsOf({ url, query, body }: Sent): IDataObject {
		return subjectsOf(url, [...query, ...body], (table) => this.rowsOf(table));
	}

	/** The contacts of a type, by ID. */
	contactsOf(type: number): IDataObject {
		const rows = this.state.tables.contacts
			.all()
			.filter((row) => row.contact_type_id === type && !row.deleted_at);
		return Object.fromEntries(rows.map((row) => [row.id, row]));
	}

	/** The records of each of these people, by list. */
	recordsOf(emails: readonly string[]): Record<string, string[]> {
		const found = Object.fromEntries(emails.map((email) => [email, [] as string[]]));
		for (const table of Object.keys(LISTS) as ListTable[]) {
			for (const row of this.rowsOf(table)) {
				if (row.deleted_at) continue;
				found[listedAddress(row)]?.push(`${LISTS[table](row)} ${Number(row.id)}`);
			}
		}
		return found;
	}

	answer({ method, url, query, body }: Sent): Response {
		this.tick();
		const { state } = this;
		state.settle();
		const endpoint = endpointByPath.get(url);
		if (!endpoint?.methods.includes(method as Method)) {
			this.violations.push(`${method} ${url} is not in the reference`);
			return { statusCode: 404, headers: JSON_TYPE, body: failureJson('Not found') };
		}
		const decoded = decode(endpoint, query, body, state.settings);
		const input = decoded.input as never;
		const conflict = Object.keys(decoded.errors).length === 0 ? endpoint.conflict(input) : null;
		if (conflict) decoded.errors[conflict.field] = [conflict.words];
		for (const { rule, detail } of decoded.violations) {
			this.violations.push(`${method} ${url}: ${rule}: ${detail}`);
		}
		const reply =
			Object.keys(decoded.errors).length > 0
				? invalid(decoded.errors)
				: wireForm(endpoint, endpoint.run(input, state), state.settings);
		if (reply.outcome === 'success') {
			return { statusCode: 200, headers: JSON_TYPE, body: String(reply.json) };
		}
		if (reply.outcome === 'attachment') {
			return { statusCode: 200, headers: {}, body: reply.content };
		}
		const statusCode = statusOf(reply.outcome, state.settings.failureStatus);
		return { statusCode, headers: JSON_TYPE, body: failureJson(reply.errors) };
	}
}

class NetworkError extends Error {
	readonly code: string;

	constructor(code: string, message: string) {
		super(message);
		this.code = code;
	}
}

const html = '<!DOCTYPE html><html><body><h1>Service unavailable</h1></body></html>';

/** What a fault makes of a response; undefined if none arrives, an error if the connection breaks. */
function spoilt(fault: Fault, response: Response): Response | NetworkError | undefined {
	const { statusCode } = response;
	switch (fault.kind) {
		case 'reset-before':
		case 'reset-after':
			return new NetworkError('ECONNRESET', 'socket hang up');
		case 'timeout':
		case 'timeout-after':
			return undefined;
		case 'status': {
			const headers = { 'content-type': 'text/html', ...fault.headers };
			return { statusCode: fault.status ?? 500, headers, body: '' };
		}
		case 'html':
			return {
				statusCode: fault.status ?? 200,
				headers: { 'content-type': 'text/html' },
				body: html,
			};
		case 'failed':
			return { statusCode: 200, headers: JSON_TYPE, body: failureJson('Something went wrong') };
		case 'shape':
			return { statusCode: 200, headers: JSON_TYPE, body: JSON.stringify(fault.body ?? null) };
		case 'redirect':
			return { statusCode: 302, headers: { location: '/elsewhere' }, body: '' };
		case 'empty':
			return { statusCode, headers: JSON_TYPE, body: '' };
		case 'truncated':
			return { ...response, body: response.body.slice(0, response.body.length / 2) };
		case 'slow':
			return response;
	}
}

async function* asStream(text: string): AsyncGenerator<Uint8Array> {
	yield Buffer.from(text);
}

const isAccepted = ({ statusCode, body }: Response) =>
	statusCode < 300 && body.includes('"status":"success"');

/** Carries requests to the service and responses back, unless something happens on the way. */
export class Network {
	/** How many times longer than usual everything takes. */
	slowness = 1;
	/** What a list of the service shows in place of all of its rows. */
	shorten: (path: string, response: Response) => Response = (_path, response) => response;
	private readonly service: Service;
	private readonly scheduler: Scheduler;
	private readonly history: History;
	private readonly random: Random;

	constructor(service: Service, scheduler: Scheduler, history: History, random: Random) {
		this.service = service;
		this.scheduler = scheduler;
		this.history = history;
		this.random = random;
	}

	/** @param of the run that sends the request */
	async send(owner: Owner, of: number, request: IHttpRequestOptions): Promise<unknown> {
		const { scheduler, random, history } = this;
		const { method = 'GET', url, qs, body, headers, abortSignal } = request;
		const contentType = headers?.['content-type'] as string | undefined;
		const [query, form] = await Promise.all([
			partsOf(qs),
			partsOf(body as string | object | undefined, contentType),
		]);
		const sent: Sent = { method, url, query, body: form };
		const fault = this.service.state.faults.take(method, url);
		const op = `${method} ${url}`;
		const data = {
			...(qs && { query: shownParts(query) }),
			...(body !== undefined && { body: shownParts(form) }),
		};
		const id = history.invoke(owner.name, op, { ...data, ...(fault && { fault: fault.kind }) }, of);
		const delays = [random.whole(1, 40), random.whole(1, 40)].map((ms) => ms * this.slowness);
		const [there = 0, back = 0] = delays;
		return await new Promise((resolve, reject) => {
			let isOver = false;
			const end = (finish: () => void) => () => {
				if (isOver) return;
				isOver = true;
				finish();
			};
			const lose = (error: Error, hasEffect: boolean) =>
				end(() => {
					history.end(id, 'info', owner.name, op, { lost: error.message, hasEffect });
					reject(error);
				});
			let hasEffect = false;
			const abort = () => lose(new NetworkError('ERR_CANCELED', 'canceled'), hasEffect)();
			if (abortSignal) (abortSignal as AbortSignal).addEventListener('abort', abort);
			// What is under way arrives, even if whoever sent it is dead by then.
			scheduler.after(there, () => {
				let response: Response = { statusCode: 200, headers: JSON_TYPE, body: '' };
				if (!fault || carriesOut(fault)) {
					const subjects = this.service.subjectsOf(sent);
					response = this.shorten(url, this.service.answer(sent));
					hasEffect = isAccepted(response);
					if (hasEffect && isWrite(method, url)) {
						const effect = { ...subjects, write: op, ...data, request: id, run: of };
						history.note('service', 'effect', effect);
					}
				}
				const arriving = fault ? spoilt(fault, response) : response;
				if (arriving === undefined) return;
				const wait = back + (fault?.kind === 'slow' ? (fault.ms ?? 1000) : 0);
				const deliver =
					arriving instanceof Error
						? lose(arriving, hasEffect)
						: end(() => {
								const type = isAccepted(arriving) ? 'ok' : hasEffect ? 'info' : 'fail';
								history.end(id, type, owner.name, op, { status: arriving.statusCode });
								resolve({ ...arriving, body: asStream(arriving.body) });
							});
				scheduler.after(wait, deliver, { owner });
			});
		});
	}
}
