import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { credentialType } from '../api/client';
import type { Credential } from '../api/client';
import { chunksOf } from '../util/chunks';

/** So many credentials are read at once. */
const readsAtOnce = 20;

/**
 * The credential of a run. n8n would read and decrypt it again for every request. One with expressions is read for each
 * item, since they may look at the item in any way.
 *
 * @param length how many items there are
 * @returns one for all items, or one for each; those of one account are the same object
 */
export async function readCredentials(
	context: IExecuteFunctions,
	length: number,
): Promise<Credential[]> {
	const read = async (index: number) =>
		await readCredential(context.getCredentials(credentialType, index));
	const first = await read(0);
	if (length === 1) return [first];
	let hasExpression = false;
	// For each expression, n8n takes the item from the list, where the index becomes a key.
	const index = {
		[Symbol.toPrimitive]() {
			hasExpression = true;
			return 0;
		},
	};
	const again = await read(index as unknown as number);
	if (!hasExpression && first instanceof Error === again instanceof Error) return [first];
	const accounts = new Map<string, Credential>();
	const credentials: Credential[] = [];
	for (const indexes of chunksOf([...Array(length).keys()], readsAtOnce)) {
		if (context.getExecutionCancelSignal()?.aborted) break;
		for (const credential of await Promise.all(indexes.map(read))) {
			const key = credential instanceof Error ? credential.message : JSON.stringify(credential);
			const same = accounts.get(key) ?? credential;
			accounts.set(key, same);
			credentials.push(same);
		}
	}
	return credentials;
}

/** @returns the error of a credential that cannot be read: the requests with it fail, in n8n's words */
export async function readCredential(
	reading: Promise<ICredentialDataDecryptedObject>,
): Promise<Credential> {
	return await reading.catch((error: unknown) =>
		error instanceof Error ? error : new Error(String(error)),
	);
}
