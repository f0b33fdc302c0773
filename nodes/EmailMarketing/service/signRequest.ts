import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { credentialError } from './errors';

function text(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}

/** @throws UserError that describes a valid base URL */
function parseBaseUrl(value: string): URL {
	if (value === '') {
		throw credentialError(
			'base-url-missing',
			'Base URL is missing: enter the address of the API, such as https://api.example.com',
		);
	}
	const url = URL.canParse(value) ? new URL(value) : undefined;
	if (
		url === undefined ||
		!/^https?:$/.test(url.protocol) ||
		// A "?" or "#" without anything behind it is no part of `search` or `hash`.
		/[?#]/.test(value)
	) {
		throw credentialError(
			'base-url-invalid',
			'Base URL is not valid: it must start with https:// or http://, such as https://api.example.com, and must not contain ? or #',
		);
	}
	if (url.username !== '' || url.password !== '') {
		throw credentialError(
			'base-url-has-login',
			'Base URL must not contain a user name or password',
		);
	}
	return url;
}

/** Without the slashes at its end, because paths begin with one. */
const addressOf = ({ href }: URL): string => href.replace(/\/+$/, '');

/**
 * The values of a credential that requests depend on. Two spellings of one address are the same, as they are for
 * requests; one that is not valid stays as it is.
 */
export function accessIn({ baseUrl, publicKey, secretKey }: ICredentialDataDecryptedObject): {
	baseUrl: string;
	publicKey: string;
	secretKey: string;
} {
	const address = text(baseUrl);
	return {
		baseUrl: URL.canParse(address) ? addressOf(new URL(address)) : address,
		publicKey: text(publicKey),
		secretKey: text(secretKey),
	};
}

/** The service and the public key of a credential. A service that turns to HTTPS is still the same. */
export function serviceIn(credential: ICredentialDataDecryptedObject): {
	service: string;
	publicKey: string;
} {
	const { baseUrl, publicKey } = accessIn(credential);
	return { service: baseUrl.replace(/^https?:\/\//, ''), publicKey };
}

/** Both keys of a credential; the longer one first, because it may contain the other one. */
export const keysIn = ({ publicKey, secretKey }: ICredentialDataDecryptedObject): string[] =>
	[text(publicKey), text(secretKey)].sort((a, b) => b.length - a.length);

/**
 * n8n's "Allowed Domains". Not every version and helper of n8n checks them before it sends.
 *
 * @throws UserError unless they include the host
 */
function requireAllowed(host: string, domains: string): void {
	if (domains === '') {
		throw credentialError(
			'allowed-domains-empty',
			'"Allowed Domains" is empty: enter the host of Base URL there, or set "Allowed HTTP Request Domains" to "All"',
		);
	}
	const plain = (domain: string) => domain.trim().toLowerCase().replace(/\.$/, '');
	const isAllowed = domains
		.split(',')
		.map(plain)
		.some((domain) =>
			domain.startsWith('*.') ? plain(host).endsWith(domain.slice(1)) : domain === plain(host),
		);
	if (isAllowed) return;
	throw credentialError(
		'host-not-allowed',
		'The credential may not be sent to this host: add the host of Base URL to "Allowed Domains"',
	);
}

/** n8n's newer HTTP client reads the first one; its HTTP Request node reads the others. */
const noRedirects = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/**
 * Adds both key headers and the base URL. The keys go to the origin of the base URL only, also from the HTTP Request
 * node: no redirect is followed, since n8n would send them along.
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
			throw credentialError(
				'key-missing',
				`${label} is missing: copy it from the account page of the service`,
			);
		if (!/^[\x21-\x7e]+$/.test(key)) {
			throw credentialError(
				'key-invalid',
				`${label} contains a space or a special character: copy it again`,
			);
		}
	}
	if (credentials.allowedHttpRequestDomains === 'domains') {
		requireAllowed(base.hostname, text(credentials.allowedDomains));
	}
	const { url, uri = '', baseURL = '' } = requestOptions as IHttpRequestOptions & { uri?: string };
	for (const target of [url ?? '', uri, baseURL]) {
		if (URL.canParse(target, base.href) && new URL(target, base).origin === base.origin) continue;
		throw credentialError(
			'other-base-url',
			`This credential can be used with its base URL only: ${base.origin}`,
		);
	}
	return {
		...requestOptions,
		...noRedirects,
		baseURL: requestOptions.baseURL ?? addressOf(base),
		headers: { ...requestOptions.headers, ...keys },
		allowedDomains: base.hostname,
	};
}
