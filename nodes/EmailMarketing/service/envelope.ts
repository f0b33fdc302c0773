import type { IDataObject } from 'n8n-workflow';

import { coerceText, isEmpty, isObject } from '../util/coerce';
import { labelOf } from '../util/labels';
import { sanitize, serviceText } from '../util/text';
import { adviceOf, ServiceError } from './failure';
import type { KeyedEndpoint } from './endpoints';
import type { Failure, HttpResponse, RequestInfo, SentField } from './failure';
import { withoutKeys } from './hideTexts';
import { parseJson, parseList } from './json';
import { retryAfterMs, retryAfterSentence } from './retryAfter';

/** 304 has no target. */
const isRedirect = (statusCode: number): boolean =>
	statusCode >= 300 && statusCode < 400 && statusCode !== 304;

const isSuccess = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;

/** PHP writes `false`, and an empty list or object, as well. */
const isNothing = (value: unknown): boolean =>
	isEmpty(value) ||
	value === false ||
	(typeof value === 'object' && Object.keys(value as object).length === 0);

/**
 * The `message` of a success envelope. Three deletes (17, 30, 55) confirm with a text under `errors` instead. Elsewhere,
 * and with the text or the fields of a failure, a success with errors proves nothing, whatever its message is.
 *
 * @throws ServiceError for a failure envelope, and for any response without an envelope.
 */
export function readEnvelope(response: HttpResponse, info: RequestInfo): unknown {
	const { statusCode, body } = response;
	if (isRedirect(statusCode)) throw redirected(response, info);
	if (statusCode === 429) throw rateLimited(response, info);
	if (isObject(body) && body.status === 'failed')
		throw refused(withoutKeys(body.errors, info.keys), response, info);
	if (isObject(body) && body.status === 'success' && isSuccess(statusCode)) {
		const { message, errors } = body;
		if (isNothing(errors)) return message;
		const isText = typeof errors === 'string';
		if (info.confirmsUnderErrors && isText && !notFound.test(errors.trim())) return errors;
		throw unexpectedShape('it reports success together with errors', response, info);
	}
	throw fail(response, info, { ...meaningOf(response), effect: effectOf(response) });
}

/** Statuses of a service that is busy or being restarted; from 520 on, of a proxy that cannot reach it. */
const retryableStatuses = new Set([408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524]);

/**
 * Whether the service, or a proxy before it, is busy: whatever the reason says, it is none of the request itself. With
 * 500, a service may report any refusal.
 */
const isBusy = ({ statusCode }: HttpResponse): boolean =>
	statusCode !== 500 && retryableStatuses.has(statusCode);

/** Statuses with which a request was certainly rejected before it had an effect. */
const rejectedStatuses = new Set([400, 401, 403, 404, 405, 407, 413, 415, 422, 429]);

/** Whether the request may have had its effect, by the status, unless the body says so. */
function effectOf(response: HttpResponse): Failure['effect'] {
	// A service that says when to retry has rejected the request. A proxy may say so after it has passed the request on.
	const isAway =
		response.statusCode === 503 &&
		retryAfterMs(response) !== undefined &&
		isObject(response.body) &&
		response.body.status === 'failed';
	const isDone = isObject(response.body) && response.body.status === 'success';
	const isRejected = rejectedStatuses.has(response.statusCode) && !isDone;
	return isAway || isRejected ? 'none' : 'unknown';
}

function fail(
	response: HttpResponse,
	info: RequestInfo,
	failure: Omit<Failure, 'httpCode' | 'retryAfterMs'>,
): ServiceError {
	const description = [failure.description, isMethodRefused(response) && info.ifNoMethod]
		.filter(Boolean)
		.join(' ');
	return new ServiceError({
		retryable: retryableStatuses.has(response.statusCode),
		...failure,
		description: adviceOf({ ...failure, description }, info),
		httpCode: String(response.statusCode),
		retryAfterMs: retryAfterMs(response),
	});
}

/** When to try again, from the header Retry-After if there is one. */
function retryAdvice(response: HttpResponse): string {
	const pauseMs = retryAfterMs(response);
	return pauseMs === undefined ? 'Try again later.' : retryAfterSentence(pauseMs);
}

