import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../util/coerce';
import { labelOf } from '../util/labels';
import { retryAfterMs } from './retryAfter';
import { sanitize, serviceText } from '../util/text';

export { isObject };

/** What came back over HTTP, whatever its status was. */
export interface HttpResponse {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

/** What was asked; decides how a failure is worded. */
export interface RequestInfo {
	/** Reads change nothing and may be repeated; everything else may already have been carried out. */
	changesData: boolean;
	/** Fields that were sent, for what the editor calls them. */
	query?: Record<string, { label?: string }>;
	body?: Record<string, { label?: string }>;
}

/** Why a call failed, in words for the person who runs the workflow. */
export interface Failure {
	message: string;
	description: string;
	/** HTTP status, absent where no answer arrived. */
	httpCode?: string;
	/** Whether the service may have carried the request out all the same. */
	effect: 'none' | 'unknown';
	/** Whether the same request may well succeed a little later. */
	temporary?: boolean;
	/** The pause that the service asked for, in milliseconds. */
	retryAfterMs?: number;
	/** What the error output and the error data hold besides. */
	report?: IDataObject;
}

/** Whether the service looked at the request and said no. */
export function isRejected({ effect, temporary = false, httpCode }: Failure): boolean {
	return effect === 'none' && !temporary && httpCode !== undefined;
}

export class ServiceError extends Error {
	readonly failure: Failure;

