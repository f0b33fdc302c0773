import type { IDataObject } from 'n8n-workflow';

import { limits, removal } from '../../../scripts/lib/workflow-json.ts';
import { address, ScheduledSync } from './scheduledSync';
import { hints, json, useAccount } from './support';

const given = useAccount({ emptyLists: 'success' });
const ignore = { missing: 'ignore', options: { externalIdField: 'id' } };
const upsert = { operation: 'upsert', options: { externalIdField: 'id' } };
const person = (name: string, id: unknown = 7): IDataObject => ({
	email: address(name),
	country: 'DE',
	id: id as string,
});
const skipped = { action: 'skipped', reason: 'unsubscribed' };

/** As a colleague, or another workflow, changes it. */
function changeAddress(from: string, to: string): void {
	const { contacts } = given.account.state.tables;
	const contact = contacts.all().find(({ email }) => email === address(from));
	if (contact) contacts.change(contact, { email: address(to) });
}

describe('somebody who unsubscribed is not added under a new address', () => {
	test.each([ignore, { options: { externalIdField: 'id' } }])(
		'although the sync has never written the contact: %j',
		async (parameters) => {
			given.account.add(address('ada'));
			given.account.unsubscribe(address('ada'));
			const sync = new ScheduledSync(given, parameters);
			for (const name of ['ada', 'ada', 'ada.new']) {
				const [row] = json(await sync.run([person(name), person('ben', 8)]));
				expect(row).toMatchObject(skipped);
			}
			expect(given.account.emails().sort()).toEqual([address('ada'), address('ben')]);
		},
	);

	test('in a group', async () => {
		const { account } = given;
		account.state.tables.unsubscribeGroups.add({ id: 51, group_name: 'News' }, 0);
		account.add(address('ada'));
		account.unsubscribe(address('ada'), 51);
		const options = { externalIdField: 'id', unsubscribeGroups: [51] };
		const sync = new ScheduledSync(given, { operation: 'upsert', options });
		await sync.run([person('ada')]);
		expect(json(await sync.run([person('ada.new')]))).toMatchObject([skipped]);
	});

	test('although another workflow, or a colleague, has changed the address', async () => {
		const sync = new ScheduledSync(given, ignore);
		await sync.run([person('ada')]);
		changeAddress('ada', 'ada.married');
		given.account.unsubscribe(address('ada.married'));
		expect(json(await sync.run([person('ada.other')]))).toMatchObject([skipped]);
		expect(given.account.emails()).toEqual([address('ada.married')]);
	});
});

describe('nobody becomes two contacts', () => {
	test('whose item failed before', async () => {
		given.account.add(address('ada'), { country: 9999 });
		const sync = new ScheduledSync(given, ignore);
		const [failed] = json(await sync.run([{ email: address('ada'), city: 'Bonn', id: 7 }]));
		expect(failed).toMatchObject({ action: 'failed' });
		expect(json(await sync.run([person('ada.new')]))).toMatchObject([{ action: 'updated' }]);
		expect(given.account.emails()).toEqual([address('ada.new')]);
	});

	test('whose external ID is that of an item that another one replaces', async () => {
		given.account.add(address('ada'));
		const sync = new ScheduledSync(given, ignore);
		await sync.run([person('ada'), { email: address('ada'), country: 'DE' }]);
		await sync.run([person('ada.new')]);
		expect(given.account.emails()).toEqual([address('ada.new')]);
	});

	test('who was in a run that a limit stopped', async () => {
		given.account.add(address('ada'));
		const sync = new ScheduledSync(given, ignore);
		const stopped = { parameters: { options: limits({ maxAdditions: 0 }) } };
		const { error } = await sync.attempt([person('ada'), person('ben', 8)], stopped);
		expect(error?.context.code).toBe('too-many-additions');
		expect(json(await sync.run([person('ada.new')]))).toMatchObject([{ action: 'updated' }]);
	});

	test('whose old address somebody else takes, while the item of the person has another contact ID', async () => {
		const other = given.account.add(address('eve'));
		const sync = new ScheduledSync(given, { ...ignore, matchBy: 'contactId' });
		await sync.run([person('ada'), person('ben', 8)]);
		// As a run that was killed before it could note it.
		changeAddress('ada', 'ada.new');
		given.account.unsubscribe(address('eve'));
		const mistaken = { ...person('ada.newer'), contact_id: other.id };
		expect(json(await sync.run([person('ada', 8), mistaken]))).toMatchObject([
			{ action: 'updated' },
			skipped,
		]);
		expect(json(await sync.run([person('ada.newest')]))).toMatchObject([{ action: 'updated' }]);
		expect(given.account.emails()).toEqual(['eve', 'ada.newest', 'ada'].map(address));
	});

	test('whose address another workflow or a manual execution has changed', async () => {
		const [one, other] = [new ScheduledSync(given, upsert), new ScheduledSync(given, upsert)];
		await one.run([person('ada')]);
		await other.run([person('ada')]);
		await one.run([person('ada.new')]);
		await other.run([person('ada.newer')]);
		await other.run([person('ada.newest')], { mode: 'manual' });
		const outcome = await other.run([person('ada.last')]);
		expect(json(outcome)).toMatchObject([
			{
				action: 'updated',
				reason: 'Found by the external ID "7"',
				changedFields: { email: { from: address('ada.newest'), to: address('ada.last') } },
			},
		]);
		expect(hints(outcome)?.map(({ message }) => message)).toEqual(['1 updated']);
		expect(given.account.emails()).toEqual([address('ada.last')]);
	});
});

