import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { hints } from '../contacts/support';
import { contact, globalUnsubscribe, groupRecipient, sender } from '../records';
import { chosen } from '../rows';
import { del, multipart, useService } from '../sandbox';
import { plantEverywhere } from './everywhere';

jest.mock('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('../faults/pauses').withoutPauses(),
);

const test = useService({ segmentCounts: 'recipients', duplicateEmail: 'allow', deletes: 'gone' });
const EVE = 'eve@example.com';
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown;

const run = async (email: string, parameters: IDataObject = {}, rest = {}) =>
	await test.service.run(
		{ resource: 'person', operation: 'erase', person: chosen(email, 'email'), ...parameters },
		rest,
	);
const erase = async (email: string, options: IDataObject = {}, rest = {}) =>
	await run(email, { dryRun: false, options }, rest);

const writes = () => test.service.sent().filter(({ method }) => method !== 'GET');
const deletions = [
	del('/contacts/delete', { contact_id: '7' }),
	del('/segment/email/delete', { segment_recipient_id: '8' }),
	del('/notification-recipient/delete', { id: '11' }),
	del('/unsubscribes-groups/recipients-delete', { id: '9' }),
];
const receiptOf = (error: unknown) => (error as IDataObject).receipt as IDataObject;
const outcomes = ({ records }: IDataObject) =>
	(records as IDataObject[]).map(({ recordType, outcome }) => `${recordType} ${outcome}`);

afterEach(() => jest.restoreAllMocks());

it('returns a plan and writes nothing unless Dry Run is turned off', async () => {
	plantEverywhere(test.service.state.tables, EVE);
	const outcome = await run(EVE);
	const { items } = outcome;
	expect(writes()).toEqual([]);
	expect(hints(outcome)?.map(({ message }) => message)).toEqual([
		'Dry run: nothing was written. Records to delete: 4. To delete them, turn off "Dry Run".',
	]);
	expect(items[0]?.json).toMatchObject({
		...{ email: EVE, dryRun: true, isComplete: false, found: 6, wouldDelete: 4, kept: 2, open: 0 },
		globalUnsubscribe: 'alreadyListed',
	});
	expect(outcomes(items[0]?.json ?? {})).toEqual([
		...['contact', 'segmentRecipient', 'unsubscribeGroupRecipient'].map(
			(one) => `${one} wouldDelete`,
		),
		...['globalUnsubscribe kept', 'notificationRecipient wouldDelete', 'sender kept'],
	]);
});

it('warns of people of whom nothing was found', async () => {
	const planned = await run(EVE);
	expect(hints(planned)?.map(({ message }) => message)).toEqual([
		'Dry run: nothing was written. Records to delete: 0.',
		'Nothing was found for eve@example.com. Check the spelling.',
	]);
	const erased = await erase(EVE, { hideAddress: true, tombstoneKey: 'key' });
	expect(hints(erased)?.map(({ message }) => message)).toEqual([
		'Nothing was found for item 0. Check the spelling.',
	]);
});

it('erases without a reference that an expression does not find, and says which items were only planned', async () => {
	plantEverywhere(test.service.state.tables, EVE);
	const outcome = await run(
		EVE,
		{ dryRun: '={{ $json.isOnlyPlanned }}', options: { reference: '={{ $json.reference }}' } },
		{ items: [{ json: { isOnlyPlanned: false } }, { json: { isOnlyPlanned: true } }] },
	);
	expect(outcome.error).toBeUndefined();
	expect(outcome.items.map(({ json }) => [json.dryRun, json.deleted, json.reference])).toEqual([
		[false, 4, undefined],
		[true, undefined, undefined],
	]);
	expect(hints(outcome)?.map(({ message }) => message)).toEqual([
		'Dry run for 1 of 2 items: nothing was written for these. Records to delete: 4. To delete them, turn off "Dry Run".',
	]);
});

