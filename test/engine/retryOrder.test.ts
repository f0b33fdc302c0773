import { contact, contactType, globalUnsubscribe, otherAutomation, singleSend } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService();
const node = {
	...{ retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	onError: 'continueErrorOutput' as const,
};

it('the last item for a contact wins, also where n8n runs the node again for the first one', async () => {
	const { service } = test;
	service.fault({ kind: 'failed', match: { path: '/contacts/update' } });
	await service.run(
		{
			...{ resource: 'contact', operation: 'update', contactId: chosen(contact.id) },
			fields: { mappingMode: 'defineBelow', value: { city: '={{ $json.city }}' } },
		},
		// Two rows of a sheet: where somebody lived, and lives now.
		{ items: ['Bonn', 'Köln'].map((city) => ({ json: { city } })), node },
	);
	expect(service.state.tables.contacts.get(contact.id)?.city).toBe('Köln');
});

it('a later item whose response was lost is not overwritten either', async () => {
	const { service } = test;
	const match = { path: '/contacts/update' };
	service.fault({ kind: 'failed', match });
	service.fault({ kind: 'reset-after', match });
	const { failed } = await service.run(
		{
			...{ resource: 'contact', operation: 'update', contactId: chosen(contact.id) },
			fields: { mappingMode: 'defineBelow', value: { city: '={{ $json.city }}' } },
		},
		{ items: ['Bonn', 'Köln'].map((city) => ({ json: { city } })), node },
	);
	expect(failed).toHaveLength(2);
	expect(service.state.tables.contacts.get(contact.id)?.city).toBe('Köln');
});

it.each([
	['ADA@example.com', 'ada@example.com'],
	['ada@example.com', String(contact.id)],
])('the last item for a contact wins if the items name it as %s and %s', async (...names) => {
	const { service } = test;
	service.fault({ kind: 'failed', match: { path: '/contacts/update' } });
	await service.run(
		{
			...{ resource: 'contact', operation: 'update', contactId: chosen('={{ $json.who }}') },
			fields: { mappingMode: 'defineBelow', value: { city: '={{ $json.city }}' } },
		},
		{
			items: ['Bonn', 'Köln'].map((city, index) => ({ json: { city, who: names[index] } })),
			node,
		},
	);
	expect(service.state.tables.contacts.get(contact.id)?.city).toBe('Köln');
});

it('a later item that was skipped wins over nothing', async () => {
	const { service } = test;
	service.fault({ kind: 'failed', match: { path: '/contacts/update' } });
	const { failed } = await service.run(
		{
			...{ resource: 'contact', operation: 'update', contactId: chosen(contact.id) },
			fields: { mappingMode: 'autoMapInputData' },
		},
		{
			items: [{ json: { city: 'Köln' } }, { json: { email: globalUnsubscribe.email_address } }],
			node,
		},
	);
	expect(failed).toEqual([]);
	expect(service.state.tables.contacts.get(contact.id)?.city).toBe('Köln');
});

it('the last name of a contact type wins, also where n8n runs the node again for the first item', async () => {
	const { service } = test;
	service.fault({ kind: 'failed', match: { path: '/contacts-type/update' } });
	await service.run(
		{
			...{ resource: 'contactType', operation: 'update' },
			...{ contactTypeId: chosen(contactType.id), name: '={{ $json.name }}' },
		},
		{ items: ['Buyers', 'Clients'].map((name) => ({ json: { name } })), node },
	);
	expect(service.state.tables.contactTypes.get(contactType.id)?.name).toBe('Clients');
});

it('the last send time of a campaign wins, also where n8n runs the node again for the first item', async () => {
	const { service } = test;
	service.fault({ kind: 'failed', match: { path: '/single/send/update' } });
	await service.run(
		{
			...{ resource: 'singleSend', operation: 'update' },
			singleSendUtr: chosen(singleSend.utr),
			updateFields: { scheduleAt: '={{ $json.at }}' },
		},
		{ items: ['2099-04-01T09:00', '2099-05-01T09:00'].map((at) => ({ json: { at } })), node },
	);
	const stored = service.state.tables.singleSends.get(singleSend.id);
	expect(stored?.schedule_date).toBe('2099-05-01');
});

it('an automation that a later item has set live is live for the first one, too', async () => {
	const { service } = test;
	service.fault({ kind: 'failed', match: { path: '/automations/set-live' } });
	const setLive = {
		...{ resource: 'automation', operation: 'setLive', options: { preflight: false } },
		automationUtr: chosen(otherAutomation.utr),
	};
	const { items, failed } = await service.run(setLive, {
		items: [{ json: {} }, { json: {} }],
		node,
	});
	expect(failed).toEqual([]);
	expect(items.map(({ json }) => json.live)).toEqual([true, true]);
	expect(service.calls().filter((call) => call === 'GET /automations/set-live')).toHaveLength(2);
});
