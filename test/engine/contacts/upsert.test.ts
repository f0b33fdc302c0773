import type { IDataObject } from 'n8n-workflow';

import { AUSTRIA, GERMANY, TYPE, hints, json, useAccount } from './support';

const given = useAccount({ emptyInUpdate: 'clears' });

const person = {
	'E-mail': 'ada@example.com',
	'First Name': 'Ada',
	Surname: 'Okafor',
	Land: 'de',
	Zip: 10115,
	'Favourite Colour': 'blue',
	Market: 'Austria',
};

const inMarket = { __rl: true, mode: 'name', value: '={{ $json.Market }}' };

test('says that a new contact is also in another contact type, from the list that it reads anyway', async () => {
	const { account } = given;
	account.add('ADA@example.com', { contact_type_id: TYPE + 1 });
	account.add('ben@example.com', { contact_type_id: TYPE + 1 });
	const people = ['ada', 'new'].map((name) => ({ ...person, 'E-mail': `${name}@example.com` }));
	const note =
		'New contacts whose email is also in another contact type: 1 (ada@example.com). "Person: Find" shows them all';
	const messages = async (parameters: IDataObject) =>
		hints(await account.run({ defaultCountry: inMarket, ...parameters }, people))?.map(
			({ message }) => message,
		);
	expect(await messages({ dryRun: true })).toContain(note);
	const reads = account.reads();
	expect(await messages({})).toContain(note);
	// The reads of the dry run, and the list once more after the creates.
	expect(account.reads()).toHaveLength(2 * reads.length + 1);
	expect(await messages({})).not.toContain(note);
});

test('creates, updates, leaves alone and skips, with one read of each list, and one more after the create', async () => {
	const { account } = given;
	const same = account.add('ada@example.com', {
		first_name: 'Ada',
		last_name: 'Okafor',
		postal_code: '10115',
	});
	const old = account.add('Ben@example.com', { first_name: 'Ben', city: 'Köln', postal_code: '5' });
	account.unsubscribe('gone@example.com');
	const outcome = await account.run({ defaultCountry: inMarket }, [
		person,
		{ ...person, 'E-mail': 'ben@example.com', 'First Name': 'Benjamin', Land: 'AUT' },
		{ ...person, 'E-mail': 'new@example.com ', Surname: '' },
		{ ...person, 'E-mail': 'GONE@example.com' },
	]);
	expect(json(outcome)).toEqual([
		{ action: 'unchanged', email: 'ada@example.com', reason: 'no changes', contactId: same.id },
		{
			action: 'updated',
			email: 'Ben@example.com',
			reason: 'changed: First Name, Last Name, Postal Code, Country',
			contactId: old.id,
			changedFields: {
				first_name: { from: 'Ben', to: 'Benjamin' },
				last_name: { from: '', to: 'Okafor' },
				postal_code: { from: '5', to: '10115' },
				country: { from: 'Germany', to: 'Austria' },
			},
		},
		{
			action: 'created',
			email: 'new@example.com',
			reason: 'new',
			contactId: account.contact('new@example.com')?.id,
		},
		{
			action: 'skipped',
			reason: 'unsubscribed',
			email: 'GONE@example.com',
			unsubscribedAt: '2026-03-02T10:00:00.000000Z',
			unsubscribedFrom: 'Global Unsubscribes',
		},
	]);
	const columns = new Set(json(outcome).flatMap(Object.keys));
	expect([...columns]).toEqual([
		...['action', 'email', 'reason', 'contactId', 'changedFields', 'unsubscribedAt'],
		'unsubscribedFrom',
	]);
	expect(hints(outcome)).toEqual([
		{
			message: '1 created, 1 updated, 1 unchanged; 1 skipped: unsubscribed',
			location: 'outputPane',
		},
		{
			message:
				'Input fields that are not used: Favourite Colour. To use one, choose "Map Each Column Manually".',
			location: 'outputPane',
		},
	]);
	expect(outcome.items.map(({ pairedItem }) => pairedItem)).toEqual(
		[0, 1, 2, 3].map((item) => ({ item })),
	);
	expect(account.reads().sort()).toEqual([
		'/contacts/list',
		'/contacts/list',
		'/get/country-state-city',
		'/global-unsubscribes',
	]);
	expect(account.writes().sort()).toEqual([
		[
			'POST /contacts/add',
			{
				contact_type_id: String(TYPE),
				email: 'new@example.com',
				country: String(GERMANY),
				first_name: 'Ada',
				postal_code: '10115',
			},
		],
		[
			'POST /contacts/update',
			{
				contact_id: String(old.id),
				contact_type_id: String(TYPE),
				email: 'Ben@example.com',
				country: String(AUSTRIA),
				first_name: 'Benjamin',
				last_name: 'Okafor',
				city: 'Köln',
				postal_code: '10115',
			},
		],
	]);
});

