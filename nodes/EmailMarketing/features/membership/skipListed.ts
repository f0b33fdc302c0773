import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../service/endpoints';
import type { Draft } from '../../run/operation';
import { globalSpellings } from '../../records/unsubscribes';
import { spellingKey } from '../../util/email';

/**
 * Global Unsubscribe: Add (2) sends only addresses that are not on the list (1) yet. If the list cannot be read, it sends
 * all of them: an unsubscribe must not get lost.
 */
export async function skipListed(draft: Draft): Promise<IDataObject | undefined> {
	const { body, identity, run } = draft;
	const { getAll } = endpoints.globalUnsubscribe;
	const listed = await run.memoize('unsubscribed keys', async () => {
		return globalSpellings(await run.cachedList(draft, getAll).catch(() => []));
	});
	const addresses = String(body.email_address).split(',');
	const fresh = addresses.filter((address) => !listed.has(spellingKey(address)));
	if (fresh.length === addresses.length) return undefined;
	if (fresh.length === 0) {
		return {
			added: false,
			email_address: body.email_address,
			message: 'Already on the global unsubscribe list; nothing was written',
		};
	}
	body.email_address = fresh.join(',');
	identity.email_address = body.email_address;
	identity.alreadyListed = addresses
		.filter((address) => listed.has(spellingKey(address)))
		.join(',');
	return undefined;
}
