import {
	checkedRow,
	currentOf,
	isThere,
	ownerKey,
} from '../../../nodes/EmailMarketing/features/sync/savedPlan/planCheck';
import type { SavedPlanRow } from '../../../nodes/EmailMarketing/features/sync/savedPlan/planRows';
import type {
	ClearedBody,
	ListedContact,
	PlannedRow,
} from '../../../nodes/EmailMarketing/features/contacts/types';
import { cleared, contact, TYPE } from './builders';

const email = 'c1@example.com';
const body = { contact_type_id: TYPE, email: cleared(email), country: '2', city: 'Bonn' };

const planRow = (
	row: Partial<PlannedRow>,
	rest: Partial<SavedPlanRow<ClearedBody>> = {},
): SavedPlanRow<ClearedBody> => ({
	row: { item: 0, action: 'updated', email, contactId: 1, ...row },
	contactTypeId: TYPE,
	...rest,
});

const created = planRow(
	{ action: 'created', contactId: undefined, body },
	{ write: { country: { id: '2', name: 'Germany' }, city: 'Bonn' } },
);
const deleted = planRow(
	{ action: 'deleted' },
	{ seen: { country: { name: 'Germany' }, first_name: 'Ann', city: 'Köln' } },
);
const toGroup = planRow({ action: 'addedToGroup', unsubscribeGroupId: 51 }, { seen: deleted.seen });

function check(
	row: SavedPlanRow<ClearedBody>,
	contacts: ListedContact[],
	groupMembers: string[] = [],
): PlannedRow {
	return checkedRow(row, {
		...currentOf(contacts, [row]),
		groupMembers: new Set(groupMembers),
	});
}

describe('the contacts that rows are about', () => {
	const listed = [
		contact(5, { email }),
		contact(3, { email: 'C1@example.com' }),
		contact(4, { email }),
		contact(2, { email, deleted_at: '2026-01-01' }),
		contact(1, { email, contact_type_id: 8 }),
		contact(6),
	];

	test('are those with their IDs, and the first one with an address that is put somewhere', () => {
		const rows = [created, planRow({ contactId: 6 }), planRow({ contactId: 2 })];
		const { byId, owners } = currentOf(listed, rows);
		expect([...byId.keys()]).toEqual([6]);
		expect([...owners].map(([key, { id }]) => [key, id])).toEqual([
			[ownerKey(TYPE, 'C1@EXAMPLE.com'), 3],
		]);
	});

	test('have no owners where no address is put anywhere', () => {
		const { byId, owners } = currentOf(listed, [deleted, toGroup, planRow({ body })]);
		expect([...byId.keys()]).toEqual([1]);
		expect(owners.size).toBe(0);
	});
});

describe('a new contact', () => {
	const settled = {
		...{ item: 0, action: 'unchanged', email, contactId: 1 },
		reason: 'The contact already has the planned values',
	};
	const taken = {
		...{ item: 0, action: 'failed', email, contactId: 1 },
		code: 'changed-since-plan',
		field: 'Email',
		reason: 'changed since the plan: contact 1 has the email now',
	};

	test('is created if nobody has the address in the contact type', () => {
		expect(check(created, [contact(2), contact(1, { contact_type_id: 8 })])).toBe(created.row);
	});

	test.each([
		['its name', 'Germany'],
		['its ID', '2'],
		['spaces around its name', ' Germany '],
	])('is there already if the contact has all values, the country with %s', (_, country) => {
		expect(check(created, [contact(1, { city: 'Bonn', country })])).toEqual(settled);
	});

	test.each<[string, Partial<ListedContact>]>([
		['another city', {}],
		['another country', { city: 'Bonn', country: 'Austria' }],
		['the ID of another country', { city: 'Bonn', country: '22' }],
		['no country', { city: 'Bonn', country: '' }],
	])('fails if the contact has %s', (_, values) => {
		expect(check(created, [contact(1, values)])).toEqual(taken);
	});

	test('fails for a country that cannot be compared', () => {
		const byId = { ...created, write: { country: { id: '2' }, city: 'Bonn' } };
		const byName = { ...created, write: { country: { name: 'Germany' }, city: 'Bonn' } };
		const withName = [contact(1, { city: 'Bonn', country: 'Austria' })];
		const withId = [contact(1, { city: 'Bonn', country: '3' })];
		const withDigits = [contact(1, { city: 'Bonn', country: '3rd' })];
		expect(check(byId, withName)).toEqual(taken);
		expect(check(byName, withId)).toEqual(taken);
		expect(check(byId, withDigits)).toEqual(taken);
	});
});

