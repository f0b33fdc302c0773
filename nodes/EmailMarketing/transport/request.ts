import { NodeOperationError } from 'n8n-workflow';
import type {
	IAllExecuteFunctions,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { isObject, readEnvelope, readList } from './answer';
import type { Asked, Failure, RawAnswer } from './answer';
import { toFailure, toNodeError } from './errors';

export const credentialType = 'emailMarketingApi';

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
	/** For the whole request, whereas n8n's own timeout only ends a connection that stays silent. */
	timeoutMs?: number;
}

/** n8n's own request options (proxy, timeout, TLS), as the engine sets them for declarative operations. */
interface RequestOptionsParameter {
	allowUnauthorizedCerts?: boolean;
	proxy?: string;
	timeout?: number;
}

/** The functions of any n8n context that can send requests: node, trigger, list search, options. */
export type RequestContext = Pick<IAllExecuteFunctions, 'getNode' | 'helpers'>;

/** The node's request options; where a node is being executed, expressions in them are evaluated. */
function requestOptionsOf(context: RequestContext): RequestOptionsParameter {
	const { getNodeParameter } = context as Partial<IExecuteFunctions>;
	const isExecuted = 'getExecuteData' in context && getNodeParameter !== undefined;
	const options = isExecuted
		? getNodeParameter.call(context, 'requestOptions', 0, {})
		: context.getNode().parameters.requestOptions;
	return (options ?? {}) as RequestOptionsParameter;
}

function n8nOptions(context: RequestContext): Partial<IHttpRequestOptions> {
	const { allowUnauthorizedCerts, proxy, timeout } = requestOptionsOf(context);
	return {
		timeout: timeout || 300_000,
		...(allowUnauthorizedCerts && { skipSslCertificateValidation: true }),
		...(proxy && { proxy: parseProxy(context, proxy) }),
	};
}

function parseProxy(context: RequestContext, proxy: string): IHttpRequestOptions['proxy'] {
	if (!URL.canParse(proxy) || new URL(proxy).host === '') {
		throw new NodeOperationError(context.getNode(), '"Proxy" in Request Options is not valid', {
			description: 'Write it as http://host:port, or remove it.',
		});
	}
	const url = new URL(proxy);
	return {
		host: url.hostname,
		port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
		protocol: url.protocol.replace(/:$/, ''),
		...(url.username && {
			auth: {
				username: decodeURIComponent(url.username),
				password: decodeURIComponent(url.password),
			},
		}),
	};
}

async function exchange(context: RequestContext, call: Call): Promise<RawAnswer> {
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
			...(call.timeoutMs !== undefined && {
				abortSignal: AbortSignal.timeout(call.timeoutMs),
			}),
			returnFullResponse: true,
		},
	)) as RawAnswer;
}

/**
 * Sends one request with the credential and gives back the answer, whatever its status.
 *
 * @throws NodeApiError when no answer arrives.
 */
export async function callService(context: RequestContext, call: Call): Promise<RawAnswer> {
	try {
		return await exchange(context, call);
	} catch (error) {
		throw toNodeError(context.getNode(), error, askedBy(call));
	}
}

/** Sends one request and gives back why it failed, or nothing when the service carried it out. */
export async function attempt(context: RequestContext, call: Call): Promise<Failure | undefined> {
	const asked = askedBy(call);
	try {
		readEnvelope(await exchange(context, call), asked);
		return undefined;
	} catch (error) {
		return toFailure(error, asked);
	}
}

function askedBy(call: Call): Asked {
	return { changesData: call.changesData ?? call.method !== 'GET' };
}

/** Runs `read` and turns what the service refuses into the error that n8n shows. */
function reading<T>(context: RequestContext, call: Call, read: (asked: Asked) => T): T {
	const asked = askedBy(call);
	try {
		return read(asked);
	} catch (error) {
		throw toNodeError(context.getNode(), error, asked);
	}
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
	timeoutMs?: number,
): Promise<IDataObject[]> {
	const { path, key } = lists[name];
	const call: Call = { method: 'GET', path, query, timeoutMs };
	const answer = await callService(context, call);
	return reading(context, call, (asked) => readList(answer, key, asked)) as IDataObject[];
}

/**
 * The `message` of a successful answer.
 *
 * @throws NodeApiError when the service refuses the request or does not answer.
 */
export async function fetchMessage(context: RequestContext, call: Call): Promise<unknown> {
	const answer = await callService(context, call);
	return reading(context, call, (asked) => readEnvelope(answer, asked));
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
