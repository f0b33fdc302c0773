import { createDirectory } from '../../../nodes/EmailMarketing/features/contacts/identify';
import type { Changes, PlannedRow } from '../../../nodes/EmailMarketing/features/contacts/types';
import { showsChanges, isWritten } from '../../../nodes/EmailMarketing/features/sync/judge';
import { cleared, contact, TYPE } from './builders';

const row = (given: Partial<PlannedRow> = {}): PlannedRow => ({
	item: 0,
	action: 'updated',
	email: 'c1@example.com',
	contactId: 1,
	...given,
});

describe('whether a contact has what was to be written', () => {
	test.each<[string, Changes | undefined, boolean]>([
		['nothing', undefined, true],
		['the address in other letters', { email: { from: 'x', to: 'C1@EXAMPLE.com' } }, true],
		['another address', { email: { from: 'c1@example.com', to: 'new@example.com' } }, false],
		['the city with outer spaces', { city: { from: '', to: ' Köln ' } }, true],
		['another city', { city: { from: '', to: 'Bonn' } }, false],
		['the city in other letters', { city: { from: '', to: 'KÖLN' } }, false],
		['a postal code that it has not', { postal_code: { from: '', to: '50667' } }, false],
		['one of two values', { city: { from: '', to: 'Köln' }, state: { from: '', to: 'X' } }, false],
		['the name of its country', { country: { from: 'Austria', to: 'Germany' } }, true],
		['the name of another country', { country: { from: 'Germany', to: 'Austria' } }, false],
		['a country without a name', { country: { from: 'Austria', to: '77' } }, true],
		['the same, before it was written', { country: { from: 'Germany', to: '77' } }, false],
		['a name that begins with a digit', { country: { from: 'Austria', to: '7th Land' } }, false],
		['a name that ends with a digit', { country: { from: 'Austria', to: 'Land 7' } }, false],
	])('%s', (_, changes, expected) => {
		expect(showsChanges(contact(1), row(changes && { changes }))).toBe(expected);
	});

	test('a postal code is compared by its digits', () => {
		const changes = { postal_code: { from: '1', to: '50667' } };
		expect(showsChanges(contact(1, { postal_code: '50667' }), row({ changes }))).toBe(true);
		expect(showsChanges(contact(1, { postal_code: '2' }), row({ changes }))).toBe(false);
	});
});

describe('whether the list shows that a write succeeded', () => {
	const contacts = [contact(1), contact(2, { contact_type_id: '8' })];
	const directory = createDirectory(contacts, TYPE);
	const city = (to: string) => ({ city: { from: 'Ulm', to } });
	const to = (contactTypeId: number) => ({
		body: { contact_type_id: contactTypeId, email: cleared('c2@example.com'), country: '2' },
	});

	test.each<[string, Partial<PlannedRow>, boolean]>([
		['an update', { changes: city('Köln') }, true],
		['an update that was not done', { changes: city('Bonn') }, false],
		['an update of a contact that is gone', { contactId: 3 }, false],
		['a deletion', { action: 'deleted', contactId: 3 }, true],
		['a deletion that was not done', { action: 'deleted' }, false],
		['a move', { action: 'moved', contactId: 2, ...to(8) }, true],
		['a move to elsewhere', { action: 'moved', contactId: 2, ...to(9) }, false],
		['a move that was not done', { action: 'moved', contactId: 1, ...to(8) }, false],
		['a move of a contact that is gone', { action: 'moved', contactId: 3, ...to(8) }, false],
		['a move that has no values', { action: 'moved', contactId: 2 }, false],
	])('%s', (_, given, expected) => {
		expect(isWritten(directory, row(given))).toBe(expected);
	});
});
