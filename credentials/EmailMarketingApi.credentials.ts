import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { signRequest } from '../nodes/EmailMarketing/service/signRequest';
import { docsAddress } from '../nodes/EmailMarketing/service/docsAddress';

export class EmailMarketingApi implements ICredentialType {
	name = 'emailMarketingApi';

	displayName = 'Email Marketing API';

	icon: Icon = {
		light: 'file:../nodes/EmailMarketing/emailMarketing.svg',
		dark: 'file:../nodes/EmailMarketing/emailMarketing.dark.svg',
	};

	/** n8n's own page, until this package has one online. */
	documentationUrl = 'https://docs.n8n.io/credentials/';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://example.com/api',
			hint: 'The address of the API, from the account page or the API documentation of your service',
			description:
				'The root address of the API of your email marketing service, without the path of an endpoint',
		},
		{
			displayName: 'Public Key',
			name: 'publicKey',
			type: 'string',
			required: true,
			default: '',
			description: 'The public key from the account page of the service',
		},
		{
			displayName: 'Secret Key',
			name: 'secretKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The secret key from the account page of the service',
		},
	];

	constructor() {
		if (docsAddress !== '') this.documentationUrl = `${docsAddress}README.md#credential`;
	}

	/** A function, because n8n would evaluate expressions for every item. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return signRequest(credentials, requestOptions);
	}
}
