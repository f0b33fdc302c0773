import type { IDataObject } from 'n8n-workflow';

import { NOW, singleSend } from '../records';
import { chosen } from '../rows';
import { get, useService } from '../sandbox';
import { checkNew } from './support';

const test = useService({ segmentCounts: 'recipients' });

async function checked(parameters: IDataObject): Promise<IDataObject> {
	const { items, error } = await test.service.run(parameters);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(test.service.journal.filter(({ method }) => method !== 'GET')).toEqual([]);
	return items[0]?.json ?? {};
}

const checkExisting = {
	resource: 'singleSend',
	operation: 'check',
	campaign: 'existing',
	singleSendUtr: chosen(singleSend.utr),
};

const contactOf = (email: string) => ({ contact_type_id: 21, email, country: 85 });

describe('a new campaign', () => {
	it('is read from the fields of Create, and each list is read once', async () => {
		expect(await checked(checkNew)).toEqual({
			canSend: true,
			findings: [],
			audienceCount: 1,
			leftOut: { excluded: 0, globalUnsubscribes: 0, unsubscribeGroup: 0, duplicateAddresses: 0 },
			single_send_name: 'Spring',
			subject: 'It is spring, ((first_name))',
			preheader: 'At last',
			message: 'No problems found. Nothing was sent.',
		});
		expect(test.service.calls().sort()).toEqual([
			'GET /contacts-type',
			'GET /contacts/list',
			'GET /custom-fields',
			'GET /get-design/template',
			'GET /get-dynamic/content',
			'GET /global-unsubscribes',
			'GET /senders',
			'GET /unsubscribes-groups',
			'GET /unsubscribes-groups/recipients-list',
		]);
	});

	it('counts each address once, and says why the others are left out', async () => {
		const { tables } = test.service.state;
		const more = ['b@x.com', ' B@X.com', 'c@x.com', 'd@x.com', 'e@x.com', 'f@x.com'];
		for (const email of more) tables.contacts.add(contactOf(email), NOW);
		tables.contacts.add({ ...contactOf('gone@x.com'), deleted_at: '2026-01-01T00:00:00Z' }, NOW);
		tables.globalUnsubscribes.add({ email_address: 'C@x.com' }, NOW);
		tables.groupRecipients.add({ unsubscribe_groups_id: 51, email_address: 'd@x.com' }, NOW);
		tables.groupRecipients.add({ unsubscribe_groups_id: 51, email_address: 'c@x.com' }, NOW);
		const json = await checked({
			...checkNew,
			recipientId: ['contacts_21', 'segments_301', 'contacts_22'],
			excludeSpecificRecipientId: ['contacts_22'],
		});
		expect(json).toMatchObject({
			canSend: true,
			audienceCount: 4,
			leftOut: { excluded: 1, globalUnsubscribes: 1, unsubscribeGroup: 1, duplicateAddresses: 2 },
		});
	});

	it('warns of a send time in a time zone that nobody chose, before anything is scheduled', async () => {
		const timed = { ...checkNew, scheduleType: 'scheduled', scheduleAt: '2099-07-01T09:00:00' };
		expect(await checked(timed)).toMatchObject({
			canSend: true,
			message: 'Ready to send, with warnings. Nothing was sent.',
			findings: [
				{
					...{ code: 'account-time-zone-empty', field: 'Account Time Zone', severity: 'warning' },
					text: '"Account Time Zone" is empty, so the campaign is scheduled in Europe/Berlin, the time zone of the workflow',
					remedy:
						'If your account uses another time zone, the campaign is sent at the wrong time. Choose the time zone of your account, even if it is the same as that of the workflow.',
				},
			],
		});
		const zoned = { ...timed, timezone: chosen('Europe/Berlin', 'name') };
		expect(await checked(zoned)).toMatchObject({ findings: [] });
	});

	it('lists what is missing or not valid as findings, besides what is wrong with the rest', async () => {
		const json = await checked({
			...checkNew,
			subject: '={{ "" }}',
			senderId: chosen('={{ "x" }}', 'id'),
			templateId: chosen('1'),
			scheduleType: 'scheduled',
			scheduleAt: '={{ "tomorrow" }}',
			excludeSpecificRecipientId: '={{ ["x"] }}',
		});
		const rest = { severity: 'problem', remedy: expect.any(String) as string };
		expect(json).toEqual({
			canSend: false,
			findings: [
				{
					...{ code: 'value-required', field: 'Subject', severity: 'problem' },
					text: '"Subject" is required but empty',
					remedy: 'Enter a value. If the field contains an expression, it is empty for this item.',
				},
				{
					...{ code: 'value-invalid', field: 'Sender', ...rest },
					text: '"Sender" must be a whole number, but it is "x"',
				},
				{
					...{ code: 'value-invalid', field: 'Exclude Names or IDs', ...rest },
					text: '"Exclude Names or IDs" accepts only contact types and segments, but it has "x"',
				},
				{
					...{ code: 'value-invalid', field: 'Send At', ...rest },
					text: '"Send At" is not a date with a time: "tomorrow"',
				},
				{
					...{ code: 'template-empty', field: 'Template', severity: 'problem' },
					text: 'The email would be empty: "Template" is the blank template "Blank"',
					remedy: 'Choose another template, or use your own HTML or JSON.',
				},
			],
			audienceCount: null,
			leftOut: {
				...{ excluded: null, globalUnsubscribes: null },
				...{ unsubscribeGroup: null, duplicateAddresses: null },
			},
			single_send_name: 'Spring',
			subject: null,
			preheader: 'At last',
			message: 'Not ready to send: see the findings. Nothing was sent.',
		});
	});

	it('knows that template 1 is blank, whatever its record says', async () => {
		const { templates } = test.service.state.tables;
		templates.put({ ...templates.get(1), is_blank: 0 } as never);
		const { findings } = await checked({ ...checkNew, templateId: chosen('1') });
		expect(findings).toContainEqual(expect.objectContaining({ code: 'template-empty' }));
	});

	it('warns of HTML from which nobody can unsubscribe', async () => {
		const own = { ...checkNew, templateSource: 'html', templateHtml: '<p>Hello</p>' };
		expect(await checked(own)).toMatchObject({
			canSend: true,
			findings: [{ code: 'unsubscribe-link-missing', field: 'HTML', severity: 'warning' }],
			message: 'Ready to send, with warnings. Nothing was sent.',
		});
		const templateHtml = '<a href="((unsubscribe_preferences))">Settings</a>';
		expect(await checked({ ...own, templateHtml })).toMatchObject({ findings: [] });
	});

	it('fails if a list cannot be read', async () => {
		const lists = ['/contacts/list', '/global-unsubscribes', '/senders', '/get-design/template'];
		for (const path of lists) {
			test.service.reset();
			test.service.fault({ kind: 'status', status: 500, match: { path } });
			const { items, error } = await test.service.run({
				...checkNew,
				options: { retryTemporaryFailures: false },
			});
			expect(items).toEqual([]);
			expect(error?.message).toBe('The service is temporarily unavailable (HTTP 500)');
		}
	});

	it('reads each list once for many items, and pairs each answer', async () => {
		const names = ['A', 'B', 'C'];
		const { items } = await test.service.run(
			{ ...checkNew, singleSendName: '={{ $json.name }}' },
			{ items: names.map((name) => ({ json: { name } })) },
		);
		expect(items.map(({ json, pairedItem }) => [json.single_send_name, pairedItem])).toEqual(
			names.map((name, item) => [name, { item }]),
		);
		const calls = test.service.calls();
		expect(new Set(calls).size).toBe(calls.length);
	});

	it('finds that nobody is left where counts would not show it', async () => {
		const { tables } = test.service.state;
		for (let index = 0; index < 5; index++) tables.contacts.add(contactOf('ada@example.com'), NOW);
		tables.globalUnsubscribes.add({ email_address: 'ada@example.com' }, NOW);
		expect(await checked(checkNew)).toMatchObject({
			canSend: false,
			audienceCount: 0,
			findings: [{ code: 'everyone-left-out' }],
		});
	});
});

