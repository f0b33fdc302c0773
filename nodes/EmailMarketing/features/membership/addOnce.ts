import { endpoints } from '../../service/endpoints';
import type { Draft, DraftStep } from '../../run/operation';
import { onlyOnce } from '../../run/sameRecord';
import { globalSpellings, groupSpellings } from '../../records/unsubscribes';
import { coerceText } from '../../util/coerce';
import { addressKey, spellingKey } from '../../util/email';
import { quote } from '../../util/text';

const ADDED = 'An earlier item adds this address; nothing was written';

const saved = (address: string): string => `saved the address ${quote(address)}`;

const groupIdOf = ({ body }: Draft): string => coerceText(body.unsubscribe_groups_id);

/** Adding one address to a list of unsubscribes (2, 9), in all spellings that are sent for it. */
export const addListedOnce = onlyOnce('added', ADDED, (draft) => {
	const addresses = String(draft.body.email_address).split(',');
	if (new Set(addresses.map(addressKey)).size > 1) return undefined;
	const key = [groupIdOf(draft), ...addresses.map(spellingKey)].join(',');
	return { key, deed: saved(addresses.at(-1) ?? '') };
});

/** Segment: Add Recipient (28). */
export const addToSegmentOnce = onlyOnce('added', ADDED, ({ body }) => {
	const address = String(body.email);
	return { key: `${String(body.segment_id)} ${addressKey(address)}`, deed: saved(address) };
});

/** Sender: Create (52), which sends an email to the address. Senders of one address may differ otherwise. */
export const createSenderOnce = onlyOnce('created', ADDED, ({ body }) => {
	const address = String(body.from_email);
	const [from, replyTo] = [address, String(body.reply_to_email)].map(addressKey);
	const key = JSON.stringify({ ...body, from_email: from, reply_to_email: replyTo });
	return { key, deed: saved(address) };
});

/** Notification Recipient: Create (50b). */
export const notifyOnce = onlyOnce('created', ADDED, ({ body }) => {
	const address = String(body.email_address);
	return { key: addressKey(address), deed: saved(address) };
});

/** The spelling keys of those who are on the list (1, 10) to which a request adds. */
async function listedIn(draft: Draft): Promise<Set<string>> {
	const { run } = draft;
	const groupId = groupIdOf(draft);
	return await run.memoize(`unsubscribed keys ${groupId}`, async () => {
		if (groupId === '') {
			return globalSpellings(await run.cachedList(draft, endpoints.globalUnsubscribe.getAll));
		}
		const { getRecipients } = endpoints.unsubscribeGroup;
		return groupSpellings(await run.cachedList(draft, getRecipients, { groupId }));
	});
}

/**
 * Sends only addresses that are not on the list yet: the service may refuse a whole request because of one that is (2, 9).
 * If the list cannot be read, all are sent: an unsubscribe must not get lost.
 *
 * @param place where a listed address is, as in `in the unsubscribe group`
 */
export const skipListed =
	(place: string): DraftStep =>
	async (draft) => {
		const { body, identity } = draft;
		const listed = await listedIn(draft).catch(() => new Set<string>());
		const addresses = String(body.email_address).split(',');
		const fresh = addresses.filter((address) => !listed.has(spellingKey(address)));
		if (fresh.length === addresses.length) return undefined;
		if (fresh.length === 0) {
			return { added: false, ...identity, message: `Already ${place}; nothing was written` };
		}
		body.email_address = fresh.join(',');
		identity.email_address = body.email_address;
		identity.alreadyListed = addresses
			.filter((address) => listed.has(spellingKey(address)))
			.join(',');
		return undefined;
	};