it('suppresses first, deletes second, and reads all lists again third', async () => {
	const { tables } = test.service.state;
	plantEverywhere(tables, 'Eve@Example.com');
	tables.globalUnsubscribes.remove(10);
	const { items, error } = await erase(EVE, { reference: ' 2026-117 ' });
	expect(error).toBeUndefined();
	expect(test.service.violations()).toEqual([]);
	const methods = test.service.sent().map(({ method }) => method);
	expect(methods).toEqual([
		...Array<string>(8).fill('GET'),
		...['POST', 'GET', 'DELETE', 'DELETE', 'DELETE', 'DELETE'],
		...Array<string>(8).fill('GET'),
	]);
	const [added, ...deleted] = writes();
	expect(added).toEqual(multipart('/global-unsubscribes/save', { email_address: EVE }));
	expect(deleted).toEqual(deletions);
	expect(items).toEqual([
		{
			json: {
				...{ email: EVE, reference: '2026-117', dryRun: false, isComplete: true },
				...{ startedAt: time, finishedAt: time, found: 5, deleted: 4, kept: 1, open: 0 },
				globalUnsubscribe: 'added',
				records: [
					{
						...{ recordType: 'contact', list: 'Subscribers', listId: 22, id: 7 },
						...{ outcome: 'deleted', verifiedGone: true },
					},
					expect.objectContaining({ recordType: 'segmentRecipient', verifiedGone: true }),
					expect.objectContaining({ recordType: 'unsubscribeGroupRecipient', verifiedGone: true }),
					expect.objectContaining({ recordType: 'notificationRecipient', verifiedGone: true }),
					{
						...{ recordType: 'sender', list: 'Senders', id: 12, outcome: 'kept' },
						reason: 'senders are only deleted with "Delete Senders"',
					},
				],
				notReached: expect.arrayContaining([expect.stringContaining('Executions')]) as unknown,
			},
			pairedItem: { item: 0 },
		},
	]);
});

it('has nothing left to do for the same item again', async () => {
	plantEverywhere(test.service.state.tables, EVE);
	await erase(EVE);
	test.service.state.journal.clear();
	const { items } = await erase(EVE);
	expect(writes()).toEqual([]);
	expect(items[0]?.json).toMatchObject({ isComplete: true, found: 2, deleted: 0, kept: 2 });
});

it('deletes the unsubscribes last, and senders, where that is chosen', async () => {
	plantEverywhere(test.service.state.tables, EVE);
	const { items } = await erase(EVE, { removeUnsubscribes: true, deleteSenders: true });
	const [group] = deletions.slice(-1);
	expect(writes().slice(0, -1)).toEqual([
		...deletions.slice(0, -1),
		del('/sender/delete', { sender_id: '12' }),
		group,
	]);
	expect(writes().at(-1)).toEqual(del('/global-unsubscribes/delete', { id: '10' }));
	expect(items[0]?.json).toMatchObject({
		...{ isComplete: true, deleted: 6, kept: 0, globalUnsubscribe: 'notChosen' },
	});
});

it("leaves what may be somebody else's, and says so", async () => {
	const { tables } = test.service.state;
	const { fullname: _, ...person } = contact;
	const shared = `${EVE}, bob@example.com`;
	tables.contacts.put({ ...person, country: 85, id: 7, email: shared });
	tables.contacts.put({ ...person, country: 85, id: 8, email: 'dan@example.com', alt_email: EVE });
	tables.senders.put({ ...sender, id: 9, reply_to_email: EVE });
	const { error } = await erase(EVE, { deleteSenders: true });
	expect(error?.message).toBe('The erasure is incomplete: 3 steps are left');
	expect(error?.description).toContain(
		'Contacts, ID 7 (Customers): its field contains more than this address, so it may also belong to somebody else',
	);
	expect(writes().map(({ path }) => path)).toEqual(['/global-unsubscribes/save']);
	expect(outcomes(receiptOf(error?.context.report))).toEqual([
		...['contact open', 'contact open', 'sender open'],
	]);
});

