import { CredentialTestContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunction,
	IDataObject,
	ILoadOptionsFunctions,
} from 'n8n-workflow';

import { methods } from '../../../nodes/EmailMarketing/methods';
import { editorContext, keys, type NodeError } from '../engine';
import { chosen } from '../rows';
import type { Service } from '../sandbox';
import { Poller } from '../trigger/poller';

/** How a call of some kind ended. */
export interface Ended {
	error?: Pick<NodeError, 'message' | 'httpCode'>;
	/** All that the call left behind. */
	everything: unknown;
}

type Caller = (
	service: Service,
	credential: ICredentialDataDecryptedObject,
	requestOptions?: IDataObject,
) => Promise<Ended>;

const ofNode =
	(parameters: IDataObject): Caller =>
	async (service, credential, requestOptions) => {
		const outcome = await service.run(
			{ ...parameters, ...(requestOptions && { requestOptions }) },
			{ credential: { ...keys, ...credential }, items: [{ json: { email: 'a@example.com' } }] },
		);
		return { error: outcome.error, everything: outcome };
	};

const caught = async (call: Promise<unknown>): Promise<Ended> =>
	await call.then(
		(everything) => ({ everything }),
		(error: NodeError) => ({ error, everything: error }),
	);

const search = methods?.listSearch?.searchContactTypes as (
	this: ILoadOptionsFunctions,
) => Promise<unknown>;

const test = methods?.credentialTest?.emailMarketingApiTest as ICredentialTestFunction;

/** What n8n says of a credential when somebody saves it. */
export async function testCredential(data: ICredentialDataDecryptedObject) {
	const context = new CredentialTestContext({} as never);
	return await test.call(context, { id: '1', name: 'Test', type: 'emailMarketingApi', data });
}

/** Whatever sends the keys to the service. */
export const callers: Record<string, Caller> = {
	read: ofNode({ resource: 'contactType', operation: 'getAll', returnAll: true }),
	write: ofNode({ resource: 'contactType', operation: 'create', name: 'Wholesale' }),
	'read before a write': ofNode({
		resource: 'sender',
		operation: 'update',
		senderId: chosen('81'),
		updateFields: { nickname: 'New' },
	}),
	sync: ofNode({
		resource: 'contact',
		operation: 'sync',
		contactTypeId: chosen('21'),
		fields: { mappingMode: 'autoMapInputData', value: null },
	}),
	'list search': async ({ baseUrl }, credential, requestOptions) => {
		const context = editorContext(
			{ resource: 'contactType', operation: 'get', ...(requestOptions && { requestOptions }) },
			{ baseUrl, ...keys, ...credential },
		) as unknown as ILoadOptionsFunctions;
		return await caught(search.call(context));
	},
	'trigger poll': async ({ baseUrl }, credential, requestOptions = {}) => {
		const parameters = { events: ['singleSendCreated'], requestOptions };
		const poller = new Poller({ baseUrl }, parameters as never, {}, credential);
		return await caught(poller.poll());
	},
	'credential test': async ({ baseUrl }, credential) => {
		const everything = await testCredential({ baseUrl, ...keys, ...credential });
		const message = everything.message.replace(/(\. Check .*)?\. Tried: .*/, '');
		return { everything, ...(everything.status === 'Error' && { error: new Error(message) }) };
	},
};