describe('a row about a contact that was there', () => {
	const failed = (row: SavedPlanRow<ClearedBody>, contacts: ListedContact[]) => {
		const { action, field, reason } = check(row, contacts);
		return [action, field, reason];
	};

	test('stays as it is if the contact has not changed', () => {
		expect(check(deleted, [contact(1)])).toBe(deleted.row);
		expect(check(toGroup, [contact(1)])).toBe(toGroup.row);
	});

	test.each([
		['a name that the plan does not know', { id: '2' }, 'Austria'],
		['an ID that the plan does not know', { name: 'Germany' }, '3'],
	])('is carried out where the country is %s', (_, country, now) => {
		const row = { ...deleted, seen: { ...deleted.seen, country } };
		expect(check(row, [contact(1, { country: now })])).toBe(row.row);
	});

	test.each<[string, SavedPlanRow['seen'], Partial<ListedContact>, string, string]>([
		[
			'the country has another name',
			{ country: { id: '2', name: 'Germany' } },
			{ country: 'Austria' },
			'Country',
			'"Country" was "Germany" and is "Austria"',
		],
		[
			'the country has another ID',
			{ country: { id: '2' } },
			{ country: '33' },
			'Country',
			'"Country" was "2" and is "33"',
		],
		[
			'the country has gone',
			{ country: { id: '2' } },
			{ country: ' ' },
			'Country',
			'"Country" was "2" and is empty',
		],
		[
			'it had no country',
			{ country: { name: '' } },
			{ country: 'Germany' },
			'Country',
			'"Country" was empty and is "Germany"',
		],
		[
			'two fields have changed',
			{},
			{ city: 'Bonn', first_name: '' },
			'First Name',
			'"First Name" was "Ann" and is empty, "City" was "Köln" and is "Bonn"',
		],
		[
			'the address has changed',
			{},
			{ email: 'new@example.com' },
			'Email',
			'"Email" was "c1@example.com" and is "new@example.com"',
		],
	])('fails if %s', (_, seen, now, field, what) => {
		const row = { ...deleted, seen: { ...deleted.seen, ...seen } };
		expect(failed(row, [contact(1, now)])).toEqual([
			'failed',
			field,
			`changed since the plan: ${what}`,
		]);
	});

	test('is done if the contact was deleted already, and fails otherwise', () => {
		expect(check(deleted, [])).toEqual({
			...{ item: 0, action: 'unchanged', email, contactId: 1 },
			reason: 'The contact was deleted already',
		});
		expect(failed(toGroup, [])).toEqual([
			'failed',
			undefined,
			'changed since the plan: the contact no longer exists',
		]);
	});

	test('is done if the contact is in the unsubscribe group already', () => {
		expect(check(toGroup, [contact(1)], [email])).toMatchObject({
			action: 'unchanged',
			reason: 'already in the unsubscribe group',
		});
		expect(check(deleted, [contact(1)], [email])).toBe(deleted.row);
	});

	test('fails if the contact is in another contact type', () => {
		expect(failed(deleted, [contact(1, { contact_type_id: '8' })])).toEqual([
			'failed',
			'Contact Type',
			'changed since the plan: "Contact Type" was 7 and is 8',
		]);
	});

	test('gives a contact an address only if nobody else has it', () => {
		const write = { country: { id: '2', name: 'Germany' }, city: 'Bonn', first_name: 'Ann' };
		const seen = { email: 'old@example.com', city: 'Köln' };
		const row = planRow({ body }, { write, seen });
		const own = contact(1, { email: 'old@example.com' });
		expect(check(row, [own])).toBe(row.row);
		expect(failed(row, [own, contact(4, { email })])).toEqual([
			'failed',
			'Email',
			'changed since the plan: contact 4 has the email now',
		]);
	});

	test('moves a contact whose other self is not there', () => {
		const target = { ...body, contact_type_id: 8 };
		const write = { country: { id: '2', name: 'Germany' }, city: 'Köln', first_name: 'Ann' };
		const row = planRow({ action: 'moved', body: target }, { write, seen: {} });
		expect(check(row, [contact(1)])).toBe(row.row);
		expect(check(row, [contact(1, { contact_type_id: 8 })])).toMatchObject({
			action: 'unchanged',
			reason: 'The contact already has the planned values',
		});
	});
});

test.each([
	[undefined, false],
	[contact(1), true],
	[contact(1, { deleted_at: '' }), true],
	[contact(1, { deleted_at: '2026-01-01' }), false],
])('whether a contact is there: %#', (one, expected) => {
	expect(isThere(one)).toBe(expected);
});