it("deletes an entry of the global list there, since its ID may be somebody else's in its group", async () => {
	const { globalUnsubscribes, groupRecipients } = test.service.state.tables;
	const entry = { ...globalUnsubscribe, id: 7, email_address: EVE, unsubscribe_groups_id: 51 };
	globalUnsubscribes.put(entry as never);
	groupRecipients.put({ ...groupRecipient, id: 7, email_address: 'bob@example.com' });
	groupRecipients.put({ ...groupRecipient, id: 8, email_address: EVE });
	const { items } = await erase(EVE, { removeUnsubscribes: true });
	expect(items[0]?.json).toMatchObject({ isComplete: true, deleted: 2 });
	expect(writes()).toEqual([
		del('/unsubscribes-groups/recipients-delete', { id: '8' }),
		del('/global-unsubscribes/delete', { id: '7' }),
	]);
});

it('adds every spelling that is not listed, since the service matches plain addresses', async () => {
	const { tables } = test.service.state;
	const { fullname: _, ...person } = contact;
	tables.contacts.put({ ...person, country: 85, id: 7, email: 'eve@exämple.com' });
	tables.globalUnsubscribes.put({
		...{ ...globalUnsubscribe, id: 10, email_address: 'eve@xn--exmple-cua.com' },
	});
	await erase('Eve@EXÄMPLE.com');
	expect(writes()).toEqual([
		multipart('/global-unsubscribes/save', { email_address: 'Eve@EXÄMPLE.com' }),
		del('/contacts/delete', { contact_id: '7' }),
	]);
});

it('adds an address that is listed with something around it only, before it deletes anything', async () => {
	const { tables } = test.service.state;
	plantEverywhere(tables, EVE);
	const entry = { ...globalUnsubscribe, id: 10, email_address: 'Eve <eve@example.com>' };
	tables.globalUnsubscribes.put(entry);
	const fault = { kind: 'reset-before', match: { method: 'POST' } } as const;
	test.service.fault(fault);
	const { error } = await erase(EVE);
	expect(receiptOf(error?.context.report)).toMatchObject({
		deleted: 0,
		globalUnsubscribe: 'notAdded',
	});
	test.service.state.journal.clear();
	await erase(EVE);
	expect(writes()).toEqual([
		multipart('/global-unsubscribes/save', { email_address: EVE }),
		...deletions,
	]);
});

it('deletes nothing if the list has the address with something around it only, whatever the service said', async () => {
	const { tables } = test.service.state;
	plantEverywhere(tables, EVE);
	const entry = { ...globalUnsubscribe, id: 10, email_address: 'Eve <eve@example.com>' };
	tables.globalUnsubscribes.put(entry);
	jest.spyOn(tables.globalUnsubscribes, 'add').mockReturnValue(entry as never);
	const { error } = await erase(EVE);
	expect(receiptOf(error?.context.report)).toMatchObject({
		...{ isComplete: false, deleted: 0, globalUnsubscribe: 'notAdded' },
	});
	expect(error?.description).toContain('Global Unsubscribes: the service does not list it');
	expect(writes().map(({ path }) => path)).toEqual(['/global-unsubscribes/save']);
});

it('keeps an entry of a group that does not list it, if the service adds no other', async () => {
	const { tables } = test.service.state;
	plantEverywhere(tables, EVE);
	const entry = { ...globalUnsubscribe, id: 10, email_address: EVE, unsubscribe_groups_id: 99 };
	tables.globalUnsubscribes.put(entry as never);
	jest.spyOn(tables.globalUnsubscribes, 'add').mockReturnValue(entry as never);
	expect((await erase(EVE)).items[0]?.json).toMatchObject({ isComplete: true, deleted: 4 });
	expect(writes().slice(1)).toEqual(deletions);
	const { items } = await erase(EVE, { removeUnsubscribes: true });
	expect(items[0]?.json).toMatchObject({ isComplete: true, deleted: 1 });
	expect(writes().at(-1)).toEqual(del('/global-unsubscribes/delete', { id: '10' }));
});