test('fields mapped by hand: plain, by expression, and constant', async () => {
	const { account } = given;
	account.add('ada@example.com', { city: 'Köln' });
	const value = {
		email: '={{ $json["Mail"] }}',
		first_name: '={{ ($json.name || $("No Such Node").first().json.name).split(" ")[0] }}',
		city: '={{ $json.town }}',
		country: 'Germany',
		last_name: null,
	};
	const outcome = await account.run({ fields: { mappingMode: 'defineBelow', value } }, [
		{ Mail: 'ada@example.com', name: 'Ada Okafor' },
		{ Mail: 'ben@example.com', name: 'Ben X', town: 'Bonn', last_name: 'not mapped' },
		{ Mail: 'cy@example.com' },
	]);
	expect(json(outcome)).toMatchObject([
		{ action: 'updated', changedFields: { first_name: { from: '', to: 'Ada' } } },
		{ action: 'created' },
		{
			action: 'failed',
			field: 'First Name',
			reason: expect.stringMatching(/has an expression that failed/) as string,
		},
	]);
	expect(account.contact('ada@example.com')).toMatchObject({ first_name: 'Ada', city: 'Köln' });
	expect(account.contact('ben@example.com')).toMatchObject({ city: 'Bonn', last_name: '' });
});

test('a text of fields that the item does not have clears nothing', async () => {
	const { account } = given;
	account.add('ada@example.com', {
		first_name: 'Ada',
		last_name: 'King',
		address_line1: 'Main St 1',
	});
	const value = {
		email: '={{ $json.email }}',
		first_name: '={{ $json.first_name }} ',
		last_name: '={{ $json.last_name }}',
		address_line1: '={{ $json.street }} {{ $json.house }}',
	};
	const fields = { mappingMode: 'defineBelow', value };
	const outcome = await account.run({ fields, options: { emptyValues: 'clear' } }, [
		{ email: 'ada@example.com', last_name: '' },
	]);
	expect(json(outcome)).toMatchObject([{ action: 'updated' }]);
	expect(account.contact('ada@example.com')).toMatchObject({
		...{ first_name: 'Ada', last_name: '', address_line1: 'Main St 1' },
	});
});

test('empty values keep what is there, unless they are to clear it', async () => {
	const { account } = given;
	account.add('ada@example.com', { city: 'Köln', first_name: 'Ada', postal_code: '1' });
	const items = [{ email: 'ada@example.com', city: '', first_name: null }];
	expect(json(await account.run({}, items))).toMatchObject([{ action: 'unchanged' }]);
	const cleared = await account.run({ options: { emptyValues: 'clear' } }, items);
	expect(json(cleared)).toMatchObject([{ action: 'updated' }]);
	expect(account.contact('ada@example.com')).toMatchObject({
		city: '',
		first_name: '',
		postal_code: '1',
		country: GERMANY,
	});
});

