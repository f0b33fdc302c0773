import type { IDataObject } from 'n8n-workflow';

import fc from 'fast-check';

import { removal } from '../../../scripts/lib/workflow-json.ts';
import { actions, address, people, removed, ScheduledSync } from './scheduledSync';
import { hints, json, useAccount } from './support';

const given = useAccount();
const emails = () => given.account.emails().sort();
const named = (email: unknown, rest: IDataObject = {}): IDataObject =>
	({ email, country: 'DE', ...rest }) as IDataObject;
const notRemoved = 'not removed, because an unreadable item could refer to this person';

/** Removes whoever is missing once, so that a reading that is overlooked shows at once. */
const atOnce = { options: removal({ removeAfter: 1 }) };

describe('an address that the input writes in another way', () => {
	it.each([
		['Ada <ada@example.com>'],
		['mailto:ada@example.com'],
		['"ada@example.com"'],
		['<ada@example.com>'],
		['ada@example.com,'],
		['ADA@example.com '],
		['ada@exam\u00adple.com'],
		['“ada@example.com”'],
		['„ada@example.com“'],
		['Ada <ada\uff20example.com>'],
	])('is that person: %j', async (text) => {
		const sync = new ScheduledSync(given, atOnce);
		await sync.run(people('ada', 'bob'));
		const outcome = await sync.run([named(text), ...people('bob')]);
		expect(actions(outcome)).toEqual([
			['unchanged', address('ada'), 'no changes'],
			['unchanged', address('bob'), 'no changes'],
		]);
		await sync.run([named(text.replaceAll('ada', 'eve').replace('ADA', 'eve'))]);
		expect(emails()).toEqual([address('eve')]);
	});

	it('is that person, too, if it is in a second column for the email, or in none', async () => {
		const sync = new ScheduledSync(given, atOnce);
		await sync.run(people('ada', 'bob'));
		const { id } = given.account.contact(address('ada')) ?? {};
		for (const rest of [
			{ 'Email 1': 'Ada <ada@example.com>' },
			{ 'Email 1': ['ada@example.com'] },
			{ 'Email 1': 'Work: ada@example.com' },
			{ alt_email: 'ada@example.com' },
			{ contact_id: id as number },
			{ contact_id: `${id}.0` },
		]) {
			const outcome = await sync.run([named(address('ada.new'), rest), ...people('bob')]);
			expect(removed(outcome)).toEqual([]);
		}
		const others = { 'Email 1': 'bob@example.com (work)', Mail: 'ad a@example.com' };
		expect(removed(await sync.run([named(address('ada.new'), others), ...people('bob')]))).toEqual([
			address('ada'),
		]);
	});

	it.each([
		'Secondary Email',
		'Other Email',
		'alternateEmail',
		'E-mail 2 Address',
		'E-mail 3 - Value',
	])('is that person, too, if an item has it in no other column than %s', async (column) => {
		const sync = new ScheduledSync(given, atOnce);
		await sync.run(people('ada', 'bob'));
		const item = { country: 'DE', [column]: address('ada') };
		expect(removed(await sync.run([item, ...people('bob')]))).toEqual([]);
	});

	it('is that of colleagues, too, if they share a second one', async () => {
		const office = { alt_email: 'office@example.com' };
		for (const name of ['ada', 'bob']) given.account.add(address(name), office);
		const sync = new ScheduledSync(given, {
			options: removal({ removeAfter: 1, onlyAddedBySync: false }),
		});
		expect(removed(await sync.run([named(address('bob'), office)]))).toEqual([address('ada')]);
	});

	it('is that person, too, if another column for the email is empty', async () => {
		const sync = new ScheduledSync(given, atOnce);
		await sync.run(people('ada', 'bob'));
		const outcome = await sync.run([named('', { Mail: address('ada') }), ...people('bob')]);
		expect(removed(outcome)).toEqual([]);
		expect(json(outcome)[0]).toMatchObject({ action: 'unchanged', email: address('ada') });
	});

	it.each([
		'ada@example.com; bob@example.com',
		'ada@example.com, eve@example.com',
		'Ada ada@example.com',
		'Lovelace, Ada <ada@example.com>; Bob <bob@example.com>',
		'email: ada@example.com',
	])('is named, but fails, if it is not one clear address: %j', async (text) => {
		const sync = new ScheduledSync(given, atOnce);
		await sync.run(people('ada', 'bob'));
		const outcome = await sync.run([named(text), ...people('bob')]);
		expect(json(outcome)[0]).toMatchObject({
			action: 'failed',
			reason: `Email "${text}" is not an email address. Correct it`,
		});
		expect(removed(outcome)).toEqual([]);
		expect(emails()).toEqual([address('ada'), address('bob')]);
	});

	it.each([
		'ada @example.com',
		'ada.example.com',
		'Ada (ada at example.com)',
		'bob@example.com; ada @example.com',
	])('suspends removals if somebody in it cannot be read: %j', async (text) => {
		const sync = new ScheduledSync(given, atOnce);
		await sync.run(people('ada', 'bob'));
		const outcome = await sync.run([named(text), ...people('bob')]);
		expect(actions(outcome)[2]).toEqual(['skipped', address('ada'), notRemoved]);
		expect(emails()).toEqual([address('ada'), address('bob')]);
	});

	it.each([
		...['#REF!', '#N/A', '[object Object]', 'ada@example,com', 'ada@@example.com', 'call her'],
		...['ada@example com', 'ada at example dot com', 'bob@example.com, ada(at)example,com'],
		...['@', '@.', '...'],
	])('suspends removals, and a warning names the item, if it can be anyone: %j', async (text) => {
		const sync = new ScheduledSync(given, atOnce);
		await sync.run(people('ada', 'bob'));
		const outcome = await sync.run([...people('bob'), named(text)]);
		expect(actions(outcome).map(([action]) => action)).toEqual(['unchanged', 'failed', 'skipped']);
		expect(emails()).toEqual([address('ada'), address('bob')]);
		expect(hints(outcome)).toContainEqual(
			expect.objectContaining({
				type: 'warning',
				message: `Missing contacts are not removed, because these items can't be read and could refer to any of them: item 1 ("${text}"). Correct these items. If a person has no email, leave the email empty.`,
			}),
		);
	});

	it.each(['', '-', 'n/a', 'k. A.', false, 0, 'eve@example.org; bob@example.com'])(
		'does not suspend removals if it names nobody else: %j',
		async (text) => {
			const sync = new ScheduledSync(given, atOnce);
			await sync.run(people('ada', 'bob'));
			const outcome = await sync.run([...people('bob'), named(text)]);
			expect(removed(outcome)).toEqual([address('ada')]);
		},
	);

	it.each(['', 'none'])(
		'is that of the contact whose ID the item has, if it is %j, whatever "Match By" says',
		async (text) => {
			const sync = new ScheduledSync(given, atOnce);
			await sync.run(people('ada', 'bob'));
			const { id } = given.account.contact(address('ada')) ?? {};
			const outcome = await sync.run([named(text, { contact_id: id }), ...people('bob')]);
			expect(json(outcome)[0]).toMatchObject({ action: 'failed', contactId: id });
			expect(removed(outcome)).toEqual([]);
			expect(emails()).toEqual([address('ada'), address('bob')]);
		},
	);

	it('is that person in every operation that puts somebody on a list', async () => {
		const { account } = given;
		const text = 'Ada <ada@example.com>';
		const create = { operation: 'create', ifContactExists: 'create' };
		await account.run(create, [named(text, { country: '85' })]);
		const add = { resource: 'globalUnsubscribe', operation: 'add', emailAddress: text };
		await account.run(add, [{}]);
		const blocked = await account.run({}, [named(text)]);
		expect(json(blocked)).toMatchObject([{ action: 'skipped', reason: 'unsubscribed' }]);
		expect(account.writes().map(([, fields]) => fields)).toMatchObject([
			{ email: 'ada@example.com' },
			{ email_address: 'ada@example.com' },
		]);
	});
});

