import type { IDataObject, ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { methods } from '../../nodes/EmailMarketing/methods';
import { editorContext, keys } from './engine';
import { contact } from './records';
import { chosen } from './rows';
import { get, multipart, once, useService } from './sandbox';

jest.mock('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('./faults/pauses').withoutPauses(),
);

const test = useService();
const lookup = '/get/country-state-city';

type Method = (this: ILoadOptionsFunctions) => Promise<ResourceMapperFields>;

async function columns(name: string, parameters: IDataObject) {
	const context = editorContext(parameters, { baseUrl: test.service.baseUrl, ...keys });
	const { fields } = await (methods?.resourceMapping?.[name] as Method).call(context);
	return fields;
}
const contactColumns = async (operation: string) =>
	await columns('getContactFields', { resource: 'contact', operation });
const country = async (operation = 'create') =>
	(await contactColumns(operation)).find(({ id }) => id === 'country');

const unreadable: Array<[string, unknown]> = [
	['names alone', { countries: ['Germany', 'France'] }],
	['entries without a name', { countries: [{ a: 1 }, { b: 2 }] }],
	['a map', { countries: { 85: 'Germany' } }],
	['nothing', {}],
	['a text', 'See the manual'],
];
const answer = (message: unknown) =>
	test.service.fault({
		kind: 'shape',
		body: { status: 'success', message },
		match: { path: lookup },
		times: 9,
	});

describe('mapping by hand', () => {
	it('starts with email, country and names, and offers the rest', async () => {
		const shown = (fields: Awaited<ReturnType<typeof columns>>) =>
			fields.filter(({ removed, display }) => display && !removed).map(({ id }) => id);
		const first = ['email', 'country', 'first_name', 'last_name'];
		const create = await contactColumns('create');
		expect(shown(create)).toEqual(first);
		expect(create.filter(({ required }) => required).map(({ id }) => id)).toEqual(['email']);
		expect(create.filter(({ removed }) => removed)).toHaveLength(6);
		expect(shown(await contactColumns('update'))).toEqual(first);
		const sync = { resource: 'contact', operation: 'sync' };
		expect(shown(await columns('getSyncFields', sync))).toEqual(first);
		expect(shown(await columns('getSyncFields', { ...sync, matchBy: 'contactId' }))).toEqual([
			'contact_id',
			...first,
		]);
	});

	it.each([
		['segment', ['email', 'first_name', 'last_name'], []],
		['unsubscribeGroup', ['email'], []],
		['notificationRecipient', ['email'], ['first_name', 'last_name']],
	])('of %s has the fields that are required', async (resource, ids, optional) => {
		const fields = await columns('getSyncFields', { resource, operation: 'syncRecipients' });
		expect(fields.filter(({ required }) => required).map(({ id }) => id)).toEqual(ids);
		expect(fields.filter(({ required }) => !required).map(({ id }) => id)).toEqual(optional);
	});

	it('offers the custom fields, and nothing in their place if their list fails', async () => {
		const sync = { resource: 'contact', operation: 'upsert' };
		const custom = async () =>
			(await columns('getSyncFields', sync)).filter(({ id }) => id.startsWith('custom_field_'));
		test.service.state.tables.customFields.add({ field_name: 'plan', field_type: 'text' }, 0);
		expect((await custom()).at(-1)).toMatchObject({
			...{ id: 'custom_field_plan', displayName: 'plan (Custom Field, New Contacts Only)' },
			...{ removed: true, required: false, type: 'string' },
		});
		test.service.fault({
			kind: 'status',
			status: 500,
			match: { path: '/custom-fields' },
			times: 9,
		});
		expect(await custom()).toEqual([]);
	});

	it('offers countries by name', async () => {
		expect(await country()).toMatchObject({
			displayName: 'Country',
			type: 'options',
			options: expect.arrayContaining([{ name: 'Germany', value: '85' }]) as unknown,
		});
	});

	it.each([
		['html', {}],
		['failed', {}],
		['status', { status: 500 }],
		['reset-before', {}],
	] as const)('has a text field for the country when the lookup fails: %s', async (kind, rest) => {
		for (const operation of ['create', 'update']) {
			test.service.fault({ kind, ...rest, match: { path: lookup }, times: 9 });
			const field = await country(operation);
			expect(field).toMatchObject({
				displayName: 'Country',
				type: 'string',
				required: false,
			});
			expect(field?.options).toBeUndefined();
			test.service.state.faults.clear();
		}
	});

	it.each(unreadable)('has one also when the lookup holds %s', async (_what, message) => {
		answer(message);
		const field = await country();
		expect(field).toMatchObject({ displayName: 'Country', type: 'string' });
		expect(field?.options).toBeUndefined();
	});
});

const create = (given: IDataObject) => ({
	resource: 'contact',
	operation: 'create',
	contactTypeId: chosen('21'),
	ifContactExists: 'create',
	fields: { mappingMode: 'defineBelow', value: { email: 'new@example.com', ...given } },
	options: { ...once, globalUnsubscribes: false },
});
const update = (given: IDataObject) => ({
	resource: 'contact',
	operation: 'update',
	contactId: chosen('1000001'),
	fields: { mappingMode: 'defineBelow', value: given },
	options: once,
});

it.each([false, 0])('takes %j for an empty value, as from Odoo or a formula', async (empty) => {
	const { service } = test;
	const updated = await service.run(update({ city: empty, first_name: 'Eve' }));
	expect(updated.error).toBeUndefined();
	expect(service.sent().at(-1)?.body).toMatchObject({ city: contact.city, first_name: 'Eve' });
	service.state.journal.clear();
	const created = await service.run(create({ country: '85', city: empty }));
	expect(created.error).toBeUndefined();
	expect(service.sent().at(-1)?.body).not.toHaveProperty('city');
});

describe('a run without a readable lookup', () => {
	it.each([85, '85', ' 085 '])('takes the ID %j of a country', async (id) => {
		const { service } = test;
		service.fault({ kind: 'html', match: { path: lookup }, times: 9 });
		const { error } = await service.run(create({ country: id }));
		expect(error).toBeUndefined();
		expect(service.sent()).toEqual([
			multipart('/contacts/add', {
				contact_type_id: '21',
				email: 'new@example.com',
				country: '85',
			}),
		]);
	});

	it('updates a contact, whose own country is an ID', async () => {
		const { service } = test;
		service.fault({ kind: 'status', status: 500, match: { path: lookup }, times: 9 });
		const { error } = await service.run(update({ city: 'Potsdam' }));
		expect(error).toBeUndefined();
		expect(service.calls()).toEqual(['GET /contacts/details', 'POST /contacts/update']);
	});

	it.each(unreadable)('says that a name needs it, when it holds %s', async (_what, message) => {
		const { service } = test;
		answer(message);
		const { error } = await service.run(create({ country: 'Germany' }));
		expect(error?.message).toBe(
			'"Country" is "Germany", but the country list of the service cannot be read. Enter the ID of the country',
		);
		expect(service.calls()).toEqual([`GET ${lookup}`]);
	});

	it.each(['0', '000'])('takes no country %j', async (id) => {
		const { service } = test;
		answer({});
		const { error } = await service.run(create({ country: id }));
		expect(error?.message).toContain('has the ID 0');
		expect(service.calls()).toEqual([`GET ${lookup}`]);
	});
});

describe('automatic mapping of an update', () => {
	const automatic = {
		...update({}),
		fields: { mappingMode: 'autoMapInputData', value: null },
	};

	it.each(['contact_type_id', 'Contact Type ID'])('takes the contact type from %s', async (key) => {
		const { service } = test;
		const { error } = await service.run(automatic, {
			items: [{ json: { [key]: 22, city: 'Bonn' } }],
		});
		expect(error).toBeUndefined();
		const [read, checked, write] = service.sent();
		expect(checked).toEqual(get('/global-unsubscribes'));
		expect(read).toEqual(get('/contacts/details', { contact_id: '1000001' }));
		expect(write?.body).toMatchObject({ contact_type_id: '22', city: 'Bonn', country: '85' });
	});

	it.each([{ contact_type: 'Subscribers' }, { contact_type_id: '' }, {}])(
		'keeps the contact type for %j',
		async (json) => {
			const { service } = test;
			await service.run(automatic, { items: [{ json: { city: 'Bonn', ...json } }] });
			expect(service.sent().at(-1)?.body).toMatchObject({ contact_type_id: '21' });
		},
	);

	it('refuses what is no ID', async () => {
		const { service } = test;
		const { error } = await service.run(automatic, {
			items: [{ json: { contact_type_id: 'Subscribers' } }],
		});
		expect(error?.message).toBe(
			'"Contact Type (List)" must be a whole number, but it is "Subscribers"',
		);
		expect(service.calls()).toEqual([]);
	});
});