test('a contact whose address somebody has changed is in the input by its external ID', async () => {
	const options = { externalIdField: 'id', ...removal({ onlyAddedBySync: false }) };
	const sync = new ScheduledSync(given, { options });
	const items = [person('ada'), person('ben', 8)];
	await sync.run(items);
	const { id } = given.account.contact(address('ada')) ?? {};
	changeAddress('ada', 'ada.married');
	for (let run = 0; run < 3; run++) await sync.run(items);
	expect(given.account.contact(address('ada'))?.id).toBe(id);
	expect(given.account.emails()).toHaveLength(2);
});

test('whose new address another contact has is that contact, and the one before is missing', async () => {
	const sync = new ScheduledSync(given, { options: { externalIdField: 'id' } });
	await sync.run([person('ada'), person('ben', 8)]);
	given.account.add(address('ada.new'));
	for (let run = 0; run < 3; run++) await sync.run([person('ada.new'), person('ben', 8)]);
	expect(given.account.emails().sort()).toEqual([address('ada.new'), address('ben')]);
});

test('a run that a limit stops leaves a contact to whoever had it, although somebody else has its address', async () => {
	const sync = new ScheduledSync(given, upsert);
	await sync.run([person('ada', 7), person('ben', 8)]);
	const { id } = given.account.contact(address('ada')) ?? {};
	const renamed = [person('ada.married', 7), person('ben', 8)];
	const options = { externalIdField: 'id', ...limits({ maxAdditions: 0 }) };
	const { error } = await sync.attempt([...renamed, person('ada', 9)], { parameters: { options } });
	expect(error?.context.code).toBe('too-many-additions');
	await sync.run(renamed);
	expect(given.account.contact(address('ada.married'))?.id).toBe(id);
	expect(given.account.emails()).toHaveLength(2);
});

test.each([
	['their ID', {}, { id: 107 }],
	['the field of the ID', { options: { externalIdField: 'crm' } }, { crm: 107 }],
])(
	'whoever unsubscribed is not created under a new address after a change of %s',
	async (_, parameters, changed) => {
		const sync = new ScheduledSync(given, upsert);
		await sync.run([person('ada', 7)]);
		given.account.unsubscribe(address('ada'));
		const run = async (name: string) =>
			json(await sync.run([{ ...person(name, 7), ...changed }], { parameters }));
		expect(await run('ada')).toMatchObject([skipped]);
		expect(await run('ada')).toMatchObject([skipped]);
		expect(await run('ada.new')).toMatchObject([skipped]);
	},
);

test('two people stay two, although the IDs of another field are the same numbers', async () => {
	const sync = new ScheduledSync(given, upsert);
	await sync.run([person('ada', 7)]);
	const options = { externalIdField: 'crm' };
	const [row] = json(
		await sync.run([{ ...person('bob', 8), crm: 7 }], { parameters: { options } }),
	);
	expect(row).toMatchObject({ action: 'created', email: address('bob') });
	expect(given.account.emails().sort()).toEqual([address('ada'), address('bob')]);
});

test('a contact that the sync added stays its own under the new address', async () => {
	const sync = new ScheduledSync(given);
	const person = (name: string) => ({ email: address(name), country: 'DE' });
	await sync.run([person('ada'), person('ben')]);
	await sync.run([person('ada'), person('ben')]);
	changeAddress('ada', 'ada.new');
	await sync.run([person('ada.new'), person('ben')]);
	await sync.run([person('ben')]);
	await sync.run([person('ben')]);
	expect(given.account.emails()).toEqual([address('ben')]);
});

