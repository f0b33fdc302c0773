import { rowSnapshots } from '../../../nodes/EmailMarketing/features/sync/savedPlan/planSnapshot';
import type {
	ListedContact,
	PlannedRow,
} from '../../../nodes/EmailMarketing/features/contacts/types';
import { cleared, contact, item, planOf } from './builders';

const ada = contact(1, { email: 'ada@example.com', country: ' Germany ' });
const planFor = rowSnapshots(planOf([], [ada]));
const row = (given: Partial<PlannedRow>): PlannedRow => ({
	item: 0,
	action: 'updated',
	email: 'ada@example.com',
	contactId: 1,
	...given,
});
const body = { contact_type_id: 7, email: cleared('ada@example.com'), country: '2', city: 'Bonn' };

describe('a row of a dry run keeps', () => {
	test('what an update writes, and the values that it changes', () => {
		const changes = { city: { from: 'Köln', to: 'Bonn' } };
		expect(planFor(row({ body, changes }))).toStrictEqual({
			write: { country: { id: '2', name: 'Germany' }, city: 'Bonn' },
			seen: { first_name: 'Ann', city: 'Köln' },
		});
	});

	test('the country before, with its ID where it is known', () => {
		const changes = { country: { from: 'Germany', to: '77' } };
		const write = { ...body, country: '77' };
		expect(planFor(row({ body: write, changes, countryId: '2' }))).toMatchObject({
			write: { country: { id: '77' } },
			seen: { country: { id: '2', name: 'Germany' } },
		});
		expect(planFor(row({ body: write, changes }))).toStrictEqual({
			write: { country: { id: '77' }, city: 'Bonn' },
			seen: { country: { name: 'Germany' }, first_name: 'Ann', city: 'Köln' },
		});
	});

	test('all values of a contact that is removed', () => {
		expect(planFor(row({ action: 'deleted', countryId: '2' }))).toStrictEqual({
			seen: { country: { id: '2', name: 'Germany' }, first_name: 'Ann', city: 'Köln' },
		});
	});

	test('what a new contact gets', () => {
		const changes = { country: { from: null, to: 'Germany' } };
		const created = { item: 0, action: 'created', email: 'ada@example.com' } as const;
		expect(planFor({ ...created, body, changes })).toStrictEqual({
			write: { country: { id: '2', name: 'Germany' }, city: 'Bonn' },
		});
		expect(planFor(created)).toBeUndefined();
	});
});

test.each<[string, Partial<PlannedRow>]>([
	['that is skipped', { action: 'skipped' }],
	['that is unchanged, though it has values', { action: 'unchanged', body }],
	['without values', { action: 'updated' }],
	['about a contact that is not listed', { contactId: 9, body }],
	['about no contact', { contactId: undefined, action: 'deleted' }],
])('a row %s keeps nothing', (_, given) => {
	expect(planFor(row(given))).toBeUndefined();
});

test('each row of a plan that a limit stops keeps the limit', () => {
	const contacts: ListedContact[] = [contact(1), contact(2)];
	const plan = planOf([item('c1@example.com', { city: 'Bonn' })], contacts, { maxUpdates: 0 });
	const updates = plan.rows.map((one) => rowSnapshots(plan)(one)?.limit);
	expect(updates).toEqual(['1 of 2 contacts would be updated, more than the 0 allowed']);
});
