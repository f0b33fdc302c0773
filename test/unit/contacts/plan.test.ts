import { contact, item, planOf, rowOf, suppressed, TYPE } from './builders';

describe('items that match no contact', () => {
	test('are created with what they give and nothing else', () => {
		const row = rowOf(
			[item(' New@Example.com ', { country: 'de', first_name: ' Zoë ', city: '' })],
			[],
		);
		expect(row).toEqual({
			item: 0,
			action: 'created',
			email: 'New@Example.com',
			changes: {
				email: { from: null, to: 'New@Example.com' },
				country: { from: null, to: 'Germany' },
				first_name: { from: null, to: 'Zoë' },
			},
			body: { contact_type_id: TYPE, email: 'New@Example.com', country: '2', first_name: 'Zoë' },
		});
	});

	test('get the default country when they have none', () => {
		const row = rowOf([item('a@example.com')], [], { defaultCountry: 'CHE' });
		expect(row.body).toEqual({ contact_type_id: TYPE, email: 'a@example.com', country: '3' });
	});

	test.each([
		[
			'no country',
			item('a@example.com'),
			'Country',
			/Country is missing, .*Map it, or choose a "Country for New Contacts"/,
		],
		[
			'an unknown country',
			item('a@example.com', { country: 'Germny' }),
			'Country',
			/Country is "Germny", which is not in the country list of the service\. Closest: Germany/,
		],
		['an unknown country id', item('a@example.com', { country: 99 }), 'Country', /has the ID 99/],
		['no address', item(''), 'Email', /Email is missing\. Map the column/],
		['a malformed address', item('a@'), 'Email', /Email "a@" is not an email address/],
		['two addresses', item('a@b.de, c@d.de'), 'Email', /is not an email address/],
		['a list as address', item(['a@b.de']), 'Email', /Email is a list/],
		['an object as value', item('a@example.com', { city: {} }), 'City', /City is an object/],
	])('fail with %s', (_, input, field, reason) => {
		const row = rowOf([input], []);
		expect(row).toMatchObject({ item: 0, action: 'failed', field });
		expect(row.reason).toMatch(reason);
		expect(row.body).toBeUndefined();
	});

	test('do not stop the others', () => {
		const plan = planOf(
			[item('x'), item('a@example.com', { country: 1 }), item('b@example.com', { country: 'x' })],
			[],
		);
		expect(plan.rows.map(({ action }) => action)).toEqual(['failed', 'created', 'failed']);
	});
});

describe('items that match a contact', () => {
	const listed = contact(3, { postal_code: '1234', last_name: null });

	test('are unchanged when all that they give is there', () => {
		const same = { first_name: 'Ann ', country: 'Deutschland', postal_code: 1234, last_name: '' };
		expect(rowOf([item('C3@EXAMPLE.COM', same)], [listed])).toEqual({
			item: 0,
			action: 'unchanged',
			email: 'c3@example.com',
			contactId: 3,
		});
	});

	test('are updated with all known values, so that nothing is lost whatever the service does', () => {
		const row = rowOf([item('c3@example.com', { city: 'Bonn', address_line1: '' })], [listed]);
		expect(row).toMatchObject({
			action: 'updated',
			contactId: 3,
			changes: { city: { from: 'Köln', to: 'Bonn' } },
		});
		expect(row.body).toEqual({
			contact_type_id: TYPE,
			email: 'c3@example.com',
			country: '2',
			first_name: 'Ann',
			city: 'Bonn',
			postal_code: '1234',
		});
	});

	test('change the country by id', () => {
		const row = rowOf([item('c3@example.com', { country: 'AT' })], [listed]);
		expect(row.changes).toEqual({ country: { from: 'Germany', to: 'Austria' } });
		expect(row.body?.country).toBe('1');
	});

	test('blank a field only when empty values are to clear and the item has the field', () => {
		const empty = item('c3@example.com', { city: '', first_name: null, postal_code: undefined });
		expect(rowOf([empty], [listed]).action).toBe('unchanged');
		const row = rowOf([empty], [listed], { emptyValues: 'clear' });
		expect(row.changes).toEqual({
			first_name: { from: 'Ann', to: '' },
			city: { from: 'Köln', to: '' },
		});
		expect(row.body).toMatchObject({ first_name: '', city: '', postal_code: '1234', country: '2' });
	});

	test('report further contacts with the same address, which stay as they are', () => {
		const plan = planOf(
			[item('c3@example.com', { city: 'Bonn' })],
			[contact(9, { email: 'C3@example.com' }), listed],
			{ missing: { kind: 'delete' } },
		);
		expect(plan.rows).toHaveLength(1);
		expect(plan.rows[0]).toMatchObject({ action: 'updated', contactId: 3 });
		expect(plan.rows[0]?.reason).toMatch(/^Other IDs with this address are left unchanged: 9$/);
	});

	test('leave other contact types and deleted contacts alone', () => {
		const row = rowOf(
			[item('c3@example.com', { country: 1 })],
			[
				contact(3, { contact_type_id: 8 }),
				contact(4, { email: 'c3@example.com', deleted_at: 'x' }),
			],
		);
		expect(row.action).toBe('created');
	});
});

