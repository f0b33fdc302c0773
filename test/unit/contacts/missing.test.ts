import { PlanLimitError } from '../../../nodes/EmailMarketing/features/sync/syncContacts';
import type { SyncOptions } from '../../../nodes/EmailMarketing/features/sync/types';
import type { ListedContact } from '../../../nodes/EmailMarketing/features/contacts/types';
import { contact, item, TYPE } from './builders';
import { InMemoryService, syncOptions } from './inMemoryService';
import { runOf, syncOnce } from './syncRun';

const OTHER = 8;
const move = { missing: { kind: 'moveToContactType', contactTypeId: OTHER } } as const;
const addToGroup = { missing: { kind: 'addToUnsubscribeGroup', unsubscribeGroupId: 51 } } as const;
const named = [item('c1@example.com')];

const serviceWith = (...others: ListedContact[]) =>
	new InMemoryService([...[1, 2, 3].map((id) => contact(id)), ...others]);

const run = async (service: InMemoryService, changed: Partial<SyncOptions>) =>
	(await syncOnce(named, service, syncOptions(changed), runOf(service))).rows.slice(1);

const actions = (rows: Awaited<ReturnType<typeof run>>) => rows.map(({ action }) => action);

const typeOf = (service: InMemoryService, id: number) =>
	service.contacts.find((one) => one.id === id)?.contact_type_id;

describe.each([
	['moved', move, ['update 2', 'update 3']],
	['addedToGroup', addToGroup, ['addToGroup 51 c2@example.com,c3@example.com']],
	['deleted', { missing: { kind: 'delete' } }, ['removeMany 2,3']],
] as const)('missing contacts are %s', (action, missing, writes) => {
	test('each with its row, and only once', async () => {
		const service = serviceWith();
		expect(await run(service, missing)).toMatchObject([
			{ action, contactId: 2, email: 'c2@example.com', reason: 'missing from the input' },
			{ action, contactId: 3, email: 'c3@example.com', reason: 'missing from the input' },
		]);
		expect(service.writes.sort()).toEqual(writes);
		service.calls = [];
		const again = await run(service, missing);
		expect(again.filter((row) => row.action === action)).toEqual([]);
		expect(service.writes).toEqual([]);
	});

	test('but not those that unsubscribed', async () => {
		const service = serviceWith();
		service.globalUnsubscribes = ['c2@example.com', 'c3@example.com'];
		expect(await run(service, missing)).toMatchObject([
			{ action: 'skipped', reason: 'unsubscribed', contactId: 2 },
			{ action: 'skipped', reason: 'unsubscribed', contactId: 3 },
		]);
		expect(service.writes).toEqual([]);
	});

	test('but not those of items that fail, however little of them can be read', async () => {
		const service = serviceWith();
		const unreadable = {
			code: 'single-value-expected' as const,
			field: 'City',
			problem: 'has an expression that failed',
		};
		const items = [
			item('c1@example.com'),
			{ values: { email: 'C2@example.com' }, unreadable },
			item({}, {}, 3),
		];
		const options = syncOptions({ ...missing, matchBy: 'contactId' });
		const { rows } = await syncOnce(items, service, options, runOf(service));
		expect(actions(rows)).toEqual(['unchanged', 'failed', 'failed']);
		expect(service.writes).toEqual([]);
	});

	test('not in a dry run, and not above the limit', async () => {
		const service = serviceWith();
		expect(actions(await run(service, { ...missing, dryRun: true }))).toEqual([action, action]);
		const limited = { ...missing, maxRemovals: 1 };
		await expect(run(service, limited)).rejects.toThrow(PlanLimitError);
		const [row] = await run(service, { ...limited, dryRun: true });
		expect(row?.reason).toMatch(/^missing from the input; stopped by the limit: 2 of 3 contacts/);
		expect(service.writes).toEqual([]);
	});

	test.each([
		['lost after', action, /list is as planned/],
		['lost before', 'failed', /does not show this write/],
	] as const)('a write that is %s the service did it is looked up', async (fault, got, reason) => {
		const service = serviceWith();
		service.faults = [['', fault]];
		const rows = await run(service, missing);
		expect(rows).toMatchObject([
			{ action: got, contactId: 2, reason: expect.stringMatching(reason) as string },
			{ action: got, contactId: 3, reason: expect.stringMatching(reason) as string },
		]);
	});
});

