import type { IDataObject } from 'n8n-workflow';

import { singleSend } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService({ emptyInUpdate: 'clears', updatesOfCompleted: 'stored', nulls: 'shown' });

/** The single send as it is now. */
const stored = () => ({ ...test.service.state.tables.singleSends.get(singleSend.id) });

const update = (updateFields: IDataObject, options: IDataObject = {}): IDataObject => ({
	resource: 'singleSend',
	operation: 'update',
	singleSendUtr: chosen(singleSend.utr, 'utr'),
	updateFields,
	options,
});

/** Fields that an update changes in the single send. */
async function changes(updateFields: IDataObject, options: IDataObject = {}) {
	const before: Record<string, unknown> = stored();
	const { error } = await test.service.run(update(updateFields, options));
	expect(error).toBeUndefined();
	expect(test.service.violations()).toEqual([]);
	return Object.fromEntries(
		Object.entries(stored()).filter(
			([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]),
		),
	);
}

/** Has the service show the single send with other values, and gives back what the update then sends. */
async function sentFor(record: IDataObject, updateFields: IDataObject = { subject: 'New' }) {
	const { service } = test;
	const message = { singleSend: [{ ...singleSend, ...record }] };
	service.fault({
		kind: 'shape',
		body: { status: 'success', message },
		match: { path: '/single-send/details' },
	});
	const { error } = await service.run(update(updateFields));
	const sent = service.sent().findLast(({ path }) => path === '/single/send/update');
	return { error: error?.message, body: sent && (sent.body ?? {}) };
}

describe('an expression that returns nothing', () => {
	const nothing = '={{ $json.none }}';

	it.each([
		['Recipient Names or IDs', { recipientId: nothing }],
		['Recipient Names or IDs', { recipientId: '={{ [] }}' }],
		['Recipient Names or IDs', { recipientId: '={{ ["contacts_21", $json.none] }}' }],
		['Unsubscribe Group', { unsubscribeGroupId: chosen(nothing, 'id') }],
		['Campaign Name', { singleSendName: nothing }],
		['Subject', { subject: nothing }],
		['Preheader', { preheader: nothing }],
		['Sender', { senderId: chosen(nothing, 'id') }],
		['Template', { templateId: chosen(nothing, 'id') }],
		['HTML', { templateHtml: nothing }],
		['JSON', { templateJson: nothing }],
		['Schedule', { scheduleType: nothing }],
		['Send At', { scheduleAt: nothing }],
		['Send At', { scheduleType: 'scheduled', scheduleAt: nothing }],
	])('does not keep %s as it is: %j', async (label, updateFields) => {
		const { error } = await test.service.run(update({ subject: 'New', ...updateFields }));
		expect([error?.message, error?.description]).toEqual([
			expect.stringContaining(`"${label}" contains an expression that returned nothing`),
			'Correct the expression, or clear the field to keep the current value. Nothing was changed for this item.',
		]);
		expect(test.service.calls()).toEqual([]);
	});
});

describe('the body of a campaign', () => {
	it('is replaced by HTML, and the other way around', async () => {
		expect(await changes({ templateHtml: '<p>New</p>' })).toEqual({
			template_id: 1,
			template_html: '<p>New</p>',
		});
		expect(await changes({ templateJson: '{"a":1}' })).toEqual({
			template_html: null,
			template_json: '{"a":1}',
		});
		expect(await changes({ subject: 'Kept' })).toEqual({ subject: 'Kept' });
		expect(await changes({ templateId: chosen('2') })).toEqual({
			template_id: 2,
			template_json: null,
		});
	});

	it.each<[IDataObject, IDataObject, Record<string, string>]>([
		[
			{ template_id: 1, template_html: '<p>Old</p>' },
			{ templateId: chosen('2') },
			{ template_id: '2', template_html: '' },
		],
		[
			{ template_id: 1, template_html: '<p>Old</p>' },
			{ templateJson: '{"a":1}' },
			{ template_id: '1', template_html: '', template_json: '{"a":1}' },
		],
		[
			{ template_id: 1, template_json: '{"a":1}', template_html: '<p>Old</p>' },
			{ templateHtml: '<p>New</p>' },
			{ template_id: '1', template_html: '<p>New</p>', template_json: '' },
		],
	])('of %j with %j given is sent as %j', async (record, given, sent) => {
		const { error, body = {} } = await sentFor(record, given);
		expect(error).toBeUndefined();
		const content = Object.entries(body).filter(([name]) => name.startsWith('template_'));
		expect(Object.fromEntries(content)).toEqual(sent);
		expect(test.service.violations()).toEqual([]);
	});

	it.each([
		[{ templateHtml: '<p>a</p>', templateJson: '{}' }, '"HTML" and "JSON"'],
		[{ templateId: chosen('2'), templateHtml: '<p>a</p>' }, '"Template" and "HTML"'],
	])('is never two at once: %j', async (contents, labels) => {
		const { error } = await test.service.run(update(contents));
		expect(error?.message).toBe(`${labels} cannot be set together`);
		expect(test.service.calls()).toEqual([]);
	});
});

