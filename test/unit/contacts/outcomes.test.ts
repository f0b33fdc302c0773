import { PlanLimitError } from '../../../nodes/EmailMarketing/features/sync/syncContacts';
import { createDirectory } from '../../../nodes/EmailMarketing/features/contacts/identify';
import type { Create } from '../../../nodes/EmailMarketing/features/sync/judge';
import { verifyCreates } from '../../../nodes/EmailMarketing/features/sync/verifyCreates';
import type { ListedContact } from '../../../nodes/EmailMarketing/features/contacts/types';
import { contact, item, rowOf, TYPE } from './builders';
import { InMemoryService, syncOptions } from './inMemoryService';
import { runOf, syncOnce } from './syncRun';

const START = Date.parse('2026-03-01T10:00:00Z');

describe('when the outcome of each row was known', () => {
	beforeEach(() => {
		jest.useFakeTimers({
			now: START,
			doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout', 'performance'],
		});
	});
	afterEach(() => {
		jest.useRealTimers();
	});

	test('is with its response, or, if that was lost, with the list', async () => {
		const service = new InMemoryService();
		// Each write takes a second, and so does the list.
		service.onWrite = () => jest.setSystemTime(Date.now() + 1_000);
		const listContacts = service.listContacts.bind(service);
		service.listContacts = async () => {
			jest.setSystemTime(Date.now() + 1_000);
			return await listContacts();
		};
		service.faults = [
			['update 2', 'lost after'],
			['lost@example.com', 'lost before'],
			['refused@example.com', 'rejected'],
		];
		const items = [
			item('c1@example.com', { city: 'Bonn' }),
			item('c2@example.com', { city: 'Bonn' }),
			item('c3@example.com'),
			item('new@example.com', { country: 'DE' }),
			item('lost@example.com', { country: 'DE' }),
			item('refused@example.com', { country: 'DE' }),
		];
		const { rows, plannedAt } = await syncOnce(
			items,
			service,
			syncOptions(),
			runOf(service, { parallel: 1 }),
		);
		const seconds = (at?: string) => at && (Date.parse(at) - START) / 1_000;
		expect(seconds(plannedAt)).toBe(1);
		expect(rows.map(({ action, at }) => [action, seconds(at)])).toEqual([
			['updated', 2],
			['updated', 7],
			['unchanged', undefined],
			['created', 4],
			['failed', 7],
			['failed', 6],
		]);
	});
});

describe('a plan above a limit', () => {
	const contacts = [1, 2, 3].map((id) => contact(id));
	const items = [item('c1@example.com', { city: 'Bonn' })];
	const options = syncOptions({ missing: { kind: 'delete' }, maxRemovals: 1 });

	test('stops with the rows that the limit counts', async () => {
		const service = new InMemoryService(contacts);
		const error = await syncOnce(items, service, options, runOf(service)).catch(
			(thrown: unknown) => thrown,
		);
		expect(error).toBeInstanceOf(PlanLimitError);
		expect(error).toMatchObject({
			name: 'PlanLimitError',
			kind: 'removals',
			message: '2 of 3 contacts would be deleted, more than the 1 allowed',
		});
		expect((error as PlanLimitError).counted.map(({ contactId }) => contactId)).toEqual([2, 3]);
	});

	test('says so in a dry run, in the rows that the limit counts', async () => {
		const stopped =
			'stopped by the limit: 2 of 3 contacts would be deleted, more than the 1 allowed';
		const service = new InMemoryService(contacts);
		const { rows } = await syncOnce(items, service, { ...options, dryRun: true }, runOf(service));
		expect(rows.map(({ reason }) => reason)).toEqual([
			undefined,
			`missing from the input; ${stopped}`,
			'missing from the input; stopped by the limit',
		]);
	});

	test('says so without another reason, if there is none', async () => {
		const service = new InMemoryService(contacts);
		const update = syncOptions({ maxUpdates: 0, dryRun: true });
		const { rows } = await syncOnce(items, new InMemoryService(contacts), update, runOf(service));
		expect(rows.map(({ reason }) => reason)).toEqual([
			'stopped by the limit: 1 of 3 contacts would be updated, more than the 0 allowed',
		]);
	});
});

test('additions to a group that cannot be read afterwards fail, and say what to do', async () => {
	const service = new InMemoryService([contact(1, { email: ' c1@example.com ' }), contact(2)]);
	service.faults = [['addToGroup', 'lost before']];
	const listGroupRecipients = service.listGroupRecipients.bind(service);
	service.listGroupRecipients = async (groupId) =>
		service.writes.length === 0
			? await listGroupRecipients(groupId)
			: await Promise.reject(new Error('The service is down'));
	const missing = { kind: 'addToUnsubscribeGroup', unsubscribeGroupId: 51 } as const;
	const items = [item('c2@example.com')];
	const { rows } = await syncOnce(items, service, syncOptions({ missing }), runOf(service));
	expect(service.writes).toEqual(['addToGroup 51 c1@example.com']);
	expect(rows.slice(1)).toMatchObject([
		{
			action: 'failed',
			reason:
				'The connection broke off. The list could not be read afterwards (The service is down). Run again: addresses already in the group are not added twice.',
		},
	]);
});

