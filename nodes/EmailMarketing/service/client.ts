import type {
	IAllExecuteFunctions,
	IDataObject,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INode,
	IPollFunctions,
} from 'n8n-workflow';

import { coerceNumber, coerceText, isEmpty } from '../util/coerce';
import { realClock } from '../util/clock';
import type { ConcurrencyLimit } from '../util/concurrencyLimit';
import type { CircuitBreaker } from './circuitBreaker';
import { labelOf } from '../util/labels';
import { NotCleared } from './clearance';
import type { Clearance, ClearanceFor } from './clearance';
import { credentialType } from './credential';
import type { CredentialResult } from './credential';
import { Deadline, isStream, receive, TooLong } from './deadline';
import { resourceOf } from './endpoints';
import type { Endpoint } from './endpoints';
import { withEmptyList } from './emptyList';
import { isMethodRefused, tooLong } from './envelope';
import { credentialFailure, operationError } from './errors';
import { effectSentence, ServiceError } from './failure';
import type { HttpResponse, RequestInfo } from './failure';
import { encodeForm, StreamedForm, toForm } from './form';
import type { Fields } from './form';
import { parseJson } from './json';
import { retryPolicyOf, withRetries } from './retry';
import type { RetryPolicy } from './retry';
import { keysIn } from './signRequest';

/**
 * Options of every request. Statuses are judged together with the body, since the envelope shows whether a request
 * succeeded.
 */
export const requestDefaults = {
	ignoreHttpStatusErrors: true,
	headers: { accept: 'application/json' },
};

export interface ServiceRequest {
	endpoint: Endpoint;
	query?: Fields;
	body?: Fields | StreamedForm;
	/** Set for a list that may be too long for a string; the body of the response is then a buffer. */
	responseEncoding?: 'arraybuffer';
	/** The maximum length of the response, if lower than usual. */
	maxBytes?: number;
	/** The labels of the fields, for the wording of failures. */
	labels?: Pick<RequestInfo, 'query' | 'body'>;
	/** The clearance from the gate of the endpoint. */
	clearance?: Clearance;
}

/** How long a send and its checks may pause in all, and the maximum age of a shared reading when a check uses it. */
export const mostAgeMs = 5_000;

/**
 * Extracts the result from a response.
 *
 * @throws ServiceError for a failure, and for a response without the expected content
 */
export type ReadResponse<T> = (response: HttpResponse, info: RequestInfo) => T | Promise<T>;

/** For a request with all its repetitions. */
export interface TimeLimit {
	ms: number;
	/** Aborted when the time is up. */
	signal: AbortSignal;
}

/** Counts the requests of all clients that share it. */
export interface Traffic {
	sent: number;
}

interface ClientOptions {
	/** Whether a request that failed temporarily is repeated. */
	retries: boolean;
	/** Sends one request with the credential. */
	transport: (request: IHttpRequestOptions) => Promise<unknown>;
	/** Both keys, which no error may show. */
	keys?: readonly string[];
	/** From Request Options: proxy, timeout, TLS. */
	httpOptions: Partial<IHttpRequestOptions>;
	/** Whether a person is waiting, or the next poll is due soon. */
	isInteractive: boolean;
	/** Ends the repetitions. */
	signal?: AbortSignal;
	/** Ends the request: the execution was canceled. */
	canceled?: AbortSignal;
	timeLimit?: TimeLimit;
	breaker?: CircuitBreaker;
	traffic?: Traffic;
	limit?: ConcurrencyLimit;
	/** For a send and its checks: each request has one try, which waits for nothing beyond this time of `realClock`. */
	waitsUntil?: number;
}

/** Reads from the service, and repeats requests that failed temporarily. */
export interface Client {
	/**
	 * @param isShared whether the response serves the whole run; such a read is repeated even while the breaker is open
	 * @throws ServiceError
	 */
	read<T>(request: ServiceRequest, parse: ReadResponse<T>, isShared?: boolean): Promise<T>;
}

/** Also sends writes, for `run/writer/write.ts` only. Repeats them if they certainly had no effect. */
export interface WritingClient extends Client {
	/** @throws ServiceError */
	write<T, E extends Endpoint>(
		request: ServiceRequest & { endpoint: E } & ClearanceFor<E>,
		parse: ReadResponse<T>,
	): Promise<T>;
}

/** Checked at run time, because types cannot know the endpoint here. */
function requireClearance({ endpoint: { gate }, clearance }: ServiceRequest): void {
	if (gate !== clearance?.gate) throw new NotCleared(gate);
}

export class ServiceClient implements WritingClient {
	private readonly options: ClientOptions;

	constructor(options: ClientOptions) {
		this.options = options;
	}

