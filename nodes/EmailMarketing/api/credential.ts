import type {
	IAdditionalCredentialOptions,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
} from 'n8n-workflow';

export const credentialType = 'emailMarketingApi';

/** Undefined where the credential cannot be had; the request then fails for it, in n8n's words. */
type Credential = ICredentialDataDecryptedObject | undefined;

// n8n makes a new context for each run of a node.
const byRun = new WeakMap<IExecuteFunctions, Promise<Credential>>();

/**
 * For requests that belong to no item: the credential as the first item has it, read once in a run. n8n would read and
 * decrypt it anew for every request.
 */
export async function credentialOfRun(
	context: IExecuteFunctions,
): Promise<IAdditionalCredentialOptions> {
	const reading = byRun.get(context) ?? read(context, 0);
	byRun.set(context, reading);
	const data = await reading;
	if (data === undefined) return {};
	return { credentialsDecrypted: { id: '', name: '', type: credentialType, data: { ...data } } };
}

/**
 * The credential where it is the same for all items, or undefined where an expression in it looks at the item.
 *
 * @param length how many items there are
 */
export async function credentialOfAllItems(
	context: IExecuteFunctions,
	length: number,
): Promise<Credential> {
	let isLookedAt = false;
	// To look at an item, n8n turns its index into the key of a list.
	const index = {
		[Symbol.toPrimitive]() {
			isLookedAt = true;
			return 0;
		},
	};
	const indexes = [index as unknown as number, 0, length - 1];
	const found = await Promise.all(indexes.map(async (one) => await read(context, one)));
	// The index alone can be looked at without that, as in `$itemIndex === 0`.
	const isSame = new Set(found.map((credential) => JSON.stringify(credential))).size === 1;
	return isSame && !isLookedAt ? found[0] : undefined;
}

async function read(context: IExecuteFunctions, itemIndex: number): Promise<Credential> {
	return await context.getCredentials(credentialType, itemIndex).catch(() => undefined);
}
