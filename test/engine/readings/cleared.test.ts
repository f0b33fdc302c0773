import type { IDataObject } from 'n8n-workflow';

import { readings } from '../../../sandbox/readings.ts';
import { contact, NOW, sender, singleSend } from '../records';
import { chosen } from '../rows';
import { once, useService } from '../sandbox';
import { asShown } from './underReading';

const test = useService(asShown);

const updates: Array<[string, IDataObject, string, string]> = [
	[
		'contact',
		{
			contactId: chosen(contact.id),
			fields: { mappingMode: 'defineBelow', value: {} },
			options: { clearFields: ['last_name', 'city'] },
		},
		'Last Name, City',
		'/contacts/details',
	],
	[
		'sender',
		{ senderId: chosen(sender.id), options: { clearFields: ['zip_code'] } },
		'Zip Code',
		'/sender/details',
	],
	[
		'singleSend',
		{
			singleSendUtr: chosen(singleSend.utr, 'utr'),
			options: { clearFields: ['exclude_specific_recipient_id'] },
		},
		'Exclude Names or IDs',
		'/single-send/details',
	],
	[
		'singleSend',
		{
			singleSendUtr: chosen(singleSend.utr, 'utr'),
			updateFields: { excludeSpecificRecipientId: '={{ [] }}' },
		},
		'Exclude Names or IDs',
		'/single-send/details',
	],
];

const clear = async (resource: string, parameters: IDataObject) =>
	await test.service.run({ resource, operation: 'update', ...parameters });

const content = { singleSendUtr: chosen(singleSend.utr, 'utr') };

it.each<[string, IDataObject, object, string | undefined]>([
	['HTML', { templateId: chosen('2') }, { template_html: '<p>Old</p>' }, 'HTML'],
	['HTML', { templateJson: '{"a":1}' }, { template_html: '<p>Old</p>' }, 'HTML'],
	['JSON', { templateHtml: '<p>New</p>' }, { template_json: '{"a":1}' }, 'JSON'],
	['a placeholder', { templateHtml: '<p>New</p>' }, { template_json: '{}' }, undefined],
	['nothing', { templateHtml: '<p>New</p>' }, {}, undefined],
])('empty-keeps: a singleSend with %s gets %j', async (_, updateFields, stored, label) => {
	Object.assign(test.service.state.settings, readings['empty-keeps']);
	const none = { template_id: 1, template_html: null, template_json: null };
	const record = test.service.state.tables.singleSends.get(singleSend.id) ?? {};
	Object.assign(record, { ...none, ...stored });
	const { items, error } = await clear('singleSend', {
		...{ ...content, updateFields, options: { unusedContent: 'empty' } },
	});
	expect(error).toBeUndefined();
	const note =
		label &&
		`The service did not clear ${label}: it ignored the empty value. Clear it in the service.`;
	expect([items[0]?.json.updated, items[0]?.json.note]).toEqual([true, note]);
});

it.each<[string, IDataObject, IDataObject, IDataObject]>([
	[
		'HTML replaced by a template',
		{ template_id: 1, template_html: '<p>Old</p>' },
		{ templateId: chosen('2') },
		{},
	],
	[
		'a template replaced by the same one',
		{ template_id: 2, template_html: '<p>Rendered</p>' },
		{ templateId: chosen('2') },
		{},
	],
	[
		'a template that is kept',
		{ template_id: 2, template_html: '<p>Rendered</p>' },
		{ subject: 'New' },
		{ storedContent: 'template', unusedContent: 'empty' },
	],
])('what the service makes of a template is not old content: %s', async (...row) => {
	const [, stored, updateFields, options] = row;
	Object.assign(test.service.state.settings, readings['templates-rendered-into-single-sends']);
	const record = test.service.state.tables.singleSends.get(singleSend.id) ?? {};
	Object.assign(record, { template_json: null, template_html: null, ...stored });
	const { items, error } = await clear('singleSend', { ...content, updateFields, options });
	expect(error).toBeUndefined();
	expect(items[0]?.json.note).toBeUndefined();
});

it('a singleSend whose unused content is sent empty can be sent immediately', async () => {
	const stored = { template_id: 1, template_html: '<p>Mine</p>', template_json: '{"a":1}' };
	Object.assign(test.service.state.tables.singleSends.get(singleSend.id) ?? {}, stored);
	const { items, error } = await clear('singleSend', {
		...{ ...content, updateFields: { scheduleType: 'immediately' } },
		options: { storedContent: 'html', unusedContent: 'empty' },
	});
	expect(error).toBeUndefined();
	expect(items[0]?.json).toMatchObject({ updated: true });
});

it('a singleSend stored to be sent immediately is told how to get other content first', async () => {
	const stored = { template_id: 1, template_html: '<p>Mine</p>', schedule_type: 0, status: 0 };
	Object.assign(test.service.state.tables.singleSends.get(singleSend.id) ?? {}, stored);
	const { error } = await clear('singleSend', {
		...{ ...content, updateFields: { templateId: chosen('2'), scheduleType: 'immediately' } },
	});
	expect(error?.description).toContain('a "Send At" far in the future');
});

