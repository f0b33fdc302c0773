import type { IDataObject } from 'n8n-workflow';

import { contact, NOW, otherContact, sender, singleSend } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService();

/** Two items that each set another field of one contact, and one for another contact. */
const update = (extra: IDataObject = {}): IDataObject => ({
	resource: 'contact',
	operation: 'update',
	contactId: '={{ { __rl: true, mode: "id", value: $json.id } }}',
	fields: {
		mappingMode: 'defineBelow',
		value: { last_name: '={{ $json.last }}', city: '={{ $json.city }}' },
	},
	...extra,
});
const items = [
	{ json: { id: contact.id, last: 'Byron' } },
	{ json: { id: otherContact.id, last: 'Other' } },
	{ json: { id: contact.id, city: 'Pune' } },
];

/** Items that all set fields of the same contact. */
const updateOne = (value: IDataObject): IDataObject => ({
	resource: 'contact',
	operation: 'update',
	contactId: chosen(contact.id, 'id'),
	fields: { mappingMode: 'defineBelow', value },
});

const stored = (id: number) => test.service.state.tables.contacts.get(id);

describe('several items that update one record', () => {
	it('keep what the items before them have set', async () => {
		const { service } = test;
		const { error, items: output } = await service.run(update(), { items });
		expect(error).toBeUndefined();
		expect(output.map(({ json, pairedItem }) => [json.updated, pairedItem])).toEqual([
			[true, { item: 0 }],
			[true, { item: 1 }],
			[true, { item: 2 }],
		]);
		expect(stored(contact.id)).toMatchObject({ last_name: 'Byron', city: 'Pune' });
		expect(stored(otherContact.id)).toMatchObject({ last_name: 'Other' });
	});

	it('write nothing where one of them is wrong', async () => {
		const { service } = test;
		const wrong = [...items, { json: { id: contact.id, city: { name: 'Pune' } } }];
		const { error } = await service.run(update(), { items: wrong });
		expect(error?.message).toContain('"City"');
		expect(service.calls()).toEqual([]);
	});

	it('write nothing where one of them has an unknown country', async () => {
		const { service } = test;
		const outcome = await service.run(updateOne({ country: '={{ $json.country }}' }), {
			items: [{ json: { country: 'Germany' } }, { json: { country: 'Narnia' } }],
		});
		expect(outcome.error?.message).toContain('"Country"');
		expect(outcome.error?.context.itemIndex).toBe(1);
		expect(service.calls()).toEqual(['GET /get/country-state-city']);
	});

	it('read nothing where one of them is wrong and another has an unknown country', async () => {
		const { service } = test;
		const { error } = await service.run(
			updateOne({ country: '={{ $json.country }}', city: '={{ $json.city }}' }),
			{ items: [{ json: { country: 'Narnia' } }, { json: { city: { name: 'Pune' } } }] },
		);
		expect(error?.message).toContain('"City"');
		expect(service.calls()).toEqual([]);
	});

	it('refuse an unknown country before anything is sent, whoever it is about', async () => {
		const { service } = test;
		service.state.tables.globalUnsubscribes.add({ email_address: 'new@example.com' }, NOW);
		const { error } = await service.run(
			updateOne({ email: '={{ $json.email }}', country: '={{ $json.country }}' }),
			{
				items: [
					{ json: { email: contact.email, country: 'Germany' } },
					{ json: { email: 'new@example.com', country: 'Narnia' } },
				],
			},
		);
		expect(error?.message).toContain('"Country" is "Narnia", which is not in the country list');
		expect(service.calls()).not.toContain('POST /contacts/update');
	});

	it('go on from what the service has where the one before failed', async () => {
		const { service } = test;
		service.fault({ kind: 'failed', match: { path: '/contacts/update' }, errors: 'Not now' });
		const { items: output } = await service.run(update(), {
			items: items.filter(({ json }) => json.id === contact.id),
			node: { onError: 'continueRegularOutput' },
		});
		expect(output.map(({ json }) => json.updated)).toEqual([undefined, true]);
		expect(stored(contact.id)).toMatchObject({ last_name: contact.last_name, city: 'Pune' });
	});
});

it.each([
	[
		'contact',
		'Contact',
		'contactId',
		{ fields: { mappingMode: 'defineBelow', value: { city: 'X' } } },
	],
	['sender', 'Sender', 'senderId', { updateFields: { zipCode: '1' } }],
])(
	'an item without its %s is refused before any other is updated',
	async (resource, label, id, rest) => {
		const { service } = test;
		const ids = [contact.id, ''].map((one) =>
			resource === 'sender' && one !== '' ? sender.id : one,
		);
		const { error } = await service.run(
			{
				...{ resource, operation: 'update', ...rest },
				[id]: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			},
			{ items: ids.map((one) => ({ json: { id: one } })) },
		);
		expect(error?.message).toBe(`"${label}" is required but empty [item 1]`);
		expect(service.calls()).toEqual([]);
	},
);

it('contact types are renamed in the order of the items, also where one is sent again', async () => {
	const { service } = test;
	service.fault({
		...{ kind: 'status', status: 503, headers: { 'retry-after': '0' } },
		...{ body: { status: 'failed', errors: 'Busy' }, match: { path: '/contacts-type/update' } },
	});
	const { error } = await service.run(
		{
			...{ resource: 'contactType', operation: 'update', name: '={{ $json.name }}' },
			contactTypeId: chosen('21'),
		},
		{ items: [{ json: { name: 'First' } }, { json: { name: 'Second' } }] },
	);
	expect(error).toBeUndefined();
	expect(service.state.tables.contactTypes.get(21)?.name).toBe('Second');
});

it('a campaign is sent by a later item if the service has rejected an earlier one', async () => {
	const { service } = test;
	const errors = { subject: ['The subject is too long.'] };
	service.fault({ kind: 'failed', match: { path: '/single/send/update' }, errors });
	const { items, failed } = await service.run(
		{
			...{ resource: 'singleSend', operation: 'update', options: { preflight: false } },
			singleSendUtr: chosen(singleSend.utr, 'utr'),
			updateFields: { subject: '={{ $json.subject }}', scheduleType: 'immediately' },
		},
		{
			items: [{ json: { subject: 'One' } }, { json: { subject: 'Two' } }],
			node: { onError: 'continueErrorOutput' },
		},
	);
	expect(failed).toHaveLength(1);
	expect(items.map(({ json }) => [json.updated, json.subject])).toEqual([[true, 'Two']]);
});