test.each([
	['both items have', ['ada', 'ben']],
	['one item has', ['ada']],
])(
	'contacts that have swapped their addresses stay those of the sync: %s an ID',
	async (_, withIds) => {
		const sync = new ScheduledSync(given, {
			matchBy: 'contactId',
			options: { externalIdField: 'id', ...removal({ removeAfter: 1 }) },
		});
		await sync.run([person('ada', 7), person('ben', 8), person('cem', 9)]);
		const [ada, ben] = ['ada', 'ben'].map((name) => given.account.contact(address(name))?.id);
		changeAddress('ada', 'other');
		changeAddress('ben', 'ada');
		changeAddress('other', 'ben');
		const idOf = (name: string, id: number) => (withIds.includes(name) ? id : '');
		await sync.run([
			{ ...person('ben', idOf('ada', 7)), contact_id: ada },
			{ ...person('ada', idOf('ben', 8)), contact_id: ben },
			person('cem', 9),
		]);
		await sync.run([person('cem', 9)]);
		expect(given.account.emails()).toEqual([address('cem')]);
	},
);

test.each([
	[1234567890123456789, 'is a number with too many digits to be exact. Map it as text'],
	[true, 'is true or false, which is not an ID'],
])('%s is no external ID, since two people could have the same', async (id, problem) => {
	const sync = new ScheduledSync(given, upsert);
	expect(json(await sync.run([person('ada', id)]))).toMatchObject([
		{ action: 'failed', field: 'External ID', reason: `External ID ${problem}` },
	]);
	expect(given.account.emails()).toEqual([]);
});

test.each([
	[
		['ada', 'ben', 'ada'],
		['External ID', 'External ID', 'External ID'],
	],
	[
		['nobody ', 'ben'],
		['Email', 'External ID'],
	],
])('two people with one external ID stay two people: %j', async (names, fields) => {
	const sync = new ScheduledSync(given, upsert);
	await sync.run([person('x', 'X1')]);
	const rows = json(await sync.run(names.map((name) => person(name, 'X1'))));
	expect(rows).toMatchObject(fields.map((field) => ({ action: 'failed', field })));
	expect(given.account.emails()).toEqual([address('x')]);
});

test.each([false, 0, '0', '0.0', '00', 'N/A', 'null', '-', 'undefined'])(
	"%j is nobody's external ID",
	async (id) => {
		const sync = new ScheduledSync(given, upsert);
		await sync.run([person('ada', id)]);
		const rows = json(await sync.run([person('ben', id), person('cem', id)]));
		expect(rows).toMatchObject([{ action: 'created' }, { action: 'created' }]);
		expect(given.account.emails()).toEqual(['ada', 'ben', 'cem'].map(address));
	},
);

test('people without an ID are not said to be compared, and are created in a retry', async () => {
	const sync = new ScheduledSync(given, upsert);
	const items = [person('ada', 0), person('ben', 'N/A')];
	const outcome = await sync.run(items, { mode: 'retry' });
	expect(json(outcome)).toMatchObject([{ action: 'created' }, { action: 'created' }]);
	expect(outcome.notes.join()).not.toContain('could not be compared');
});

test('an item found by its external ID names whom else it has', async () => {
	const sync = new ScheduledSync(given, {
		options: { externalIdField: 'id', ...removal({ removeAfter: 1 }) },
	});
	await sync.run([person('ada', 7), person('ben', 8), person('cem', 9)]);
	const named = { ...person('ada.new', 7), 'Email 1': address('cem') };
	await sync.run([named, person('ben', 8)]);
	expect(given.account.emails().sort()).toEqual(['ada.new', 'ben', 'cem'].map(address));
});

test('an item whose external ID is an error of a spreadsheet fails', async () => {
	const sync = new ScheduledSync(given, upsert);
	expect(json(await sync.run([person('ada', '#REF!')]))).toMatchObject([
		{
			...{ action: 'failed', field: 'External ID' },
			reason: 'External ID is "#REF!", which is not an ID',
		},
	]);
});

test('the item with the old email of a contact keeps its external ID from that contact', async () => {
	const byId = { matchBy: 'contactId', options: { externalIdField: 'id' } };
	const sync = new ScheduledSync(given, { ...byId, operation: 'upsert' });
	const office = given.account.add(address('office'));
	const ada = { ...person('ada', ''), contact_id: office.id };
	const rows = json(await sync.run([ada, { ...person('office', 8), contact_id: '' }]));
	expect(rows).toMatchObject([{ action: 'updated' }, { action: 'failed' }]);
	await sync.run([{ ...person('office', 8), contact_id: '' }]);
	expect(given.account.contact(address('ada'))?.id).toBe(office.id);
	expect(given.account.emails()).toEqual([address('ada'), address('office')]);
});

