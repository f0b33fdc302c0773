import { UserError } from 'n8n-workflow';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

function text(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}

/** @throws UserError that says how a base URL looks. */
export function parseBaseUrl(value: string): URL {
	const url = URL.canParse(value) ? new URL(value) : undefined;
	if (
		url === undefined ||
		!/^https?:$/.test(url.protocol) ||
		url.search !== '' ||
		url.hash !== ''
	) {
		throw new UserError(
			value === ''
				? 'Base URL is missing: enter the address of the API, such as https://api.example.com'
				: 'Base URL is not valid: it must be a web address such as https://api.example.com, without ? or #',
		);
	}
	if (url.username !== '' || url.password !== '') {
		throw new UserError('Base URL must not contain a user name or password');
	}
	return url;
}

/** @throws UserError for an empty list: n8n's HTTP client would take it for all hosts. */
function parseDomains(value: string): string {
	if (value !== '') return value;
	throw new UserError(
		'"Allowed Domains" is empty: enter the host of Base URL there, or set "Allowed HTTP Request Domains" to "All"',
	);
}

/**
 * Adds both key headers and the base URL. The keys go to the host of the base URL only, also in the HTTP Request node.
 *
 * @throws UserError that says what is wrong with the credential
 */
export function signRequest(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): IHttpRequestOptions {
	const base = parseBaseUrl(text(credentials.baseUrl));
	const keys = { PublicKey: text(credentials.publicKey), SecretKey: text(credentials.secretKey) };
	for (const [label, key] of [
		['Public Key', keys.PublicKey],
		['Secret Key', keys.SecretKey],
	] as const) {
		if (key === '')
			throw new UserError(`${label} is missing: copy it from the account page of the service`);
		if (!/^[\x21-\x7e]+$/.test(key)) {
			throw new UserError(`${label} contains a space or a special character: copy it again`);
		}
	}
	const { uri } = requestOptions as { uri?: string };
	for (const target of [requestOptions.url || uri || '', requestOptions.baseURL ?? '']) {
		if (!/^[a-z][a-z\d+.-]*:|^\/\//i.test(target) || isSameOrigin(target, base)) continue;
		throw new UserError(`This credential can be used with its base URL only: ${base.origin}`);
	}
	return {
		...requestOptions,
		baseURL: requestOptions.baseURL ?? base.href.replace(/\/+$/, ''),
		headers: { ...requestOptions.headers, ...keys },
		...(credentials.allowedHttpRequestDomains === 'domains' && {
			allowedDomains: parseDomains(text(credentials.allowedDomains)),
		}),
	};
}

function isSameOrigin(target: string, base: URL): boolean {
	return URL.canParse(target, base.href) && new URL(target, base).origin === base.origin;
}
