import type { ContactInput } from '../../../nodes/EmailMarketing/contacts/fields';
import { SyncState } from '../../../nodes/EmailMarketing/contacts/syncState';
import { contact, item, planOf } from './builders';

const withId = (email: string, externalId: string): ContactInput => ({
	...item(email, { country: 'DE' }),
	externalId,
});

const outcomes = (items: ContactInput[]) =>
	planOf(items, [contact(1)], {}, { state: new SyncState('salt') }).rows.map(
		({ action, reason = '' }) => [action, reason],
	);

const replacedBy = (last: number) => [
	'skipped',
	`duplicate: item ${last} is for the same contact and is used instead`,
];

test('an item that another one replaces does not replace others itself', () => {
	expect(
		outcomes([
			withId('ann@example.com', 'C2'),
			withId('ann@example.com', 'C1'),
			withId('bob@example.com', 'C1'),
		]),
	).toEqual([['created', ''], replacedBy(2), ['created', '']]);
});

test('an item that fails replaces no other one with its external ID', () => {
	expect(outcomes([withId('ann@example.com', 'C1'), withId('', 'C1')])).toEqual([
		['created', ''],
		['failed', 'Email is missing. Map the column that contains it'],
	]);
});

test('of several items with one external ID the last one counts, also beside the same address', () => {
	expect(
		outcomes([
			withId('ann@example.com', 'C1'),
			withId('bob@example.com', 'C1'),
			withId('bob@example.com', ''),
		]),
	).toEqual([replacedBy(1), replacedBy(2), ['created', '']]);
});
