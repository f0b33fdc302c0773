import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { credentialType } from '../api/client';

/** Undefined if the credential cannot be read; the request then fails for it, in n8n's words. */
type Credential = ICredentialDataDecryptedObject | undefined;

/**
 * The credential, if it is the same for all items; undefined if an expression in it looks at the item. n8n would read
 * and decrypt it again for every request.
 *
 * @param length how many items there are
 */
export async function sharedCredential(
	context: IExecuteFunctions,
	length: number,
): Promise<Credential> {
	if (length === 1) return await readCredential(context, 0);
	let looksAtItem = false;
	// To look at an item, n8n turns its index into the key of a list.
	const index = {
		[Symbol.toPrimitive]() {
			looksAtItem = true;
			return 0;
		},
	};
	const indexes = [index as unknown as number, 0, length - 1];
	const found = await Promise.all(indexes.map(async (one) => await readCredential(context, one)));
	// The index alone can be looked at without that, as in `$itemIndex === 0`.
	const isSame = new Set(found.map((credential) => JSON.stringify(credential))).size === 1;
	return isSame && !looksAtItem ? found[0] : undefined;
}

export async function readCredential(
	context: IExecuteFunctions,
	itemIndex: number,
): Promise<Credential> {
	return await context.getCredentials(credentialType, itemIndex).catch(() => undefined);
}
