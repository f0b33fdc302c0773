import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
	UserError,
} from 'n8n-workflow';

import { ServiceClient } from '../service/client';
import { endpoints } from '../service/endpoints';
import { missingHeaders, readRecords } from '../service/envelope';
import { credentialError, toFailure } from '../service/errors';
import { isRejected } from '../service/failure';
import type { Failure, HttpResponse, RequestInfo } from '../service/failure';
import { keysIn, signRequest } from '../service/signRequest';
import { isObject } from '../util/coerce';
import { raceAbort } from '../util/promises';

const endpoint = endpoints.contactType.getAll;

/** A person is waiting, and the list of contact types is short. */
const mostMs = 30_000;
const maxBytes = 16_000_000;

/** What to do about a failure whose message does not say it. */
function remedyOf(failure: Failure): string {
	const { code, description } = failure;
	switch (code) {
		case 'access-denied':
		case 'keys-rejected':
			return 'Copy the public key and the secret key from the account page of the service again';
		case 'web-page-returned':
			return 'Base URL probably points to a website or a login page: enter the address of the API';
		case 'redirected':
			return 'Set Base URL to the final address of the service, for example with https:// instead of http://';
		case 'request-rejected':
			return isRejected(failure) ? 'If the reason refers to the keys, copy both of them again' : '';
		case 'host-unknown':
			return 'Check Base URL';
		case 'https-unsupported':
		case 'connection-lost':
			return 'Check whether Base URL should start with http:// or https://';
		case 'connection-refused':
		case 'tls-certificate-invalid':
			// How often it was tried says nothing here.
			return description.replace(/\.(?: Tried \d+ times\.)?$/, '');
		default:
			return '';
	}
}

/** Reads the contact types, which every account has. */
async function emailMarketingApiTest(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	let tried = '';
	try {
		const { baseURL = '' } = signRequest(data, { url: endpoint.path });
		tried = `. Tried: ${baseURL}${endpoint.path}`;
		const client = new ServiceClient({
			retries: true,
			transport: async (request) => await send(this, signRequest(data, request)),
			keys: keysIn(data),
			httpOptions: { timeout: mostMs },
			isInteractive: true,
			timeLimit: { ms: mostMs, signal: AbortSignal.timeout(mostMs) },
		});
		await client.read({ endpoint, maxBytes }, check);
		return { status: 'OK', message: 'Connection tested successfully' };
	} catch (error) {
		const failure = toFailure(error, endpoint);
		const sentences = [failure.message.replace(/\.$/, ''), remedyOf(failure)];
		const message = sentences.filter((text) => text !== '').join('. ');
		return { status: 'Error', message: message + tried };
	}
}

/**
 * Uses the only helper that n8n provides for tests of credentials. It does not support signals, so its response is
 * ended here.
 */
async function send(
	{ helpers }: ICredentialTestFunctions,
	{ abortSignal, ...request }: IHttpRequestOptions,
): Promise<HttpResponse> {
	const signal = abortSignal as AbortSignal;
	signal.throwIfAborted();
	const sending = helpers
		.request({ ...request, simple: false, resolveWithFullResponse: true, useStream: true })
		.then((response: HttpResponse & { body: { destroy: () => void } }) => {
			const end = () => response.body.destroy();
			if (signal.aborted) end();
			else signal.addEventListener('abort', end, { once: true });
			return response;
		});
	await raceAbort(sending, signal);
	signal.throwIfAborted();
	return await sending;
}

/** @throws UserError for what is wrong with the address or the keys; a ServiceError for other failures */
function check(response: HttpResponse, info: RequestInfo): void {
	try {
		readRecords(response, endpoint, info);
	} catch (error) {
		const failure = toFailure(error, info);
		throw (isRejected(failure) ? credentialProblem(response, failure) : undefined) ?? error;
	}
}

/** What is wrong with the address or the keys; other failures keep their usual message. */
function credentialProblem(
	{ statusCode, body }: HttpResponse,
	{ code, message }: Failure,
): UserError | undefined {
	if (statusCode === 404) {
		// It may be about keys that belong to no account.
		const reason = code === 'request-rejected' ? `. ${message}` : '';
		return credentialError(
			'base-url-not-found',
			`Nothing was found at this address (HTTP 404): check the host and the path of Base URL${reason}`,
		);
	}
	if (!isObject(body) || body.status !== 'failed') return undefined;
	const missing = missingHeaders(body.errors);
	if (missing.length === 0) return undefined;
	return credentialError(
		'key-header-removed',
		`The service did not receive ${missing.join(' and ')}: a proxy between n8n and the service may remove this header`,
	);
}

export const credentialTest = { emailMarketingApiTest };
