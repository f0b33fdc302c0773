import type {
	IDataObject,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { limits } from '../../scripts/lib/workflow-json.ts';
import { keys } from './engine';
import { contact } from './records';
import { chosen, newSend } from './rows';
import { once, useService, type Service } from './sandbox';

const one = useService();
const other = useService();

/** Items that say which account they are for, with what else they have. */
function itemsOf(...given: Array<[{ service: Service }, IDataObject?]>): INodeExecutionData[] {
	return given.map(([{ service }, json]) => ({ json: { account: service.baseUrl, ...json } }));
}

const byItem = { ...keys, baseUrl: '={{ $json.account }}' };
const paired = (json: IDataObject, ...items: number[]) =>
	items.map((item) => ({ json, pairedItem: { item } }));

/** Adds so many contacts to an account and gives their IDs. */
function plantContacts({ service }: { service: Service }, count: number): number[] {
	const { contacts } = service.state.tables;
	const now = service.state.clock.now();
	const add = (_value: unknown, index: number) =>
		contacts.add({ email: `bulk${index}@example.com`, contact_type_id: 21 }, now).id;
	return Array.from({ length: count }, add);
}

/** The IDs of each bulk delete of an account. */
const deletedBy = ({ service }: { service: Service }) =>
	service.sent().map(({ body }) => Object.values(body ?? {}).map(Number));

const deleteMany = { resource: 'contact', operation: 'deleteMany', contactIds: '={{ $json.ids }}' };

const sync = {
	resource: 'contact',
	operation: 'sync',
	contactTypeId: chosen('21'),
	fields: { mappingMode: 'defineBelow', value: { email: '={{ $json.email }}' } },
};

describe('a credential that differs between items', () => {
	it('creates a campaign although that of another account with its name may have been', async () => {
		one.service.fault({ kind: 'reset-before', match: { path: '/single/send/create' } });
		const create = { ...newSend, ifNameExists: 'fail', options: { preflight: false } };
		const { items, failed } = await one.service.run(create, {
			credential: byItem,
			items: itemsOf([one], [other]),
			node: { onError: 'continueErrorOutput' },
		});
		expect(failed).toMatchObject([{ pairedItem: { item: 0 } }]);
		expect(items).toMatchObject([{ json: { created: true }, pairedItem: { item: 1 } }]);
	});

	it('deletes the unsubscribe of a person whom an item of another account keeps off lists', async () => {
		const email = 'eve@example.com';
		for (const { service } of [one, other]) {
			service.state.tables.globalUnsubscribes.add({ email_address: email }, 0);
		}
		const erase = {
			...{ resource: 'person', operation: 'erase', person: chosen(email, 'email'), dryRun: false },
			options: { removeUnsubscribes: '={{ $json.also }}' },
		};
		await one.service.run(erase, {
			credential: byItem,
			items: itemsOf([one, { also: false }], [other, { also: true }]),
		});
		const entriesOf = ({ service }: { service: Service }) =>
			service.state.tables.globalUnsubscribes
				.all()
				.filter(({ email_address }) => email_address === email);
		expect([one, other].map((account) => entriesOf(account).length)).toEqual([1, 0]);
	});

	it('sends each item to its own account', async () => {
		const { items, error } = await one.service.run(
			{ resource: 'contactType', operation: 'create', name: '={{ $json.name }}' },
			{
				credential: byItem,
				items: itemsOf([one, { name: 'Ada' }], [other, { name: 'Ben' }], [one, { name: 'Cy' }]),
			},
		);
		expect(error).toBeUndefined();
		expect(items).toEqual(
			paired(
				{ created: true, name: expect.any(String) as string, message: 'Added Successfully' },
				0,
				1,
				2,
			),
		);
		const namesIn = ({ service }: { service: Service }) =>
			service.sent().map(({ body }) => body?.name);
		expect(namesIn(one).sort()).toEqual(['Ada', 'Cy']);
		expect(namesIn(other)).toEqual(['Ben']);
	});

	it('finds records in the account of the item only', async () => {
		other.service.state.tables.contacts.remove(contact.id);
		const { items, failed } = await one.service.run(
			{
				resource: 'contact',
				operation: 'delete',
				contactId: { __rl: true, mode: 'email', value: contact.email },
			},
			{
				credential: byItem,
				items: itemsOf([other], [one]),
				node: { onError: 'continueErrorOutput' },
			},
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		expect(other.service.calls()).toEqual(['GET /contacts/list']);
		expect(one.service.calls()).toEqual(['GET /contacts/list', 'DELETE /contacts/delete']);
	});

	it('puts the IDs of one account into one request, and no others', async () => {
		const [first = 0, second = 0] = plantContacts(one, 2);
		const [third = 0] = plantContacts(other, 1);
		const { items, error } = await one.service.run(deleteMany, {
			credential: byItem,
			items: itemsOf([one, { ids: [first] }], [other, { ids: [third] }], [one, { ids: [second] }]),
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.ids)).toEqual([[first], [third], [second]]);
		expect(deletedBy(one)).toEqual([[first, second]]);
		expect(deletedBy(other)).toEqual([[third]]);
	});

	it('reads a list once for all items of an account', async () => {
		const { items, error } = await one.service.run(
			{
				resource: 'contact',
				operation: 'create',
				contactTypeId: chosen('21'),
				fields: {
					mappingMode: 'defineBelow',
					value: { email: '={{ $json.email }}', country: '85' },
				},
			},
			{
				credential: byItem,
				items: itemsOf(
					[one, { email: 'a@example.com' }],
					[other, { email: 'b@example.com' }],
					[one, { email: 'c@example.com' }],
				),
			},
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(3);
		const creates = ({ service }: { service: Service }) =>
			service.sent().flatMap(({ method, body }) => (method === 'POST' ? [body?.email] : []));
		expect(creates(one).sort()).toEqual(['a@example.com', 'c@example.com']);
		expect(creates(other)).toEqual(['b@example.com']);
		const reads = ({ service }: { service: Service }) =>
			service.calls().filter((call) => call.startsWith('GET'));
		const lists = ['GET /contacts/list', 'GET /global-unsubscribes'];
		expect([reads(one).sort(), reads(other).sort()]).toEqual([lists, lists]);
	});

	it('syncs the items of each account with that account', async () => {
		const { items, error } = await one.service.run(
			{ ...sync, defaultCountry: { __rl: true, mode: 'list', value: '85' } },
			{
				credential: byItem,
				items: itemsOf(
					[one, { email: 'a@example.com' }],
					[other, { email: 'b@example.com' }],
					[other, { email: 'B@example.com' }],
					[one, { email: 'c@example.com' }],
				),
			},
		);
		expect(error).toBeUndefined();
		expect(items.map(({ json, pairedItem }) => [json.action, json.reason, pairedItem])).toEqual([
			['created', 'new', { item: 0 }],
			['skipped', 'duplicate: item 2 is for the same contact and is used instead', { item: 1 }],
			['created', 'new', { item: 2 }],
			['created', 'new', { item: 3 }],
		]);
		const created = ({ service }: { service: Service }) =>
			service.sent().flatMap(({ method, body }) => (method === 'POST' ? [body?.email] : []));
		expect(created(one).sort()).toEqual(['a@example.com', 'c@example.com']);
		expect(created(other)).toEqual(['B@example.com']);
	});

	it('names the item of the input, not that of its account', async () => {
		const { error } = await one.service.run(
			{ resource: 'contactType', operation: 'create', name: '={{ $json.name }}' },
			{
				credential: byItem,
				items: itemsOf([one, { name: 'Ada' }], [other, { name: 'Ben' }], [other, { name: '' }]),
			},
		);
		expect(error?.message).toContain('[item 2]');
		expect(error?.context.itemIndex).toBe(2);
	});

	it.each([0, 1, 2, 25, 49])('is noticed if it differs for item %i only', async (position) => {
		const ids = plantContacts(one, 50);
		const { failed } = await one.service.run(deleteMany, {
			credential: {
				...keys,
				baseUrl: one.service.baseUrl,
				secretKey: `={{ $itemIndex === ${position} ? "another" : "${keys.secretKey}" }}`,
			},
			items: ids.map((id) => ({ json: { ids: [id] } })),
			node: { onError: 'continueErrorOutput' },
		});
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: position }]);
		const { journal } = one.service;
		const sentWith = (kind: string) =>
			journal.filter((entry) => entry.keys.secretKey === kind).map(({ body }) => body);
		expect(sentWith('wrong')).toEqual([{ 'strIds[0]': String(ids[position]) }]);
		expect(sentWith('correct').flatMap((body) => Object.values(body ?? {}))).toEqual(
			ids.filter((_id, index) => index !== position).map(String),
		);
	});
});