describe('an ID that cannot be read suspends removals', () => {
	const bob = named('bob@example.com', { crm: '8' });

	/** A sync that knows the external IDs of Ada, 7, and of Bob. */
	async function syncedByExternalId(): Promise<ScheduledSync> {
		const options = { ...removal({ removeAfter: 1 }), externalIdField: 'crm' };
		const sync = new ScheduledSync(given, { options });
		await sync.run([named('ada@example.com', { crm: '7' }), bob]);
		return sync;
	}

	it.each([[['1000001']], ['1000001.0'], ['abc'], [{ id: 1 }]])('Contact ID %j', async (id) => {
		const byId = { matchBy: 'contactId', options: removal({ removeAfter: 1 }) };
		const sync = new ScheduledSync(given, byId);
		await sync.run(people('ada', 'bob'));
		const outcome = await sync.run([
			named('new@example.com', { contact_id: id }),
			...people('bob'),
		]);
		expect(json(outcome)[0]).toMatchObject({ action: 'failed', field: 'Contact ID' });
		expect(actions(outcome)[2]).toEqual(['skipped', address('ada'), notRemoved]);
	});

	it.each([[['7']], [{ id: 7 }], ['########'], ['…'], ['***-**-****'], ['●●●'], ['＃＃＃']])(
		'External ID %j',
		async (id) => {
			const sync = await syncedByExternalId();
			const outcome = await sync.run([named('new@example.com', { crm: id }), bob]);
			expect(json(outcome)[0]).toMatchObject({ action: 'failed', field: 'External ID' });
			expect(actions(outcome)[2]).toEqual(['skipped', address('ada'), notRemoved]);
		},
	);

	it.each([
		['Contact ID', { email: 'new@example.com', contact_id: '1000002.0' }],
		['Contact ID', { email: 'ada@example.com', contact_id: 'abc' }],
		['Email', { email: 'bob @example.com' }],
	])('%s, although the External ID is known: %j', async (field, unreadable) => {
		const byIds = {
			matchBy: 'contactId',
			options: { ...removal({ removeAfter: 1 }), externalIdField: 'crm' },
		};
		const sync = new ScheduledSync(given, byIds);
		const rest = [named('cid@example.com', { crm: '9' })];
		await sync.run([
			named('ada@example.com', { crm: '7' }),
			named('bob@example.com', { crm: '8' }),
			...rest,
		]);
		const outcome = await sync.run([named('', { crm: '7', ...unreadable }), ...rest]);
		expect(json(outcome)[0]).toMatchObject({ action: 'failed', field });
		expect(actions(outcome)[2]).toEqual(['skipped', address('bob'), notRemoved]);
		expect(emails()).toEqual([address('ada'), address('bob'), address('cid')]);
	});

	it('Email, although the Contact ID belongs to nobody', async () => {
		const byId = { matchBy: 'contactId', options: removal({ removeAfter: 1 }) };
		const sync = new ScheduledSync(given, byId);
		await sync.run(people('ada', 'bob'));
		const outcome = await sync.run([
			named('ada @example.com', { contact_id: 1 }),
			...people('bob'),
		]);
		expect(json(outcome)[0]).toMatchObject({ action: 'failed', field: 'Contact ID' });
		expect(actions(outcome)[2]).toEqual(['skipped', address('ada'), notRemoved]);
	});

	it('External ID of an item that fails anyway', async () => {
		const sync = await syncedByExternalId();
		const outcome = await sync.run([
			named('new@example.com; newer@example.com', { crm: ['7'] }),
			bob,
		]);
		expect(actions(outcome)[2]).toEqual(['skipped', address('ada'), notRemoved]);
	});

	it('a number is the same External ID with and without decimals', async () => {
		const byExternalId = { options: { ...removal({ removeAfter: 1 }), externalIdField: 'crm' } };
		const sync = new ScheduledSync(given, byExternalId);
		await sync.run([named('ada@example.com', { crm: 1000004 })]);
		const outcome = await sync.run([named('new@example.com', { crm: '1000004.0' })]);
		expect(json(outcome)).toMatchObject([{ action: 'updated', email: 'new@example.com' }]);
		expect(emails()).toEqual(['new@example.com']);
	});
});