test('of duplicates the last wins, and the others say so', () => {
	const plan = planOf(
		[item('a@example.com', { country: 1 }), item(' A@EXAMPLE.COM', { country: 2 })],
		[],
	);
	expect(plan.rows[0]).toMatchObject({ action: 'skipped', item: 0 });
	expect(plan.rows[0]?.reason).toMatch(/duplicate: item 1 .* is used instead/);
	expect(plan.rows[1]).toMatchObject({ action: 'created', body: { country: '2' } });
});

test('more contacts may be missing than a call has room for arguments', () => {
	const contacts = Array.from({ length: 150_000 }, (_, index) => contact(index + 1));
	const plan = planOf([item('new@example.com', { country: 1 })], contacts, {
		missing: { kind: 'delete' },
		maxRemovalPercent: 10,
	});
	expect(plan.limit?.kind).toBe('removals');
});

test('unsubscribed addresses are returned with the date, new or not', () => {
	const plan = planOf(
		[item('A@example.com', { country: 1 }), item('c3@example.com', { city: 'Bonn' })],
		[contact(3)],
		{},
		{ suppressions: suppressed('a@example.com', 'c3@example.com') },
	);
	const suppression = {
		reason: 'unsubscribed',
		date: '2026-03-01T10:00:00.000000Z',
		list: 'Global Unsubscribes',
	};
	expect(plan.rows).toEqual([
		{ item: 0, action: 'skipped', reason: 'unsubscribed', email: 'A@example.com', suppression },
		{
			item: 1,
			action: 'skipped',
			reason: 'unsubscribed',
			email: 'c3@example.com',
			contactId: 3,
			suppression,
		},
	]);
});

describe('matching by contact id', () => {
	const byId = { matchBy: 'contactId' } as const;

	test('changes the address', () => {
		const row = rowOf([item('new@example.com', {}, '3')], [contact(3)], byId);
		expect(row.changes).toEqual({ email: { from: 'c3@example.com', to: 'new@example.com' } });
		expect(row.body).toMatchObject({ email: 'new@example.com', country: '2', city: 'Köln' });
	});

	test('gives two contacts no common address', () => {
		const items = [item('new@example.com', { city: 'Bonn' }, 3), item('new@example.com', {}, 4)];
		const { rows } = planOf(items, [contact(3), contact(4)], byId);
		expect(rows).toMatchObject([
			{
				...{ action: 'failed', code: 'email-taken', contactId: 3 },
				reason:
					'Email "new@example.com" is also the new email of contact 4 in item 1. Use another email',
			},
			{ action: 'updated', contactId: 4 },
		]);
	});

	test('matches by address where the item has no id, so that a second run creates nothing', () => {
		expect(rowOf([item('c3@example.com', {}, '')], [contact(3)], byId).contactId).toBe(3);
	});

	test.each([
		['an unknown id', item('', {}, 44), /Contact ID 44 does not exist in this contact type$/],
		['an id of another type', item('', {}, 5), /It belongs to contact type 8/],
		['text for an id', item('', {}, 'abc'), /Contact ID is "abc", which is not an ID/],
		['an address that is taken', item('c4@example.com', {}, 3), /belongs to contact 4/],
		['a malformed address', item('nobody', {}, 3), /"nobody" is not an email address/],
	])('fails with %s', (_, input, reason) => {
		const contacts = [contact(3), contact(4), contact(5, { contact_type_id: 8 })];
		const row = rowOf([input], contacts, byId);
		expect(row.action).toBe('failed');
		expect(row.reason).toMatch(reason);
	});
});