describe('the schedule of a campaign', () => {
	it('is dropped when it is sent immediately', async () => {
		expect(await changes({ scheduleType: 'immediately' })).toEqual({
			schedule_type: 0,
			schedule_date: '0000-00-00',
			schedule_time: '00:00:00',
		});
	});

	it('is set by a date alone', async () => {
		await changes({ scheduleType: 'immediately' });
		expect(await changes({ scheduleAt: '2026-07-01T06:00:00' })).toEqual({
			schedule_type: 1,
			schedule_date: '2026-07-01',
			schedule_time: '06:00:00',
		});
	});

	it.each<[string, IDataObject]>([
		['has none', { schedule_type: 0, schedule_date: '0000-00-00', schedule_time: '00:00:00' }],
		['has none that can be read', { schedule_date: null, schedule_time: null }],
	])('is not sent without a time where the campaign %s', async (_what, record) => {
		const { error, body } = await sentFor(record, { scheduleType: 'scheduled' });
		expect(error).toBe('"Send At" is required but empty');
		expect(body).toBeUndefined();
	});

	it('is kept where no time is given with it', async () => {
		expect(await changes({ scheduleType: 'scheduled' })).toEqual({});
	});

	it('is not dropped where a time is given: it would be sent at once', async () => {
		const given = { scheduleType: 'immediately', scheduleAt: '2099-07-01T06:00:00' };
		const { error } = await test.service.run(update(given));
		expect(error?.message).toBe('"Send Immediately" and "Send At" cannot be set together');
		expect(test.service.calls()).toEqual([]);
	});

	it('is converted to the time zone beside it', async () => {
		const given = { scheduleAt: '2026-07-01T06:00:00Z', timezone: chosen('Asia/Kolkata', 'name') };
		expect(await changes(given)).toEqual({
			schedule_date: '2026-07-01',
			schedule_time: '11:30:00',
		});
	});

	it('is required with a time zone, which would mean nothing without it', async () => {
		const given = { subject: 'New', timezone: chosen('Asia/Kolkata', 'name') };
		const { error } = await test.service.run(update(given));
		expect(error).toMatchObject({
			message: '"Account Time Zone" is set, but "Send At" is not',
			description: expect.stringMatching(/^Add "Send At" and enter the time: /) as string,
		});
		expect(test.service.calls()).toEqual([]);
	});

	it('names the time zone of the workflow if it was used because none was chosen', async () => {
		const given = { scheduleAt: '2099-07-01T06:00:00' };
		const chosenZone = { timezone: chosen('Europe/Berlin', 'name') };
		expect((await test.service.run(update({ ...given, ...chosenZone }))).notes).toEqual([]);
		expect((await test.service.run(update(given))).notes).toEqual([
			'"Send At" was taken as a time in Europe/Berlin, the time zone of the workflow, because "Account Time Zone" is empty. If your account uses another time zone, the campaign is sent at the wrong time: correct both fields with "Campaign: Update".',
		]);
	});

	it('is not converted to a time zone that an expression did not return', async () => {
		const given = {
			scheduleAt: '2099-07-01T06:00:00Z',
			timezone: chosen('={{ $json.zone }}', 'name'),
		};
		const { error } = await test.service.run(update(given));
		expect(error).toMatchObject({
			message: '"Account Time Zone" contains an expression that returned nothing',
			description: expect.stringMatching(
				/^Correct the expression, or clear the field to use the time zone of the workflow\./,
			) as string,
		});
		expect(test.service.calls()).toEqual([]);
	});

	it.each([
		['09:30:00', 'HH:mm', '09:30'],
		['09:30', 'HH:mm', '09:30'],
		['09:30:00', 'HH:mm:ss', '09:30:00'],
		['09:30', 'HH:mm:ss', '09:30:00'],
		['half past nine', 'HH:mm', 'half past nine'],
	])('keeps %s in the format %s', async (schedule_time, timeFormat, sent) => {
		const { service } = test;
		const message = { singleSend: [{ ...singleSend, schedule_time }] };
		service.fault({
			kind: 'shape',
			body: { status: 'success', message },
			match: { path: '/single-send/details' },
		});
		await service.run({ ...update({ subject: 'New' }), options: { timeFormat } });
		expect(service.sent().at(-1)?.body?.schedule_time).toBe(sent);
	});
});