describe('an existing campaign', () => {
	it('is read by its UTR, with what it sends', async () => {
		expect(await checked(checkExisting)).toEqual({
			canSend: true,
			findings: [],
			audienceCount: 1,
			leftOut: { excluded: 0, globalUnsubscribes: 0, unsubscribeGroup: 0, duplicateAddresses: 1 },
			utr: singleSend.utr,
			status: 1,
			statusLabel: 'ready to send',
			single_send_name: 'March newsletter',
			subject: 'What we roast in March',
			recipient_id: ['contacts_21', 'segments_301'],
			exclude_specific_recipient_id: ['contacts_22'],
			schedule_type: 1,
			schedule_date: '2099-03-20',
			schedule_time: '09:30:00',
			scheduleLabel: '2099-03-20 09:30:00',
			sender_id: 81,
			unsubscribe_group_id: 51,
			message: 'No problems found. Nothing was sent.',
		});
		expect(test.service.sent()[0]).toEqual(get('/single-send/details', { utr: singleSend.utr }));
	});

	it.each([
		[2, 'The campaign is running, so it may have been sent already'],
		[3, 'The campaign is completed, so it may have been sent already'],
		[7, 'The campaign has an unknown status, "7", so it may have been sent already'],
	])('is a problem with status %s', async (status, text) => {
		test.service.state.tables.singleSends.put({ ...singleSend, status } as never);
		const { canSend, findings } = await checked(checkExisting);
		expect(canSend).toBe(false);
		expect(findings).toEqual([
			{
				...{ code: 'already-sent', field: 'Campaign', text, severity: 'problem' },
				remedy: 'To send the campaign again on purpose, create another one with its content.',
			},
		]);
	});

	it('is a problem with a time that has passed, such as that of a copy', async () => {
		test.service.state.tables.singleSends.put({
			...singleSend,
			schedule_date: '2020-03-20',
		});
		expect(await checked(checkExisting)).toMatchObject({
			canSend: false,
			findings: [
				{
					...{ code: 'send-time-passed', field: 'Send At' },
					remedy:
						'Set "Send At" to a later time, or "Schedule" to "Send Immediately", with "Campaign: Update".',
				},
			],
		});
	});

	it('counts nobody where a part of the audience is of an unknown kind', async () => {
		const recipient_id = [{ id: '9', table: 'lists_' }];
		test.service.state.tables.singleSends.put({ ...singleSend, recipient_id } as never);
		expect(await checked(checkExisting)).toMatchObject({
			...{ canSend: true, audienceCount: null },
			findings: [
				{
					...{ code: 'audience-unknown', field: 'Recipient Names or IDs', severity: 'warning' },
					text: 'The number of recipients is unknown: a chosen list is neither a contact type nor a segment, or the service counts no recipients in a segment',
					remedy:
						'Check the recipients and exclusions of the campaign in the service. The recipients of a segment may be determined only when the email is sent.',
				},
			],
			message: 'Ready to send, with warnings. Nothing was sent.',
		});
	});

	it('fails if it is not there, and if none is chosen', async () => {
		const run = async (value: string) =>
			(await test.service.run({ ...checkExisting, singleSendUtr: chosen(value, 'utr') })).error;
		expect((await run('none'))?.message).toBe('The service rejected the request: Record not found');
		expect((await run('={{ "" }}'))?.message).toBe('"Campaign" is required but empty');
	});
});
