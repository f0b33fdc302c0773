/**
 * People who unsubscribed, or must never be added, are put on no list:
 *
 * - Every address that an operation puts on a list is checked against every respected list, in any spelling.
 * - A list that cannot be read stops the write; it never counts as empty.
 * - An update is checked if it changes the address or the contact type, with the old address and the new one.
 * - Contact: Create, which reads the contacts anyway, checks an alternative email with the main address of its contact,
 *   whatever its contact type.
 * - Rows of a file that name somebody on a list, in any column, are left out.
 *
 * Operations on all items follow the same rules: to put somebody on a list, they need a `ClearedAddress` of
 * `consent/guard.ts`.
 */
import type { IDataObject } from 'n8n-workflow';

import { currentRecord } from '../../run/mergeCurrent';
import type { Draft, Gate } from '../../run/operation';
import type { RunContext } from '../../run/runContext';
import type { Item } from '../../params/item';
import type { Suppression } from '../consent/types';
import { clearAddress } from '../../util/addressesIn';
import { coerceText } from '../../util/coerce';
import { addressKey, spellingKey } from '../../util/email';
import { settleAll } from '../../util/promises';
import { contactDetails, readExistingContacts } from './create';
import { suppressionOf, unsubscribeOf } from '../consent/guard';
import { skipRows } from './csv/csvImport';
import {
	onlyNeverAdd,
	respectedListsOf,
	respectsAny,
	suppressionsFor,
	type RespectedLists,
} from '../consent/suppressions';

/** An address that must not be held back. */
interface Checked {
	address: string;
	/** Whose address it is, for the message about a skipped item. */
	whose: string;
}

interface Rule {
	/** The output key for what the operation would have done, such as `created`. */
	did: string;
	/** The addresses that the item puts on a list; none if it adds nobody. */
	addresses(draft: Draft): Checked[] | Promise<Checked[]>;
	/** The lists that count, unless those of the options do. */
	lists?: (run: RunContext, item: Item) => RespectedLists;
	/** Reads the list of contacts, and returns other addresses of the person. Undefined if no list is read. */
	others?: (draft: Draft) => Promise<string[]>;
}

/** Skips items with an address on a respected list. */
const skipUnsubscribed = ({
	did,
	addresses,
	others,
	lists = respectedListsOf,
}: Rule): Gate<'consent'> => ({
	name: 'consent',
	before: [
		{
			check: (run, item) => void lists(run, item),
			async step(draft) {
				const respected = lists(draft.run, draft.item);
				if (!respectsAny(respected)) return undefined;
				const checked = await addresses(draft);
				if (checked.length === 0) return undefined;
				const [suppressions, linked = []] = await settleAll([
					suppressionsFor(draft, respected),
					others?.(draft),
				]);
				const whose = 'main address of the contact';
				const all = [...checked, ...linked.map((address) => ({ address, whose }))];
				for (const { address, whose } of all) {
					const suppression = suppressionOf(suppressions, address);
					if (suppression) return skippedItem(draft, did, address, suppression, whose);
				}
				return undefined;
			},
		},
	],
});

const skippedItem = (
	{ body, identity }: Draft,
	did: string,
	address: string,
	suppression: Suppression,
	whose: string,
): IDataObject => ({
	[did]: false,
	skipped: suppression.reason,
	...identity,
	email: body.email ?? address,
	...unsubscribeOf(suppression),
	message: `Skipped: the ${whose} is ${suppression.reason}`,
});

/** The address of an item; a missing one is refused later. */
function givenAddress({ body }: Draft): Checked[] {
	const address = coerceText(body.email ?? body.email_address);
	return address === '' ? [] : [{ address, whose: 'address' }];
}

/** Contact: Create (19). */
export const newContacts = skipUnsubscribed({
	did: 'created',
	addresses: givenAddress,
	others: readExistingContacts,
});

/** Segment: Add Recipient (28). */
export const segmentRecipients = skipUnsubscribed({
	did: 'added',
	addresses: givenAddress,
});

/** Notification Recipient: Create (50b). */
export const notificationRecipients = skipUnsubscribed({
	did: 'created',
	addresses: givenAddress,
	lists: onlyNeverAdd,
});

/** Whether the service shows what the update sets. */
const isKept = (given: unknown, current: unknown, key: (text: string) => string): boolean =>
	given === undefined || key(coerceText(given)) === key(coerceText(current));

/** An email that no new contact may have is not sent: `checkNewAddress` keeps that of the contact. */
const keyOfSent = (email: unknown) =>
	clearAddress(coerceText(email)) === undefined ? addressKey : spellingKey;

/**
 * Contact: Update (23), if it changes the address, even in its spelling, or the contact type: neither the old nor the new
 * address may be on a list. Any other update puts nobody on a list.
 */
export const changedContacts = skipUnsubscribed({
	did: 'updated',
	async addresses(draft) {
		const { contact_id: id, email, contact_type_id: type } = draft.body;
		// A missing contact is refused later.
		if (id === undefined || (email === undefined && type === undefined)) return [];
		const { record } = await currentRecord(draft, contactDetails);
		const keepsType = isKept(type, record.contact_type_id, (text) => text.trim());
		if (keepsType && isKept(email, record.email, keyOfSent(email))) return [];
		const current = coerceText(record.email);
		const whose = 'current address of the contact';
		return [...givenAddress(draft), ...(current === '' ? [] : [{ address: current, whose }])];
	},
});

/** Contact: Import From CSV (21), without the rows of people on a respected list. */
export const importedFiles: Gate<'consent'> = {
	name: 'consent',
	before: [{ check: (run, item) => void respectedListsOf(run, item), step: skipRows }],
};
