import type { IDataObject } from 'n8n-workflow';

import { contact, groupRecipient, NOW, otherContact, segmentRecipient } from '../records';
import { chosen, checkRows, type Row } from '../rows';
import { del, get, urlencoded, useService } from '../sandbox';

const test = useService({ segmentCounts: 'recipients' });
const byEmail = (address: string) => chosen(address, 'email');

const message = 'Deleted Successfully';
const rows: Record<string, Row[]> = {
	contact: [
		{
			operation: 'delete',
			with: 'by email',
			parameters: { contactId: byEmail(' Ada@Example.com ') },
			sends: [get('/contacts/list'), del('/contacts/delete', { contact_id: '1000001' })],
			gives: [{ deleted: true, id: 1000001, message }],
		},
		{
			operation: 'deleteMany',
			with: 'IDs and addresses, one of them twice',
			parameters: { contactIds: `ben@example.com, ${contact.id}, ${contact.email}` },
			sends: [
				get('/contacts/list'),
				urlencoded('/contacts/bulk-delete', { 'strIds[0]': '1000002', 'strIds[1]': '1000001' }),
			],
			gives: [{ deleted: true, ids: [1000002, 1000001], message }],
		},
		{
			operation: 'deleteMany',
			with: 'addresses as mail programs and word processors write them',
			parameters: { contactIds: [`“${otherContact.email}”`, `mailto:${contact.email}`] },
			sends: [
				get('/contacts/list'),
				urlencoded('/contacts/bulk-delete', { 'strIds[0]': '1000002', 'strIds[1]': '1000001' }),
			],
			gives: [{ deleted: true, ids: [1000002, 1000001], message }],
		},
	],
	segment: [
		{
			operation: 'deleteRecipient',
			settings: { segmentCounts: 'recipients' },
			with: 'by email',
			parameters: { segmentId: chosen('301'), segmentRecipientId: byEmail(contact.email) },
			sends: [
				get('/segment/email/list', { segment_id: '301' }),
				del('/segment/email/delete', { segment_recipient_id: '500001' }),
			],
			gives: [{ deleted: true, id: 500001, message }],
		},
		{
			operation: 'deleteRecipient',
			settings: { segmentCounts: 'recipients' },
			with: 'from the list, checked against the segment',
			parameters: { segmentId: chosen('301'), segmentRecipientId: chosen(segmentRecipient.id) },
			sends: [
				get('/segment/email/list', { segment_id: '301' }),
				del('/segment/email/delete', { segment_recipient_id: '500001' }),
			],
			gives: [{ deleted: true, id: 500001, message }],
		},
	],
	unsubscribeGroup: [
		{
			operation: 'deleteRecipient',
			settings: { segmentCounts: 'recipients' },
			with: 'by email',
			parameters: {
				unsubscribeGroupId: chosen('51'),
				groupRecipientId: byEmail(groupRecipient.email_address),
			},
			sends: [
				get('/unsubscribes-groups/recipients-list', { groupId: '51' }),
				del('/unsubscribes-groups/recipients-delete', { id: '300001' }),
			],
			gives: [{ deleted: true, id: 300001, message }],
		},
		{
			operation: 'deleteManyRecipients',
			with: 'by email',
			parameters: {
				unsubscribeGroupId: chosen('51'),
				groupRecipientIds: [groupRecipient.email_address],
			},
			sends: [
				get('/unsubscribes-groups/recipients-list', { groupId: '51' }),
				urlencoded('/unsubscribes-groups/recipients-bulk-delete', { 'strIds[0]': '300001' }),
			],
			gives: [{ deleted: true, ids: [300001], message }],
		},
	],
	globalUnsubscribe: [
		{
			operation: 'delete',
			with: 'by email',
			parameters: { globalUnsubscribeId: byEmail('no.more@example.com') },
			sends: [get('/global-unsubscribes'), del('/global-unsubscribes/delete', { id: '100001' })],
			gives: [{ deleted: true, id: 100001, message }],
		},
	],
	notificationRecipient: [
		{
			operation: 'delete',
			with: 'by email',
			parameters: { notificationRecipientId: byEmail('maya@example.com') },
			sends: [
				get('/notification-recipients'),
				del('/notification-recipient/delete', { id: '401' }),
			],
			gives: [{ deleted: true, id: 401, message }],
		},
	],
	automationSchedule: [
		{
			operation: 'delete',
			with: 'from the list, checked against the automation',
			parameters: {
				automationUtr: chosen('22222222-2222-4222-8222-222222222222'),
				automationScheduleUtr: chosen('44444444-4444-4444-8444-444444444444'),
			},
			sends: [
				get('/automations/schedule', { utr: '22222222-2222-4222-8222-222222222222' }),
				del('/automations/schedule/delete', { utr: '44444444-4444-4444-8444-444444444444' }),
			],
			gives: [{ deleted: true, utr: '44444444-4444-4444-8444-444444444444', message }],
		},
	],
};
for (const [resource, ofResource] of Object.entries(rows)) checkRows(resource, ofResource);

