import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../scripts/lib/workflow-json.ts';
import { hints, TYPE, json } from '../contacts/support';
import { chosen } from '../rows';
import { GROUP, LEFT, operations, person, skippedRow, unsubscribedAt, useConsent } from './support';

const given = useConsent({ csvContactType: 'sent', csvBadRow: 'skip', emptyLists: 'success' });
const global = 'Global Unsubscribes';
const names = { first_name: 'Ada', last_name: 'Okafor' };
const heldBack = (did: string, rest: IDataObject) => ({
	[did]: false,
	skipped: 'unsubscribed',
	email: LEFT,
	unsubscribedAt,
	unsubscribedFrom: global,
	message: 'Skipped: the address is unsubscribed',
	...rest,
});
const respectingGroup = { options: { unsubscribeGroups: [GROUP] } };
const calls = () => given.account.writes().map(([call]) => call);

test('create: a new contact is not created, and the others are', async () => {
	const outcome = await given.account.run(operations.create, [
		person(LEFT),
		person('new@example.com'),
	]);
	expect(outcome.error).toBeUndefined();
	expect(json(outcome)).toEqual([
		heldBack('created', { contact_type_id: TYPE, ...names }),
		expect.objectContaining({ created: true, email: 'new@example.com' }),
	]);
	expect(outcome.items[0]?.pairedItem).toEqual({ item: 0 });
	expect(hints(outcome)?.map(({ message }) => message)).toEqual(['1 skipped: unsubscribed']);
	expect(calls()).toEqual(['POST /contacts/add']);
	expect(given.account.emails()).toEqual(['new@example.com']);
	expect(given.account.reads()).toEqual(['/global-unsubscribes', '/contacts/list']);
});

test('create: an address that only ends like one on the list is not held back', async () => {
	const outcome = await given.account.run(operations.create, [person(`o'${LEFT}`)]);
	expect(json(outcome)).toMatchObject([{ created: true, email: `o'${LEFT}` }]);
});

test.each(['return', 'fail', 'create'])(
	'create-existing: an existing contact is not written with "%s"',
	async (ifContactExists) => {
		const { account } = given;
		account.add(LEFT, { first_name: 'Ada' });
		const items = [person(LEFT, { first_name: 'Eve' }), person(LEFT, { first_name: 'Zoe' })];
		const outcome = await account.run({ ...operations.create, ifContactExists }, items);
		const held = (first_name: string) =>
			heldBack('created', { contact_type_id: TYPE, ...names, first_name });
		expect(json(outcome)).toEqual([held('Eve'), held('Zoe')]);
		expect(account.writes()).toEqual([]);
		expect(account.contact(LEFT)?.first_name).toBe('Ada');
	},
);

test.each(['return', 'fail'])(
	'alternative-email: an address of a contact that left with its main one is not added with "%s"',
	async (ifContactExists) => {
		const { account } = given;
		account.add(LEFT, { alt_email: 'ada@example.org', contact_type_id: 22 });
		const outcome = await account.run({ ...operations.create, ifContactExists }, [
			person('ADA@example.org'),
			person('ben@example.org'),
		]);
		expect(json(outcome)).toMatchObject([
			{
				...{ created: false, skipped: 'unsubscribed', email: 'ADA@example.org', unsubscribedAt },
				message: 'Skipped: the main address of the contact is unsubscribed',
			},
			{ created: true, email: 'ben@example.org' },
		]);
	},
);

test('create-invalid: an item that is held back needs no valid country', async () => {
	const outcome = await given.account.run(operations.create, [
		person(LEFT, { country: 'Nowhere' }),
	]);
	expect(json(outcome)).toEqual([heldBack('created', { contact_type_id: TYPE, ...names })]);
});

test('update-address: a contact does not get the address', async () => {
	const { account } = given;
	const { id } = account.add('ada@example.com');
	const outcome = await account.run(operations.update, [{ id, email: LEFT }]);
	expect(json(outcome)).toEqual([heldBack('updated', { id })]);
	expect(account.writes()).toEqual([]);
	expect(account.reads()).toEqual(['/contacts/details', '/global-unsubscribes']);
});

test('update-from-address: a contact with the address gets no other one', async () => {
	const { account } = given;
	const { id } = account.add(LEFT);
	const item = person('other@example.com', { id, contact_type_id: TYPE });
	const outcome = await account.run(operations.update, [item]);
	const message = 'Skipped: the current address of the contact is unsubscribed';
	expect(json(outcome)).toEqual([
		heldBack('updated', { id, ...names, email: 'other@example.com', message }),
	]);
	expect(account.writes()).toEqual([]);
});

