import type { IDataObject } from 'n8n-workflow';

import { readings } from '../../../sandbox/readings.ts';
import { otherAutomation, singleSend } from '../records';
import { chosen } from '../rows';
import { useService } from '../sandbox';
import { asShown } from './underReading';

const test = useService(asShown);

const { utr } = singleSend;
const existing: IDataObject = { resource: 'singleSend', singleSendUtr: chosen(utr, 'utr') };
const create: IDataObject = {
	...{ resource: 'singleSend', operation: 'create', ifNameExists: 'create' },
	...{ singleSendName: 'Spring', subject: 'It is spring', preheader: 'At last' },
	...{ senderId: chosen(81), unsubscribeGroupId: chosen(51), recipientId: ['contacts_21'] },
	...{ templateId: chosen(2), scheduleType: 'scheduled', scheduleAt: '2099-05-04T09:30:00' },
};
const update: IDataObject = {
	...{ ...existing, operation: 'update', updateFields: { subject: 'New' } },
};
const read = (reading: string) => Object.assign(test.service.state.settings, readings[reading]);
const bodySent = () =>
	test.service.sent().findLast(({ path }) => /create$|update$/.test(path))?.body ?? {};

describe('two-digit-years', () => {
	const compatibility = { dateFormat: 'yy-MM-dd' };

	it('a refused date names the option', async () => {
		read('two-digit-years');
		const options = { dateFormat: 'yyyy-MM-dd' };
		const { error } = await test.service.run({ ...create, options });
		expect(error?.message).toBe(
			'The service rejected "Send At": The schedule date is not a valid date.',
		);
		expect(error?.description).toContain(
			'If the time itself is right, add "Compatibility: Date Format" in Options and choose another format.',
		);
	});

	it('the option sends two digits, and checks and output have the whole year', async () => {
		read('two-digit-years');
		const options = { ...compatibility, preflight: true };
		const { items, error } = await test.service.run({ ...create, options });
		expect(error).toBeUndefined();
		expect(bodySent().schedule_date).toBe('99-05-04');
		expect(items[0]?.json).toMatchObject({
			schedule_date: '2099-05-04',
			scheduleLabel: '2099-05-04 09:30:00, if the account time zone is Europe/Berlin',
		});
	});

	it('no date of another century is sent, which would be one of this century', async () => {
		const scheduleAt = '2126-01-02T09:30:00';
		const { error } = await test.service.run({ ...create, scheduleAt, options: compatibility });
		expect(error?.message).toBe('"Send At" cannot be sent with a two-digit year: 2126-01-02');
		expect(error?.description).toContain(
			'Choose a year from 2000 to 2099, or remove "Compatibility: Date Format".',
		);
		expect(test.service.calls()).not.toContain('POST /single/send/create');
	});

	it.each(['2099-03-20', '99-03-20'])('a date that is kept is sent so: %s', async (stored) => {
		read('two-digit-years');
		const message = { singleSend: [{ ...singleSend, schedule_date: stored }] };
		test.service.fault({
			...{ kind: 'shape', body: { status: 'success', message } },
			match: { path: '/single-send/details' },
		});
		const { error } = await test.service.run({ ...update, options: compatibility });
		expect(error).toBeUndefined();
		expect(bodySent().schedule_date).toBe('99-03-20');
	});
});