it('adds an address that is listed as deleted only, before it deletes anything', async () => {
	const { tables } = test.service.state;
	plantEverywhere(tables, EVE);
	const entry = { ...globalUnsubscribe, id: 10, email_address: EVE, deleted_at: '2026-03-02' };
	tables.globalUnsubscribes.put(entry);
	const { items } = await erase(EVE);
	expect(writes()).toEqual([
		multipart('/global-unsubscribes/save', { email_address: EVE }),
		...deletions,
	]);
	expect(items[0]?.json).toMatchObject({ isComplete: true, globalUnsubscribe: 'added' });
});

it('puts a tombstone into the receipt, in place of the address if that is chosen', async () => {
	const hash = (text: string) => createHmac('sha256', 'my key').update(text).digest('hex');
	const tombstone = `${hash('').slice(0, 8)}-${hash(EVE)}`;
	const options = { tombstoneKey: 'my key' };
	expect((await erase('EVE@example.com', options)).items[0]?.json).toMatchObject({
		...{ email: 'EVE@example.com', tombstone },
	});
	const { json = {} } = (await erase(EVE, { ...options, hideAddress: true })).items[0] ?? {};
	expect(json).toMatchObject({ tombstone, isComplete: true });
	expect(JSON.stringify(json)).not.toContain(EVE);
	const { error } = await erase(EVE, { hideAddress: true });
	expect(error?.message).toBe('"Tombstone Key" is required but empty');
	const empty = await erase(EVE, { tombstoneKey: '={{ $json.none }}' });
	expect(empty.error?.message).toBe('"Tombstone Key" contains an expression that returned nothing');

	plantEverywhere(test.service.state.tables, EVE);
	const path = '/segment/email/delete';
	const errors = 'Locked: eve%40example.com, EVE@example.com';
	test.service.fault({ kind: 'failed', match: { path }, errors });
	const incomplete = await run(
		'',
		{
			person: chosen('7', 'id'),
			dryRun: false,
			options: { ...options, hideAddress: true },
		},
		{ node: { onError: 'continueErrorOutput' } },
	);
	expect(JSON.stringify(incomplete.failed)).not.toMatch(/eve(?:@|%40)example/i);
	expect(JSON.stringify(incomplete.failed)).toContain('Locked: ***, ***');
	expect(JSON.stringify(incomplete.failed)).toContain('Run the node again with the email of this');
});

it('deletes nothing of a person whose address cannot be suppressed, and finishes later', async () => {
	const { tables } = test.service.state;
	plantEverywhere(tables, EVE);
	tables.globalUnsubscribes.remove(10);
	const path = '/global-unsubscribes/save';
	test.service.fault({ kind: 'failed', match: { path }, errors: 'Not now' });
	const { failed } = await erase(EVE, {}, { node: { onError: 'continueErrorOutput' } });
	expect(writes().map((one) => one.path)).toEqual([path]);
	const [item] = failed;
	expect(receiptOf(item?.json.error)).toMatchObject({
		...{ isComplete: false, deleted: 0, open: 4, globalUnsubscribe: 'notAdded' },
	});
	expect((await erase(EVE)).items[0]?.json).toMatchObject({ isComplete: true, deleted: 4 });
});

it('deletes nothing of a person for whom the list cannot be read again', async () => {
	const { tables } = test.service.state;
	plantEverywhere(tables, EVE);
	tables.globalUnsubscribes.remove(10);
	const match = { method: 'GET', path: '/global-unsubscribes' };
	test.service.fault({ kind: 'failed', match, errors: 'Not now', skip: 1, times: 9 });
	const { error } = await erase(EVE);
	expect(error?.message).toContain('The erasure is incomplete');
	expect(writes().map(({ path }) => path)).toEqual(['/global-unsubscribes/save']);
});