test('update-from-address: a contact gets no other spelling of the address', async () => {
	const { account } = given;
	account.unsubscribe('ada@münchen.de');
	const { id } = account.add('ada@münchen.de');
	const outcome = await account.run(operations.update, [{ id, email: 'ada@xn--mnchen-3ya.de' }]);
	expect(json(outcome)).toMatchObject([{ updated: false, skipped: 'unsubscribed' }]);
	expect(account.writes()).toEqual([]);
});

test('update-type: a contact with the address is not moved to another contact type', async () => {
	const { account } = given;
	const { id } = account.add(LEFT);
	const free = account.add('free@example.com');
	const outcome = await account.run(operations.update, [
		{ id, contact_type_id: 22 },
		{ id: free.id, contact_type_id: 22 },
	]);
	expect(json(outcome)).toEqual([
		heldBack('updated', {
			id,
			message: 'Skipped: the current address of the contact is unsubscribed',
		}),
		expect.objectContaining({ updated: true, id: free.id }),
	]);
	expect(account.contact(LEFT)?.contact_type_id).toBe(TYPE);
	expect(account.contact('free@example.com')?.contact_type_id).toBe(22);
});

test.each([{ city: 'Bonn' }, { email: 'free@example.com' }, { contact_type_id: 22 }])(
	'update-deleted: a contact that is deleted in the service gets no %j',
	async (values) => {
		const { account } = given;
		const { id } = account.add('ada@example.com', { deleted_at: '2026-03-02T10:00:00.000000Z' });
		const { error } = await account.run(operations.update, [{ id, ...values }]);
		expect(error?.message).toBe(`"Contact" is deleted in the service: ${id}`);
		expect(account.writes()).toEqual([]);
	},
);

test('an update that changes neither address nor contact type reads no list of unsubscribes', async () => {
	const { account } = given;
	const { id } = account.add(LEFT);
	const outcome = await account.run(operations.update, [
		{ id, city: 'Bonn' },
		{ id, email: LEFT.toUpperCase(), contact_type_id: TYPE, first_name: 'Ada' },
	]);
	expect(json(outcome)).toEqual([
		expect.objectContaining({ updated: true, id }),
		expect.objectContaining({ updated: true, id }),
	]);
	expect(account.reads()).toEqual(['/contacts/details', '/contacts/details']);
});

test('an update without a contact is refused before anything is read', async () => {
	const { account } = given;
	const item = person(LEFT, { id: '', contact_type_id: TYPE });
	const { error } = await account.run(operations.update, [item]);
	expect(error?.message).toBe('"Contact" is required but empty');
	expect(account.reads()).toEqual([]);
});

test('add-recipient: a segment gets no recipient', async () => {
	const outcome = await given.account.run(operations.addRecipient, [
		person(LEFT),
		person('new@example.com'),
	]);
	expect(json(outcome)).toEqual([
		heldBack('added', { segment_id: 301, ...names }),
		expect.objectContaining({ added: true, segment_id: 301 }),
	]);
	expect(calls()).toEqual(['POST /segment/email/store']);
	expect(given.account.reads()).toEqual(['/global-unsubscribes']);
});

test('a segment gets none of them, also if they are in it', async () => {
	const { account } = given;
	account.state.tables.segmentRecipients.add({ segment_id: 301, email: LEFT }, 0);
	const outcome = await account.run(operations.syncRecipients, [
		person(LEFT),
		person('new@example.com'),
	]);
	expect(json(outcome)).toEqual([
		{ ...skippedRow(LEFT), segmentId: 301, recipientId: 500001 },
		{
			...{ action: 'added', email: 'new@example.com', reason: 'new' },
			...{ segmentId: 301, recipientId: 500002 },
		},
	]);
	expect(calls()).toEqual(['POST /segment/email/store']);
	const recipients = '/segment/email/list';
	expect(account.reads()).toEqual([recipients, '/global-unsubscribes', recipients]);
});

test.each(['upsert', 'sync'])('sync: %s creates and updates nobody', async (operation) => {
	const { account } = given;
	const { id } = account.add('also.left@example.com');
	account.unsubscribe('also.left@example.com');
	const items = [person(LEFT), person('also.left@example.com', { city: 'Bonn' })];
	const outcome = await account.run({ operation }, items);
	expect(json(outcome)).toEqual([
		skippedRow(LEFT),
		{ ...skippedRow('also.left@example.com'), contactId: id },
	]);
	expect(account.writes()).toEqual([]);
});