test('a lost update and a lost addition to a group are each looked up in their own list', async () => {
	const service = new InMemoryService([contact(1), contact(2), contact(3)]);
	service.faults = [
		['update 1', 'lost after'],
		['addToGroup 51 c2@example.com', 'lost after'],
	];
	const missing = { kind: 'addToUnsubscribeGroup', unsubscribeGroupId: 51 } as const;
	const items = [item('c1@example.com', { city: 'Bonn' })];
	const { rows } = await syncOnce(items, service, syncOptions({ missing }), runOf(service));
	const reason = 'The response was lost, but the list is as planned';
	expect(rows).toMatchObject([
		{ action: 'updated', reason },
		{ action: 'addedToGroup', contactId: 2, reason },
		{ action: 'addedToGroup', contactId: 3, reason },
	]);
});

describe('creates', () => {
	const email = 'new@example.com';
	const row = rowOf([item(email, { country: 'DE', city: 'Bonn' })], []);
	const create = (given: Partial<Create> = {}): Create => ({
		row,
		answer: 'succeeded',
		problem: '',
		...given,
	});
	const nothing = new InMemoryService([]);
	nothing.remove = () => Promise.reject(new Error('Nothing is to be removed'));
	const run = runOf(nothing);
	const remove = () => {
		throw new Error('Nothing is to be removed');
	};
	const settle = async (creates: Create[], after: ListedContact[], before: ListedContact[] = []) =>
		await verifyCreates(new Map(creates.map((one, index) => [index + 5, one])), {
			readDirectory: () => Promise.resolve(createDirectory(after, TYPE)),
			before,
			run,
			remove,
		});
	const own = (id: number) => contact(id, { email, first_name: '', city: 'Bonn' });

	test('are not looked up if there are none', async () => {
		const rows = await verifyCreates(new Map(), {
			readDirectory: () => Promise.reject(new Error('Nothing is to be read')),
			...{ before: [], run, remove },
		});
		expect(rows).toEqual(new Map());
	});

	test('that were there before the run belong to others', async () => {
		const rows = await settle([create()], [own(1)], [contact(1)]);
		expect(rows.get(5)).toEqual({
			...{ item: 0, action: 'created', email },
			reason: 'Other IDs with this address are left unchanged: 1',
		});
		expect((await settle([create()], [own(1)])).get(5)).toMatchObject({ contactId: 1 });
	});

	test('keep their outcome where the list does not show them', async () => {
		const refused = create({ answer: 'refused', problem: 'Refused.' });
		const rows = await settle([create(), refused], []);
		expect([...rows.values()]).toEqual([
			row,
			{ item: 0, action: 'failed', email, reason: 'Refused.' },
		]);
	});

	test('say what is not known if the list cannot be read', async () => {
		const creates = [
			create(),
			create({ answer: 'lost', problem: 'Lost.' }),
			create({ answer: 'imported' }),
			create({ answer: 'refused', problem: 'Refused.' }),
		];
		const rows = await verifyCreates(new Map(creates.entries()), {
			readDirectory: () => Promise.reject(new Error('No connection')),
			...{ before: [], run, remove },
		});
		expect([...rows].map(([index, { action, reason }]) => [index, action, reason])).toEqual([
			[
				0,
				'created',
				'The list could not be read afterwards (No connection), so it is unknown whether another run added this address too',
			],
			[
				1,
				'failed',
				'Lost. The list could not be read afterwards (No connection). Run again: people already on the list are not written twice.',
			],
			[
				2,
				'failed',
				'The file was imported. The list could not be read afterwards (No connection). Run again: people already on the list are not written twice.',
			],
		]);
	});

	test('of a file that were not found may still appear, or not', async () => {
		const imported = { answer: 'imported', problem: 'Refused.' } as const;
		const rows = await settle([create({ ...imported, mayAppear: true }), create(imported)], []);
		expect([...rows.values()].map(({ reason }) => reason)).toEqual([
			'The contact was not found after the import. Refused. This contact may still appear: check the service before you run this again',
			'The contact was not found after the import. Refused',
		]);
	});

	test('of a file say what the service stored otherwise', async () => {
		const other = contact(1, { email, first_name: '', city: '' });
		const reasonOf = async (listed: ListedContact) =>
			(await settle([create({ answer: 'imported' })], [listed])).get(5)?.reason;
		expect(await reasonOf(other)).toBe(
			'The import stored other values in City. Check the contact, or run again to update it',
		);
		expect(await reasonOf(own(1))).toBeUndefined();
		expect(await reasonOf({ ...own(1), alt_email: 'ada@example.org' })).toBeUndefined();
	});
});
