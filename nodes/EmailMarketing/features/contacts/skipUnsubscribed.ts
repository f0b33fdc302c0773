import type { IDataObject } from 'n8n-workflow';

import { currentRecord } from '../../run/mergeCurrent';
import type { Draft, HoldBack } from '../../run/operation';
import { coerceText } from '../../util/coerce';
import { addressKey } from '../../util/email';
import { settleAll } from '../../util/settleAll';
import { contactDetails } from './contactUpdate';
import { readExistingContacts } from './ifContactExists';
import { suppressionOf } from '../consent/suppressionOf';
import { respectedListsOf, respectsAny, suppressionsFor } from '../consent/suppressions';

/** An address that must not be on a list of unsubscribes. */
interface Checked {
	address: string;
	/** What is said of an item that is held back because of it. */
	message: string;
}

interface Guard {
	/** What the operation would have done, as its output calls it. */
	did: string;
	/** The addresses that the item puts on a list; none if it puts nobody there. */
	addresses(draft: Draft): Checked[] | Promise<Checked[]>;
	/** Reads something else that the item depends on at the same time. */
	alongside?: (draft: Draft) => Promise<void>;
}

/** Holds back items with an address that is on a list which the options respect. */
function holdBackUnsubscribed({ did, addresses, alongside }: Guard): HoldBack {
	return {
		check: (run, item) => void respectedListsOf(run, item),
		async find(draft) {
			if (!respectsAny(respectedListsOf(draft.run, draft.item))) return undefined;
			const checked = await addresses(draft);
			if (checked.length === 0) return undefined;
			const [suppressions] = await settleAll([suppressionsFor(draft), alongside?.(draft)]);
			for (const { address, message } of checked) {
				const suppression = suppressionOf(suppressions, address);
				if (suppression === undefined) continue;
				const { date, list } = suppression;
				const json: IDataObject = {
					[did]: false,
					skipped: 'unsubscribed',
					...draft.identity,
					email: draft.body.email ?? address,
					...(date !== undefined && { unsubscribedAt: date }),
					unsubscribedFrom: list,
					message,
				};
				return json;
			}
			return undefined;
		},
	};
}

/** The address that an item gives; a missing one is refused later. */
function givenAddress({ body }: Draft): Checked[] {
	const address = coerceText(body.email);
	return address === '' ? [] : [{ address, message: 'Skipped: the address is unsubscribed' }];
}

/** Contact: Create (19). */
export const unsubscribedNewContacts = holdBackUnsubscribed({
	did: 'created',
	addresses: givenAddress,
	alongside: readExistingContacts,
});

/** Segment: Add Recipient (28). */
export const unsubscribedRecipients = holdBackUnsubscribed({
	did: 'added',
	addresses: givenAddress,
});

/** Whether the service shows what the update sets. */
const isKept = (given: unknown, current: unknown, key: (text: string) => string): boolean =>
	given === undefined || key(coerceText(given)) === key(coerceText(current));

/**
 * Contact: Update (23), if it changes the address or the contact type: both the address that the contact has and the one
 * that it gets must be free. An update that changes neither puts nobody on a list.
 */
export const unsubscribedUpdates = holdBackUnsubscribed({
	did: 'updated',
	async addresses(draft) {
		const { contact_id: id, email, contact_type_id: type } = draft.body;
		// A missing contact is refused later.
		if (id === undefined || (email === undefined && type === undefined)) return [];
		const { record } = await currentRecord(draft, contactDetails);
		const keepsType = isKept(type, record.contact_type_id, (text) => text.trim());
		if (keepsType && isKept(email, record.email, addressKey)) return [];
		const current = coerceText(record.email);
		const message = 'Skipped: the current address of the contact is unsubscribed';
		return [...givenAddress(draft), ...(current === '' ? [] : [{ address: current, message }])];
	},
});