function rateLimited(response: HttpResponse, info: RequestInfo): ServiceError {
	return fail(response, info, {
		code: 'rate-limit-reached',
		message: 'Rate limit reached (HTTP 429)',
		description: `${retryAdvice(response)} If this happens often, lower "Parallel Requests" in Options, or set a pause under "Batching" in Request Options; let a trigger poll less often.`,
		effect: effectOf(response),
	});
}

function redirected(response: HttpResponse, info: RequestInfo): ServiceError {
	return fail(response, info, {
		code: 'redirected',
		message: 'The service responded with a redirect. To protect your keys, it was not followed',
		description:
			'Set "Base URL" in the credential to the final address of the service, for example with https:// instead of http://.',
		// 307 and 308 ask to send the request elsewhere; the others may follow a request that had its effect.
		effect: response.statusCode === 307 || response.statusCode === 308 ? 'none' : 'unknown',
	});
}

/** The rejected fields of a failure envelope, with the reasons of the service. */
function fieldErrors(errors: unknown): Array<{ field: string; text: string }> {
	if (!isObject(errors)) return [];
	return Object.entries(errors).map(([field, texts]) => ({
		field,
		text: (Array.isArray(texts) ? texts : [texts]).map(serviceText).join(' '),
	}));
}

const keyHeaders: readonly string[] = ['PublicKey', 'SecretKey'];

/** The headers that did not arrive: the service may answer for wrong keys as for a field, too. */
export const missingHeaders = (errors: unknown): string[] =>
	fieldErrors(errors).flatMap(({ field, text }) =>
		keyHeaders.includes(field) && /required/i.test(text) ? [field] : [],
	);

