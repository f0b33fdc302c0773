import type {
	FunctionsBase,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
} from 'n8n-workflow';

import { chunksOf } from '../util/groups';
import { Cancelled } from '../util/pool';
import { accessIn } from './signRequest';

export const credentialType = 'emailMarketingApi';

/** A credential with its expressions evaluated, or why it cannot be read. */
export type CredentialResult = ICredentialDataDecryptedObject | Error;

export const readCredential = async (
	context: Pick<FunctionsBase, 'getCredentials'>,
	index?: number,
): Promise<CredentialResult> =>
	await context
		.getCredentials(credentialType, index)
		.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));

/** How many credentials are read at once. */
const readsAtOnce = 20;

/**
 * The credential of a run. n8n would read and decrypt it again for every request. One with expressions is read for each
 * item, since they may use any part of the item.
 *
 * @param length how many items there are
 * @returns one for all items, or one for each; equal credentials are the same object
 * @throws Cancelled
 */
export async function readCredentials(
	context: IExecuteFunctions,
	length: number,
): Promise<CredentialResult[]> {
	const read = async (index: number) => await readCredential(context, index);
	if (length === 1) return [await read(0)];
	let hasExpression = false;
	// For each expression, n8n looks up the item in the list with the index as a key.
	const watchedIndex = {
		[Symbol.toPrimitive]() {
			hasExpression = true;
			return 0;
		},
	};
	const probed = await read(watchedIndex as unknown as number);
	if (!hasExpression) {
		if (!(probed instanceof Error)) return [probed];
		// Either the credential cannot be read at all, or this n8n accepts only numbers.
		const first = await read(0);
		if (first instanceof Error) return [first];
	}
	const known = new Map<string, CredentialResult>();
	const credentials: CredentialResult[] = [];
	for (const indexes of chunksOf([...Array(length).keys()], readsAtOnce)) {
		if (context.getExecutionCancelSignal()?.aborted) throw new Cancelled();
		for (const credential of await Promise.all(indexes.map(read))) {
			if (credential instanceof Error) {
				credentials.push(credential);
				continue;
			}
			const key = JSON.stringify({ ...credential, ...accessIn(credential) });
			const same = known.get(key) ?? credential;
			known.set(key, same);
			credentials.push(same);
		}
	}
	return credentials;
}
