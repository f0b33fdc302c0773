import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { requestDefaults } from '../api/client';
import { endpoints } from '../api/endpoints';
import { readRecords } from '../api/envelope';
import { toFailure } from '../api/errors';
import type { HttpResponse } from '../api/failure';
import { signRequest } from '../api/signRequest';
import { isObject, toJson } from '../util/coerce';

const endpoint = endpoints.contactType.getAll;
const timeoutMs = 30_000;

/** Reads the contact types, which every account has. */
async function emailMarketingApiTest(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	let tried = '';
	try {
		const { baseURL = '', headers } = signRequest(data, { url: endpoint.path });
		const uri = `${baseURL}${endpoint.path}`;
		tried = `. Tried: ${uri}`;
		const { helpers } = this;
		// The one helper that n8n gives to tests of credentials.
		const response = (await helpers.request({
			uri,
			method: 'GET',
			headers: { ...requestDefaults.headers, ...headers },
			json: true,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			timeout: timeoutMs,
		})) as HttpResponse;
		const problem = credentialProblem(response);
		if (problem !== undefined) return { status: 'Error', message: problem + tried };
		readRecords(response, endpoint, { changesData: false });
		return { status: 'OK', message: 'Connection tested successfully' };
	} catch (error) {
		const { message } = toFailure(error, { changesData: false });
		return { status: 'Error', message: message + tried };
	}
}

/** What the address or the keys are wrong with; other failures have their usual words. */
function credentialProblem({ statusCode, body }: HttpResponse): string | undefined {
	if (statusCode === 404) {
		return 'Nothing was found at this address (HTTP 404): check the host and the path of Base URL';
	}
	if (!isObject(body) || body.status !== 'failed') return undefined;
	const errors = isObject(body.errors) ? body.errors : {};
	const missing = ['PublicKey', 'SecretKey'].filter((header) =>
		toJson(errors[header])?.includes('required'),
	);
	return missing.length > 0
		? `The service did not receive ${missing.join(' and ')}: a proxy between n8n and the service may remove this header`
		: 'The service rejected the keys: copy the public key and the secret key from its account page again';
}

export const credentialTest = { emailMarketingApiTest };
