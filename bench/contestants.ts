// Who is compared: our node, what a user would build without it, a node written without care, and no n8n at all.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import axios from 'axios';
import type { INode, INodeParameters } from 'n8n-workflow';
import { credentialName, credentialType, sandboxCredential } from '../scripts/lib/demo-data.ts';
import { node, typeOf } from '../scripts/lib/workflow-json.ts';
import { httpRequestNode } from './httpRequestNode.ts';
import type { Figures, Service } from './stage.ts';

const withCredential = (one: INode): INode => ({
	...one,
	credentials: { [credentialType]: { id: null, name: credentialName } },
});

/** Our node. */
export const ours = (parameters: INodeParameters): INode =>
	withCredential(node('Email Marketing', typeOf('emailMarketing'), parameters));

/** A record as the editor saves one that was chosen from the list. */
export const chosen = (id: number): INodeParameters => ({
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
	options: INodeParameters = {},
): INode => {
	const pairs = (values: object) =>
		Object.entries(values).map(([name, value]) => ({ name, value }) as INodeParameters);
	const form = pairs(fields.body ?? {}).map((pair) => ({ parameterType: 'formData', ...pair }));
	return withCredential(
		httpRequestNode('HTTP Request', {
			method,
			url: `${sandboxCredential(service.serviceUrl).baseUrl}${path}`,
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
	node('Split Out', 'n8n-nodes-base.splitOut', { fieldToSplitOut: field, options: {} });

/** The node in bench/naive. */
export const naive = (parameters: INodeParameters): INode =>
	withCredential(node('Naive', 'CUSTOM.naiveContact', parameters));

/** How a loop connects to the service. */
interface Connections {
	parallel: number;
	/** Whether a connection serves many requests; in n8n, it serves one. */
	keepAlive: boolean;
	/** Trusted, if the service speaks TLS. */
	ca?: string;
}

const tenConnections: Connections = { parallel: 10, keepAlive: true };

interface PlainRequest {
	method: string;
	path: string;
	form?: object;
}

/**
 * Plain HTTP, as one would write it with the HTTP client that n8n has too: some connections, nothing else.
 *
 * @param first requests whose responses are needed before the others, such as reads of lists
 */
export async function floor(
	service: Service,
	requests: PlainRequest[],
	{ parallel, keepAlive, ca }: Connections = tenConnections,
	first: PlainRequest[] = [],
): Promise<Figures> {
	const httpAgent = new HttpAgent({ keepAlive });
	const httpsAgent = new HttpsAgent({ keepAlive, maxCachedSessions: 0, ca });
	const { baseUrl, publicKey, secretKey } = sandboxCredential(service.serviceUrl);
	const started = performance.now();
	const send = async ({ method, path, form }: PlainRequest) => {
		const { data } = await axios.request<{ status: string }>({
			method,
			url: baseUrl + path,
			headers: {
				PublicKey: publicKey,
				SecretKey: secretKey,
				...(form && { 'content-type': 'multipart/form-data' }),
			},
			data: form,
			httpAgent,
			httpsAgent,
		});
		if (data.status !== 'success') throw new Error(JSON.stringify(data).slice(0, 500));
	};
	let next = 0;
	const connection = async () => {
		for (let request = requests[next++]; request; request = requests[next++]) await send(request);
	};
	await Promise.all(first.map(send));
	await Promise.all(Array.from({ length: parallel }, connection));
	httpAgent.destroy();
	httpsAgent.destroy();
	return { ms: performance.now() - started, requests: first.length + requests.length };
}