test('sync-csv: a sync that imports a file leaves them out of it', async () => {
	const options = { importAbove: 1 };
	const others = ['new1@example.com', 'new2@example.com'];
	await given.account.run(
		{ options },
		[LEFT, ...others].map((email) => person(email)),
	);
	expect(calls()).toEqual(['POST /contacts/upload-csv', 'POST /contacts/upload-csv']);
	expect(given.account.emails()).toEqual(others);
});

test.each([
	{ missing: 'delete' },
	{ missing: 'moveToContactType', missingContactTypeId: chosen(22) },
	{ missing: 'addToUnsubscribeGroup', missingUnsubscribeGroupId: chosen(GROUP) },
])('sync-missing: a contact that is missing from the input stays as it is: %j', async (policy) => {
	const { account } = given;
	account.add(LEFT);
	const parameters = {
		operation: 'sync',
		...policy,
		options: { ...limits({ maxRemovalPercent: 100 }) },
	};
	const outcome = await account.run(parameters, [person('new@example.com')]);
	expect(json(outcome)[1]).toMatchObject(skippedRow(LEFT));
	expect(calls()).toEqual(['POST /contacts/add']);
});

test('sync-missing: nobody is moved with the alternative email of a contact that left', async () => {
	const { account } = given;
	account.add(LEFT, { alt_email: 'ada@example.org', contact_type_id: 23 });
	account.add('ada@example.org');
	const parameters = {
		...{ operation: 'sync', missing: 'moveToContactType', missingContactTypeId: chosen(22) },
		options: { ...limits({ maxRemovalPercent: 100 }) },
	};
	const outcome = await account.run(parameters, [person('new@example.com')]);
	expect(json(outcome)[1]).toMatchObject(skippedRow('ada@example.org'));
	expect(calls()).toEqual(['POST /contacts/add']);
});

test.each(Object.keys(operations) as Array<keyof typeof operations>)(
	'group: %s holds back the recipients of a chosen group, and no others',
	async (name) => {
		const { account } = given;
		account.unsubscribe('topic@example.com', GROUP);
		const { id } = account.add('ada@example.com');
		const outcome = await account.run({ ...operations[name], ...respectingGroup }, [
			person('topic@example.com', { id }),
		]);
		expect(json(outcome)).toEqual([
			expect.objectContaining({
				email: 'topic@example.com',
				unsubscribedFrom: 'Unsubscribe Group 51',
			}),
		]);
		expect(account.writes()).toEqual([]);
		const again = await account.run(operations[name], [person('topic@example.com', { id })]);
		expect(again.error).toBeUndefined();
		expect(calls()).toHaveLength(1);
	},
);

test.each([
	[' LEFT@Example.com ', LEFT],
	['jose\u0301@example.com', 'jos\u00e9@example.com'],
	['a\u200bda@example.com', 'ada@example.com'],
	['ada@müller.example', 'ada@xn--mller-kva.example'],
	['ADA@XN--MLLER-KVA.example', 'ada@Müller.example'],
	['ada@example。com', 'ada@example.com'],
	['mailto:ada@example.com', 'ada@example.com'],
	['<ada@example.com>', 'ada@example.com'],
	['ben@example.com;ada@example.com', 'ada@example.com'],
	['ada@example.com.', 'ada@example.com'],
	['ada@example.com', 'Ada <ada@example.com>'],
	['ada@example.com', 'ben@example.com, ADA@example.com'],
])('spelling: %j is recognized as %j', async (written, unsubscribed) => {
	const { account } = given;
	account.unsubscribe(unsubscribed);
	for (const name of ['create', 'addRecipient', 'syncRecipients'] as const) {
		await account.run(operations[name], [person(written)]);
	}
	await account.run({}, [person(written)]);
	expect(account.writes()).toEqual([]);
});

test('without any list, nothing more is read', async () => {
	const { account } = given;
	const { id } = account.add('ada@example.com');
	const options = { globalUnsubscribes: false };
	const item = person(LEFT, { id, contact_type_id: 22, state: 'x', city: 'x' });
	const every = {
		address_line1: 'x',
		address_line2: 'x',
		state_province_region: 'x',
		postal_code: '1',
	};
	for (const operation of Object.values(operations)) {
		await account.run({ ...operation, options, ifContactExists: 'create' }, [
			{ ...item, ...every },
		]);
	}
	expect(calls()).toEqual([
		'POST /contacts/add',
		'POST /contacts/update',
		'POST /segment/email/store',
	]);
	expect(account.reads()).toEqual(['/segment/email/list']);
});