it.each([
	['without an expression', (url: string) => url],
	['with an expression that looks at no item', (url: string) => `={{ "${url}" }}`],
])('a credential %s is one account', async (_what, baseUrlOf) => {
	const ids = plantContacts(one, 3);
	const { error } = await one.service.run(deleteMany, {
		credential: { ...keys, baseUrl: baseUrlOf(one.service.baseUrl) },
		items: ids.map((id) => ({ json: { ids: [id] } })),
	});
	expect(error).toBeUndefined();
	expect(deletedBy(one)).toEqual([ids]);
});

it('two spellings of one address or key are one account, so that nobody is missing from the items of the other', async () => {
	const planted = plantContacts(one, 3);
	one.service.state.tables.contacts.remove(contact.id);
	const rules = { removeAfter: 1, onlyAddedBySync: false };
	const limit = [{ kind: 'maxRemovalPercent', value: 100 }];
	const { items } = await one.service.run(
		{ ...sync, missing: 'delete', options: { removal: { rules }, limits: { limit } } },
		{
			credential: { ...byItem, secretKey: '={{ $json.secretKey }}' },
			items: [
				{ account: one.service.baseUrl, secretKey: keys.secretKey },
				{ account: `${one.service.baseUrl}/`, secretKey: keys.secretKey },
				{ account: one.service.baseUrl, secretKey: `${keys.secretKey} ` },
			].map((json, index) => ({ json: { ...json, email: `bulk${index}@example.com` } })),
		},
	);
	expect(items).toMatchObject(
		planted.map((contactId) => ({ json: { action: 'unchanged', contactId } })),
	);
});