describe('false and 0, which Odoo and spreadsheet formulas return for empty fields', () => {
	const value = {
		email: '={{ $json.email }}',
		country: '={{ $json.country }}',
		first_name: '={{ $json.first_name }}',
		city: '={{ $json.city }}',
	};
	test.each([
		['automatically', { mappingMode: 'autoMapInputData', value: null }],
		['by hand', { mappingMode: 'defineBelow', value }],
	])('are empty values, mapped %s', async (_, fields) => {
		const { account } = given;
		account.add('ada@example.com', { city: 'Köln', first_name: 'Ada', country: AUSTRIA });
		const items = [
			{ email: 'ada@example.com', city: false, first_name: 0, country: false },
			{ email: 'ben@example.com', city: 0, first_name: false, country: 0 },
		];
		const defaultCountry = { __rl: true, mode: 'name', value: 'DE' };
		expect(json(await account.run({ fields, defaultCountry }, items))).toMatchObject([
			{ action: 'unchanged' },
			{ action: 'created' },
		]);
		expect(account.contact('ben@example.com')).toMatchObject({
			...{ city: '', first_name: '', country: GERMANY },
		});
	});

	test('hide no other column', async () => {
		const { account } = given;
		const items = [{ email: false, mail: 'ada@example.com', city: 0, town: 'Köln', country: 'DE' }];
		expect(json(await account.run({}, items))).toMatchObject([{ action: 'created' }]);
		expect(account.contact('ada@example.com')?.city).toBe('Köln');
	});
});

test('alternative-email: whoever unsubscribed with another address of the same contact is not added with this one', async () => {
	const { account } = given;
	account.add('ada@example.com', { alt_email: 'ada@example.org', contact_type_id: 22 });
	account.unsubscribe('ada@example.com');
	const outcome = await account.run({}, [
		{ email: 'ADA@example.org', country: 'DE' },
		{ email: 'ben@example.org', country: 'DE' },
	]);
	expect(json(outcome)).toMatchObject([
		{ action: 'skipped', reason: 'unsubscribed' },
		{ action: 'created' },
	]);
});

test.each([0, 5, {}, ['ada@example.org'], 'ADA <ada@example.org>'])(
	'an alternative email in any form stops nothing: %j',
	async (alt_email) => {
		const { account } = given;
		account.add('ada@example.com', { alt_email: alt_email as never });
		const outcome = await account.run({}, [{ email: 'ben@example.org', country: 'DE' }]);
		expect(json(outcome)).toMatchObject([{ action: 'created' }]);
	},
);

test('a field that the service does not clear is named', async () => {
	const { account } = given;
	Object.assign(account.state.settings, { emptyInUpdate: 'keeps' });
	account.add('ada@example.com', { city: 'Köln', first_name: 'Ada' });
	account.add('ben@example.com', { city: 'Bonn' });
	const outcome = await account.run({ options: { emptyValues: 'clear' } }, [
		{ email: 'ada@example.com', city: '', first_name: 'Eve' },
		{ email: 'ben@example.com', city: 'Kiel' },
	]);
	expect(json(outcome)).toMatchObject([
		{
			action: 'updated',
			reason: 'the service did not clear City: it ignored the empty value',
		},
		{ action: 'updated', reason: 'changed: City' },
	]);
	expect(account.reads().filter((path) => path === '/contacts/list')).toHaveLength(2);
	const note = 'The service did not clear all fields that were to be cleared: City';
	expect(outcome.notes).toContain(note);
});

test('an update whose response was lost counts as done although the service cleared nothing', async () => {
	const { account } = given;
	Object.assign(account.state.settings, { emptyInUpdate: 'keeps' });
	account.add('ada@example.com', { city: 'Köln', first_name: 'Ada' });
	account.state.faults.add({ kind: 'reset-after', match: { path: '/contacts/update' } });
	const outcome = await account.run({ options: { emptyValues: 'clear' } }, [
		{ email: 'ada@example.com', city: '', first_name: 'Eve' },
	]);
	expect(json(outcome)).toMatchObject([
		{
			action: 'updated',
			reason:
				'The response was lost, but the list is as planned; the service did not clear City: it ignored the empty value',
		},
	]);
});

test('an empty column clears nothing that another column for the same field has', async () => {
	const { account } = given;
	account.add('ada@example.com', { city: 'Köln', first_name: 'Ada' });
	const items = [
		{ email: 'ada@example.com', first_name: '', Vorname: 'Ada', city: ' ', Ort: 'Bonn' },
	];
	await account.run({ options: { emptyValues: 'clear' } }, items);
	expect(account.contact('ada@example.com')).toMatchObject({ first_name: 'Ada', city: 'Bonn' });
});

