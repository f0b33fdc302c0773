import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../scripts/lib/workflow-json.ts';
import { json } from '../contacts/support';
import { chosen } from '../rows';
import { GROUP, neverAdd, operations, person, useConsent } from './support';

const given = useConsent();
const INVISIBLE = 'a\u200bda@example.com';
const PLAIN = 'ada@example.com';
const syncGlobal = { resource: 'globalUnsubscribe', operation: 'syncRecipients' };
const missingToGroup = {
	operation: 'sync',
	missing: 'addToUnsubscribeGroup',
	missingUnsubscribeGroupId: chosen(GROUP),
	options: { ...limits({ maxRemovalPercent: 100 }) },
};
const save = 'POST /global-unsubscribes/save';
const unsubscribed = () =>
	given.account.state.tables.globalUnsubscribes.all().map(({ email_address }) => email_address);

/** Spellings that the service may tell apart, of which one may be on the list. */
const spellings = [
	[INVISIBLE, PLAIN],
	['jose\u0301@example.com', 'jos\u00e9@example.com'],
	['"ada"@example.com', PLAIN],
	['ada@müller.example', 'ada@xn--mller-kva.example'],
	['ada@example。com', PLAIN],
] as const;

test.each(spellings)(
	'other-spelling: Add or Sync adds an address although %j is on the list',
	async (listed, address) => {
		const { account } = given;
		account.unsubscribe(listed);
		for (const action of ['added', 'unchanged']) {
			const outcome = await account.run(syncGlobal, [{ email: address }]);
			expect(json(outcome)).toMatchObject([{ action, email: address }]);
		}
		expect(account.writes()).toEqual([[save, { email_address: address }]]);
	},
);

test.each(spellings)('Add or Sync adds both spellings of two items: %j', async (one, other) => {
	const { account } = given;
	const outcome = await account.run(syncGlobal, [{ email: other }, { email: one }]);
	expect(unsubscribed()).toContain(other);
	expect(json(outcome).map(({ action }) => action)).not.toContain('failed');
	await account.run(syncGlobal, [{ email: one }, { email: other }]);
	expect(account.writes()).toHaveLength(1);
});

test.each([
	syncGlobal,
	{
		...{ resource: 'unsubscribeGroup', operation: 'syncRecipients' },
		unsubscribeGroupId: chosen(GROUP),
	},
])('Add or Sync adds the keyboard spelling of an address that is listed: %j', async (sync) => {
	const { account } = given;
	for (const group of [null, GROUP]) account.unsubscribe('o’brien@example.com', group);
	for (const action of ['added', 'unchanged']) {
		const outcome = await account.run(sync, [{ email: 'o’brien@example.com' }]);
		expect(json(outcome)).toMatchObject([{ action }]);
	}
	expect(account.writes().map(([, fields]) => fields)).toMatchObject([
		{ email_address: "o'brien@example.com" },
	]);
});

test('an invisible character is not sent, so that the address that people write is unsubscribed', async () => {
	const { account } = given;
	await account.run(syncGlobal, [{ email: INVISIBLE }]);
	const again = await account.run(
		{ resource: 'globalUnsubscribe', operation: 'add', emailAddress: INVISIBLE },
		[{}],
	);
	expect(json(again)).toMatchObject([{ added: false, email_address: PLAIN }]);
	const unsubscribeGroupId = chosen(GROUP);
	await account.run(
		{
			...{ resource: 'unsubscribeGroup', operation: 'addRecipient', unsubscribeGroupId },
			emailAddress: `${INVISIBLE}, ${PLAIN}`,
		},
		[{}],
	);
	expect(account.writes()).toEqual([
		[save, { email_address: PLAIN }],
		[
			'POST /unsubscribes-groups/manually-add',
			{ unsubscribe_groups_id: String(GROUP), email_address: PLAIN },
		],
	]);
});

