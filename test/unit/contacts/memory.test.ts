import type { MappedContact } from '../../../nodes/EmailMarketing/features/contacts/fields';
import type { SyncOptions } from '../../../nodes/EmailMarketing/features/sync/types';
import { item } from './builders';
import { syncOptions } from './inMemoryService';
import { RememberedSync } from './rememberedSync';

const address = (n: number) => `c${n}@x.org`;
const person = (n: number, externalId = '', contactId?: number): MappedContact => ({
	...item(address(n), { country: 'DE' }, contactId),
	externalId,
});

async function run(sync: RememberedSync, items: MappedContact[], changed?: Partial<SyncOptions>) {
	const options = syncOptions({
		...{ missing: { kind: 'delete' }, onlyAddedBySync: true },
		...changed,
	});
	const { rows } = await sync.run(items, { options, isManual: false, knowsExternalIdField: true });
	return rows.map(({ action, email }) => [action, email]);
}

test('who signs up with an address while the sync adds it is not taken for its contact', async () => {
	const sync = new RememberedSync();
	let isThere = false;
	sync.service.onWrite = () => {
		if (!isThere) sync.signUp(address(1));
		isThere = true;
	};
	const signedUp = 100;
	expect(await run(sync, [person(1)])).toEqual([['unchanged', address(1)]]);
	await run(sync, [person(2)]);
	expect(sync.service.contacts.map(({ id, email }) => [id, email])).toEqual([
		[signedUp, address(1)],
		[expect.any(Number), address(2)],
	]);
});

test('who signs up with an address after the sync added it stays, and the contact of the sync is its own', async () => {
	const sync = new RememberedSync();
	const create = sync.service.create.bind(sync.service);
	sync.service.create = async (body) => {
		const failure = await create(body);
		if (body.email === address(1)) sync.signUp(address(1));
		return failure;
	};
	const signedUp = 101;
	await run(sync, [person(1)]);
	expect(sync.service.contacts).toHaveLength(2);
	await run(sync, [person(2)]);
	expect(sync.service.contacts.map(({ id, email }) => [id, email])).toEqual([
		[signedUp, address(1)],
		[expect.any(Number), address(2)],
	]);
});

test.each([
	['no address', [person(9), { ...item('', {}), externalId: 'K0' }]],
	['the external ID of another item', [person(9), person(1, 'K0'), person(2, 'K0')]],
])('a contact whose item fails is not missing: an item with %s', async (_case, items) => {
	const sync = new RememberedSync();
	await run(sync, [person(9), person(0, 'K0')]);
	const rows = await run(sync, items);
	expect(rows.slice(1).every(([action]) => action === 'failed')).toBe(true);
	expect(rows).toHaveLength(items.length);
	expect(sync.service.contacts.map(({ email }) => email)).toEqual([address(9), address(0)]);
});

test('a removed person stays removed with the old address and a new one in the input', async () => {
	const sync = new RememberedSync();
	await run(sync, [person(0, 'K0'), person(9)]);
	sync.service.contacts = sync.service.contacts.filter(({ email }) => email !== address(0));
	for (let n = 0; n < 3; n++) {
		expect(await run(sync, [person(1, 'K0'), person(0), person(9)])).toEqual([
			['skipped', address(1)],
			['skipped', address(0)],
			['unchanged', address(9)],
		]);
	}
});

test('of two contacts with one address, the one that keeps it stays known when the other gets a new one', async () => {
	const sync = new RememberedSync();
	await run(sync, [person(0)]);
	sync.signUp(address(0));
	const second = sync.service.contacts[1]?.id;
	const byId = { matchBy: 'contactId' } as const;
	await run(sync, [person(0), person(1, '', second)], byId);
	sync.service.contacts = sync.service.contacts.filter(({ email }) => email !== address(0));
	expect(await run(sync, [person(0), person(1)], byId)).toEqual([
		['skipped', address(0)],
		['unchanged', address(1)],
	]);
});

test('an external ID that went over to another contact does not lead back to the first', async () => {
	const sync = new RememberedSync();
	await run(sync, [person(0), person(1, 'K'), person(2)]);
	await run(sync, [person(0, 'K'), person(1), person(2)]);
	await run(sync, [person(3, 'K'), person(1), person(2)]);
	expect(sync.service.contacts.map(({ email }) => email)).toEqual([3, 1, 2].map(address));
});
