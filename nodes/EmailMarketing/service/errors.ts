import { NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';
import type { Failure as ReasonForN8n, INode } from 'n8n-workflow';

import { coerceText, isObject } from '../util/coerce';
import type { ErrorCode } from './errorCode';
import { errorCodes } from './errorCode';
import { adviceOf, ServiceError } from './failure';
import type { Failure, RequestInfo } from './failure';

interface NetworkProblem {
	pattern: RegExp;
	code: ErrorCode;
	message: string;
	description: string;
	effect: Failure['effect'];
	retryable: boolean;
}

const silence = /ETIMEDOUT|ECONNABORTED|timeout/i;

/** Texts of Node.js and axios, and what they mean to the person who runs the workflow. */
const networkProblems: NetworkProblem[] = [
	{
		pattern: /ECONNREFUSED|Proxy connection ended before receiving CONNECT/,
		code: 'connection-refused',
		message: 'The service cannot be reached: connection refused',
		description:
			'Check "Base URL" in the credential, any proxy in between, and whether the service is running. If n8n runs in a container, localhost in "Base URL" is the container itself: enter the host name of the service instead.',
		effect: 'none',
		retryable: true,
	},
	{
		pattern: /ENOTFOUND/,
		code: 'host-unknown',
		message: 'The service cannot be reached: unknown host name',
		description: 'Check the spelling of "Base URL" in the credential and the network of n8n.',
		effect: 'none',
		retryable: false,
	},
	{
		pattern: /EAI_AGAIN/,
		code: 'dns-lookup-failed',
		message: 'The service cannot be reached: the DNS lookup of its host name failed',
		description: 'Check the network and the DNS server of n8n, then run again.',
		effect: 'none',
		retryable: true,
	},
	{
		// On an open connection, the same codes would not show whether the request arrived.
		pattern: /connect (EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|ETIMEDOUT)/,
		code: 'host-unreachable',
		message: 'The service cannot be reached: there is no route to its host',
		description: 'Check the network of n8n and "Base URL" in the credential, then run again.',
		effect: 'none',
		retryable: true,
	},
	{
		pattern: /CERT|certificate|UNABLE_TO_VERIFY/,
		code: 'tls-certificate-invalid',
		message: 'The TLS certificate of the service is not valid',
		description:
			'It has expired, is for another host name, or is from an issuer that n8n does not know (for example self-signed). Check "Base URL" in the credential and the clock of the n8n server, or ask the operator of the service for a valid certificate. If your organization issues its own certificates, set the environment variable NODE_EXTRA_CA_CERTS of n8n to a file with the certificate of the issuer, and restart n8n. For a test system, you can turn on "Ignore SSL Issues" in Request Options of the node.',
		effect: 'none',
		retryable: false,
	},
	{
		pattern: /EPROTO|wrong version number/,
		code: 'https-unsupported',
		message: 'The service does not respond over HTTPS at this address',
		description:
			'Check whether "Base URL" in the credential should start with http:// or https://.',
		effect: 'none',
		retryable: false,
	},
	{
		pattern: silence,
		code: 'timeout',
		message: 'The service did not respond in time',
		description: 'Try again later. For slow responses, increase "Timeout" in Request Options.',
		effect: 'unknown',
		retryable: true,
	},
	{
		pattern: /ERR_CANCELED|canceled|aborted by/i,
		code: 'canceled',
		message: 'The request was canceled',
		description: 'The execution was stopped during the request.',
		effect: 'unknown',
		retryable: false,
	},
	{
		pattern: /ECONNRESET|EPIPE|socket hang up|before secure TLS|aborted|PREMATURE_CLOSE/i,
		code: 'connection-lost',
		message: 'The connection to the service was lost before the response was complete',
		description:
			'Try again. If this always happens, check whether "Base URL" in the credential should start with http:// or https://, and check any proxy or firewall in between.',
		effect: 'unknown',
		retryable: true,
	},
	{
		pattern: /HPE_|Z_(DATA|BUF|STREAM)_ERROR|ZSTD_error|Decompression failed|Parse Error/,
		code: 'response-corrupted',
		message: 'The response of the service is corrupted',
		description:
			'Try again. If this happens again, check any proxy in between, and that "Base URL" in the credential leads to the API.',
		effect: 'unknown',
		retryable: true,
	},
];

interface Cause {
	name?: unknown;
	code?: unknown;
	message?: unknown;
	messages?: unknown;
	description?: unknown;
	/** Of a `UserError`. */
	extra?: unknown;
	/** Of a `NodeOperationError`. */
	context?: unknown;
}

/** An error and what caused it. */
function causesOf(error: unknown): Cause[] {
	const causes: Cause[] = [];
	for (let next = error; isObject(next) && causes.length < 4; next = next.cause) causes.push(next);
	return causes;
}

/** All messages of an error and its causes. Other properties are not read, because they may contain the keys. */
function textsOf(error: unknown): string {
	return causesOf(error)
		.flatMap(({ code, message, messages }) => [code, message, messages].flat())
		.map(coerceText)
		.join(' ');
}

/** The failure for a request without a response: refused, timed out, cut off, … */
function networkFailure(error: unknown, info: RequestInfo): Failure {
	const text = textsOf(error);
	const problem = networkProblems.find(({ pattern }) => pattern.test(text)) ?? {
		pattern: undefined,
		code: 'request-failed' as const,
		message: 'The request to the service failed before a response arrived',
		description: 'Check the network of n8n and "Base URL" in the credential, then try again.',
		effect: 'unknown' as const,
		retryable: false,
	};
	return {
		code: problem.code,
		message: problem.message,
		description: adviceOf(problem, info),
		effect: problem.effect,
		retryable: problem.retryable,
		...(problem.pattern === silence && { isSilent: true }),
	};
}

/**
 * Errors whose own message is meant for the user: those of the credential, and those of n8n about credentials and
 * expressions.
 */
const readableErrors = new Set([
	'UserError',
	'OperationalError',
	'NodeOperationError',
	'ExpressionError',
]);

function isReadable(error: Cause): boolean {
	for (let type: unknown = error; isObject(type); type = Object.getPrototypeOf(type)) {
		if (readableErrors.has(String((type.constructor as { name?: unknown } | undefined)?.name)))
			return true;
	}
	return false;
}

/**
 * The error that n8n shows for a failed request. It contains only text, because the errors of the HTTP client contain
 * the request with both keys.
 *
 * n8n's errors replace a message that has the code of a system error in it, such as the EACCES in "homeaccess.com", so
 * the message is set again.
 */
export function toNodeApiError(node: INode, failure: Failure, itemIndex?: number): NodeApiError {
	const nodeError = new NodeApiError(
		node,
		{},
		{
			message: failure.message,
			description: failure.description,
			httpCode: failure.httpCode,
			itemIndex,
			...(failure.retryable && { failure: pollFailure(failure) }),
		},
	);
	nodeError.message = failure.message;
	if (failure.code !== undefined) nodeError.context.code = failure.code;
	if (failure.report !== undefined) nodeError.context.report = failure.report;
	return nodeError;
}

/** The error that n8n shows if a node cannot run as it is set up. */
export function operationError(
	node: INode,
	code: ErrorCode,
	message: string,
	options: { description: string; itemIndex?: number; level?: 'warning' },
): NodeOperationError {
	const error = new NodeOperationError(node, message, options);
	error.message = message;
	error.context.code = code;
	return error;
}

/** An error of the credential, thrown inside n8n's HTTP client. */
export const credentialError = (code: ErrorCode, message: string): UserError =>
	new UserError(message, { extra: { code } });

/** The code of an error of this package; undefined for those of n8n. */
export function codeOf({
	extra,
	context,
}: Pick<Cause, 'extra' | 'context'>): ErrorCode | undefined {
	const codes = [context, extra].map((details) => (isObject(details) ? details.code : undefined));
	return errorCodes.find((code) => codes.includes(code));
}

/** Newer versions of n8n decide by it when to poll again; older ones ignore it. */
function pollFailure({ httpCode, retryAfterMs }: Failure): ReasonForN8n {
	return {
		cause: httpCode === '429' ? 'rate-limited' : 'temporarily-unavailable',
		...(retryAfterMs !== undefined && { retryAfterMs }),
	};
}

/** Why a request failed, whether the service refused it or no response arrived. */
export function toFailure(error: unknown, info: RequestInfo): Failure {
	if (error instanceof ServiceError) return error.failure;
	return readableFailure(error) ?? networkFailure(error, info);
}

/** The failure for a request that was not sent because its credential cannot be read. */
export function credentialFailure(error: Error): Failure {
	return (
		readableFailure(error) ?? {
			code: 'credential-unreadable',
			message: 'n8n could not read the credential',
			description: 'Check the credential, its external secrets and the log of n8n, then run again.',
			effect: 'none',
		}
	);
}

/** The message of an error that is meant for the user; undefined if it has none. */
function readableFailure(error: unknown): Failure | undefined {
	const plain = causesOf(error).find(isReadable);
	if (plain === undefined) return undefined;
	const { description } = plain;
	const message = coerceText(plain.message);
	return {
		code:
			codeOf(plain) ??
			(/restricted IP address/.test(message) ? 'ip-address-restricted' : undefined),
		message,
		description:
			typeof description === 'string'
				? description
				: plain.name === 'ExpressionError'
					? 'Correct the expression in this node.'
					: 'Open the credential and correct it.',
		effect: 'none',
	};
}