test.each([
	...['ada@example.com*', 'ada@example.com%20', 'ada@example.com\\', 'ada@example.com¹'],
	...['•ada@example.com', '→ada@example.com', 'Ada→ada@example.com'],
])(
	'%j is refused, and whoever is in it is known: nobody is unsubscribed or added',
	async (text) => {
		const { account } = given;
		const add = { resource: 'globalUnsubscribe', operation: 'add', emailAddress: text };
		expect((await account.run(add, [{}])).error?.message).toContain('accepts only email addresses');
		const listed = await account.run(syncGlobal, [{ email: text }]);
		expect(json(listed)).toMatchObject([{ action: 'failed', field: 'Email' }]);
		const contact = await account.run({}, [person(text)]);
		expect(json(contact)).toMatchObject([{ action: 'failed', field: 'Email' }]);
		expect(account.writes()).toEqual([]);
		const { contacts } = account.state.tables;
		const { id } = account.add(text);
		account.unsubscribe(PLAIN);
		const again = await account.run({ matchBy: 'contactId' }, [
			{ contact_id: id, email: 'new@example.com', country: 'DE' },
		]);
		expect(json(again)).toMatchObject([{ action: 'skipped', reason: 'unsubscribed' }]);
		expect(contacts.get(id)?.email).toBe(text);
	},
);

test.each([
	'ａｄａ@example.com',
	'ada@ｅｘａｍｐｌｅ.com',
	'ada@example。com',
	'"ada"@example.com',
])('%j is sent as the address that the service knows', async (text) => {
	const { account } = given;
	const add = { resource: 'globalUnsubscribe', operation: 'add', emailAddress: text };
	await account.run(add, [{}]);
	await account.run(syncGlobal, [{ email: text }]);
	const unsubscribeGroupId = chosen(GROUP);
	await account.run(
		{ resource: 'unsubscribeGroup', operation: 'syncRecipients', unsubscribeGroupId },
		[{ email: text }],
	);
	const sent = account.writes().map(([, fields]) => (fields as IDataObject).email_address);
	expect(sent).toEqual([PLAIN, PLAIN]);
});

test('an address is unsubscribed although the list cannot be read', async () => {
	const { account } = given;
	account.state.faults.add({ kind: 'failed', times: 99, match: { path: '/global-unsubscribes' } });
	const add = { resource: 'globalUnsubscribe', operation: 'add', emailAddress: PLAIN };
	expect(json(await account.run(add, [{}]))).toMatchObject([{ added: true }]);
	expect(account.writes()).toEqual([[save, { email_address: PLAIN }]]);
});

test('a lost addition is not found in another spelling', async () => {
	const { account } = given;
	account.unsubscribe(INVISIBLE);
	account.state.faults.add({ kind: 'reset-before', match: { path: '/global-unsubscribes/save' } });
	const outcome = await account.run(syncGlobal, [{ email: PLAIN }]);
	expect(json(outcome)).toMatchObject([{ action: 'failed', email: PLAIN }]);
});

test('a missing contact is added to a group that has another spelling of its address', async () => {
	const { account } = given;
	const { id } = account.add(PLAIN);
	account.unsubscribe(INVISIBLE, GROUP);
	account.add('new@example.com');
	const outcome = await account.run(missingToGroup, [person('new@example.com')]);
	expect(json(outcome)).toContainEqual(
		expect.objectContaining({ action: 'addedToGroup', contactId: id, email: PLAIN }),
	);
});

