// Who is compared: our node, what a user would build without it, a node written without care, and no n8n at all.
import { Agent } from 'node:http';
import axios from 'axios';
import type { IDataObject, INode } from 'n8n-workflow';
import { credentialName, credentialType, sandboxCredential } from '../scripts/lib/demo-data.ts';
import type { Figures, Service } from './stage.ts';

export function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: IDataObject,
): INode {
	return { id: name, name, type, typeVersion, position: [0, 0], parameters } as INode;
}

const withCredential = (one: INode): INode => ({
	...one,
	credentials: { [credentialType]: { id: null, name: credentialName } },
});

/** Our node. */
export const ours = (parameters: IDataObject): INode =>
	withCredential(
		node('Email Marketing', 'n8n-nodes-email-marketing.emailMarketing', 1, parameters),
	);

/** A record as the editor saves one that was chosen from the list. */
export const chosen = (id: number): IDataObject => ({
	__rl: true,
	mode: 'list',
	value: String(id),
});

/** n8n's HTTP Request node, set up for the service as its user would: our credential, one form field per value. */
export const httpRequest = (
	service: Service,
	method: string,
	path: string,
	fields: { query?: object; body?: object } = {},
	options: IDataObject = {},
): INode => {
	const pairs = (values: object) =>
		Object.entries(values).map(([name, value]) => ({ name, value }) as IDataObject);
	const form = pairs(fields.body ?? {}).map((pair) => ({ parameterType: 'formData', ...pair }));
	return withCredential(
		node('HTTP Request', 'n8n-nodes-base.httpRequest', 4.5, {
			method,
			url: `${sandboxCredential(service.url).baseUrl}${path}`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credentialType,
			...(fields.query && {
				sendQuery: true,
				queryParameters: { parameters: pairs(fields.query) },
			}),
			...(fields.body && {
				sendBody: true,
				contentType: 'multipart-form-data',
				bodyParameters: { parameters: form },
			}),
			options,
		}),
	);
};

/** n8n's own way to make items of a list in an answer. */
export const splitOut = (field: string): INode =>
	node('Split Out', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: field, options: {} });

/** The node in bench/naive. */
export const naive = (parameters: IDataObject): INode =>
	withCredential(node('Naive', 'CUSTOM.naiveContact', 1, parameters));

const agent = new Agent({ keepAlive: true, maxSockets: 10 });

/** Plain HTTP, as fast as one gets with the HTTP client that n8n has too: ten connections, nothing else. */
export async function floor(
	service: Service,
	requests: Array<{ method: string; path: string; form?: object }>,
): Promise<Figures> {
	const { baseUrl, publicKey, secretKey } = sandboxCredential(service.url);
	const started = performance.now();
	let next = 0;
	const connection = async () => {
		for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
			const { data } = await axios.request<{ status: string }>({
				method: request.method,
				url: baseUrl + request.path,
				headers: {
					PublicKey: publicKey,
					SecretKey: secretKey,
					...(request.form && { 'content-type': 'multipart/form-data' }),
				},
				data: request.form,
				httpAgent: agent,
			});
			if (data.status !== 'success') throw new Error(JSON.stringify(data).slice(0, 500));
		}
	};
	await Promise.all(Array.from({ length: 10 }, connection));
	return { ms: performance.now() - started, requests: requests.length };
}