const baseName = (field: string): string => field.split(/[.[]/)[0] ?? field;

function sentField(field: string, info: RequestInfo): SentField | undefined {
	const inputs = { ...info.query, ...info.body };
	const name = baseName(field);
	return Object.hasOwn(inputs, name) ? inputs[name] : undefined;
}

/** The label of a rejected field in the editor, also for entries of a list such as `strIds.0`. */
function shownName(field: string, info: RequestInfo): string {
	return sentField(field, info)?.label ?? labelOf(baseName(field));
}

/** A lookup failure; the reference shows both spellings. */
const notFound = /^record not found$/i;

/** The reference does not show how the service refuses wrong keys. */
const aboutKeys =
	/\b(?:credentials?|(?:api|public|secret|private) ?keys?|unauthenticated|unauthori[sz]ed|authentication (?:error|failed|required)|(?:invalid|missing|no) authentication)\b/i;

/** Both keys are in a record, and easily confused. */
const utrAdvice = (info: RequestInfo): string =>
	sentField('utr', info) ? 'A UTR is the field "utr" of a record, not its "id".' : '';

/** Advice for the lookup and business failures that the reference lists. */
const remedies: Array<{ pattern: RegExp; description: string }> = [
	{
		pattern: notFound,
		description:
			'No record has this ID or UTR. It may have been deleted or belong to another account. Choose it from the list again.',
	},
	{
		pattern: /^unsubscribe group require to live automation$/i,
		description:
			'Assign an unsubscribe group to the automation in the service, then set it live again.',
	},
];

const noSuchAddress = {
	code: 'address-not-found',
	message: 'There is no such address (HTTP 404)',
	description: 'Check "Base URL" in the credential. It must be the root of the API.',
} as const;

function refused(errors: unknown, response: HttpResponse, info: RequestInfo): ServiceError {
	const fields = fieldErrors(errors);
	const reasons = serviceText(fields.map(({ text }) => text).join(' '));
	const isOfKeys = fields.some(({ field }) => keyHeaders.includes(field));
	if (missingHeaders(errors).length > 0) {
		return fail(response, info, {
			code: 'keys-not-received',
			message: `The service did not receive the keys: ${reasons}`,
			description:
				'Open the credential and enter both keys again. If they are there, a proxy between n8n and the service may be removing the headers PublicKey and SecretKey.',
			effect: 'none',
			retryable: false,
		});
	}
	const isServerError = response.statusCode >= 500 || isBusy(response);
	const isValidation =
		!isBusy(response) && fields.some(({ field }) => sentField(field, info) !== undefined);
	const isUnrelated = fields.length > 0 && !isOfKeys && !isValidation;
	// Get Contact Type (15) fails with an error about fields that it does not have.
	if (isUnrelated && info.asked?.length && !isServerError) {
		return fail(response, info, {
			code: 'request-rejected',
			message: `The service rejected the request: ${reasons}`,
			description: 'The record may not exist: check its ID.',
			effect: 'none',
			retryable: false,
		});
	}
	if (response.statusCode === 404 && isUnrelated) {
		return fail(response, info, { ...noSuchAddress, effect: 'none', retryable: false });
	}
	// Together with a server error, other names are no rejected fields.
	if (isValidation || (isUnrelated && !isServerError)) {
		const names = fields.map(({ field }) => `"${shownName(field, info)}"`).join(', ');
		const advice = new Set(fields.map(({ field }) => sentField(field, info)?.ifRejected ?? ''));
		return fail(response, info, {
			code: 'field-rejected',
			message: `The service rejected ${sanitize(names, 200)}: ${reasons}`,
			description: [
				`Correct ${fields.length === 1 ? 'this field' : 'these fields'} and run again.`,
				...advice,
			]
				.filter((sentence) => sentence !== '')
				.join(' '),
			effect: 'none',
			retryable: false,
			rejectedFields: fields.map(({ field }) => field),
		});
	}
	const text = serviceText(typeof errors === 'string' ? errors : reasons) || 'no reason given';
	const isAboutKeys = isOfKeys || (aboutKeys.test(text) && !isServerError);
	if (response.statusCode === 401 || isAboutKeys) {
		return fail(response, info, {
			code: 'keys-rejected',
			message: `The service rejected the keys: ${text}`,
			description:
				'Copy the public key and the secret key from the account page of the service into the credential again.',
			effect: 'none',
			retryable: false,
		});
	}
	const remedy = isBusy(response) ? undefined : remedies.find(({ pattern }) => pattern.test(text));
	const isNotFound = remedy !== undefined && notFound.test(text);
	return fail(response, info, {
		code: isNotFound ? 'record-not-found' : 'request-rejected',
		message: `The service rejected the request: ${text}`,
		description:
			(isNotFound
				? [info.ifNotFound, remedy?.description, info.ifNotFound ? '' : utrAdvice(info)]
						.filter(Boolean)
						.join(' ')
				: '') ||
			remedy?.description ||
			(isServerError
				? retryAdvice(response)
				: 'Check the values of this operation and whether the keys in the credential belong to this account.'),
		// An unknown reason with a server error: the request may have had part of its effect.
		...(remedy === undefined && isServerError
			? { effect: effectOf(response) }
			: { effect: 'none', retryable: false }),
		...(remedy === undefined && !isServerError && { rejectedFields: [] }),
		...(isNotFound && { isNotFound: true }),
	});
}

/** What a response without an envelope means. */
function meaningOf(
	response: HttpResponse,
): Pick<Failure, 'code' | 'message' | 'description' | 'retryable'> {
	const { statusCode, body } = response;
	if (statusCode === 401 || statusCode === 403) {
		return {
			code: 'access-denied',
			message: `The service denied access (HTTP ${statusCode})`,
			description: 'Check the public key and the secret key in the credential.',
		};
	}
	if (statusCode === 407) {
		return {
			code: 'proxy-login-required',
			message: 'The proxy requires a user name and a password (HTTP 407)',
			description:
				'Enter them under "Proxy" in Request Options, as http://name:password@host:port, or in the proxy settings of n8n.',
		};
	}
	if (statusCode >= 500 || statusCode === 408) {
		return {
			code: 'service-unavailable',
			message: `The service is temporarily unavailable (HTTP ${statusCode})`,
			description: retryAdvice(response),
		};
	}
	if (typeof body === 'string' && /^\s*</.test(body)) {
		return {
			code: 'web-page-returned',
			message: `The service returned a web page instead of data (HTTP ${statusCode})`,
			description:
				'"Base URL" in the credential probably points to a website or a login page. It must be the root of the API.',
		};
	}
	if (statusCode === 404) return noSuchAddress;
	if (statusCode === 413) {
		return {
			code: 'request-too-large',
			message: 'The request is too large for the service (HTTP 413)',
			description: 'Send a smaller file, or fewer records per request.',
		};
	}
	if (statusCode >= 400) {
		return {
			code: 'rejected-without-details',
			message: `The service rejected the request without a reason (HTTP ${statusCode})`,
			description: 'Check the values of this operation and "Base URL" in the credential.',
		};
	}
	const empty =
		body === undefined || body === null || (typeof body === 'string' && body.trim() === '');
	return {
		code: 'response-unreadable',
		message: empty
			? 'The service returned an empty response'
			: 'The service returned a response that cannot be read',
		description:
			'Try again. If this happens again, check that "Base URL" in the credential leads to the API.',
		// Text that is not JSON may be a response that was cut off; parsed JSON has arrived as a whole.
		retryable: empty || typeof body === 'string',
	};
}

/** The failure for a response that was not received completely. */
export function tooLong(maxBytes: number, response: HttpResponse, info: RequestInfo): ServiceError {
	return fail(response, info, {
		code: 'response-too-large',
		message: `The response of the service is longer than ${maxBytes / 1_000_000} MB`,
		description:
			'Check any proxy in between, and that "Base URL" in the credential leads to the API.',
		effect: effectOf(response),
		retryable: false,
	});
}

/** The failure for a success envelope without the expected content. */
export function unexpectedShape(
	problem: string,
	response: HttpResponse,
	info: RequestInfo,
): ServiceError {
	return fail(response, info, {
		code: 'response-unexpected',
		message: `Unexpected response: ${problem}`,
		description:
			'Try again. If this happens again, the API may have changed, or a proxy may be altering the response.',
		effect: 'unknown',
	});
}

/** Where a response has its list. */
export type ListSource = Pick<KeyedEndpoint, 'key'>;

/** Whether the service refused the request because the record does not exist. One that is busy has not looked. */
export function isNotFound(response: HttpResponse): boolean {
	const { statusCode, body } = response;
	return (
		(statusCode < 300 || statusCode >= 400) &&
		!isBusy(response) &&
		isObject(body) &&
		body.status === 'failed' &&
		typeof body.errors === 'string' &&
		notFound.test(body.errors.trim())
	);
}

/** No response without records is longer. */
const longestBytes = 1000;

/** A response whose body was read as bytes, parsed if it is short. */
export function parsedIfShort({ body, ...rest }: HttpResponse): HttpResponse {
	return {
		...rest,
		body: Buffer.isBuffer(body) && body.length <= longestBytes ? parseJson(body) : body,
	};
}

/** Whether there may be something at the address with another method. */
export function isMethodRefused(response: HttpResponse): boolean {
	const { statusCode, body } = parsedIfShort(response);
	if (isNotFound({ ...response, body })) return false;
	const reason = isObject(body) && body.status === 'failed' ? coerceText(body.errors) : '';
	return [404, 405, 501].includes(statusCode) || /\bmethod\b/i.test(reason);
}

/** The list under the key of a list endpoint's `message`. A missing key is a failure, never an empty list. */
export const readList = (
	response: HttpResponse,
	source: ListSource,
	info: RequestInfo,
): unknown[] => readWholeList(response, source, info, 0);

/** @param picked how many of the records have been taken out of the list already */
function readWholeList(
	response: HttpResponse,
	{ key }: ListSource,
	info: RequestInfo,
	picked: number,
): unknown[] {
	const message = readEnvelope(response, info);
	const list = isObject(message) ? message[key] : undefined;
	if (!Array.isArray(list)) throw unexpectedShape(`the list "${key}" is missing`, response, info);
	if (isPage(response, message, list.length + picked)) {
		throw unexpectedShape(`the list "${key}" is only a page of a longer one`, response, info);
	}
	return list;
}

/** What says that a list goes on: members beside it, whatever their case, and headers, without their `x-`. */
const pageSigns: Array<{ name: RegExp; isSign: (value: unknown, length: number) => boolean }> = [
	{
		name: /^(?:total(?:count|records|items|results|rows|elements|entries)?|count|recordstotal)$/,
		isSign: (value, length) => Number(value) > length,
	},
	{
		name: /^(?:pages|pagecount|numpages|totalpages|lastpage)$/,
		isSign: (value) => Number(value) > 1,
	},
	{
		name: /^(?:hasmore|next(?:page.*|url|uri|link|href|cursor|token|offset|marker)?)$/,
		isSign: (value) =>
			isObject(value) || !['', '0', 'false'].includes(coerceText(value).toLowerCase()),
	},
	{ name: /^link$/, isSign: (value) => /\brel="?next\b/i.test(coerceText(value)) },
];

const pageParts = ['meta', 'links', '_links', 'pagination', 'paging'];

/** The reference shows no pages. If the service had some, people who unsubscribed could be on one that is not read. */
function isPage({ body, headers }: HttpResponse, message: unknown, length: number): boolean {
	const besides = [message, body].filter(isObject);
	const parts = besides.flatMap((one) => [one, ...pageParts.map((name) => one[name])]);
	return [...parts, headers].filter(isObject).some((part) =>
		Object.entries(part).some(([key, value]) => {
			const name = key.toLowerCase().replace(/^x-|[_-]/g, '');
			return pageSigns.some((sign) => sign.name.test(name) && sign.isSign(value, length));
		}),
	);
}

/** The same for lists of records; the list of dynamic content (36) has texts instead. */
export const readRecords = (
	response: HttpResponse,
	source: ListSource,
	info: RequestInfo,
): IDataObject[] => readEach(response, source, info, (record) => record);

const noRecord = Symbol('no record');

/**
 * The same for the needed values of records. The response may be in bytes, since its list may be too long to be in memory
 * as a whole.
 *
 * @param pick extracts the needed values from a record
 */
export function readEach<T>(
	response: HttpResponse,
	source: ListSource,
	info: RequestInfo,
	pick: (record: IDataObject) => T,
): T[] {
	const take = (record: unknown): T | typeof noRecord =>
		isObject(record) ? pick(record) : noRecord;
	const { body: bytes } = response;
	const { picked, body } = Buffer.isBuffer(bytes)
		? parseList(bytes, source.key, take)
		: { body: bytes, picked: [] };
	const others = readWholeList({ ...response, body }, source, info, picked.length).map(take);
	const all = others.length === 0 ? picked : others;
	if (!all.includes(noRecord)) return all as T[];
	throw unexpectedShape(
		`the list "${source.key}" has an entry that is not a record`,
		response,
		info,
	);
}

/**
 * The one record under `key`; single send details (40) have it in an array. A response with another record than the
 * requested one, such as one that a proxy cached for another request, is a failure.
 */
export function readRecord(response: HttpResponse, key: string, info: RequestInfo): IDataObject {
	const message = readEnvelope(response, info);
	const found = isObject(message) ? message[key] : undefined;
	if (Array.isArray(found) && found.length === 0) {
		throw refused('Record not found', response, info);
	}
	const records: unknown[] = [found].flat();
	if (!isObject(records[0])) {
		throw unexpectedShape(`the record "${key}" is missing`, response, info);
	}
	const record = records.find((one) => isObject(one) && isRequested(one, info));
	if (isObject(record)) return record;
	throw unexpectedShape(`the record "${key}" is not the requested one`, response, info);
}

function isRequested({ id, utr }: IDataObject, { asked = [] }: RequestInfo): boolean {
	const lower = (value: unknown) => coerceText(value).toLowerCase();
	const shown = [id, utr].map(lower).filter((one) => one !== '');
	return (
		asked.length === 0 || shown.length === 0 || asked.map(lower).some((one) => shown.includes(one))
	);
}
