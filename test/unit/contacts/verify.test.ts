import { createDirectory } from '../../../nodes/EmailMarketing/features/contacts/identify';
import type { Changes, PlannedRow } from '../../../nodes/EmailMarketing/features/contacts/types';
import {
	effectsIn,
	hasChanges,
	verifyWrites,
	type HasEffect,
} from '../../../nodes/EmailMarketing/features/contacts/verify';
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
		expect(hasChanges(contact(1), row(changes && { changes }))).toBe(expected);
	});

	test('a postal code is compared by its digits', () => {
		const changes = { postal_code: { from: '1', to: '50667' } };
		expect(hasChanges(contact(1, { postal_code: '50667' }), row({ changes }))).toBe(true);
		expect(hasChanges(contact(1, { postal_code: '2' }), row({ changes }))).toBe(false);
	});
});

describe('whether the list shows that a write succeeded', () => {
	const contacts = [contact(1), contact(2, { contact_type_id: '8' })];
	const hasEffect = effectsIn(createDirectory(contacts, TYPE));
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
		expect(hasEffect(row(given))).toBe(expected);
	});
});

describe('uncertain writes', () => {
	const rows = [row(), row({ item: 1, contactId: 2 }), row({ item: 2, contactId: 3 })];
	const sent = [
		{ index: 0, uncertain: 'Lost.', code: 'timeout' as const },
		{ index: 1 },
		{ index: 2, uncertain: 'Lost.', code: 'timeout' as const },
		{ index: 9, uncertain: 'Lost.', code: 'timeout' as const },
	];
	const rerun = 'nobody is written twice.';
	const failed = (index: number, code: string, reason: string) => ({
		...{ item: index, action: 'failed', email: 'c1@example.com', contactId: index + 1 },
		...{ code, reason },
	});

	test('are looked up by one read, and no others', async () => {
		let reads = 0;
		const readList = async (): Promise<HasEffect> => {
			reads++;
			return await Promise.resolve(({ contactId }) => contactId === 1);
		};
		expect(await verifyWrites(rows, sent, { readList, rerun })).toEqual([
			{ ...rows[0], reason: 'The response was lost, but the list shows that the write succeeded' },
			rows[1],
			failed(2, 'timeout', 'Lost. The list read afterwards shows that the write did not succeed.'),
		]);
		expect(await verifyWrites(rows, sent.slice(1, 2), { readList, rerun })).toEqual(rows);
		expect(reads).toBe(1);
	});

	test('fail if the list cannot be read', async () => {
		const readList = () => Promise.reject(new Error('No connection'));
		const reason =
			'Lost. The list could not be read afterwards (No connection). Run again: nobody is written twice.';
		expect(await verifyWrites(rows, sent, { readList, rerun })).toEqual([
			failed(0, 'write-unverified', reason),
			rows[1],
			failed(2, 'write-unverified', reason),
		]);
	});
});