it('says what is done and what is open after a failure in the middle, and finishes later', async () => {
	plantEverywhere(test.service.state.tables, EVE);
	const path = '/segment/email/delete';
	test.service.fault({ kind: 'failed', match: { path }, errors: 'Locked' });
	const { error } = await erase(EVE);
	expect(error?.message).toBe('The erasure is incomplete: one step is left');
	expect(error?.description).toMatch(
		/^Left: Segments, ID 8 \(Recent customers\): .*Locked.* Run the node again with the same item: it continues with what is left\./,
	);
	expect(receiptOf(error?.context.report)).toMatchObject({ deleted: 3, open: 1 });
	expect((await erase(EVE)).items[0]?.json).toMatchObject({ isComplete: true, deleted: 1 });
});

describe('if n8n runs the node again', () => {
	const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

	it('continues with a person chosen by an ID, whose contact is gone by then', async () => {
		plantEverywhere(test.service.state.tables, EVE);
		const path = '/segment/email/delete';
		test.service.fault({ kind: 'failed', match: { path }, errors: 'Locked' });
		const parameters = { resource: 'person', operation: 'erase', dryRun: false };
		const { items, error } = await test.service.run(
			{ ...parameters, person: chosen('7', 'id') },
			{ node },
		);
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ isComplete: true });
		expect(test.service.calls().filter((call) => call === 'GET /contacts/details')).toHaveLength(1);
	});

	it('continues with an address that nobody new may have, which is on no list by then', async () => {
		const { tables } = test.service.state;
		plantEverywhere(tables, '-ada@example.com');
		const match = { path: '/contacts/list' };
		test.service.fault({ kind: 'status', status: 403, match, skip: 2 });
		const options = { removeUnsubscribes: true, deleteSenders: true };
		const { items, error } = await erase('-ada@example.com', options, { node });
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ isComplete: true });
	});

	it('still has the receipts of those whom the first try erased', async () => {
		const { tables } = test.service.state;
		plantEverywhere(tables, EVE);
		const { fullname: _, ...person } = contact;
		tables.contacts.put({
			...person,
			country: 85,
			id: 107,
			email: 'dan@example.com, x@example.com',
		});
		const emails = [EVE, 'dan@example.com'];
		const { error } = await run(
			'={{ $json.email }}',
			{ dryRun: false },
			{
				items: emails.map((email) => ({ json: { email } })),
				node,
			},
		);
		expect(error?.context.report).toMatchObject({
			receiptsOfOthers: [{ isComplete: true, deleted: 4 }],
		});
	});

	it('still has them in the error items if no list can be read by then', async () => {
		const { tables } = test.service.state;
		plantEverywhere(tables, EVE);
		test.service.fault({ kind: 'failed', match: { path: '/contacts/delete' }, errors: 'Locked' });
		const match = { path: '/contacts/list' };
		test.service.fault({ kind: 'status', status: 403, match, skip: 2, times: 9 });
		const { failed } = await run(
			EVE,
			{ dryRun: false },
			{ node: { ...node, onError: 'continueErrorOutput' } },
		);
		expect(failed[0]?.json.error).toMatchObject({
			unreadLists: ['Contacts'],
			receipt: { email: EVE, isComplete: false, deleted: 3 },
		});
	});

	it('still has them if no list can be read by then', async () => {
		const { tables } = test.service.state;
		plantEverywhere(tables, EVE);
		const { fullname: _, ...person } = contact;
		const email = 'dan@example.com, x@example.com';
		tables.contacts.put({ ...person, country: 85, id: 107, email });
		const match = { path: '/contacts/list' };
		test.service.fault({ kind: 'status', status: 403, match, skip: 2, times: 9 });
		const items = [EVE, 'dan@example.com'].map((one) => ({ json: { email: one } }));
		const { error } = await run('={{ $json.email }}', { dryRun: false }, { items, node });
		expect(error?.context.report).toMatchObject({
			unreadLists: ['Contacts'],
			receipt: { email: 'dan@example.com', isComplete: false },
			receiptsOfOthers: [{ email: EVE, isComplete: true, deleted: 4 }],
		});
	});
});