it('a credential that looks at the only item is one account', async () => {
	const [first = 0, second = 0] = plantContacts(one, 2);
	const { items, error } = await one.service.run(
		{ ...deleteMany, options: once },
		{ credential: byItem, items: itemsOf([one, { ids: [first, second] }]) },
	);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.ids)).toEqual([[first, second]]);
});

describe('a credential that cannot be read', () => {
	const unreadable = "={{ $json.account ?? $('Nowhere').item.json.account }}";

	it('fails its items in the words of n8n, and sends nothing with the credential of another', async () => {
		const [first = 0, second = 0] = plantContacts(one, 2);
		const { items, failed } = await one.service.run(deleteMany, {
			credential: { ...keys, baseUrl: unreadable },
			items: [...itemsOf([one, { ids: [first] }]), { json: { ids: [second] } }],
			node: { onError: 'continueErrorOutput' },
		});
		expect(items.map(({ json }) => json.ids)).toEqual([[first]]);
		expect(failed).toMatchObject([
			{
				json: { error: { message: "Referenced node doesn't exist [item 1]" } },
				pairedItem: { item: 1 },
			},
		]);
		expect(deletedBy(one)).toEqual([[first]]);
	});

	it.each([
		['the first of them', ['second'], 0],
		['another one', ['first'], 1],
		['all of them', [], 0],
	])(
		'stops what looks at all items at once, if it is that of %s',
		async (_what, readable, item) => {
			const items = ['first', 'second'].map((name) => ({
				json: {
					email: `${name}@example.com`,
					...(readable.includes(name) && { account: one.service.baseUrl }),
				},
			}));
			const { error } = await one.service.run(sync, {
				credential: { ...keys, baseUrl: unreadable },
				items,
			});
			expect(error?.message).toBe(`Referenced node doesn't exist [item ${item}]`);
			expect(error?.context.itemIndex).toBe(item);
			expect(one.service.calls()).toEqual([]);
		},
	);
});

test('people are independent items: those whose account is known are found', async () => {
	const account = '={{ $json.account ?? $("Nowhere").item.json.account }}';
	const { items, failed } = await one.service.run(
		{ resource: 'person', operation: 'find', person: chosen('ada@example.com', 'email') },
		{
			credential: { ...keys, baseUrl: account },
			items: [...itemsOf([one]), { json: {} }],
			node: { onError: 'continueErrorOutput' },
		},
	);
	expect(items).toMatchObject([{ json: { found: true }, pairedItem: { item: 0 } }]);
	expect(failed).toMatchObject([{ pairedItem: { item: 1 } }]);
});

test('an error in one account says what was processed in another before', async () => {
	const { error } = await one.service.run(
		{
			...sync,
			fields: { mappingMode: 'autoMapInputData', value: null },
			options: limits({ maxAdditions: 1 }),
		},
		{
			credential: byItem,
			items: itemsOf(
				[one, { email: 'a@example.com', country: 'DE' }],
				[other, { email: 'b@example.com', country: 'DE' }],
				[other, { email: 'c@example.com', country: 'DE' }],
			),
		},
	);
	expect((error as NodeOperationError).description).toMatch(
		/^Already processed, because they use another account: item 0\. For the others: Nothing was written\./,
	);
	expect(one.service.calls()).toContain('POST /contacts/add');
	expect(other.service.calls()).not.toContain('POST /contacts/add');
});

test('an error of the service says which items of other accounts were processed before', async () => {
	other.service.fault({ kind: 'status', status: 403 });
	const { error } = await one.service.run(
		{ resource: 'contactType', operation: 'create', name: '={{ $json.name }}' },
		{ credential: byItem, items: itemsOf([one, { name: 'Ada' }], [other, { name: 'Ben' }]) },
	);
	expect((error as NodeApiError).description).toMatch(
		/^Already processed, because they use another account: item 0\. For the others: /,
	);
	expect(one.service.calls()).toEqual(['POST /contacts-type/add']);
});