test.each([
	...['o’brien@example.com', 'ada@my_host.example.com', 'ada@paral·lel.cat'],
	...['col·legi@example.cat', 'ada@日本・語.jp'],
])(
	'the rare address %j is unsubscribed, updated, found by Never Add, and deleted',
	async (text) => {
		const { account } = given;
		const { id } = account.add(text);
		const update = { operation: 'update', contactId: String(id) };
		const changed = await account.run(update, [{ email: text, city: 'Berlin' }]);
		expect(changed.error).toBeUndefined();
		const add = {
			resource: 'globalUnsubscribe',
			operation: 'add',
			emailAddress: `${text}, b@c.de`,
		};
		expect((await account.run(add, [{}])).error).toBeUndefined();
		expect(unsubscribed()).toEqual(
			expect.arrayContaining([text, text.replace('’', "'"), 'b@c.de']),
		);
		const again = await account.run(syncGlobal, [{ email: text }]);
		expect(json(again)).toMatchObject([{ action: 'unchanged', email: text }]);
		const erase = { resource: 'person', operation: 'erase', person: chosen(text, 'email') };
		expect(json(await account.run(erase, [{}]))).toMatchObject([{ wouldDelete: 1, open: 0 }]);
		const byId = { resource: 'person', operation: 'erase', person: String(id) };
		expect(json(await account.run(byId, [{}]))).toMatchObject([{ wouldDelete: 1, open: 0 }]);
		const guarded = await account.run({ options: neverAdd(text) }, [person(text)]);
		expect(guarded.error).toBeUndefined();
		expect(json(guarded)).toMatchObject([{ action: 'skipped' }]);
		const removed = await account.run({ operation: 'delete', contactId: chosen(text, 'email') }, [
			{},
		]);
		expect(removed.error).toBeUndefined();
		expect(account.state.tables.contacts.get(id)?.deleted_at ?? 'gone').toBeTruthy();
	},
);

test('whoever unsubscribed with the apostrophe of a word processor is known by that of keyboards', async () => {
	const { account } = given;
	const [usual, written] = ["o'brien@example.com", 'o’brien@example.com'];
	const add = { resource: 'globalUnsubscribe', operation: 'add', emailAddress: written };
	await account.run(add, [{}]);
	expect(unsubscribed().slice(-2)).toEqual([usual, written]);
	const created = await account.run(operations.create, [person(usual)]);
	expect(json(created)).toMatchObject([{ created: false, skipped: 'unsubscribed' }]);
	const { id } = account.add(usual);
	const erase = { resource: 'person', operation: 'erase', person: chosen(written, 'email') };
	expect(json(await account.run(erase, [{}]))).toMatchObject([{ wouldDelete: 1 }]);
	const update = { operation: 'update', contactId: String(id), options: neverAdd(written) };
	const updated = await account.run(update, [{ contact_type_id: 22 }]);
	expect(json(updated)).toMatchObject([{ updated: false }]);
});

test('an unsubscribe that was added in two spellings is deleted in both', async () => {
	const { account } = given;
	const written = 'o’brien@example.com';
	const before = unsubscribed();
	const on = { resource: 'globalUnsubscribe' };
	await account.run({ ...on, operation: 'add', emailAddress: written }, [{}]);
	const one = { ...on, operation: 'delete', globalUnsubscribeId: chosen(written, 'email') };
	const { error } = await account.run(one, [{}]);
	expect(error?.message).toContain('is ambiguous: 2 records have the email');
	expect(error?.description).toContain('To delete all of them, use "Delete Many"');
	const all = { ...on, operation: 'deleteMany', globalUnsubscribeIds: [written] };
	expect((await account.run(all, [{}])).error).toBeUndefined();
	expect(unsubscribed()).toEqual(before);
});

test('of two contacts whose addresses differ in spelling, the one with the given one is deleted', async () => {
	const { account } = given;
	const [, written] = ["o'brien@example.com", 'o’brien@example.com'].map((one) => account.add(one));
	const remove = { operation: 'delete', contactId: chosen('O’Brien@example.com', 'email') };
	expect(json(await account.run(remove, [{}]))).toMatchObject([{ deleted: true, id: written?.id }]);
});

test('Add or Sync adds an apostrophe in both spellings, and removes neither', async () => {
	const { account } = given;
	const [usual, written] = ["o'brien@example.com", 'o’brien@example.com'];
	const mirror = {
		...{ ...syncGlobal, missing: 'delete', allowsEmailAgain: true },
		options: { removal: { limits: { removeAfter: 1, maxRemovalPercent: 100 } } },
	};
	for (const email of [written, usual, written]) {
		await account.run(mirror, [{ email }, { email: 'ben@example.com' }]);
		expect(unsubscribed()).toEqual(expect.arrayContaining([usual, written]));
	}
	expect(account.writes()).toHaveLength(1);
});

