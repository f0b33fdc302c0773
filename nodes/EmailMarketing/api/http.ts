import { NodeOperationError } from 'n8n-workflow';
import type {
	IAllExecuteFunctions,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { isObject, readEnvelope, readRecords } from './envelope';
import type { RequestInfo, Failure, HttpResponse } from './envelope';
import { credentialOfRun, credentialType } from './credential';
import { toFailure, toNodeError } from './errors';
import { isEmpty } from '../params/validators';
import { coerceNumber, coerceText } from '../util/coerce';
import { retryPolicyOf, withRetries } from './retry';
import type { CircuitBreaker } from './retry';

/**
 * What every request has in common. Statuses are judged together with the body, since the service
 * tells success by its envelope; redirects are not followed because n8n would send both key headers
 * along to another host.
 */
export const requestDefaults = {
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
	headers: { accept: 'application/json' },
};

/** The lists of the service that other parts of the package read, with the key their records are under. */
export const lists = {
	globalUnsubscribes: { path: '/global-unsubscribes', key: 'unSubscribers' },
	unsubscribeGroups: { path: '/unsubscribes-groups', key: 'unsubscribesGroups' },
	unsubscribeGroupRecipients: { path: '/unsubscribes-groups/recipients-list', key: 'recipients' },
	contactTypes: { path: '/contacts-type', key: 'contactTypes' },
	contacts: { path: '/contacts/list', key: 'contacts' },
	segments: { path: '/segment/list', key: 'segments' },
	segmentRecipients: { path: '/segment/email/list', key: 'contactEmails' },
	reservedFields: { path: '/reserve-fields', key: 'reservedFields' },
	customFields: { path: '/custom-fields', key: 'customFields' },
	designTemplates: { path: '/get-design/template', key: 'templates' },
	dynamicContent: { path: '/get-dynamic/content', key: 'contents' },
	singleSends: { path: '/single-send/list', key: 'singleSends' },
	automations: { path: '/automations', key: 'automations' },
	automationSchedules: { path: '/automations/schedule', key: 'automation_schedules' },
	notificationRecipients: { path: '/notification-recipients', key: 'notifications' },
	senders: { path: '/senders', key: 'senders' },
} as const;

export type ListName = keyof typeof lists;

export interface Call {
	method: IHttpRequestMethods;
	/** Path below the base URL, such as `/contacts/list`. */
	path: string;
	query?: IDataObject;
	/** Encoded form fields, or a streamed form. */
	body?: IDataObject | object;
	contentType?: 'multipart/form-data' | 'application/x-www-form-urlencoded';
	changesData?: boolean;
	timeLimit?: TimeLimit;
}

/** For a whole call with its repetitions, whereas n8n's own timeout only ends a connection that stays silent. */
export interface TimeLimit {
	ms: number;
	/** Aborted when the time is over. */
	signal: AbortSignal;
}

/** n8n's own request options (proxy, timeout, TLS), as the engine sets them for declarative operations. */
interface RequestOptionsParameter {
	allowUnauthorizedCerts?: unknown;
	proxy?: unknown;
	timeout?: unknown;
}

/** The functions of any n8n context that can send requests: node, trigger, list search, options. */
export type RequestContext = Pick<IAllExecuteFunctions, 'getNode' | 'helpers'>;

/** Whether it is an execution that asks, and not the editor or a poll. */
function isExecuted(context: RequestContext): context is IExecuteFunctions {
	return 'getExecuteData' in context && 'getNodeParameter' in context;
}

/** The node's request options; where a node is being executed, expressions in them are evaluated. */
function requestOptionsOf(context: RequestContext): RequestOptionsParameter {
	const options = isExecuted(context)
		? context.getNodeParameter('requestOptions', 0, {})
		: context.getNode().parameters.requestOptions;
	return (options ?? {}) as RequestOptionsParameter;
}

/** A longer one would be over at once. */
const longestTimeoutMs = 2 ** 31 - 1;

/** What Request Options of the node say, for n8n's HTTP client. */
export function n8nOptions(context: RequestContext): Partial<IHttpRequestOptions> {
	const { allowUnauthorizedCerts, proxy, timeout } = requestOptionsOf(context);
	const timeoutMs = coerceNumber(timeout);
	return {
		timeout: timeoutMs > 0 ? Math.min(timeoutMs, longestTimeoutMs) : 300_000,
		...(/^(true|1)$/i.test(coerceText(allowUnauthorizedCerts)) && {
			skipSslCertificateValidation: true,
		}),
		...(isEmpty(proxy) ? {} : { proxy: parseProxy(context, coerceText(proxy)) }),
	};
}

function parseProxy(context: RequestContext, proxy: string): IHttpRequestOptions['proxy'] {
	try {
		const { host, hostname, port, protocol, username, password } = new URL(proxy);
		const auth = {
			username: decodeURIComponent(username),
			password: decodeURIComponent(password),
		};
		if (host !== '') {
			return {
				host: hostname,
				port: Number(port || (protocol === 'https:' ? 443 : 80)),
				protocol: protocol.replace(/:$/, ''),
				...(username && { auth }),
			};
		}
	} catch {
		// It is no address, or its user or password is not encoded as addresses want it.
	}
	throw new NodeOperationError(context.getNode(), '"Proxy" in Request Options is not valid', {
		description: 'Write it as http://host:port, or remove it.',
	});
}

async function exchange(context: RequestContext, call: Call): Promise<HttpResponse> {
	// A poll has the same context for as long as its workflow is active, and its keys may change in that time.
	const credential = isExecuted(context) ? await credentialOfRun(context) : {};
	return (await context.helpers.httpRequestWithAuthentication.call(
		context as IAllExecuteFunctions,
		credentialType,
		{
			...n8nOptions(context),
			...requestDefaults,
			headers: {
				...requestDefaults.headers,
				...(call.contentType && { 'content-type': call.contentType }),
			},
			method: call.method,
			url: call.path,
			qs: call.query ?? {},
			...(call.body !== undefined && { body: call.body as IDataObject }),
			...(call.timeLimit && { abortSignal: call.timeLimit.signal }),
			returnFullResponse: true,
		},
		credential,
	)) as HttpResponse;
}

// n8n makes a new context for each run of a node.
const othersByRun = new WeakMap<object, CircuitBreaker>();

function othersOf(context: RequestContext): CircuitBreaker {
	const others = othersByRun.get(context) ?? { open: false };
	othersByRun.set(context, others);
	return others;
}

/**
 * Makes a call, with repetitions where they are safe.
 *
 * @param read takes what is wanted out of an answer, and throws for one that lacks it
 * @throws ServiceError, or what n8n's HTTP client throws
 */
async function makeCall<T>(
	context: RequestContext,
	call: Call,
	read: (answer: HttpResponse, asked: RequestInfo) => T,
): Promise<T> {
	const asked = askedBy(call);
	const { timeLimit } = call;
	const { getExecutionCancelSignal } = context as Partial<IExecuteFunctions>;
	const cancelled = getExecutionCancelSignal?.call(context);
	const isUnattended = isExecuted(context) || timeLimit !== undefined;
	const signal = timeLimit?.signal ?? cancelled;
	const others = asked.changesData ? othersOf(context) : undefined;
	const policy = retryPolicyOf(context.getNode(), isUnattended, signal, others);
	return await withRetries(async () => read(await exchange(context, call), asked), asked, {
		...policy,
		totalMs: Math.min(policy.totalMs, timeLimit?.ms ?? Infinity),
	});
}

/** The same with the error that n8n shows. */
async function callService<T>(
	context: RequestContext,
	call: Call,
	read: (answer: HttpResponse, asked: RequestInfo) => T,
): Promise<T> {
	try {
		return await makeCall(context, call, read);
	} catch (error) {
		throw toNodeError(context.getNode(), error, askedBy(call));
	}
}

/** Makes a call and gives back why it failed, or nothing when the service carried it out. */
export async function attempt(context: RequestContext, call: Call): Promise<Failure | undefined> {
	try {
		await makeCall(context, call, readEnvelope);
		return undefined;
	} catch (error) {
		return toFailure(error, askedBy(call));
	}
}

function askedBy(call: Call): RequestInfo {
	return { changesData: call.changesData ?? call.method !== 'GET' };
}

/**
 * All records of a list; the service has no paging, so this is one request.
 *
 * @throws NodeApiError for every answer that is not a complete list: never an empty list in its place.
 */
export async function fetchList(
	context: RequestContext,
	name: ListName,
	query?: IDataObject,
	timeLimit?: TimeLimit,
): Promise<IDataObject[]> {
	const { path, key } = lists[name];
	const call: Call = { method: 'GET', path, query, timeLimit };
	return await callService(context, call, (answer, asked) => readRecords(answer, key, asked));
}

/**
 * The `message` of a successful answer.
 *
 * @throws NodeApiError when the service refuses the request or does not answer.
 */
export async function fetchMessage(context: RequestContext, call: Call): Promise<unknown> {
	return await callService(context, call, readEnvelope);
}

export const locationsPath = '/get/country-state-city';

/** The three lists of the country, state and city lookup (50). A missing list counts as empty. */
export async function fetchLocations(
	context: RequestContext,
): Promise<{ countries: unknown[]; states: unknown[]; cities: unknown[] }> {
	const message = await fetchMessage(context, { method: 'GET', path: locationsPath });
	const list = (key: string) => {
		const value = isObject(message) ? message[key] : undefined;
		return Array.isArray(value) ? (value as unknown[]) : [];
	};
	return { countries: list('countries'), states: list('states'), cities: list('cities') };
}
