import {
	contact,
	globalUnsubscribe,
	groupRecipient,
	notificationRecipient,
	segmentRecipient,
	sender,
} from '../records';
import type { Tables } from '../../../sandbox/store.ts';

/** Puts one person into every list, with IDs from `first` on. */
export function plantEverywhere(tables: Tables, email: string, first = 7): void {
	const { fullname: _c, ...person } = contact;
	const { fullname: _r, ...recipient } = segmentRecipient;
	tables.contacts.put({ ...person, country: 85, id: first, email, contact_type_id: 22 });
	tables.segmentRecipients.put({ ...recipient, id: first + 1, email });
	tables.groupRecipients.put({ ...groupRecipient, id: first + 2, email_address: email });
	tables.globalUnsubscribes.put({ ...globalUnsubscribe, id: first + 3, email_address: email });
	const notified = { ...notificationRecipient, id: first + 4, email_address: email };
	tables.notificationRecipients.put(notified);
	tables.senders.put({ ...sender, id: first + 5, from_email: email });
}
