import type { ContactInput } from '../../../nodes/EmailMarketing/contacts/fields';
import type { SyncOptions } from '../../../nodes/EmailMarketing/contacts/syncOptions';
import { item } from './builders';
import { syncOptions } from './inMemoryService';
import { RememberedSync } from './rememberedSync';

const address = (n: number) => `c${n}@x.org`;
const person = (n: number, externalId = '', contactId?: number): ContactInput => ({
	...item(address(n), { country: 'DE' }, contactId),
	externalId,
});

async function run(sync: RememberedSync, items: ContactInput[], changed?: Partial<SyncOptions>) {
	const options = syncOptions({
		...{ missing: { kind: 'delete' }, onlyAddedBySync: true, newIds: true },
		...changed,
	});
	const { rows } = await sync.run(items, { options, isManual: false, hasExternalIds: true });
	return rows.map(({ action, email }) => [action, email]);
}

test('who signs up with an address while the sync adds it is not taken for its contact', async () => {
	const sync = new RememberedSync();
	let isThere = false;
	sync.service.onWrite = () => {
		if (!isThere) sync.signUp(address(1));
		isThere = true;
	};
	await run(sync, [person(1)]);
	expect(sync.service.contacts).toHaveLength(2);
	await run(sync, [person(2)]);
	expect(sync.service.contacts.map(({ email }) => email)).toEqual([1, 1, 2].map(address));
});
