import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { listClient } from '../service/client';
import { credentialType, readCredential } from '../service/credential';
import type { Client } from '../service/client';
import { toFailure, toNodeApiError } from '../service/errors';
import { retriesFailures } from '../params/givenOption';

/**
 * Reads from the service while somebody fills in the node.
 *
 * @throws NodeApiError
 */
export async function readForEditor<T>(
	context: ILoadOptionsFunctions,
	read: (client: Client) => Promise<T>,
): Promise<T> {
	const node = context.getNode();
	const credential = await readCredential(context);
	const client = listClient(context, { retries: retriesFailures(node) }, credential);
	return await read(client).catch((error: unknown) => {
		throw toNodeApiError(node, toFailure(error, { changesData: false }));
	});
}

/**
 * Whether the node has a credential. In a new workflow, n8n asks for lists before it has passed the credential that it
 * has chosen itself.
 */
export const hasCredential = (context: ILoadOptionsFunctions): boolean =>
	context.getNode().credentials?.[credentialType] !== undefined;

const howToLoad = 'Close and reopen this node to load the list';

/**
 * The only entry of a list if the node has no credential. An error would stay visible until the list is loaded again.
 */
export const reopenNode = { name: howToLoad, value: '' };