it('keeps the unsubscribe of a person whom one of two items keeps off lists', async () => {
	const { globalUnsubscribes } = test.service.state.tables;
	globalUnsubscribes.put({ ...globalUnsubscribe, id: 10, email_address: EVE });
	const items = [
		{ json: { email: EVE, also: true } },
		{ json: { email: EVE.toUpperCase(), also: false } },
	];
	const options = { removeUnsubscribes: '={{ $json.also }}' };
	await run('={{ $json.email }}', { dryRun: false, options }, { items });
	expect(globalUnsubscribes.get(10)).toBeDefined();
});

it('still keeps it when n8n runs the node again', async () => {
	const { globalUnsubscribes } = test.service.state.tables;
	globalUnsubscribes.put({ ...globalUnsubscribe, id: 10, email_address: EVE });
	const items = [false, true].map((also) => ({ json: { email: EVE, also } }));
	const options = { removeUnsubscribes: '={{ $json.also }}' };
	const planned = await run('={{ $json.email }}', { options }, { items });
	expect(outcomes(planned.items[1]?.json ?? {})).toEqual(['globalUnsubscribe open']);
	const node = {
		...{ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		onError: 'continueErrorOutput' as const,
	};
	const { failed } = await run('={{ $json.email }}', { dryRun: false, options }, { items, node });
	expect(failed).toHaveLength(1);
	expect(globalUnsubscribes.get(10)).toBeDefined();
	expect(writes()).toEqual([]);
});

it('takes nothing for gone that it cannot read again', async () => {
	plantEverywhere(test.service.state.tables, EVE);
	const match = { path: '/contacts/list' };
	test.service.fault({ kind: 'status', status: 403, match, skip: 1 });
	const { error } = await erase(EVE);
	expect(receiptOf(error?.context.report)).toMatchObject({ deleted: 0, open: 4 });
	expect(error?.description).toContain('not confirmed as deleted: Contacts could not be read');
});

it('accepts records that the service keeps and marks as deleted', async () => {
	const { state } = test.service;
	state.settings.deletes = 'kept';
	plantEverywhere(state.tables, EVE);
	expect((await erase(EVE)).items[0]?.json).toMatchObject({ isComplete: true, deleted: 4 });
	expect((await erase(EVE)).items[0]?.json).toMatchObject({ isComplete: true, deleted: 0 });
});

it('refuses an item before anything is written for another', async () => {
	plantEverywhere(test.service.state.tables, EVE);
	const items = [{ json: { email: EVE } }, { json: { email: 'nobody' } }];
	const { error } = await erase('={{ $json.email }}', {}, { items });
	expect(error?.message).toBe('"Person" is not an email address: "nobody" [item 1]');
	expect(test.service.sent()).toEqual([]);
});

it.each(['gone', 'kept'] as const)(
	'does not repeat a completed erasure in another try of the node: %s',
	async (deletes) => {
		test.service.state.settings.deletes = deletes;
		plantEverywhere(test.service.state.tables, EVE);
		const match = { path: '/segment/email/delete' };
		plantEverywhere(test.service.state.tables, 'dan@example.com', 17);
		test.service.fault({ kind: 'failed', match, errors: 'Locked', skip: 1 });
		const items = [EVE, 'dan@example.com'].map((email) => ({ json: { email } }));
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const outcome = await erase('={{ $json.email }}', {}, { items, node });
		expect(outcome.error).toBeUndefined();
		expect(outcome.items.map(({ json }) => [json.email, json.deleted])).toEqual([
			[EVE, 4],
			['dan@example.com', 4],
		]);
		const { json = {} } = outcome.items[1] ?? {};
		expect(json).toMatchObject({ isComplete: true, found: 6, kept: 2 });
		expect(outcomes(json).filter((one) => one.endsWith(' deleted'))).toHaveLength(4);
	},
);

describe('Delete Unsubscribes Too keeps them while other records are left:', () => {
	const { fullname: _, ...person } = contact;
	const plant = (email = EVE) => {
		const { tables } = test.service.state;
		tables.contacts.put({ ...person, country: 85, id: 7, email });
		tables.globalUnsubscribes.put({ ...globalUnsubscribe, id: 10, email_address: EVE });
		tables.groupRecipients.put({ ...groupRecipient, id: 9, email_address: EVE });
	};
	const keptIn = (records: unknown) =>
		(records as IDataObject[])
			.filter(({ reason }) =>
				/^kept, because other records of the person are left/.test(String(reason)),
			)
			.map(({ recordType }) => recordType);
	const expectKept = async () => {
		const { error } = await erase(EVE, { removeUnsubscribes: true });
		expect(error?.context.code).toBe('erasure-incomplete');
		const { records } = receiptOf(error?.context.report);
		expect(keptIn(records)).toEqual(['unsubscribeGroupRecipient', 'globalUnsubscribe']);
		const { tables } = test.service.state;
		expect(tables.globalUnsubscribes.get(10)).toBeDefined();
		expect(tables.groupRecipients.get(9)).toBeDefined();
	};

	it('a contact that cannot be deleted', async () => {
		plant();
		const match = { path: '/contacts/delete' };
		test.service.fault({ kind: 'failed', match, errors: 'Locked' });
		await expectKept();
	});

	it('a contact that may be of somebody else, too', async () => {
		plant(`Eve <${EVE}>, bob@example.com`);
		const { items } = await run(EVE, { options: { removeUnsubscribes: true } });
		expect(items[0]?.json).toMatchObject({ wouldDelete: 0, open: 3 });
		expect(keptIn(items[0]?.json.records)).toHaveLength(2);
		await expectKept();
	});

	it('a contact that is listed although its deletion was confirmed', async () => {
		plant();
		const body = { status: 'success', message: 'Deleted Successfully' };
		test.service.fault({ kind: 'shape', match: { path: '/contacts/delete' }, body });
		await expectKept();
	});
});

it('has the receipts of all people in the error that stops the node', async () => {
	plantEverywhere(test.service.state.tables, EVE);
	const { fullname: _, ...person } = contact;
	const shared = 'dan@example.com, x@example.com';
	test.service.state.tables.contacts.put({ ...person, country: 85, id: 107, email: shared });
	const items = [EVE, 'dan@example.com'].map((email) => ({ json: { email } }));
	const { error } = await erase('={{ $json.email }}', {}, { items });
	const { receipt, receiptsOfOthers } = error?.context.report as IDataObject;
	expect(receipt).toMatchObject({ email: 'dan@example.com', isComplete: false });
	expect(receiptsOfOthers).toMatchObject([{ email: EVE, isComplete: true, deleted: 4 }]);
});

it('erases both addresses of one contact in one run', async () => {
	const { tables } = test.service.state;
	const { fullname: _, ...person } = contact;
	const [dan] = ['dan@example.com'];
	tables.contacts.put({ ...person, country: 85, id: 7, email: EVE, alt_email: dan });
	const items = [EVE, dan].map((email) => ({ json: { email } }));
	const { error, items: receipts } = await erase('={{ $json.email }}', {}, { items });
	expect(error).toBeUndefined();
	expect(receipts.map(({ json }) => [json.isComplete, ...outcomes(json)])).toEqual([
		[true, 'contact deleted'],
		[true, 'contact deleted'],
	]);
});

it('plans to delete the entry of a group although another record is left, as the global list has the address', async () => {
	const { tables } = test.service.state;
	const { fullname: _, ...person } = contact;
	tables.contacts.put({ ...person, country: 85, id: 7, email: `${EVE}, bob@example.com` });
	tables.groupRecipients.put({ ...groupRecipient, id: 9, email_address: EVE });
	const planned = await run(EVE);
	expect(outcomes(planned.items[0]?.json ?? {})).toEqual([
		...['contact open', 'unsubscribeGroupRecipient wouldDelete'],
	]);
	const { error } = await erase(EVE);
	expect(outcomes(receiptOf(error?.context.report))).toEqual([
		...['contact open', 'unsubscribeGroupRecipient deleted'],
	]);
});

it('deletes the unsubscribe of a person whose other record is that of another item', async () => {
	const { tables } = test.service.state;
	const { fullname: _, ...person } = contact;
	const [dan] = ['dan@example.com'];
	tables.contacts.put({ ...person, country: 85, id: 7, email: EVE, alt_email: dan });
	tables.globalUnsubscribes.put({ ...globalUnsubscribe, id: 10, email_address: dan });
	const items = [EVE, dan].map((email) => ({ json: { email } }));
	const options = { removeUnsubscribes: true };
	const { error, items: receipts } = await erase('={{ $json.email }}', options, { items });
	expect(error).toBeUndefined();
	expect(receipts.map(({ json }) => [json.isComplete, ...outcomes(json)])).toEqual([
		[true, 'contact deleted'],
		[true, 'contact deleted', 'globalUnsubscribe deleted'],
	]);
});

it('is not complete before the lists are read again', async () => {
	const match = { path: '/contacts/list' };
	test.service.fault({ kind: 'status', status: 403, match, skip: 1 });
	const { error } = await erase(EVE);
	expect(error?.message).toBe('The erasure is incomplete: one step is left');
	expect(error?.description).toMatch(
		/^Left: The lists could not be read again: Contacts could not/,
	);
});

describe('what changes during the erasure:', () => {
	const { fullname: _, ...person } = contact;
	const planted = { ...person, country: 85, id: 7, contact_type_id: 21 };
	/** Changes the lists at the first write, which comes after they were read. */
	const during = (change: () => void) => {
		const { globalUnsubscribes } = test.service.state.tables;
		const add = globalUnsubscribes.add.bind(globalUnsubscribes);
		jest.spyOn(globalUnsubscribes, 'add').mockImplementation((...given) => {
			change();
			return add(...given);
		});
	};
	const expectOpen = async (reason: string) => {
		const { error } = await erase(EVE);
		const receipt = receiptOf(error?.context.report);
		expect(receipt).toMatchObject({ isComplete: false, deleted: 0, open: 1 });
		expect(receipt.records).toEqual([
			expect.objectContaining({
				outcome: 'open',
				reason: expect.stringContaining(reason) as string,
			}),
		]);
	};

	it("a contact kept because its main email is somebody else's is moved to another contact type", async () => {
		const { contacts } = test.service.state.tables;
		contacts.put({ ...planted, email: 'dan@example.com', alt_email: EVE });
		during(() => contacts.put({ ...contacts.get(7), contact_type_id: 22 } as never));
		await expectOpen('main email is different');
	});

	it('a contact whose deletion is rejected has another address by then', async () => {
		const { contacts } = test.service.state.tables;
		contacts.put({ ...planted, email: EVE });
		during(() => contacts.put({ ...contacts.get(7), email: 'eve@example.org' } as never));
		const match = { path: '/contacts/delete' };
		test.service.fault({ kind: 'failed', match, errors: 'Locked' });
		await expectOpen('Locked');
	});

	it('a contact that may belong to somebody else is added', async () => {
		const { contacts } = test.service.state.tables;
		during(() => contacts.put({ ...planted, email: 'dan@example.com', alt_email: EVE }));
		await expectOpen('main email is different');
	});
});