const deleteContact = (contactId: unknown): IDataObject => ({
	resource: 'contact',
	operation: 'delete',
	contactId: contactId as IDataObject,
});

it.each(['list', 'id'])('takes an address from the input in the mode %s', async (mode) => {
	const { service } = test;
	const items = [contact, otherContact].map(({ email }) => ({ json: { email } }));
	const outcome = await service.run(deleteContact(chosen('={{ $json.email }}', mode)), { items });
	expect(outcome.items.map(({ json }) => json.id)).toEqual([contact.id, otherContact.id]);
	expect(service.calls()).toEqual([
		'GET /contacts/list',
		'DELETE /contacts/delete',
		'DELETE /contacts/delete',
	]);
});

it('takes an ID that has blanks around it', async () => {
	const { service } = test;
	const contacts = [{ id: ' 1000001 ', email: contact.email }];
	const body = { status: 'success', message: { contacts } };
	service.fault({ kind: 'status', status: 200, body });
	const { items } = await service.run(deleteContact(byEmail(contact.email)));
	expect(items.map(({ json }) => json.id)).toEqual([1000001]);
});

describe('refuses, before anything is written,', () => {
	const refusal = async (parameters: IDataObject) => {
		const { error } = await test.service.run(parameters);
		expect(test.service.calls().filter((call) => !call.startsWith('GET'))).toEqual([]);
		return [error?.message, error?.description];
	};
	const remedy = (text: string) => `${text} Nothing was changed for this item.`;

	// n8n takes EACCES and EISDIR for errors of the system.
	it.each(['nobody@example.com', 'info@homeaccess.com', 'thisisdirect@example.com'])(
		'an address that nobody has: %s',
		async (address) => {
			expect(await refusal(deleteContact(byEmail(address)))).toEqual([
				`"Contact" was not found: no record has the email ${address}`,
				remedy('Check the address, or choose from the list.'),
			]);
		},
	);

	it.each([[undefined], [null], [''], [{}], [[1, 2]], ['1&x=2'], [true], ['9'.repeat(16)]])(
		'the address of a contact whose ID is %j',
		async (id) => {
			const contacts = [
				{ id, email: contact.email },
				{ id: 2, email: 'ben@example.com' },
			];
			const body = { status: 'success', message: { contacts } };
			test.service.fault({ kind: 'status', status: 200, body });
			expect(await refusal(deleteContact(byEmail(contact.email)))).toEqual([
				'"Contact" cannot be identified: the record with the email ada@example.com has no valid ID',
				remedy('Enter the ID of the record instead of the email.'),
			]);
		},
	);

	it('an address that nobody has in the segment', async () => {
		const parameters = {
			segmentId: chosen('301'),
			segmentRecipientId: byEmail('nobody@example.com'),
		};
		expect(
			await refusal({ resource: 'segment', operation: 'deleteRecipient', ...parameters }),
		).toEqual([
			'"Segment Recipient" was not found: no record in "Segment" 301 has the email nobody@example.com',
			remedy('Check the address, or choose from the list.'),
		]);
	});

	it('the address of a deleted contact', async () => {
		const { contacts } = test.service.state.tables;
		contacts.add({ ...contacts.get(contact.id), deleted_at: '2026-03-01T00:00:00.000000Z' }, NOW);
		expect(await refusal(deleteContact(byEmail(contact.email)))).toEqual([
			'"Contact" was not found: no record has the email ada@example.com',
			remedy('Check the address, or choose from the list.'),
		]);
	});

	it('an address that several have, and names them', async () => {
		Object.assign(test.service.state.settings, { listOrder: 'oldest' });
		test.service.state.tables.contacts.add({ email: 'ADA@example.com', contact_type_id: 22 }, NOW);
		expect(await refusal(deleteContact(byEmail(contact.email)))).toEqual([
			'"Contact" is ambiguous: 2 records have the email ada@example.com: ID 1000001 (Customers), ID 1000003 (Subscribers)',
			remedy('Enter the ID of the right record instead of the email.'),
		]);
	});

	it('a number where an address is expected', async () => {
		expect(await refusal(deleteContact(byEmail('={{ "1000001" }}')))).toContainEqual(
			'"Contact" is not an email address: "1000001"',
		);
	});

	it('an address without the segment to look in', async () => {
		const parameters = { segmentRecipientId: byEmail(contact.email) };
		expect(
			await refusal({ resource: 'segment', operation: 'deleteRecipient', ...parameters }),
		).toEqual([
			'"Segment" is required to find "Segment Recipient" by email',
			remedy('Choose "Segment", or enter an ID.'),
		]);
		expect(test.service.calls()).toEqual([]);
	});

	it('a recipient of another segment', async () => {
		test.service.state.tables.segments.add({ segment_name: 'Other' }, NOW);
		const parameters = { segmentId: chosen('302'), segmentRecipientId: chosen('500001') };
		expect(
			await refusal({ resource: 'segment', operation: 'deleteRecipient', ...parameters }),
		).toEqual([
			'"Segment Recipient" does not belong to "Segment" 302: 500001',
			remedy(
				'Choose "Segment Recipient" from the list again. To choose the record by its ID only, leave "Segment" empty.',
			),
		]);
	});

	it('a recipient of a segment that an expression did not return', async () => {
		const parameters = {
			segmentId: { ...chosen(''), mode: 'id', value: '={{ $json.segment }}' },
			segmentRecipientId: chosen('500001'),
		};
		expect(
			await refusal({ resource: 'segment', operation: 'deleteRecipient', ...parameters }),
		).toEqual([
			'"Segment" contains an expression that returned nothing',
			remedy('Correct the expression, or clear the field to choose the record by its ID only.'),
		]);
		expect(test.service.calls()).toEqual([]);
	});

	it('recipients of another unsubscribe group', async () => {
		test.service.state.tables.unsubscribeGroups.add({ group_name: 'Other' }, NOW);
		expect(
			await refusal({
				resource: 'unsubscribeGroup',
				operation: 'deleteManyRecipients',
				unsubscribeGroupId: chosen('52'),
				groupRecipientIds: ['300001', '300002'],
			}),
		).toEqual([
			'"Group Recipient Names or IDs" does not belong to "Unsubscribe Group" 52: 300001, 300002',
			remedy(
				'Choose "Group Recipient Names or IDs" from the list again. To choose the record by its ID only, leave "Unsubscribe Group" empty.',
			),
		]);
	});

	it('an email of another automation', async () => {
		expect(
			await refusal({
				resource: 'automationSchedule',
				operation: 'delete',
				automationUtr: chosen('33333333-3333-4333-8333-333333333333'),
				automationScheduleUtr: chosen('44444444-4444-4444-8444-444444444444'),
			}),
		).toEqual([
			'"Automation Schedule" does not belong to "Automation" 33333333-3333-4333-8333-333333333333: 44444444-4444-4444-8444-444444444444',
			remedy(
				'Choose "Automation Schedule" from the list again. To choose the record by its ID only, leave "Automation" empty.',
			),
		]);
	});
});

it('finds on a second try what the first has deleted', async () => {
	const { service } = test;
	service.fault({ kind: 'status', status: 429, match: { path: '/contacts/bulk-delete' }, skip: 1 });
	const outcome = await service.run(
		{
			resource: 'contact',
			operation: 'deleteMany',
			contactIds: `${contact.email}, ${otherContact.email}`,
			options: { parallelRequests: 1, retryTemporaryFailures: false },
		},
		{ node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } },
	);
	expect(outcome.error).toBeUndefined();
	expect(outcome.items[0]?.json.ids).toEqual([contact.id, otherContact.id]);
});