	async read<T>(request: ServiceRequest, parse: ReadResponse<T>, isShared = false): Promise<T> {
		const { endpoint } = request;
		if (endpoint.changesData) throw new Error(`${endpoint.path} is no read`);
		return await this.send(request, parse, isShared).catch((error: unknown) => {
			const readOf = labelOf(resourceOf(endpoint));
			throw error instanceof ServiceError ? new ServiceError({ ...error.failure, readOf }) : error;
		});
	}

	async write<T, E extends Endpoint>(
		request: ServiceRequest & { endpoint: E } & ClearanceFor<E>,
		parse: ReadResponse<T>,
	): Promise<T> {
		return await this.send(request, parse, false);
	}

	private async send<T>(
		request: ServiceRequest,
		parse: ReadResponse<T>,
		isShared: boolean,
	): Promise<T> {
		requireClearance(request);
		const { changesData, ifNotFound, ifNoMethod, confirmsUnderErrors } = request.endpoint;
		// What a write answers with may be another record, such as a copy.
		const asked = changesData
			? []
			: Object.values(request.query ?? {}).flatMap((value) => value ?? []);
		const { keys } = this.options;
		const info = {
			...{ changesData, asked, keys, ifNotFound, ifNoMethod, confirmsUnderErrors },
			...request.labels,
		};
		const askedAt = realClock.now();
		return await withRetries(
			async (arrived) => {
				if (request.endpoint.gate === 'sending' && realClock.now() - askedAt > mostAgeMs) {
					throw waitedTooLong(info);
				}
				const response = await this.tryMethods(request, info);
				arrived(response);
				const ask = async (endpoint: Endpoint) => await this.exchange({ endpoint }, info);
				return await parse(await withEmptyList(response, request, info, ask), info);
			},
			info,
			this.policy(isShared, request),
		);
	}

	private policy(isShared: boolean, { endpoint }: ServiceRequest): RetryPolicy {
		const { retries, isInteractive, signal, timeLimit, breaker, limit, waitsUntil } = this.options;
		const policy = retryPolicyOf({
			isInteractive,
			retries,
			signal: timeLimit?.signal ?? signal,
			breaker,
			isShared,
			limit,
			kind: `${endpoint.method} ${endpoint.path}`,
		});
		if (endpoint.gate === 'sending' || waitsUntil !== undefined) {
			const leftMs = (waitsUntil ?? Infinity) - realClock.now();
			return { ...policy, tries: 1, totalMs: Math.max(0, Math.min(mostAgeMs, leftMs)) };
		}
		return { ...policy, totalMs: Math.min(policy.totalMs, timeLimit?.ms ?? Infinity) };
	}

	/** If a read may have two methods, the second is tried when the first is rejected. */
	private async tryMethods(request: ServiceRequest, info: RequestInfo): Promise<HttpResponse> {
		const { endpoint } = request;
		const response = await this.exchange(request, info);
		if (endpoint.otherMethod === undefined || endpoint.changesData) return response;
		if (!isMethodRefused(response)) return response;
		const other = { ...endpoint, method: endpoint.otherMethod };
		return await this.exchange({ ...request, endpoint: other }, info);
	}

	private async exchange(request: ServiceRequest, info: RequestInfo): Promise<HttpResponse> {
		const { httpOptions, canceled, timeLimit, traffic } = this.options;
		if (traffic) traffic.sent++;
		const deadline = new Deadline(httpOptions.timeout ?? defaultTimeoutMs, [
			canceled,
			timeLimit?.signal,
		]);
		try {
			return await this.receive(request, info, deadline);
		} catch (error) {
			throw deadline.isOver || timeLimit?.signal.aborted ? new Error('ETIMEDOUT') : error;
		} finally {
			deadline.stop();
		}
	}

	private async receive(
		request: ServiceRequest,
		info: RequestInfo,
		deadline: Deadline,
	): Promise<HttpResponse> {
		const response = await this.transmit(request, deadline.signal);
		const { statusCode, body } = response;
		if (!isStream(body)) return response;
		const maxBytes = maxBytesOf(request);
		const bytes = await receive(body, maxBytes, deadline).catch((error: unknown) => {
			if (bareStatuses.has(statusCode)) return Buffer.alloc(0);
			throw error instanceof TooLong ? tooLong(maxBytes, response, info) : error;
		});
		return { ...response, body: isFile(request) ? bytes : parseJson(bytes) };
	}