describe('a list that has every record twice', () => {
	it('loses nobody whom a sync has just created', async () => {
		const { sandbox, state } = given.account;
		const all = state.tables.contacts.all.bind(state.tables.contacts);
		state.tables.contacts.all = () => all().flatMap((row) => [row, { ...row }]);
		const sync = new ScheduledSync(given, atOnce);
		const names = Array.from({ length: 20 }, (_, n) => `p${n}`);
		const first = await sync.run(people(...names));
		const second = await sync.run(people(...names));
		state.tables.contacts.all = all;
		expect(json(first).every(({ action }) => action === 'created')).toBe(true);
		expect(json(second).every(({ action }) => action === 'unchanged')).toBe(true);
		expect(emails()).toHaveLength(20);
		expect(sandbox.state.journal.entries.some(({ path }) => /delete/.test(path))).toBe(false);
	});
});

describe('a contact that is listed twice with different facts', () => {
	it.each([
		['deleted, then not', { deleted_at: '2026-01-01T00:00:00Z' }, {}],
		['not deleted, then deleted', {}, { deleted_at: '2026-01-01T00:00:00Z' }],
		['of another type, then of this one', { contact_type_id: 99 }, {}],
	])('%s: only its item fails, and nobody is removed', async (_what, first, second) => {
		const sync = new ScheduledSync(given, atOnce);
		await sync.run(people('ada', 'bob', 'cid'));
		const { contacts } = given.account.state.tables;
		const all = contacts.all.bind(contacts);
		contacts.all = () =>
			all().flatMap((row) =>
				row.email === address('ada')
					? [
							{ ...row, ...first },
							{ ...row, ...second },
						]
					: [row],
			);
		const outcome = await sync.run(people('ada', 'bob', 'dan'));
		contacts.all = all;
		expect(json(outcome).map(({ action }) => action)).toEqual(['failed', 'unchanged', 'created']);
		expect(emails()).toEqual(['ada', 'bob', 'cid', 'dan'].map(address));
	});
});

