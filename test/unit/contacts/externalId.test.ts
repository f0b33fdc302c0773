import type { MappedContact } from '../../../nodes/EmailMarketing/features/contacts/fields';
import { externalIdOf } from '../../../nodes/EmailMarketing/features/sync/memory/externalId';
import { SyncState } from '../../../nodes/EmailMarketing/features/sync/memory/syncState';
import { contact, item, planOf } from './builders';

const withId = (email: string, externalId: string): MappedContact => ({
	...item(email, { country: 'DE' }),
	externalId,
});

const outcomes = (items: MappedContact[]) =>
	planOf(items, [contact(1)], {}, { state: new SyncState('salt') }).rows.map(
		({ action, reason = '' }) => [action, reason],
	);

const sharedWith = (other: number) => [
	'failed',
	`External ID "C1" also belongs to item ${other}, which has a different email. Correct one of them`,
];

test('items of different people with one external ID fail, so that nobody gets the contact of another', () => {
	expect(
		outcomes([
			withId('ann@example.com', 'C1'),
			withId('c1@example.com', 'C1'),
			withId('bob@example.com', 'C2'),
			withId('eve@example.com', 'C1'),
		]),
	).toEqual([sharedWith(1), sharedWith(0), ['created', ''], sharedWith(0)]);
});

test('items of one person may share it: the last one counts', () => {
	const items = [withId('ann@example.com', 'C1'), withId('Ann@Example.com ', 'C1')];
	expect(outcomes(items)).toEqual([
		['skipped', 'duplicate: item 1 is for the same contact and is used instead'],
		['created', ''],
	]);
});

test('an item that fails shares its external ID with no other', () => {
	expect(outcomes([withId('ann@example.com', 'C1'), withId('', 'C1')])).toEqual([
		['created', ''],
		['failed', 'Email is missing. Map the column that contains it'],
	]);
});

test.each([
	...[
		['1000004.0', '1000004'],
		['7.00', '7'],
		['1000004.000', '1000004'],
		['1.0000', '1'],
	],
	// It may be 1000 as well.
	...[
		['1.000', '1.000'],
		['1.5', '1.5'],
		['A-7', 'A-7'],
	],
	...[
		['0', ''],
		['0.000', ''],
		['0.000000', ''],
		['-', ''],
		['N/A', ''],
		['✖', ''],
		['€', ''],
	],
])('the external ID %j is %j', (given, id) => {
	expect(externalIdOf(given)).toBe(id);
});

test.each(['********', '***-**-****', '(***)', '#,###', '…', '●●●', '#REF!', '...', '@'])(
	'%j is no external ID',
	(given) => {
		expect(externalIdOf(given)).toEqual({
			problem: `is ${JSON.stringify(given)}, which is not an ID`,
		});
	},
);

test('items without an external ID have nothing in common', () => {
	const items = [withId('ann@example.com', ''), withId('bob@example.com', ' ')];
	expect(outcomes(items)).toEqual([
		['created', ''],
		['created', ''],
	]);
});
