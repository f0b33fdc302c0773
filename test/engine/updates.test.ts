import type { IDataObject } from 'n8n-workflow';

import { contact, otherContact, sender, singleSend, unsubscribeGroup } from './records';
import { chosen } from './rows';
import { once, useService } from './sandbox';

const test = useService({ emptyInUpdate: 'clears' });

/** Runs an update and gives back the fields of the record that it changed. */
async function changes(
	table: 'contacts' | 'senders' | 'singleSends' | 'unsubscribeGroups',
	id: number,
	parameters: IDataObject,
): Promise<Record<string, unknown>> {
	const { service } = test;
	const rows = service.state.tables[table] as unknown as { get(key: number): object };
	const before = { ...rows.get(id) } as Record<string, unknown>;
	const { error } = await service.run({ operation: 'update', ...parameters });
	expect(error).toBeUndefined();
	expect(service.violations()).toEqual([]);
	const after = Object.entries(rows.get(id));
	return Object.fromEntries(
		after.filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key])),
	);
}

const mapped = (value: IDataObject): IDataObject => ({
	resource: 'contact',
	contactId: chosen(contact.id, 'id'),
	fields: { mappingMode: 'defineBelow', value },
});
const senderUpdate = (updateFields: IDataObject, options: IDataObject = {}): IDataObject => ({
	resource: 'sender',
	senderId: chosen(sender.id, 'id'),
	updateFields,
	options,
});
const groupUpdate = (updateFields: IDataObject): IDataObject => ({
	resource: 'unsubscribeGroup',
	unsubscribeGroupId: chosen('51'),
	updateFields,
});
const sendUpdate = (updateFields: IDataObject): IDataObject => ({
	resource: 'singleSend',
	singleSendUtr: chosen(singleSend.utr, 'utr'),
	updateFields,
});