describe('the audience of a campaign', () => {
	it('can do without exclusions again', async () => {
		const clearFields = ['exclude_specific_recipient_id'];
		expect(await changes({}, { clearFields })).toEqual({ exclude_specific_recipient_id: [] });
		const sent = test.service.sent().find(({ path }) => path === '/single/send/update');
		expect(sent?.body).toMatchObject({ 'exclude_specific_recipient_id[0]': '' });
	});

	it.each([
		['={{ [] }}', ''],
		[[], 'contacts_22'],
	])('with %j for exclusions is sent with "%s"', async (excludeSpecificRecipientId, sent) => {
		const current = { exclude_specific_recipient_id: [{ id: '22', table: 'contacts_' }] };
		const given = { subject: 'New', excludeSpecificRecipientId };
		const { error, body } = await sentFor(current, given);
		expect(error).toBeUndefined();
		expect(body).toMatchObject({ 'exclude_specific_recipient_id[0]': sent });
		expect(body).not.toHaveProperty(['exclude_specific_recipient_id[1]']);
	});

	it('can be given as Campaign: Get returns it', async () => {
		const { error, body } = await sentFor(
			{},
			{
				recipientId: `={{ ${JSON.stringify([{ id: '21', table: 'contacts_' }])} }}`,
				excludeSpecificRecipientId: `={{ ${JSON.stringify([{ id: 301, table: 'segments_' }])} }}`,
			},
		);
		expect(error).toBeUndefined();
		expect(body).toMatchObject({
			'recipient_id[0]': 'contacts_21',
			'exclude_specific_recipient_id[0]': 'segments_301',
		});
	});

	it('has nobody excluded in the checks before sending, once that is cleared', async () => {
		const options = { clearFields: ['exclude_specific_recipient_id'], preflight: true };
		expect(await changes({}, options)).toEqual({ exclude_specific_recipient_id: [] });
	});

	it.each(['template_html', 'template_json', 'schedule_date', 'subject'])(
		'is the only thing that can be cleared, and not %s',
		async (field) => {
			const { error } = await test.service.run(update({}, { clearFields: [field] }));
			expect(error?.message).toBe(
				`"Fields to Clear" contains a field that cannot be cleared: "${field}"`,
			);
			expect(error?.description).toBe(
				'Choose from: exclude_specific_recipient_id. Nothing was changed for this item.',
			);
			expect(test.service.calls()).toEqual([]);
		},
	);

	it('is sent back in the form in which it came, if that is not known', async () => {
		test.service.holdsOddRecords = true;
		const { error, body } = await sentFor({
			recipient_id: [
				{ id: 21, table: 'contacts_' },
				{ id: '5', table: 'lists_' },
			],
			exclude_specific_recipient_id: ['lists_6'],
		});
		// The sandbox, which knows two kinds only, refuses it.
		expect(error).toMatch(/^The service rejected "(Recipient|Exclude) Names or IDs"/);
		expect(body).toMatchObject({
			'recipient_id[0]': 'contacts_21',
			'recipient_id[1]': 'lists_5',
			'exclude_specific_recipient_id[0]': 'lists_6',
		});
	});

	it.each([[['']], [[null]], [[{ id: '', table: '' }]]])(
		'has no exclusions if the service stores a cleared list as %j',
		async (stored) => {
			const record = { exclude_specific_recipient_id: stored };
			const { error, body } = await sentFor(record);
			expect(error).toBeUndefined();
			expect(Object.keys(body ?? {}).filter((key) => key.startsWith('exclude'))).toEqual([]);
		},
	);

	it.each([
		['recipients', 'recipient_id', 'recipientId', 'Recipient'],
		['exclusions', 'exclude_specific_recipient_id', 'excludeSpecificRecipientId', 'Exclude'],
	])(
		'is not sent without its %s: those that have no form for a request must be chosen again',
		async (_what, field, parameter, label) => {
			const unusable = { [field]: [{ everyone: true }] };
			expect((await sentFor(unusable)).error).toBe(
				`Unexpected response: "${label} Names or IDs" is missing or not valid`,
			);
			const given = { [parameter]: ['contacts_22'] };
			expect((await sentFor(unusable, given)).body).toMatchObject({
				[`${field}[0]`]: 'contacts_22',
			});
		},
	);
});

describe('a campaign that has left', () => {
	const details = 'GET /single-send/details';
	const statusOf = (status: unknown) =>
		Object.assign(test.service.state.tables.singleSends.get(singleSend.id) ?? {}, { status });
	const advice =
		'To update it anyway, turn on "Allow Sending Again" in Options. To send the campaign again on purpose, create another one with its content. Nothing was changed for this item.';

	it.each<[unknown, IDataObject, string]>([
		[2, { scheduleType: 'immediately' }, 'is running'],
		[3, { scheduleType: 'immediately' }, 'is completed'],
		[3, { scheduleAt: '2099-07-01T06:00:00' }, 'is completed'],
		[3, { subject: 'New' }, 'is completed'],
		[7, { subject: 'New' }, 'has an unknown status, "7"'],
		[null, { subject: 'New' }, 'has an unknown status, empty'],
	])('with the status %j is not updated with %j', async (status, given, is) => {
		test.service.holdsOddRecords = true;
		statusOf(status);
		const { error } = await test.service.run(update(given));
		expect(error?.message).toBe(`The campaign ${is}: updating it may send it again`);
		expect(error?.description).toBe(advice);
		expect(test.service.calls()).toEqual([details]);
	});

	it.each([true, '={{ "true" }}'])(
		'is updated if that is allowed: %s',
		async (allowSendingAgain) => {
			statusOf(3);
			expect(await changes({ subject: 'New' }, { allowSendingAgain })).toEqual({ subject: 'New' });
		},
	);

	it.each([0, 1])('is not meant by the status %d', async (status) => {
		statusOf(status);
		expect(await changes({ subject: 'New' })).toEqual({ subject: 'New' });
	});
});