test.each(['mary\u2011jane@example.com', 'mary–jane@example.com', '張・三@example.com'])(
	'the stored address %j, which nobody new may have, is updated, found, erased and deleted',
	async (stored) => {
		const { account } = given;
		const person = (operation: string, value: string, mode: string) => ({
			...{ resource: 'person', operation, person: chosen(value, mode) },
			...(operation === 'erase' && { dryRun: false }),
		});
		const { id } = account.add(stored);
		const update = { operation: 'update', contactId: String(id) };
		const changed = await account.run(update, [{ email: stored, city: 'Berlin' }]);
		expect(json(changed)).toMatchObject([{ updated: true }]);
		const found = await account.run(person('find', stored, 'email'), [{}]);
		expect(json(found)).toMatchObject([{ found: true, contacts: 1 }]);
		const remove = { operation: 'delete', contactId: chosen(stored, 'email') };
		expect(json(await account.run(remove, [{}]))).toMatchObject([{ deleted: true }]);
		const { id: next } = account.add(stored);
		const removeMany = { operation: 'deleteMany', contactIds: [stored] };
		expect(json(await account.run(removeMany, [{}]))).toMatchObject([{ ids: [next] }]);
		for (const mode of ['email', 'id']) {
			const value = mode === 'id' ? String(account.add(stored).id) : stored;
			if (mode === 'email') account.add(stored);
			const erased = await account.run(person('erase', value, mode), [{}]);
			expect(json(erased)).toMatchObject([{ isComplete: true, deleted: 1 }]);
		}
		const nobody = await account.run(person('find', `x${stored}`, 'email'), [{}]);
		expect(nobody.error?.message).toContain('"Person" is not an email address');
	},
);

test('whoever unsubscribed is updated with a spelling of the email that is not sent', async () => {
	const { account } = given;
	const { id } = account.add("o'brien@example.com");
	account.unsubscribe("o'brien@example.com");
	const update = { operation: 'update', contactId: String(id) };
	const outcome = await account.run(update, [{ email: 'o’brien@example.com', city: 'Berlin' }]);
	expect(json(outcome)).toMatchObject([{ updated: true }]);
	expect(account.writes()).toMatchObject([[expect.any(String), { email: "o'brien@example.com" }]]);
});

test('the email of a contact is not changed to one that no new contact may have', async () => {
	const { account } = given;
	const { id } = account.add(PLAIN);
	const update = { operation: 'update', contactId: String(id) };
	const outcome = await account.run(update, [{ email: 'o’brien@example.com' }]);
	expect(outcome.error?.message).toContain('is not an email address');
	expect(account.writes()).toEqual([]);
});

test.each([
	['jose\u0301@example.com', 'jos\u00e9@example.com'],
	['"eve"@example.com', 'eve@example.com'],
])('whoever is stored as %j is kept off lists in that spelling, too', async (stored, usual) => {
	const { account } = given;
	account.add(stored);
	account.add('new@example.com');
	for (const action of ['addedToGroup', 'unchanged']) {
		const outcome = await account.run(missingToGroup, [person('new@example.com')]);
		expect(json(outcome)).toContainEqual(expect.objectContaining({ action, email: stored }));
	}
	const erase = { resource: 'person', operation: 'erase', dryRun: false };
	const erased = await account.run({ ...erase, person: chosen(usual, 'email') }, [{}]);
	expect(json(erased)).toMatchObject([{ isComplete: true, globalUnsubscribe: 'added' }]);
	const sent = account.writes().map(([, fields]) => (fields as IDataObject).email_address);
	expect(sent.filter((one) => one !== undefined)).toEqual(
		Array<string>(2).fill(`${usual},${stored}`),
	);
});

test('two contacts with one address are both added to a group in their spellings', async () => {
	const { account } = given;
	for (const stored of ['eve@example.com', '"eve"@example.com', 'EVE@example.com'])
		account.add(stored);
	account.add('new@example.com');
	const outcome = await account.run(missingToGroup, [person('new@example.com')]);
	const actions = json(outcome).map(({ action }) => action);
	expect(actions.slice(1)).toEqual(['addedToGroup', 'addedToGroup', 'skipped']);
});