describe('an update', () => {
	it('changes what is given and nothing else', async () => {
		expect(await changes('contacts', contact.id, mapped({ last_name: 'Byron' }))).toEqual({
			last_name: 'Byron',
		});
		expect(await changes('senders', sender.id, senderUpdate({ zipCode: '10999' }))).toEqual({
			zip_code: '10999',
		});
		expect(
			await changes('unsubscribeGroups', unsubscribeGroup.id, groupUpdate({ isDisplay: false })),
		).toEqual({ is_display: 0 });
		expect(await changes('singleSends', singleSend.id, sendUpdate({ subject: 'Other' }))).toEqual({
			subject: 'Other',
		});
	});

	it.each<[string, IDataObject]>([
		['a contact', mapped({})],
		['a contact', mapped({ last_name: '={{ $json.missing }}', city: '={{ null }}' })],
		['a sender', senderUpdate({})],
		['an unsubscribe group', groupUpdate({})],
	])('of %s that sets no field sends nothing', async (_, parameters) => {
		const { service } = test;
		const { items, error } = await service.run({ operation: 'update', ...parameters });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual([
			expect.objectContaining({
				...{ updated: false, message: 'No field has a value; nothing was written' },
			}),
		]);
		expect(service.calls()).toEqual([]);
	});

	it('blanks the fields that are to be cleared', async () => {
		const cleared = await changes('contacts', contact.id, {
			...mapped({ first_name: 'Lin' }),
			options: { clearFields: ['last_name', 'address_line2'] },
		});
		expect(cleared).toEqual({ first_name: 'Lin', last_name: '', address_line2: '' });
		expect(
			await changes('senders', sender.id, senderUpdate({}, { clearFields: ['zip_code'] })),
		).toEqual({ zip_code: '' });
	});

	it('prefers a value that is given to clearing', async () => {
		expect(
			await changes('contacts', contact.id, {
				...mapped({ last_name: 'Byron' }),
				options: { clearFields: 'last_name, city' },
			}),
		).toEqual({ last_name: 'Byron', city: '' });
	});

	it('keeps the country of a contact, which is read as an id', async () => {
		const { service } = test;
		await service.run({
			...mapped({ city: 'Pune' }),
			operation: 'update',
			contactId: chosen(otherContact.id, 'id'),
		});
		expect(service.sent().at(-1)?.body).toMatchObject({ country: '104', city: 'Pune' });
	});

	it('keeps the country of a contact also when it is read as a name', async () => {
		const { service } = test;
		const details = { ...contact, country: 'Germany' };
		service.fault({
			kind: 'shape',
			body: { status: 'success', message: { contact: details } },
		});
		expect(await changes('contacts', contact.id, mapped({ city: 'Pune' }))).toEqual({
			city: 'Pune',
		});
		expect(service.calls()).toEqual([
			'GET /contacts/details',
			'GET /get/country-state-city',
			'POST /contacts/update',
		]);
	});

	it.each([
		['contacts', 'Contact', contact.id, mapped({ city: 'Pune' }), 'GET /contacts/details'],
		[
			'contacts',
			'Contact',
			contact.id,
			mapped({ email: 'a@example.org' }),
			'GET /contacts/details',
		],
		['senders', 'Sender', sender.id, senderUpdate({ nickname: 'Spring' }), 'GET /sender/details'],
	] as const)(
		'is refused for a deleted record of %s',
		async (table, label, id, parameters, read) => {
			const { service } = test;
			const row = service.state.tables[table].get(id) as { deleted_at: string | null };
			row.deleted_at = '2026-03-02T10:00:00.000000Z';
			const { error } = await service.run({ operation: 'update', ...parameters });
			expect([error?.message, error?.description]).toEqual([
				`"${label}" is deleted in the service: ${id}`,
				'Choose another record. If this one was deleted by mistake, create it again. Nothing was changed for this item.',
			]);
			expect(service.calls()).toEqual([read]);
		},
	);

	it('changes nothing when the record does not exist', async () => {
		const { service } = test;
		const { error } = await service.run({
			operation: 'update',
			...mapped({ city: 'Pune' }),
			contactId: chosen(7, 'id'),
		});
		expect(error?.message).toBe('The service rejected the request: Record Not Found');
		expect(service.calls()).toEqual(['GET /contacts/details']);
	});

	it.each([
		['truncated', 'The connection to the service was lost before the response was complete'],
		['html', 'The service returned a web page instead of data (HTTP 200)'],
		['timeout', 'The service did not respond in time'],
	] as const)('changes nothing when reading the record ends as %s', async (kind, message) => {
		const { service } = test;
		service.fault({ kind });
		const { error } = await service.run({
			operation: 'update',
			...mapped({ city: 'Pune' }),
			...(kind === 'timeout' && { requestOptions: { timeout: 300 } }),
			options: once,
		});
		expect(error?.message).toBe(message);
		expect(error?.description).not.toContain('may have succeeded');
		expect(service.calls()).toEqual(['GET /contacts/details']);
	});

	it.each([
		['no record', { status: 'success', message: {} }],
		['a text', { status: 'success', message: 'fine' }],
	])('changes nothing when it is given %s to keep', async (_what, body) => {
		const { service } = test;
		service.fault({ kind: 'shape', body });
		const { error } = await service.run({ operation: 'update', ...mapped({ city: 'Pune' }) });
		expect(error?.message).toBe('Unexpected response: the record "contact" is missing');
		expect(service.calls()).toEqual(['GET /contacts/details']);
	});

	it.each([
		['contact', 'get', { contactId: chosen('1000001') }, { contact: otherContact }],
		['singleSend', 'getReport', { singleSendUtr: chosen('abc') }, { singleSend: [singleSend] }],
	])('of a %s returns no other one: %s', async (resource, operation, parameters, message) => {
		const { service } = test;
		service.fault({ kind: 'shape', body: { status: 'success', message } });
		const { error } = await service.run({ resource, operation, ...parameters });
		expect(error?.message).toBe(
			`Unexpected response: the record "${resource}" is not the requested one`,
		);
	});

	it('changes nothing when it is given another record to keep', async () => {
		const { service } = test;
		const cases: Array<[IDataObject, IDataObject]> = [
			[mapped({ city: 'Pune' }), { contact: otherContact }],
			[sendUpdate({ subject: 'Other' }), { singleSend: [{ ...singleSend, utr: 'other', id: 7 }] }],
			[senderUpdate({ zipCode: '10999' }), { sender: { ...sender, id: 7 } }],
		];
		for (const [parameters, message] of cases) {
			service.reset();
			service.fault({ kind: 'shape', body: { status: 'success', message } });
			const { error } = await service.run({ operation: 'update', ...parameters });
			const [key = ''] = Object.keys(message);
			expect(error?.message).toBe(
				`Unexpected response: the record "${key}" is not the requested one`,
			);
			expect(service.calls()).toHaveLength(1);
		}
	});

	it.each([
		['contact_type_id', 'x', 'Contact Type (List)'],
		['email', { toString: 1 }, 'Email'],
		['first_name', ['Ada'], 'First Name'],
	])('changes nothing when it is given no %s that it could keep', async (field, value, label) => {
		const { service } = test;
		const record = { ...contact, country: '85', [field]: value };
		service.fault({ kind: 'shape', body: { status: 'success', message: { contact: record } } });
		const { error } = await service.run({ operation: 'update', ...mapped({ city: 'Pune' }) });
		expect(error?.message).toBe(`Unexpected response: "${label}" is missing or not valid`);
		expect(service.calls()).toEqual(['GET /contacts/details']);
	});

	it.each(['email', 'contact_id', 'no_such_field', 'last_name"\r\nX: 1'])(
		'clears no field that cannot be cleared: %s',
		async (field) => {
			const { error } = await test.service.run({
				operation: 'update',
				...mapped({ city: 'Pune' }),
				options: { clearFields: [field] },
			});
			expect(error?.message).toMatch(
				/^"Fields to Clear" contains a field that cannot be cleared: /,
			);
			expect(error?.description).toMatch(
				/^Choose from: ([a-z_0-9]+, )+[a-z_0-9]+\. Nothing was changed for this item\.$/,
			);
			expect(test.service.calls().filter((call) => call.startsWith('POST'))).toEqual([]);
		},
	);

	it.each(['wrong', 'without@dot'])('sends no update when another item is %s', async (email) => {
		const { service } = test;
		const { error } = await service.run(
			{ ...mapped({ email: '={{ $json.email }}' }), operation: 'update' },
			{ items: [{ json: { email: 'ok@example.com' } }, { json: { email } }] },
		);
		expect(error?.message).toBe(`"Email" is not an email address: "${email}" [item 1]`);
		expect(service.calls().filter((call) => call.startsWith('POST'))).toEqual([]);
	});
});
