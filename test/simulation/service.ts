import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { decode } from '../../sandbox/decode.ts';
import type { Method } from '../../sandbox/endpoint.ts';
import { endpointByPath } from '../../sandbox/endpoints/index.ts';
import { carriesOut, type Fault } from '../../sandbox/faults.ts';
import { invalid, statusOf, failureJson } from '../../sandbox/replies.ts';
import type { Settings } from '../../sandbox/settings.ts';
import { State } from '../../sandbox/state.ts';
import { wireForm } from '../../sandbox/wireForm.ts';
import type { Random } from '../../soak/random.ts';
import type { History } from './history.ts';
import type { Owner, Scheduler } from './scheduler.ts';

export const keys = { publicKey: 'sandbox-public-key', secretKey: 'sandbox-secret-key' };

export interface Response {
	statusCode: number;
	headers: IDataObject;
	body: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const partsOf = (form: object = {}) =>
	Object.entries(form as Record<string, string>).map(([name, value]) => ({ name, value }));

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

	/** Whom a write is about: contacts by their IDs, as they are before it. */
	subjectsOf({ qs, body }: IHttpRequestOptions): IDataObject {
		const { tables } = this.state;
		const form = Object.entries({ ...qs, ...(body as object) } as Record<string, string>);
		const ids = form.flatMap(([name, value]) =>
			name === 'contact_id' || name.startsWith('strIds[') ? [Number(value)] : [],
		);
		const named = form.flatMap(([name, value]) =>
			name === 'email' || name === 'email_address' ? value.split(',') : [],
		);
		const contacts = ids.flatMap((id) => tables.contacts.get(id) ?? []);
		const emails = [...contacts.map(({ email }) => email), ...named];
		return { ids, emails: [...new Set(emails.map((email) => email.trim().toLowerCase()))] };
	}

	/** The contacts of one type that have an address. */
	contactsOf(email: string, type: number): number[] {
		return this.state.tables.contacts
			.all()
			.filter((one) => one.contact_type_id === type && !one.deleted_at)
			.filter((one) => one.email.toLowerCase() === email)
			.map(({ id }) => id);
	}

	answer({ method = 'GET', url, qs, body }: IHttpRequestOptions): Response {
		this.tick();
		const { state } = this;
		state.settle();
		const endpoint = endpointByPath.get(url);
		if (!endpoint?.methods.includes(method as Method)) {
			this.violations.push(`${method} ${url} is not in the reference`);
			return { statusCode: 404, headers: JSON_TYPE, body: failureJson('Not found') };
		}
		const form = body as object | undefined;
		const decoded = decode(endpoint, partsOf(qs), partsOf(form), state.settings);
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
		const { method = 'GET', url, qs, body, abortSignal } = request;
		const fault = this.service.state.faults.take(method, url);
		const op = `${method} ${url}`;
		const sent = {
			...(qs && { query: qs }),
			...(body !== undefined && { body: body as IDataObject }),
		};
		const id = history.invoke(owner.name, op, { ...sent, ...(fault && { fault: fault.kind }) }, of);
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
					const subjects = this.service.subjectsOf(request);
					response = this.shorten(url, this.service.answer(request));
					hasEffect = isAccepted(response);
					if (hasEffect && method !== 'GET') {
						history.note('service', 'effect', {
							...subjects,
							write: op,
							...sent,
							request: id,
							run: of,
						});
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