it('a failure to remove a contact has its own fields, and none of the first item', async () => {
	const sync = new ScheduledSync(given, atOnce);
	await sync.run(people('ada', 'bob'));
	const paths = ['/contacts/bulk-delete', '/contacts/delete'];
	for (const path of paths) {
		given.account.state.faults.add({ kind: 'failed', errors: 'No', times: 9, match: { path } });
	}
	const outcome = await sync.run(people('bob'), { node: { onError: 'continueErrorOutput' } });
	expect(outcome.failed.map(({ json: row }) => row)).toEqual([
		{ error: expect.objectContaining({ action: 'failed', email: address('ada') }) as object },
	]);
});

describe('of several items for one contact, the last one wins that does not fail', () => {
	it.each([
		['an invalid value', { first_name: ['Ada'] }],
		['an unknown country', { country: 'Atlantis' }],
	])('%s', async (_what, wrong) => {
		const outcome = await given.account.run({}, [
			named('ada@example.com', { first_name: 'Augusta' }),
			named('ada@example.com', { first_name: 'Ada' }),
			named('ada@example.com', wrong),
		]);
		expect(json(outcome)).toMatchObject([
			{
				action: 'skipped',
				reason: 'duplicate: item 1 is for the same contact and is used instead',
			},
			{ action: 'created' },
			{ action: 'failed' },
		]);
		expect(given.account.contact('ada@example.com')?.first_name).toBe('Ada');
	});
});

it.each([
	['before', (items: IDataObject[]) => items],
	['after', (items: IDataObject[]) => items.toReversed()],
])("the old email of a contact may be somebody else's: %s it", async (_, inOrder) => {
	const { account } = given;
	const office = account.add('office@example.com', { first_name: 'Ada' });
	const ada = named('ada@example.com', { contact_id: office.id, first_name: 'Ada' });
	const ben = named('office@example.com', { contact_id: '', first_name: 'Ben' });
	const outcome = await account.run({ matchBy: 'contactId' }, inOrder([ada, ben]));
	expect(inOrder(json(outcome))).toMatchObject([
		{ action: 'updated', email: 'ada@example.com' },
		{
			action: 'failed',
			reason: `Email still belongs to contact ${office.id}, whose email another item changes. Once that is written, run the node again`,
		},
	]);
	expect(account.contact('ada@example.com')).toMatchObject({ id: office.id, first_name: 'Ada' });
	const again = await account.run({ matchBy: 'contactId' }, inOrder([ada, ben]));
	expect(inOrder(json(again))).toMatchObject([{ action: 'unchanged' }, { action: 'created' }]);
});

