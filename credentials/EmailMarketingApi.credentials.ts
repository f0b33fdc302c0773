import { UserError } from 'n8n-workflow';
import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

const masked: INodeProperties['typeOptions'] = { password: true };

function text(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}

/** @throws UserError that says how a base URL looks. */
function parseBaseUrl(value: string): URL {
	const url = URL.canParse(value) ? new URL(value) : undefined;
	if (
		url === undefined ||
		!/^https?:$/.test(url.protocol) ||
		url.search !== '' ||
		url.hash !== ''
	) {
		throw new UserError(
			value === ''
				? 'Base URL is missing: enter the address of the API, such as https://api.example.com/v1'
				: 'Base URL is not valid: it must be a web address such as https://api.example.com/v1, without ? and #',
		);
	}
	if (url.username !== '' || url.password !== '') {
		throw new UserError('Base URL must not have a user name or password in it');
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

export class EmailMarketingApi implements ICredentialType {
	name = 'emailMarketingApi';

	displayName = 'Email Marketing API';

	icon: Icon = {
		light: 'file:../nodes/EmailMarketing/emailMarketing.svg',
		dark: 'file:../nodes/EmailMarketing/emailMarketing.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-email-marketing/n8n-nodes-email-marketing#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com/v1',
			description:
				'Address of the API of your email marketing service, up to the first path of an endpoint',
		},
		{
			displayName: 'Public Key',
			name: 'publicKey',
			type: 'string',
			typeOptions: masked,
			required: true,
			default: '',
			description: 'From the account page of the service',
		},
		{
			displayName: 'Secret Key',
			name: 'secretKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'From the account page of the service',
		},
	];

	/**
	 * Adds both key headers and the base URL. A function, because n8n would evaluate expressions for
	 * every item. The keys go to the host of the base URL only, also in the HTTP Request node.
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const base = parseBaseUrl(text(credentials.baseUrl));
		const keys = { PublicKey: text(credentials.publicKey), SecretKey: text(credentials.secretKey) };
		for (const [label, key] of [
			['Public Key', keys.PublicKey],
			['Secret Key', keys.SecretKey],
		] as const) {
			if (key === '')
				throw new UserError(`${label} is missing: copy it from the account page of the service`);
			if (!/^[\x21-\x7e]+$/.test(key)) {
				throw new UserError(`${label} has a blank or a special character in it: copy it again`);
			}
		}
		const { uri } = requestOptions as { uri?: string };
		for (const target of [requestOptions.url || uri || '', requestOptions.baseURL ?? '']) {
			if (!/^[a-z][a-z\d+.-]*:|^\/\//i.test(target) || isSameOrigin(target, base)) continue;
			throw new UserError(
				`The keys of this credential are sent to ${base.origin} only, which is its base URL`,
			);
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

	/**
	 * The service tells failures by its envelope, not by the status. `0` is the first character of an
	 * answer that is text; a missing `status` means that whatever answered is not the service.
	 */
	test: ICredentialTestRequest = {
		request: {
			url: '/contacts-type',
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		},
		rules: [
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'errors.PublicKey[0]',
					value: 'The public key field is required.',
					message:
						'The service did not receive the public key: a proxy between n8n and the service may remove the header PublicKey',
				},
			},
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'errors.SecretKey[0]',
					value: 'The secret key field is required.',
					message:
						'The service did not receive the secret key: a proxy between n8n and the service may remove the header SecretKey',
				},
			},
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'status',
					value: 'failed',
					message:
						'The service refused the keys: copy the public key and the secret key from its account page again',
				},
			},
			{
				type: 'responseSuccessBody',
				properties: {
					key: '0',
					value: '<',
					message:
						'A website answered instead of the API: Base URL must be the address of the API, not of a page',
				},
			},
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'status',
					value: undefined,
					message:
						'What answered is not the API of the service: check the host and the path of Base URL',
				},
			},
		],
	};
}

function isSameOrigin(target: string, base: URL): boolean {
	return URL.canParse(target, base.href) && new URL(target, base).origin === base.origin;
}
