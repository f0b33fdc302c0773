import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../service/endpoints';
import type { Draft, GroupStage } from '../../run/operation';
import { onlyOnce } from '../../run/sameRecord';
import { globalSpellings } from '../../records/unsubscribes';
import { addressKey, spellingKey } from '../../util/email';
import { quote } from '../../util/text';

const ADDED = 'An earlier item adds this address; nothing was written';

/** What a request adds, and how other requests for the same are recognized. */
interface Added {
	key: string;
	address: string;
}

/**
 * @param did the first key of the output
 * @param addedBy undefined for a request that adds several
 */
const addOnce = (did: string, addedBy: (draft: Draft) => Added | undefined): GroupStage =>
	onlyOnce(did, ADDED, (draft) => {
		const added = addedBy(draft);
		return added && { key: added.key, deed: `saved the address ${quote(added.address)}` };
	});

/** Global Unsubscribe: Add (2) with one address, in all spellings that are sent for it. */
export const addListedOnce = addOnce('added', ({ body }) => {
	const addresses = String(body.email_address).split(',');
	if (new Set(addresses.map(addressKey)).size > 1) return undefined;
	return { key: addresses.map(spellingKey).join(','), address: addresses.at(-1) ?? '' };
});

/** Segment: Add Recipient (28). */
export const addToSegmentOnce = addOnce('added', ({ body }) => {
	const address = String(body.email);
	return { key: `${String(body.segment_id)} ${addressKey(address)}`, address };
});

/** Sender: Create (52), which sends an email to the address. Senders of one address may differ otherwise. */
export const createSenderOnce = addOnce('created', ({ body }) => {
	const address = String(body.from_email);
	const [from, replyTo] = [address, String(body.reply_to_email)].map(addressKey);
	return { key: JSON.stringify({ ...body, from_email: from, reply_to_email: replyTo }), address };
});

/** Notification Recipient: Create (50b). */
export const notifyOnce = addOnce('created', ({ body }) => {
	const address = String(body.email_address);
	return { key: addressKey(address), address };
});

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