it('an item with the old email of a contact still names whom else it has', async () => {
	const { account } = given;
	const sync = new ScheduledSync(given, { matchBy: 'contactId', ...atOnce });
	await sync.run(people('office', 'carl'));
	const id = account.contact(address('office'))?.id;
	const outcome = await sync.run([
		named('ada@example.com', { contact_id: id }),
		named('office@example.com', { contact_id: '', 'Email 2': address('carl') }),
	]);
	expect(json(outcome)).toMatchObject([{ action: 'updated' }, { action: 'failed' }]);
	expect(removed(outcome)).toEqual([]);
});

it('an item that is skipped supersedes nothing', async () => {
	const byExternalId = { options: { externalIdField: 'crm' } };
	const sync = new ScheduledSync(given, byExternalId);
	await sync.run([named('ada@example.com', { crm: '7' })]);
	given.account.unsubscribe('left@example.com');
	const outcome = await sync.run([
		named('new@example.com', { crm: '7' }),
		named('left@example.com', { contact_id: '', crm: '' }),
	]);
	expect(json(outcome)).toMatchObject([{ action: 'updated' }, { reason: 'unsubscribed' }]);
	const byId = { matchBy: 'contactId' };
	const id = given.account.contact('new@example.com')?.id;
	const chain = await given.account.run(byId, [
		named('new@example.com', { contact_id: id, first_name: 'Ada' }),
		named('left@example.com', { contact_id: id }),
	]);
	expect(json(chain)).toMatchObject([{ action: 'updated' }, { reason: 'unsubscribed' }]);
});

it('whoever is named in any reading in an execution is not removed by it', async () => {
	const names = ['ann', 'bob', 'cid', 'dan'];
	const way = fc.constantFrom<(email: string) => unknown>(
		(email) => email,
		(email) => `Somebody <${email}>`,
		(email) => `mailto:${email}`,
		(email) => `${email}; other@example.com`,
		(email) => `Somebody ${email}`,
		(email) => email.toUpperCase(),
		(email) => [email],
		(email) => email.replace('@', ' at '),
		(email) => `Somebody <${email.replace('@', '\uff20')}>`,
		(email) => `eve@example.com; ${email.replace('@', ' @')}`,
	);
	const writing = fc.record({ name: fc.constantFrom(...names), way });
	const execution = fc.array(fc.array(writing, { maxLength: 3 }), { minLength: 1, maxLength: 3 });
	await fc.assert(
		fc.asyncProperty(fc.array(execution, { minLength: 1, maxLength: 3 }), async (runs) => {
			given.account.reset();
			const sync = new ScheduledSync(given, atOnce);
			await sync.run(people(...names));
			for (const inputs of runs) {
				const before = emails();
				const items = inputs.map((one) => one.map((item) => named(item.way(address(item.name)))));
				// A run in which no item identifies anybody is refused.
				const whole = items.map((one) => [...one, ...people('eve')]);
				const outcomes = await sync.runEach('branches', whole);
				const all = new Set(inputs.flat().map(({ name }) => address(name)));
				expect(removed(...outcomes).filter((email) => all.has(String(email)))).toEqual([]);
				expect(before.filter((email) => all.has(email) && !emails().includes(email))).toEqual([]);
			}
		}),
		{ numRuns: 8 },
	);
});

describe('an address that may be what is left of another one', () => {
	const others = people('cem', 'dan');
	it.each([
		['o’brien@example.com', "o'brien", 'brien'],
		['mary–jane@example.com', 'mary-jane', 'jane'],
		['ann lee@example.com', 'ann.lee', 'lee'],
		['lee@example.com call ann instead', 'ann', 'lee'],
	])('removes nobody: %j', async (text, one, two) => {
		const sync = new ScheduledSync(given, atOnce);
		await sync.run([...people(one, two), ...others]);
		const outcome = await sync.run([named(text), ...people(two), ...others]);
		expect(removed(outcome)).toEqual([]);
		expect(emails()).toContain(address(one));
	});

	it.each(['ada@example', 'ada@.com', 'undefined@undefined', '-ada@example.com'])(
		'adds and removes nobody: %s',
		async (text) => {
			const sync = new ScheduledSync(given, atOnce);
			await sync.run([...people('ada'), ...others]);
			expect(actions(await sync.run([named(text), ...others]))[0]?.[0]).toBe('failed');
			expect(emails()).toEqual(['ada', 'cem', 'dan'].map(address));
		},
	);
});