test('matched by id, the address may change', async () => {
	const { account } = given;
	const { id } = account.add('old@example.com', { city: 'Köln' });
	const outcome = await account.run({ matchBy: 'contactId' }, [
		{ 'Contact ID': id, email: 'new@example.com' },
		{ contact_id: 4711, email: 'x@example.com' },
	]);
	expect(json(outcome)).toMatchObject([
		{
			action: 'updated',
			changedFields: { email: { from: 'old@example.com', to: 'new@example.com' } },
		},
		{ action: 'failed', field: 'Contact ID' },
	]);
	expect(account.contact('new@example.com')).toMatchObject({ id, city: 'Köln' });
});

test('failures go to the error output when it is on, with item, field and reason', async () => {
	const items = [
		{ email: 'a@example.com', country: 'Germny' },
		{ email: 'b@example.com', country: 'Germany' },
		{ email: 'nobody', country: 'Germany' },
	];
	const plain = await given.account.run({}, items);
	expect(json(plain).map(({ action }) => action)).toEqual(['failed', 'created', 'failed']);

	given.account.reset();
	const split = await given.account.run({}, items, { onError: 'continueErrorOutput' });
	expect(json(split)).toMatchObject([{ action: 'created', email: 'b@example.com' }]);
	const reason =
		'Country is "Germny", which is not in the country list of the service. Closest: Germany';
	expect(split.failed.map(({ json, pairedItem }) => ({ json, pairedItem }))).toEqual([
		{
			json: {
				email: 'a@example.com',
				country: 'Germny',
				error: {
					message: `${reason} [item 0]`,
					action: 'failed',
					reason,
					email: 'a@example.com',
					field: 'Country',
					runId: '231-0',
					at: expect.any(String) as string,
					contactTypeId: TYPE,
				},
			},
			pairedItem: { item: 0 },
		},
		{
			json: {
				email: 'nobody',
				country: 'Germany',
				error: expect.objectContaining({ email: 'nobody', field: 'Email' }) as object,
			},
			pairedItem: { item: 2 },
		},
	]);
});

test('an update sends the address without the spaces that the list has around it', async () => {
	const { account } = given;
	const { id } = account.add(' a@example.com ', { city: 'Bonn' });
	const items = [{ email: 'a@example.com', city: 'Bonn' }];
	expect(json(await account.run({}, items))).toMatchObject([{ action: 'unchanged' }]);
	const outcome = await account.run({}, [{ email: 'a@example.com', city: 'Ulm' }]);
	expect(json(outcome)).toMatchObject([{ action: 'updated', changedFields: { city: {} } }]);
	expect(account.writes()).toEqual([
		[
			'POST /contacts/update',
			{
				...{ contact_id: String(id), contact_type_id: String(TYPE), country: String(GERMANY) },
				...{ email: 'a@example.com', city: 'Ulm' },
			},
		],
	]);
});

test('what the service refuses fails that contact only, in the words of the service', async () => {
	const { account } = given;
	account.state.faults.add({
		kind: 'failed',
		match: { method: 'POST', path: '/contacts/add' },
		errors: { email: ['The email has already been taken.'] },
	});
	const items = ['a', 'b', 'c'].map((name) => ({ email: `${name}@example.com`, country: 'DE' }));
	const outcome = await account.run({ options: { parallelRequests: 1 } }, items);
	expect(json(outcome)).toMatchObject([
		{
			action: 'failed',
			reason: expect.stringMatching(
				/The service rejected "Email": The email has already been taken\..*Nothing was changed/,
			) as string,
		},
		{ action: 'created' },
		{ action: 'created' },
	]);
});

test.each([
	['timeout-after', 'created', /the list is as planned/],
	['reset-after', 'created', /the list is as planned/],
	['reset-before', 'failed', /lost before.*The list read afterwards does not show this write/],
] as const)('a create that ends in %s is looked up, not repeated', async (kind, action, reason) => {
	const { account } = given;
	account.state.faults.add({ kind, match: { method: 'POST', path: '/contacts/add' } });
	const outcome = await account.run({ requestOptions: { timeout: 3_000 } }, [
		{ email: 'a@example.com', country: 'DE' },
	]);
	expect(json(outcome)).toMatchObject([
		{ action, reason: expect.stringMatching(reason) as string },
	]);
	expect(account.emails()).toEqual(action === 'created' ? ['a@example.com'] : []);
	expect(account.writes()).toHaveLength(1);
	const again = await account.run({}, [{ email: 'a@example.com', country: 'DE' }]);
	expect(json(again)[0]?.action).toBe(action === 'created' ? 'unchanged' : 'created');
	expect(account.emails()).toEqual(['a@example.com']);
});

