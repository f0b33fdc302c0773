import type { Tables } from '../../../sandbox/store.ts';
import { GERMANY, NOW, segmentRecipient } from '../records';

/** What plants contacts in a contact type that both the tests and the demo account have. */
export const contactAdder =
	({ contacts }: Tables) =>
	(email: string, more: object = {}): number =>
		contacts.add(
			{
				...{ contact_type_id: 22, country: GERMANY, email },
				...{ first_name: 'Eve', last_name: 'Moss', ...more },
			},
			NOW,
		).id;

/** Plants one problem of each kind; the contacts have the IDs from `first` on. */
export function plantProblems(tables: Tables, first = 2_000_001): void {
	tables.contacts.nextId = first;
	const add = contactAdder(tables);
	add('eve@example.com', { city: 'Berlin', postal_code: '10115' });
	add('Eve@Example.com', { city: 'Berlin' });
	add('eve@example.com', { city: 'Bonn' });
	add('max@example.com');
	add('max@example.com', { contact_type_id: 21 });
	add('zoe.lee@gmial.com', { first_name: 'Zoe', last_name: '' });
	add('info@example.org');
	add('k.im@gmail.com');
	add('kim+news@gmail.com');
	const { fullname: _, ...recipient } = segmentRecipient;
	tables.segmentRecipients.add({ ...recipient, id: 500_100, email: 'max@example.com' }, NOW);
	tables.globalUnsubscribes.add({ email_address: 'MAX@example.com' }, NOW);
}