test('a person whose email changes stays one contact, though another item does not have the ID', async () => {
	const sync = new ScheduledSync(given, { options: { externalIdField: 'id' } });
	await sync.run([person('ada', 7), person('ben', 8)]);
	const { id } = given.account.contact(address('ada')) ?? {};
	const order = { email: address('ada.new'), country: 'DE' };
	for (let run = 0; run < 4; run++) {
		await sync.run([person('ada.new', 7), person('ben', 8), order]);
	}
	expect(given.account.contact(address('ada.new'))?.id).toBe(id);
	expect(given.account.emails().sort()).toEqual([address('ada.new'), address('ben')]);
});

describe('somebody who unsubscribed under an address that is that of another item now', () => {
	test('is not created under a new one', async () => {
		const sync = new ScheduledSync(given, upsert);
		await sync.run([person('anna', 7), person('office', 8)]);
		given.account.unsubscribe(address('office'));
		const rows = json(await sync.run([person('office', 7), person('ben', 8)]));
		expect(rows).toMatchObject([skipped, skipped]);
		expect(given.account.emails().sort()).toEqual([address('anna'), address('office')]);
	});

	test('is not updated where the new one exists', async () => {
		given.account.add(address('ben'));
		const sync = new ScheduledSync(given, upsert);
		await sync.run([person('office', 8)]);
		given.account.unsubscribe(address('office'));
		for (const name of ['ben', 'ben', 'brandnew', 'ben']) {
			const [row] = json(await sync.run([{ ...person(name, 8), first_name: 'Ben' }]));
			expect(row).toMatchObject(skipped);
		}
	});
});

test('a contact whose address was changed in the service was not removed', async () => {
	const sync = new ScheduledSync(given);
	const items = ['ada', 'ben'].map((name) => ({ email: address(name), country: 'DE' }));
	await sync.run(items);
	const { id } = given.account.contact(address('ada')) ?? {};
	changeAddress('ada', 'ada.new');
	for (let run = 0; run < 3; run++) {
		expect(json(await sync.run(items))).toMatchObject([
			{
				...{ action: 'skipped', contactId: id },
				reason: `email changed in the service: contact ${id} has ${address('ada.new')}`,
			},
			{ action: 'unchanged' },
		]);
	}
	expect(given.account.emails().sort()).toEqual([address('ada.new'), address('ben')]);
});

test('only contacts that were created count as created again, or as not compared', async () => {
	const unknown = { ...person('ada'), country: 'Nowhere' };
	const sync = new ScheduledSync(given, ignore);
	const notesOf = async (items: IDataObject[]) =>
		hints(await sync.run(items))
			?.map(({ message }) => message)
			.slice(1);
	expect(await notesOf([unknown])).toEqual([]);
	await sync.run([person('ada')]);
	given.account.state.tables.contacts.clear();
	expect(await notesOf([unknown])).toEqual([]);
	expect(await notesOf([person('ada')])).toEqual([
		'New contacts that had previously been removed in the service: 1',
	]);
});

test('whoever is created again is counted', async () => {
	const options = { externalIdField: 'id', ...removal({ recreateRemoved: true }) };
	const sync = new ScheduledSync(given, { options });
	await sync.run([person('ada'), person('ben', 8)]);
	given.account.state.tables.contacts.clear();
	const outcome = await sync.run([person('ada'), person('ben', 8)]);
	expect(hints(outcome)?.map(({ message }) => message)).toContain(
		'New contacts that had previously been removed in the service: 2',
	);
});

test('a dry run announces no removal by the next execution, since it does not count', async () => {
	const sync = new ScheduledSync(given);
	const [ada, ben] = ['ada', 'ben'].map((name) => ({ email: address(name), country: 'DE' }));
	await sync.run([ada ?? {}, ben ?? {}]);
	await sync.run([ada ?? {}, ben ?? {}]);
	const outcome = await sync.run([ada ?? {}], { parameters: { dryRun: true } });
	const texts = hints(outcome)?.map(({ message }) => message);
	expect(texts?.filter((text) => text.includes('next execution'))).toEqual([]);
});

test("an external ID that items share is nobody's, whatever else is wrong with them", async () => {
	const { id } = given.account.add(address('ada'));
	const sync = new ScheduledSync(given, { ...upsert, matchBy: 'contactId' });
	const wrong = { ...person('not an address', 'X1'), contact_id: id, email: 'not an address' };
	expect(json(await sync.run([wrong, person('ben', 'X1')]))).toMatchObject([
		...[{ action: 'failed' }, { action: 'failed' }],
	]);
	expect(json(await sync.run([person('cem', 'X1')]))).toMatchObject([{ action: 'created' }]);
	expect(given.account.contact(address('ada'))?.id).toBe(id);
});
