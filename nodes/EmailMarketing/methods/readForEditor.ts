import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { editorClient } from '../service/client';
import type { Client } from '../service/client';
import { toFailure, toNodeApiError } from '../service/errors';

/**
 * Reads from the service while somebody fills in the node.
 *
 * @throws NodeApiError
 */
export async function readForEditor<T>(
	context: ILoadOptionsFunctions,
	read: (client: Client) => Promise<T>,
): Promise<T> {
	return await read(editorClient(context)).catch((error: unknown) => {
		throw toNodeApiError(context.getNode(), toFailure(error, { changesData: false }));
	});
}