	private async transmit(request: ServiceRequest, abortSignal: AbortSignal): Promise<HttpResponse> {
		const { endpoint, query = {}, body } = request;
		const { transport, httpOptions } = this.options;
		const { contentType, ...encoded } = encodedBody(endpoint, body);
		return (await transport({
			...httpOptions,
			...requestDefaults,
			headers: {
				...requestDefaults.headers,
				...(contentType !== undefined && { 'content-type': contentType }),
			},
			method: endpoint.method,
			url: endpoint.path,
			qs: toForm(query),
			...encoded,
			// n8n does not limit the length of responses.
			encoding: 'stream',
			abortSignal,
			returnFullResponse: true,
		})) as HttpResponse;
	}
}

/** A streamed form gets its content type from n8n's HTTP client. */
function encodedBody(
	{ encoding }: Endpoint,
	body: ServiceRequest['body'],
): { body?: IHttpRequestOptions['body']; contentType?: string } {
	if (body instanceof StreamedForm) return { body: body as unknown as IDataObject };
	const form = toForm(body ?? {});
	return encoding === undefined || Object.keys(form).length === 0 ? {} : encodeForm(encoding, form);
}

/** Statuses that are enough by themselves, even if the service closes the connection before the end of the response. */
const bareStatuses = new Set([408, 413, 429, 503]);

/** Far more than any response of the service. A string holds about 536 MB. */
function maxBytesOf(request: ServiceRequest): number {
	if (request.maxBytes !== undefined) return request.maxBytes;
	if (request.endpoint.changesData) return 16_000_000;
	return isFile(request) ? 1_000_000_000 : 500_000_000;
}

const waitedTooLong = (info: RequestInfo) =>
	new ServiceError({
		code: 'checks-incomplete',
		message:
			'The checks before sending could not be completed: they or the request had to wait too long',
		description: `Try again later. ${effectSentence(info, 'none')}`,
		effect: 'none',
		retryable: true,
	});

const isFile = ({ endpoint, responseEncoding = endpoint.responseEncoding }: ServiceRequest) =>
	responseEncoding === 'arraybuffer';

type RequestContext = Pick<IAllExecuteFunctions, 'getNode' | 'helpers'>;

/**
 * Sends with the node's credential.
 *
 * @param credential read by n8n for each request unless given
 */
export function transportOf(
	context: RequestContext,
	credential?: CredentialResult,
): ClientOptions['transport'] {
	return async (request) => {
		if (credential instanceof Error) throw new ServiceError(credentialFailure(credential));
		// n8n replaces the signal of the request by this one.
		const caller = Object.create(context, {
			getExecutionCancelSignal: { value: () => request.abortSignal },
		}) as IAllExecuteFunctions;
		return (await context.helpers.httpRequestWithAuthentication.call(
			caller,
			credentialType,
			request,
			credential && {
				credentialsDecrypted: { id: '', name: '', type: credentialType, data: { ...credential } },
			},
		)) as unknown;
	};
}

/** For a list that the editor loads, or one of a poll. If the credential cannot be read, each request says why. */
export function listClient(
	context: ILoadOptionsFunctions | IPollFunctions,
	{
		requestOptions = context.getNode().parameters.requestOptions,
		...options
	}: Pick<ClientOptions, 'retries' | 'isInteractive' | 'timeLimit' | 'breaker'> & {
		requestOptions?: unknown;
	},
	credential: CredentialResult,
): ServiceClient {
	return new ServiceClient({
		...options,
		transport: transportOf(context as unknown as RequestContext, credential),
		keys: credential instanceof Error ? [] : keysIn(credential),
		httpOptions: httpOptionsOf(context.getNode(), requestOptions),
	});
}

/** A longer timeout would expire immediately. */
const longestTimeoutMs = 2 ** 31 - 1;
const defaultTimeoutMs = 300_000;

/**
 * n8n's own Request Options (proxy, timeout, TLS) for its HTTP client.
 *
 * @param value the parameter `requestOptions`
 * @throws NodeOperationError for an invalid proxy
 */
export function httpOptionsOf(node: INode, value: unknown): Partial<IHttpRequestOptions> {
	const { allowUnauthorizedCerts, proxy, timeout } = (value ?? {}) as Record<string, unknown>;
	const timeoutMs = coerceNumber(timeout);
	return {
		timeout: timeoutMs > 0 ? Math.min(Math.ceil(timeoutMs), longestTimeoutMs) : defaultTimeoutMs,
		...(/^(true|1)$/i.test(coerceText(allowUnauthorizedCerts)) && {
			skipSslCertificateValidation: true,
		}),
		...(isEmpty(proxy) ? {} : { proxy: parseProxy(node, coerceText(proxy)) }),
	};
}

function parseProxy(node: INode, proxy: string): IHttpRequestOptions['proxy'] {
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
		// It is not a web address, or its user name or password is not encoded.
	}
	throw operationError(node, 'proxy-invalid', '"Proxy" in Request Options is not valid', {
		description: 'Enter it as http://host:port, or remove it.',
	});
}