	constructor(failure: Failure) {
		super(failure.message);
		this.name = 'ServiceError';
		this.failure = failure;
	}
}

const unclear =
	'The request may have been carried out all the same: look in the service before running it again.';
const unchanged = 'Nothing was changed.';

/** The sentence that says whether a failed request can have had an effect. */
export function outcome(asked: RequestInfo, effect: Failure['effect']): string {
	if (!asked.changesData) return '';
	return effect === 'none' ? unchanged : unclear;
}

/**
 * The `message` of a success envelope. Three deletes (17, 30, 55) confirm under `errors` instead,
 * so that key is taken where a success has no message.
 *
 * @throws ServiceError for a failure envelope and for anything that is no envelope at all.
 */
export function readEnvelope(answer: HttpResponse, asked: RequestInfo): unknown {
	const { statusCode, body } = answer;
	if (statusCode >= 300 && statusCode < 400) throw redirected(answer, asked);
	if (statusCode === 429) throw tooMany(answer, asked);
	if (isObject(body) && body.status === 'failed') throw refused(body.errors, answer, asked);
	if (isObject(body) && body.status === 'success' && statusCode < 300) {
		return body.message ?? body.errors;
	}
	throw notAnEnvelope(answer, asked);
}

/** Statuses of a service that is busy or being restarted; from 520 on, of a proxy that cannot reach it. */
const passing = new Set([408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524]);

/** Statuses at which a request was surely turned away before it had an effect. */
const turnedAway = new Set([400, 401, 403, 404, 405, 407, 413, 415, 422, 429]);

/** Whether a status alone leaves it open that the request was carried out. */
function outcomeOf(answer: HttpResponse): Failure['effect'] {
	// A service that names the time to come back has sent the request away.
	const isAway = answer.statusCode === 503 && retryAfterMs(answer) !== undefined;
	return isAway || turnedAway.has(answer.statusCode) ? 'none' : 'unknown';
}

function fail(
	answer: HttpResponse,
	asked: RequestInfo,
	failure: Omit<Failure, 'httpCode' | 'retryAfterMs'>,
): ServiceError {
	const description = [failure.description, outcome(asked, failure.effect)]
		.filter((sentence) => sentence !== '')
		.join(' ');
	return new ServiceError({
		temporary: passing.has(answer.statusCode),
		...failure,
		description,
		httpCode: String(answer.statusCode),
		retryAfterMs: retryAfterMs(answer),
	});
}

/** "It asks for a pause of 30 seconds.", or nothing. */
function askedPause(answer: HttpResponse): string {
	const pauseMs = retryAfterMs(answer);
	if (pauseMs === undefined) return '';
	const seconds = Math.ceil(pauseMs / 1000);
	return ` It asks for a pause of ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
}

function tooMany(answer: HttpResponse, asked: RequestInfo): ServiceError {
	return fail(answer, asked, {
		message: 'The service has had too many requests (HTTP 429)',
		description: `Run again later.${askedPause(answer)} If it happens often, send less at once: lower "Requests at a Time" in Options, add a pause with Batching in Request Options, or poll less often.`,
		effect: 'none',
	});
}

function redirected(answer: HttpResponse, asked: RequestInfo): ServiceError {
	return fail(answer, asked, {
		message: 'The service answered with a redirect, which is never followed with your keys',
		description:
			'Put the final address of the service into "Base URL" of the credential, for example with https:// in place of http://.',
		// 307 and 308 ask to send the request again elsewhere; the others may come after it was carried out.
		effect: answer.statusCode === 307 || answer.statusCode === 308 ? 'none' : 'unknown',
	});
}

/** Fields that the keys of a failure envelope name, with what the service says about each. */
export function fieldErrors(errors: unknown): Array<{ field: string; text: string }> {
	if (!isObject(errors)) return [];
	return Object.entries(errors).map(([field, texts]) => ({
		field,
		text: (Array.isArray(texts) ? texts : [texts]).map(serviceText).join(' '),
	}));
}

/** What the editor calls a field that a failure names, also one of a list such as `strIds.0`. */
function shownName(field: string, asked: RequestInfo): string {
	const name = field.split(/[.[]/)[0] ?? field;
	const inputs = { ...asked.query, ...asked.body };
	return (Object.hasOwn(inputs, name) ? inputs[name]?.label : undefined) ?? labelOf(name);
}

/** What to do about the lookup and business failures that the reference lists. */
const remedies: Array<{ pattern: RegExp; description: string }> = [
	{
		pattern: /^record not found$/i,
		description:
			'No record has this ID or UTR. It may have been deleted, or belong to another account: choose it from the list again.',
	},
	{
		pattern: /^unsubscribe group require to live automation$/i,
		description:
			'Assign an unsubscribe group to the automation in the service, then set it live again.',
	},
];

function refused(errors: unknown, answer: HttpResponse, asked: RequestInfo): ServiceError {
	const fields = fieldErrors(errors);
	const reasons = serviceText(fields.map(({ text }) => text).join(' '));
	if (fields.some(({ field }) => field === 'PublicKey' || field === 'SecretKey')) {
		return fail(answer, asked, {
			message: `The service did not receive the keys: ${reasons}`,
			description:
				'Open the credential and enter both keys again. If they are there, a proxy between n8n and the service may remove the headers PublicKey and SecretKey.',
			effect: 'none',
			temporary: false,
		});
	}
	if (fields.length > 0) {
		const names = fields.map(({ field }) => `"${shownName(field, asked)}"`).join(', ');
		return fail(answer, asked, {
			message: `The service refused ${sanitize(names, 200)}: ${reasons}`,
			description: `Correct ${fields.length === 1 ? 'this field' : 'these fields'} and run again.`,
			effect: 'none',
			temporary: false,
		});
	}
	const text =
		typeof errors === 'string' && errors !== '' ? serviceText(errors) : 'no reason given';
	const remedy = remedies.find(({ pattern }) => pattern.test(text));
	return fail(answer, asked, {
		message: `The service refused the request: ${text}`,
		description:
			remedy?.description ??
			'Check the values of this operation, and that the keys of the credential belong to this account.',
		// A reason that is not known, with a status of trouble: it may have come up half way.
		...(remedy === undefined && answer.statusCode >= 500
			? { effect: outcomeOf(answer) }
			: { effect: 'none', temporary: false }),
	});
}

function notAnEnvelope(answer: HttpResponse, asked: RequestInfo): ServiceError {
	const { statusCode, body } = answer;
	const effect = outcomeOf(answer);
	if (statusCode === 401 || statusCode === 403) {
		return fail(answer, asked, {
			message: `The service refused access (HTTP ${statusCode})`,
			description: 'Check the public key and the secret key of the credential.',
			effect,
		});
	}
	if (statusCode === 407) {
		return fail(answer, asked, {
			message: 'The proxy on the way wants a user name and a password (HTTP 407)',
			description:
				'Put them into "Proxy" in Request Options, as http://name:password@host:port, or into the proxy settings of n8n.',
			effect,
		});
	}
	if (statusCode >= 500) {
		return fail(answer, asked, {
			message: `The service had a problem of its own (HTTP ${statusCode})`,
			description: `Try again later.${askedPause(answer)}`,
			effect,
		});
	}
	if (typeof body === 'string' && /^\s*</.test(body)) {
		return fail(answer, asked, {
			message: `The service answered with a web page where data was expected (HTTP ${statusCode})`,
			description:
				'"Base URL" of the credential probably points to a website or a login page: it must be the root of the API.',
			effect,
		});
	}
	if (statusCode >= 400) {
		return fail(answer, asked, {
			message: `There is no such address in the service (HTTP ${statusCode})`,
			description: 'Check "Base URL" of the credential: it must be the root of the API.',
			effect,
		});
	}
	const empty = body === undefined || body === null || body === '';
	return fail(answer, asked, {
		message: empty
			? 'The service gave an empty answer'
			: 'The service gave an answer that cannot be understood',
		description:
			'The answer was cut off on its way, or "Base URL" of the credential does not lead to the API.',
		effect,
		// Text that is no JSON is the beginning of an answer; what could be parsed has arrived whole.
		temporary: empty || typeof body === 'string',
	});
}

/** Failure of a success envelope that lacks what the endpoint promises. */
export function unexpectedShape(
	expected: string,
	answer: HttpResponse,
	asked: RequestInfo,
): ServiceError {
	return fail(answer, asked, {
		message: `The answer of the service lacks ${expected}`,
		description: 'The service may have changed, or the answer was altered on its way.',
		effect: 'unknown',
	});
}

/** The list under `key` of a list endpoint's `message`. A missing key is a failure, never an empty list. */
export function readList(answer: HttpResponse, key: string, asked: RequestInfo): unknown[] {
	const message = readEnvelope(answer, asked);
	const list = isObject(message) ? message[key] : undefined;
	if (!Array.isArray(list)) throw unexpectedShape(`the list "${key}"`, answer, asked);
	return list;
}

/** The same for lists of records, which some are not: the one of dynamic content (36) holds texts. */
export function readRecords(answer: HttpResponse, key: string, asked: RequestInfo): IDataObject[] {
	const list = readList(answer, key, asked);
	if (list.every(isObject)) return list;
	throw unexpectedShape(`whole records in the list "${key}"`, answer, asked);
}
