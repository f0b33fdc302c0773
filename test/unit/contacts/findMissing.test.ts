import {
	createDirectory,
	identify,
	type Identified,
	type Unidentified,
} from '../../../nodes/EmailMarketing/features/contacts/identify';
import { findMissing } from '../../../nodes/EmailMarketing/features/sync/plan/planMissing';
import type { MappedContact } from '../../../nodes/EmailMarketing/features/contacts/fields';
import type { ListedContact } from '../../../nodes/EmailMarketing/features/contacts/types';
import type { PlanOptions } from '../../../nodes/EmailMarketing/features/sync/types';
import { contact, item, planOf, TYPE } from './builders';

function missingIds(
	contacts: ListedContact[],
	items: MappedContact[],
	matchBy: PlanOptions['matchBy'] = 'email',
): number[] {
	const directory = createDirectory(contacts, TYPE);
	const identified: Array<Identified | Unidentified> = items.map((one) =>
		identify(one, directory, matchBy),
	);
	return findMissing(directory, identified).map(({ id }) => id);
}

describe('a contact is not missing', () => {
	test.each<[string, ListedContact[], MappedContact[], number[]]>([
		[
			'if it has the address of a contact that an item names by its ID',
			[contact(1), contact(2, { email: 'C1@example.com' }), contact(3)],
			[item('new@example.com', {}, 1)],
			[3],
		],
		[
			'if it has the address that an item is to give to another contact',
			[contact(1), contact(2), contact(3)],
			[item('C2@example.com', {}, 1)],
			[3],
		],
		[
			'if it differs only in accents from an address that no contact has',
			[contact(1, { email: 'jose@example.com' }), contact(2)],
			[item('josé@example.com')],
			[2],
		],
	])('%s', (_, contacts, items, missing) => {
		expect(missingIds(contacts, items, 'contactId')).toEqual(missing);
	});
});

describe('a contact is missing', () => {
	test('if another contact has the address of the item, and it differs only in accents', () => {
		const contacts = [
			contact(1, { email: 'jose@example.com' }),
			contact(2, { email: 'josé@example.com' }),
		];
		expect(missingIds(contacts, [item('josé@example.com')])).toEqual([1]);
	});

	test('if it has no address, like an item that names nobody', () => {
		const contacts = [contact(1, { email: '' }), contact(2)];
		expect(missingIds(contacts, [item(''), item('c2@example.com')])).toEqual([1]);
	});

	test('if there are no items', () => {
		expect(missingIds([contact(1), contact(2)], [])).toEqual([1, 2]);
	});
});

describe('contacts that the sync did not add', () => {
	const contacts = [contact(1), contact(2)];
	const missingIn = ({ rows, missingCount, notAdded }: ReturnType<typeof planOf>) => ({
		rows: rows.length,
		missingCount,
		notAdded,
	});

	test('are counted and left as they are, as long as nothing is remembered', () => {
		const plan = planOf([], contacts, { missing: { kind: 'delete' }, onlyAddedBySync: true });
		expect(missingIn(plan)).toEqual({
			rows: 0,
			missingCount: 2,
			notAdded: contacts.map(({ email }) => email),
		});
	});

	test('are not told apart where nobody is removed', () => {
		const plan = planOf([], contacts, { onlyAddedBySync: true });
		expect(missingIn(plan)).toEqual({ rows: 0, missingCount: 2, notAdded: [] });
	});
});

test('nobody is known to be in an unsubscribe group that was not read', () => {
	const missing = { kind: 'addToUnsubscribeGroup', unsubscribeGroupId: 51 } as const;
	expect(planOf([], [contact(1)], { missing }).rows).toEqual([
		{
			action: 'addedToGroup',
			contactId: 1,
			email: 'c1@example.com',
			reason: 'missing from the input',
			unsubscribeGroupId: 51,
		},
	]);
});