it('a singleSend is not sent immediately by the update that replaces its content', async () => {
	Object.assign(test.service.state.settings, readings['empty-keeps']);
	const old = { template_id: 1, template_html: '<p>Old</p>', template_json: null };
	Object.assign(test.service.state.tables.singleSends.get(singleSend.id) ?? {}, old);
	const send = { scheduleType: 'immediately' };
	const update = async (updateFields: IDataObject, options: IDataObject = {}) => {
		const { error } = await clear('singleSend', { ...content, updateFields, options });
		return error?.message;
	};
	const refused = 'The service may keep the old HTML and send it';
	expect(await update({ templateId: chosen('2'), ...send })).toBe(refused);
	expect(test.service.calls()).toEqual(['GET /single-send/details']);
	expect(await update({ templateId: chosen('2') })).toBeUndefined();
	expect(await update(send)).toContain('it has "Template" and "HTML"');
	expect(await update({ templateId: chosen('2'), ...send })).toBe(refused);
	const options = { storedContent: 'template' };
	expect(await update({ templateId: chosen('2'), ...send }, options)).toBeUndefined();
});

it.each([
	['has passed', { schedule_date: '2026-03-01' }, { allowSendingAgain: true }, {}],
	['is given, and has passed', {}, { preflight: false }, { scheduleAt: '2026-03-01T09:00:00' }],
	['is given, and has just passed', {}, {}, { scheduleAt: new Date().toISOString() }],
])('nor is one whose time %s', async (_, schedule, options, given: IDataObject) => {
	const old = { template_id: 1, template_html: '<p>Old</p>', template_json: null };
	const record = test.service.state.tables.singleSends.get(singleSend.id) ?? {};
	Object.assign(record, { ...old, ...schedule });
	const updateFields = { templateId: chosen('2'), ...given };
	const { error } = await clear('singleSend', { ...content, updateFields, options });
	expect(error?.message).toBe('The service may keep the old HTML and send it');
	expect(error?.description).toBe(
		'First replace the content with one "Campaign: Update" that sets "Send at a Set Time" and a "Send At" far in the future. Then send the campaign with a second "Campaign: Update". If the service made the old HTML from the template of the campaign, choose "Design Template" with "Compatibility: Stored Content" in Options instead. Nothing was changed for this item.',
	);
});

it.each(updates)(
	'a %s whose fields were cleared is returned without a note',
	async (resource, parameters) => {
		const { items, error } = await clear(resource, parameters);
		expect(error).toBeUndefined();
		expect(items[0]?.json).not.toHaveProperty('note');
	},
);

it.each(updates)(
	'empty-keeps: a %s that kept its fields says so',
	async (resource, parameters, labels) => {
		Object.assign(test.service.state.settings, readings['empty-keeps']);
		const { items, notes } = await clear(resource, parameters);
		const note = `The service did not clear ${labels}: it ignored the empty value. Clear it in the service.`;
		expect(items[0]?.json).toMatchObject({ updated: true, note });
		expect(notes).toEqual([note]);
	},
);

it.each(updates)(
	'a %s that cannot be read again was updated',
	async (resource, parameters, _, path) => {
		test.service.fault({ kind: 'status', status: 500, skip: 1, times: 9, match: { path } });
		const options = { ...(parameters.options as IDataObject), ...once };
		const { items } = await clear(resource, { ...parameters, options });
		expect(items[0]?.json.updated).toBe(true);
		expect(items[0]?.json.note).toMatch(/^The fields may not have been cleared, because /);
	},
);

it('says nothing of a contact that is not updated', async () => {
	const { tables, clock } = test.service.state;
	tables.globalUnsubscribes.add({ email_address: 'gone@example.com' }, clock.now());
	const { items, notes } = await clear('contact', {
		contactId: chosen(contact.id),
		fields: { mappingMode: 'defineBelow', value: { email: 'gone@example.com' } },
		options: { clearFields: ['city'] },
	});
	expect(items[0]?.json).toMatchObject({ updated: false, skipped: 'unsubscribed' });
	expect(items[0]?.json).not.toHaveProperty('note');
	expect(notes).toEqual(['1 skipped: unsubscribed']);
});

it('empty-keeps: says so of the item that cleared, also if a later one updates the same contact', async () => {
	Object.assign(test.service.state.settings, readings['empty-keeps']);
	const { items } = await test.service.run(
		{
			...{ resource: 'contact', operation: 'update', contactId: chosen(contact.id) },
			fields: { mappingMode: 'defineBelow', value: { last_name: '={{ $json.last }}' } },
			options: { clearFields: '={{ $json.clear }}' },
		},
		{ items: [{ json: { clear: ['city'] } }, { json: { clear: [], last: 'Byron' } }] },
	);
	const note =
		'The service did not clear City: it ignored the empty value. Clear it in the service.';
	expect(items.map(({ json }) => json.note)).toEqual([note, undefined]);
});

it('empty-keeps: says so once at the output, however many items cleared something', async () => {
	Object.assign(test.service.state.settings, readings['empty-keeps']);
	const { contacts } = test.service.state.tables;
	const fields = { contact_type_id: 21, country: 85, city: 'Berlin', email: 'cy@example.com' };
	const other = contacts.add(fields, NOW);
	const { items, notes } = await test.service.run(
		{
			...{ resource: 'contact', operation: 'update' },
			contactId: chosen('={{ $json.id }}', 'id'),
			fields: { mappingMode: 'defineBelow', value: {} },
			options: { clearFields: ['city'] },
		},
		{ items: [contact, other].map(({ id }) => ({ json: { id } })) },
	);
	const note =
		'The service did not clear City: it ignored the empty value. Clear it in the service.';
	expect(items.map(({ json }) => json.note)).toEqual([note, note]);
	expect(notes).toEqual([note]);
});