test('a create whose response was lost may still appear, so a further try of the node does not repeat it', async () => {
	const { account } = given;
	account.state.faults.add({ kind: 'reset-before', match: { path: '/contacts/add' } });
	const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const people = ['a@example.com', 'b@example.com'].map((email) => ({ email, country: 'DE' }));
	const options = { parallelRequests: 1 };
	const { failed } = await account.run({ options }, people, {
		...node,
		onError: 'continueErrorOutput',
	});
	expect(failed.map(({ json: { error } }) => error)).toMatchObject([
		{
			email: 'a@example.com',
			message:
				'The connection to the service was lost before the response was complete. The list read afterwards does not show this write. Run again to repeat it. [item 0]',
		},
	]);
	expect(account.writes().map(([, fields]) => (fields as IDataObject).email)).toEqual([
		'a@example.com',
		'b@example.com',
	]);
});

test.each(['id-name', 'prefixed', 'value-label', 'sortname'] as const)(
	'countries are found in a lookup of the shape %s',
	async (locationShape) => {
		const { account } = given;
		account.state.settings.locationShape = locationShape;
		account.add('ben@example.com');
		const outcome = await account.run({}, [
			{ email: 'a@example.com', country: 'Österreich' },
			{ email: 'b@example.com', country: 'at' },
			{ email: 'c@example.com', country: AUSTRIA },
			{ email: 'ben@example.com', city: 'Bonn' },
		]);
		expect(json(outcome).map(({ action }) => action)).toEqual([
			'created',
			'created',
			'created',
			'updated',
		]);
		const countries = account.state.tables.contacts.all().map(({ country }) => country);
		expect(countries.sort()).toEqual([AUSTRIA, AUSTRIA, AUSTRIA, GERMANY]);
		expect(account.reads()).toHaveLength(4);
	},
);

describe('input fields that are not used', () => {
	const run = async (item: IDataObject, parameters: IDataObject = {}) =>
		hints(
			await given.account.run(
				{ operation: 'upsert', ...parameters },
				[item],
				{},
				{ mode: 'manual' },
			),
		)?.slice(1);
	const unused = (fields: string, empty = '') => ({
		message: `Input fields that are not used: ${fields}. To use one, choose "Map Each Column Manually".${empty}`,
		location: 'outputPane',
	});
	const ada = { email: 'ada@example.com', country: 'DE' };
	const named = { ...ada, Vorname: 'Ada', Nachname: 'Okafor' };

	test.each<[string, IDataObject, ...Parameters<typeof unused>]>([
		[
			'names',
			{ ...ada, Plan: 'A', Rufname: 'Ada' },
			'Plan, Rufname',
			' Contact fields without a value in any item: First Name, Last Name.',
		],
		[
			'one of two names',
			{ ...ada, 'First Name': 'Ada', Förnamn2: 'O' },
			'Förnamn2',
			' Contact fields without a value in any item: Last Name.',
		],
		[
			'the country',
			{ ...named, country: '', Lieferland: 'DE' },
			'Lieferland',
			' Contact fields without a value in any item: Country.',
		],
	])('are told with %s, if no item has it', async (_, item, ...texts) => {
		expect(await run(item)).toEqual([unused(...texts)]);
	});

	test('are told by Contact: Create, too', async () => {
		const { notes, error } = await given.account.run(
			{ operation: 'create', defaultCountry: { __rl: true, mode: 'name', value: 'Germany' } },
			[{ email: 'zoe@example.com', Rufname: 'Zoe' }],
			{},
			{ mode: 'manual' },
		);
		expect(error).toBeUndefined();
		expect(notes.join()).toContain(
			unused(
				'Rufname',
				' Contact fields without a value in any item: First Name, Last Name, Country.',
			).message,
		);
	});

	test('are only named if the contact fields have values', async () => {
		expect(await run({ ...named, 'Full Name': 'Ada Okafor' })).toEqual([unused('Full Name')]);
	});
});