describe('unused-body-empty', () => {
	const compatibility = { unusedContent: 'empty' };

	it('the refused request names the option', async () => {
		read('unused-body-empty');
		const options = { unusedContent: 'omit' };
		const { error } = await test.service.run({ ...create, options });
		expect(error?.description).toContain(
			'add "Compatibility: Unused Content" in Options and choose "Send Empty".',
		);
	});

	it.each<[string, IDataObject, object]>([
		['a template', {}, { template_html: '', template_json: '' }],
		[
			'HTML',
			{ templateSource: 'html', templateHtml: '<p>Hi</p>' },
			{ template_html: '<p>Hi</p>', template_json: '' },
		],
		[
			'JSON',
			{ templateSource: 'json', templateJson: '{"a":1}' },
			{ template_html: '', template_json: '{"a":1}' },
		],
	])('with the option, a new campaign with %s is taken', async (_, content, sent) => {
		read('unused-body-empty');
		const { error } = await test.service.run({ ...create, ...content, options: compatibility });
		expect(error).toBeUndefined();
		expect(bodySent()).toMatchObject(sent);
	});

	it.each<[string, IDataObject, object]>([
		['keeps its content', { subject: 'New' }, { template_html: '', template_json: '' }],
		['gets HTML', { templateHtml: '<p>Hi</p>' }, { template_html: '<p>Hi</p>', template_json: '' }],
	])('an update that %s is taken', async (_, updateFields, sent) => {
		read('unused-body-empty');
		const { error } = await test.service.run({ ...update, updateFields, options: compatibility });
		expect(error).toBeUndefined();
		expect(bodySent()).toMatchObject(sent);
	});

	it('so is an email of an automation', async () => {
		read('unused-body-empty');
		const email = {
			...{ resource: 'automationSchedule', operation: 'create', subject: 'Hello' },
			...{ automationUtr: chosen(otherAutomation.utr, 'utr'), senderId: chosen(81) },
			...{ waitingType: 'days', waitingPeriod: 2, previewImg: 'preview.png' },
			...{ templateSource: 'html', templateHtml: '<p>Hi</p>' },
		};
		const { error } = await test.service.run(email);
		expect(error?.description).toContain('add "Compatibility: Unused Content"');
		const again = await test.service.run({ ...email, options: compatibility });
		expect(again.error).toBeUndefined();
		expect(bodySent()).toMatchObject({ template_html: '<p>Hi</p>', template_json: '' });
	});

	it('so is a test', async () => {
		read('unused-body-empty');
		const aTest = {
			...{ ...existing, operation: 'sendTest', campaign: 'existing' },
			...{ testContactTypeId: chosen('21'), testListName: 'customers' },
		};
		const refused = await test.service.run(aTest);
		expect(refused.error?.description).toContain('add "Compatibility: Unused Content"');
		const { error } = await test.service.run({ ...aTest, options: compatibility });
		expect(error).toBeUndefined();
		expect(bodySent()).toMatchObject({ template_html: '', template_json: '' });
	});
});

describe('methods-as-listed', () => {
	const duplicate = {
		...existing,
		operation: 'duplicate',
		options: { allowSendingAgain: true, requestMethod: 'POST' },
	};
	const says =
		'The API reference names two methods for this request: choose the other one as "Compatibility: Request Method" in Options. Nothing was changed.';

	it('a method that is not allowed names the option, and no other is tried', async () => {
		read('methods-as-listed');
		const { error } = await test.service.run(duplicate);
		expect(error?.description).toContain(says);
		expect(test.service.calls()).toEqual(['GET /single-send/list', 'POST /single/send/duplicate']);
	});

	it.each([404, 405])('so does a page that is not there: HTTP %i', async (status) => {
		test.service.fault({ kind: 'html', status, match: { path: '/single/send/duplicate' } });
		expect((await test.service.run(duplicate)).error?.description).toContain(says);
	});

	it('an unknown campaign does not', async () => {
		test.service.state.settings.failureStatus = 422;
		const { error } = await test.service.run({
			...duplicate,
			singleSendUtr: chosen('none', 'utr'),
		});
		expect(error?.description).not.toContain('Request Method');
	});

	it('the option sends it by GET', async () => {
		read('methods-as-listed');
		const options = { ...duplicate.options, requestMethod: 'GET' };
		const { items, error } = await test.service.run({ ...duplicate, options });
		expect([items[0]?.json.duplicated, error]).toEqual([true, undefined]);
		const list = 'GET /single-send/list';
		expect(test.service.calls()).toEqual([list, 'GET /single/send/duplicate', list]);
	});
});

describe('segments-not-counted', () => {
	const recipientId = ['segments_301'];

	it('is a warning of Check, and no reason not to send', async () => {
		read('segments-not-counted');
		const options = { preflight: true };
		const { error } = await test.service.run({ ...create, recipientId, options });
		expect(error).toBeUndefined();
		const checked = await test.service.run({
			...{ ...create, operation: 'check', campaign: 'new', recipientId, options: {} },
		});
		expect(checked.items[0]?.json).toMatchObject({
			canSend: true,
			findings: expect.arrayContaining([
				expect.objectContaining({ code: 'audience-not-counted', severity: 'warning' }),
			]) as unknown,
		});
	});
});
