import {
	createDirectory,
	identify,
	mainAddresses,
} from '../../../nodes/EmailMarketing/features/contacts/identify';
import { contact, item, TYPE } from './builders';

const [one, two, again] = [contact(1), contact(2), contact(9, { email: 'C2@example.com' })];
const directory = createDirectory(
	[again, two, one, contact(3, { contact_type_id: 8 }), contact(4, { deleted_at: '2026-01-01' })],
	TYPE,
);
const byId = (email: unknown, id: unknown) => identify(item(email, {}, id), directory, 'contactId');
const byEmail = (email: unknown, id?: unknown) => identify(item(email, {}, id), directory, 'email');

it('knows the contacts of one type that are there, in the order of their IDs', () => {
	expect(directory.contacts).toEqual([one, two, again]);
	expect(directory.byEmail.get('c2@example.com')).toBe(two);
	expect([...directory.duplicates]).toEqual([['c2@example.com', [9]]]);
	expect([3, 4].map(directory.otherTypeOf)).toEqual(['8', undefined]);
});

it('knows whose alternative email an address is, unless the contact is deleted', () => {
	const alternative = { alt_email: 'Ada <other@example.com>' };
	const mainOf = mainAddresses([
		contact(1, alternative),
		contact(2, { ...alternative, contact_type_id: 8 }),
		contact(3, { ...alternative, deleted_at: '0000-00-00 00:00:00' }),
		contact(4, { ...alternative, deleted_at: '2026-01-01' }),
	]);
	expect(mainOf('Other@Example.com')).toEqual([1, 2, 3].map((id) => `c${id}@example.com`));
	expect(mainOf('c1@example.com')).toEqual([]);
});

describe('by its address', () => {
	it('an item is about the contact that has it, or about a new one', () => {
		expect(byEmail(' C1@Example.com ', '2')).toEqual({
			contact: one,
			email: 'c1@example.com',
			keepsEmail: true,
			named: ['c2@example.com'],
		});
		expect(byEmail('new@example.com')).toEqual({ email: 'new@example.com', keepsEmail: false });
	});

	it('an item is about the oldest of several, and says so', () => {
		const many = createDirectory(
			[9, 8, 2].map((id) => ({ ...two, id })),
			TYPE,
		);
		expect(identify(item(two.email), many, 'email')).toEqual({
			contact: two,
			email: two.email,
			keepsEmail: true,
			note: 'Other IDs with this address are left unchanged: 8, 9',
		});
	});

	it('an item without a valid one is about nobody', () => {
		const email = 'Email';
		expect(byEmail('')).toEqual({
			field: email,
			code: 'address-missing',
			problem: 'is missing. Map the column that contains it',
			email: '',
		});
		expect(byEmail('nobody')).toEqual({
			field: email,
			code: 'address-invalid',
			problem: '"nobody" is not an email address. Correct it',
			email: 'nobody',
		});
		expect(byEmail({})).toMatchObject({ field: email, email: '' });
	});

	it('an item that cannot be read is about nobody, unless the rest of it says so', () => {
		const unreadable = {
			code: 'single-value-expected' as const,
			field: 'City',
			problem: 'fails',
		};
		expect(identify({ values: {}, unreadable }, directory, 'email')).toEqual({
			...unreadable,
			email: '',
			mayBeAnyone: true,
		});
		const email = 'c1@example.com';
		expect(identify({ values: { email }, unreadable }, directory, 'email')).toEqual({
			...unreadable,
			email,
			contact: one,
		});
	});
});

describe('by its ID', () => {
	it.each(['', ' C1@example.com'])('a contact keeps its address if the item has %j', (email) => {
		expect(byId(email, 1)).toEqual({ contact: one, email: 'c1@example.com', keepsEmail: true });
	});

	it('a contact gets another address, unless somebody has it', () => {
		expect(byId('new@example.com', '1')).toEqual({
			contact: one,
			email: 'new@example.com',
			keepsEmail: false,
		});
		expect(byId('c2@example.com', 1)).toEqual({
			contact: one,
			email: 'c2@example.com',
			field: 'Email',
			code: 'email-taken',
			problem: 'c2@example.com already belongs to contact 2. Set "Match By" to "Email"',
		});
		expect(byId('nobody', 1)).toEqual({
			contact: one,
			email: 'nobody',
			field: 'Email',
			code: 'address-invalid',
			problem: '"nobody" is not an email address. Correct it',
		});
	});

	it.each([
		['3', '3 does not exist in this contact type. It belongs to contact type 8'],
		['4', '4 does not exist in this contact type'],
	])('%s is nobody', (id, problem) => {
		expect(byId('c1@example.com', id)).toEqual({
			field: 'Contact ID',
			code: 'contact-not-found',
			problem,
			email: 'c1@example.com',
			contact: undefined,
		});
	});

	it.each(['1e0', '0x1', '+1', '1000004.0', 'abc'])('%s may be anyone', (id) => {
		expect(byId('c1@example.com', id)).toEqual({
			field: 'Contact ID',
			code: 'contact-not-found',
			problem: `is "${id}", which is not an ID. Map the ID that the service shows`,
			email: 'c1@example.com',
			mayBeAnyone: true,
		});
	});

	it('1.000 names 1 and 1000, of which none is certain', () => {
		const thousand = contact(1000);
		const both = createDirectory([one, thousand], TYPE);
		expect(identify(item('new@example.com', {}, '1.000'), both, 'email')).toMatchObject({
			named: [one.email, thousand.email],
		});
		expect(identify(item(['a'], {}, '1.000'), both, 'contactId')).toMatchObject({
			contact: undefined,
			mayBeAnyone: true,
		});
	});

	it('a contact is that of an item whose address is none', () => {
		expect(byId({}, ' 1')).toMatchObject({ field: 'Email', email: '', contact: one });
		const unreadable = {
			code: 'single-value-expected' as const,
			field: 'Email',
			problem: 'fails',
		};
		expect(identify({ values: {}, contactId: 1, unreadable }, directory, 'contactId')).toEqual({
			...unreadable,
			email: 'c1@example.com',
			contact: one,
		});
		expect(byEmail({}, 1)).toEqual({
			code: 'single-value-expected',
			field: 'Email',
			problem: 'is an object. Map one of its fields',
			email: '',
			contact: one,
			mayBeAnyone: true,
		});
	});

	it('an item without one is matched by its address', () => {
		expect(byId('c1@example.com', ' ')).toMatchObject({ contact: one });
		expect(byId('c1@example.com', {})).toMatchObject({ field: 'Contact ID' });
	});
});