describe('contacts that are missing from the input', () => {
	const contacts = [1, 2, 3, 4].map((id) => contact(id));
	const remove = { missing: { kind: 'delete' } } as const;

	test('are ignored by default, and counted', () => {
		const plan = planOf([item('c1@example.com')], contacts);
		expect(plan.rows).toHaveLength(1);
		expect(plan).toMatchObject({ contacts: { length: 4 }, missingCount: 3 });
	});

	test('are deleted, except those that unsubscribed', () => {
		const plan = planOf([item('c1@example.com')], contacts, remove, {
			suppressions: suppressed('c2@example.com'),
		});
		expect(plan.rows.slice(1)).toMatchObject([
			{ action: 'skipped', reason: 'unsubscribed', contactId: 2 },
			{ action: 'deleted', reason: 'missing from the input', contactId: 3 },
			{ action: 'deleted', contactId: 4 },
		]);
		expect(plan.limit).toBeUndefined();
	});

	test('are none while an item may be about any contact', () => {
		const unreadable = {
			code: 'single-value-expected' as const,
			field: 'Email',
			problem: 'has an expression that failed: gone',
		};
		const plan = planOf([item('c1@example.com'), { values: {}, unreadable }], contacts, remove, {
			suppressions: suppressed('c2@example.com'),
		});
		const reason = 'not removed, because an unreadable item could refer to this person';
		expect(plan.rows).toMatchObject([
			{ action: 'unchanged', contactId: 1 },
			{ action: 'failed', item: 1 },
			{ action: 'skipped', reason: 'unsubscribed', contactId: 2 },
			{ action: 'skipped', reason, contactId: 3 },
			{ action: 'skipped', reason, contactId: 4 },
		]);
	});

	test.each([
		['a list', ['c2@example.com'], 'skipped'],
		['empty', '', 'deleted'],
		['no address', 'n/a', 'deleted'],
	])('depend on an item whose email is %s', (_what, email, action) => {
		const plan = planOf([item('c1@example.com'), { values: { email } }], contacts, remove);
		expect(plan.rows.slice(2).map((row) => row.action)).toEqual([action, action, action]);
	});

	test('are not those that an item names, even if it fails', () => {
		const plan = planOf([item('c1@example.com', { country: 'Atlantis' })], [contact(1)], remove);
		expect(plan.rows.map(({ action }) => action)).toEqual(['failed']);
	});

	test.each([
		['more than the number', { maxRemovals: 2 }, /3 of 4 contacts .* more than the 2 allowed/],
		['more than the share', { maxRemovalPercent: 74 }, /3 of 4 .* more than the 74% allowed/],
		['at the limits', { maxRemovals: 3, maxRemovalPercent: 75 }, undefined],
	])('deletion limit: %s', (_, limits, problem) => {
		const plan = planOf([item('c1@example.com')], contacts, { ...remove, ...limits });
		if (problem) expect(plan.limit?.reason).toMatch(problem);
		else expect(plan.limit).toBeUndefined();
	});

	test.each([
		['no item', []],
		['items without an address', [item(''), { values: {} }]],
	])('deletion limit: the input is empty with %s', (_, items) => {
		expect(planOf(items, contacts, remove).limit?.reason).toMatch(
			/No input item identifies a contact/,
		);
	});
});