describe('moves', () => {
	test('send all values with the other contact type', async () => {
		const service = serviceWith();
		const [row] = await run(service, move);
		expect(row?.body).toEqual({
			contact_type_id: OTHER,
			email: 'c2@example.com',
			country: '2',
			first_name: 'Ann',
			city: 'Köln',
		});
		expect([typeOf(service, 1), typeOf(service, 2)]).toEqual([TYPE, OTHER]);
	});

	test('send an address without the spaces that are around it in the list', async () => {
		const service = new InMemoryService([contact(1), contact(2, { email: ' c2@example.com\n' })]);
		expect(actions(await run(service, move))).toEqual(['moved']);
		expect(service.contacts[1]).toMatchObject({ email: 'c2@example.com', contact_type_id: OTHER });
	});

	test('send no address that the service may refuse to take', async () => {
		const service = serviceWith(contact(4, { email: 'nobody' }));
		const rows = await run(service, move);
		expect(rows.at(-1)).toMatchObject({
			action: 'failed',
			contactId: 4,
			reason: 'Email "nobody" is not an email address. Correct it',
		});
		expect(typeOf(service, 4)).toBe(TYPE);
	});

	test('are skipped where the other type has the address, or gets it from another contact', async () => {
		const service = serviceWith(
			contact(4, { email: 'C2@example.com', contact_type_id: String(OTHER) }),
			contact(5, { email: 'c3@example.com' }),
			contact(6, { email: 'c3@example.com', contact_type_id: OTHER, deleted_at: 'x' }),
		);
		expect(await run(service, move)).toMatchObject([
			{
				action: 'skipped',
				reason: 'address taken: it belongs to contact 4 in contact type 8',
				contactId: 2,
			},
			{ action: 'moved', contactId: 3 },
			{
				action: 'skipped',
				reason: 'address taken: it belongs to contact 3 in contact type 8',
				contactId: 5,
			},
		]);
		expect(service.writes).toEqual(['update 3']);
	});

	test('are not moved without a country that is known', async () => {
		const service = serviceWith(contact(4, { country: 'Terra' }), contact(5, { country: null }));
		const rows = await run(service, move);
		expect(rows[2]).toMatchObject({ action: 'failed', code: 'contact-country-unknown' });
		expect(rows[3]).toEqual({
			action: 'failed',
			email: 'c5@example.com',
			contactId: 5,
			code: 'contact-without-country',
			field: 'Country',
			reason:
				'Country is missing: the contact has none, but the service requires one. Set a country in the service, or choose a "Country for New Contacts"',
		});
		const [, withDefault] = await run(service, { ...move, defaultCountry: 'AT' });
		expect(withDefault).toMatchObject({ action: 'moved', body: { country: '1' } });
	});

	test('that the service rejects are failures of their own', async () => {
		const service = serviceWith();
		service.faults = [['update 2', 'rejected']];
		expect(actions(await run(service, move))).toEqual(['failed', 'moved']);
	});
});

describe('additions to an unsubscribe group', () => {
	test('leave out who is in it, and read it once', async () => {
		const service = serviceWith();
		service.groups = { 51: ['C2@example.com'] };
		const respected = { ...addToGroup, unsubscribeGroupIds: [51] };
		expect(await run(service, addToGroup)).toMatchObject([
			{ action: 'unchanged', reason: 'already in the unsubscribe group' },
			{ action: 'addedToGroup', unsubscribeGroupId: 51 },
		]);
		service.calls = [];
		expect(actions(await run(service, respected))).toEqual(['skipped', 'skipped']);
		expect(service.reads.filter((read) => read === 'group 51')).toHaveLength(1);
	});

	test('go in chunks, and one by one where the service rejects a chunk', async () => {
		const service = serviceWith(contact(4));
		service.faults = [
			['c2@example.com,c3@example.com', 'rejected'],
			['51 c3@example.com', 'rejected'],
		];
		const rows = await run(service, addToGroup);
		expect(actions(rows)).toEqual(['addedToGroup', 'failed', 'addedToGroup']);
		expect(service.groups[51]?.sort()).toEqual(['c2@example.com', 'c4@example.com']);
	});

	test('that are rejected alone too are looked up, since the request with others may have added them', async () => {
		const service = serviceWith();
		const addToService = service.addToGroup.bind(service);
		service.faults = [
			['51 c2@example.com', 'rejected'],
			['51 c3@example.com', 'rejected'],
		];
		service.addToGroup = async (groupId, addresses) => {
			if (addresses.length > 1) service.groups[groupId] = ['c3@example.com'];
			return await addToService(groupId, addresses);
		};
		expect(await run(service, addToGroup)).toMatchObject([
			{ action: 'failed', contactId: 2, reason: 'The service rejected "Email".' },
			{
				action: 'addedToGroup',
				contactId: 3,
				reason: 'The service rejected the request, but the list is as planned',
			},
		]);
	});

	test('send an address once, and never one that the service would take apart', async () => {
		const service = serviceWith(
			contact(4, { email: ' C3@example.com' }),
			contact(5, { email: 'a@example.com,z@example.com' }),
		);
		const rows = await run(service, addToGroup);
		expect(rows.slice(2)).toMatchObject([
			{ action: 'skipped', reason: 'duplicate: contact 3 has the same email' },
			{
				action: 'failed',
				field: 'Email',
				reason: expect.stringMatching(/is not an email address/) as string,
			},
		]);
		expect(service.writes).toEqual(['addToGroup 51 c2@example.com,c3@example.com']);
	});

	test('look up the group only where an answer was lost, apart from the contacts', async () => {
		const service = serviceWith();
		service.faults = [['addToGroup', 'lost after']];
		service.failReadsAfter = 4;
		const rows = await run(service, addToGroup);
		expect(actions(rows)).toEqual(['addedToGroup', 'addedToGroup']);
		expect(service.reads.filter((read) => read === 'list')).toHaveLength(1);
		expect(service.reads.filter((read) => read === 'group 51')).toHaveLength(2);
	});
});
