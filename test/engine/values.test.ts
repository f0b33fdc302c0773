import type { IDataObject } from 'n8n-workflow';

import { methods } from '../../nodes/EmailMarketing/methods';
import { editorContext, keys } from './engine';
import { chosen, newSend } from './rows';
import { useService } from './sandbox';

const test = useService({
	duplicateEmail: 'allow',
	unusedBody: 'any',
	timeFormat: 'any',
	deletes: 'gone',
});

const send = (more: IDataObject): IDataObject => ({
	...newSend,
	ifNameExists: 'create',
	...more,
});

/** What was sent for some fields of the last request; null for a field that was not. */
function lastSent(...fields: string[]): Record<string, unknown> {
	const body = test.service.sent().at(-1)?.body ?? {};
	return Object.fromEntries(fields.map((field) => [field, body[field] ?? null]));
}

const { searchTimeZones } = methods?.listSearch ?? {};

describe('a time zone', () => {
	const search = async (filter?: string) => {
		const editor = editorContext({}, { baseUrl: test.service.baseUrl, ...keys });
		return (await searchTimeZones?.call(editor, filter))?.results ?? [];
	};

	it.each([
		['new york', ['America/New_York']],
		['utc', ['UTC']],
		['kolkata', ['Asia/Kolkata']],
		['Kyiv', ['Europe/Kyiv']],
		['Berlin', ['Europe/Berlin']],
	])('is found by "%s"', async (typed, values) => {
		expect((await search(typed)).map(({ value }) => value)).toEqual(values);
	});

	it('of the list is accepted, whichever it is', async () => {
		const zones = await search();
		expect(zones.length).toBeGreaterThan(400);
		expect(zones[0]).toEqual({ name: 'UTC', value: 'UTC' });
		const items = zones.map(({ value }) => ({ json: { zone: value } }));
		const { items: checked } = await test.service.run(
			{
				...send({ scheduleType: 'scheduled', scheduleAt: '2099-05-04T09:30:00Z' }),
				...{ operation: 'check', timezone: chosen('={{ $json.zone }}', 'name') },
			},
			{ items },
		);
		const refused = checked.filter(({ json }) => json.canSend !== true);
		expect([checked.length, refused]).toEqual([zones.length, []]);
	});
});

describe('date and time of a campaign', () => {
	// The workflow is in the time zone Europe/Berlin.
	it.each<[string, string, IDataObject, string, string]>([
		['without an offset', '2026-05-04T09:30:00', {}, '2026-05-04', '09:30:00'],
		['with an offset', '2026-05-04T09:30:00Z', {}, '2026-05-04', '11:30:00'],
		['in winter', '2026-12-04T09:30:00Z', {}, '2026-12-04', '10:30:00'],
		[
			'from now on',
			'={{ DateTime.fromISO("2026-05-04T09:30:00Z") }}',
			{},
			'2026-05-04',
			'11:30:00',
		],
		['in JavaScript', '={{ new Date(1777887000000) }}', {}, '2026-05-04', '11:30:00'],
		[
			'in another zone',
			'2026-05-04T09:30:00Z',
			{ timezone: chosen('Asia/Kolkata', 'name') },
			'2026-05-04',
			'15:00:00',
		],
		[
			'without seconds',
			'2026-05-04T09:30:00',
			{ options: { timeFormat: 'HH:mm' } },
			'2026-05-04',
			'09:30',
		],
		['with AM', '2026-11-29 9:00 AM', {}, '2026-11-29', '09:00:00'],
		['with PM', '2026-11-29 12:15 pm', {}, '2026-11-29', '12:15:00'],
		['in the night', '2026-05-04T22:30:00Z', {}, '2026-05-05', '00:30:00'],
	])('%s', async (_what, scheduleAt, others, schedule_date, schedule_time) => {
		const { service } = test;
		const { error } = await service.run(send({ scheduleType: 'scheduled', scheduleAt, ...others }));
		expect(error).toBeUndefined();
		expect(lastSent('schedule_type', 'schedule_date', 'schedule_time')).toEqual({
			schedule_type: '1',
			schedule_date,
			schedule_time,
		});
		expect(service.violations()).toEqual([]);
	});

	it.each([
		['2026-02-31T09:00:00', '"Send At" is not a date with a time: "2026-02-31T09:00:00"'],
		['11/12/2026 9:00 AM', '"Send At" is not a date with a time: "11/12/2026 9:00 AM"'],
		['9:00 AM', '"Send At" is not a date with a time: "9:00 AM"'],
		['next week', '"Send At" is not a date with a time: "next week"'],
		['={{ new Date("x") }}', '"Send At" is not a date with a time: "null"'],
		['={{ "" }}', '"Send At" is required but empty'],
	])('are refused before sending: %s', async (scheduleAt, message) => {
		const { service } = test;
		const { error } = await service.run(send({ scheduleType: 'scheduled', scheduleAt }));
		expect(error?.message).toBe(message);
		expect(service.calls()).toEqual([]);
	});

	it.each([
		[
			'is unknown',
			chosen('Berlin', 'name'),
			/^"Account Time Zone" is not a known time zone: "Berlin"$/,
		],
		[
			'is an object, and not read in that of the workflow',
			chosen('={{ $now.setZone("Asia/Tokyo").zone }}', 'name'),
			/^"Account Time Zone" must be text, but it is /,
		],
		[
			'comes from an expression that returned nothing',
			chosen('={{ $json.zone }}', 'name'),
			/^"Account Time Zone" contains an expression that returned nothing$/,
		],
	])('are refused with a time zone that %s', async (_what, timezone, message) => {
		const { service } = test;
		const scheduleAt = '2099-05-04T09:30:00';
		const { error } = await service.run(send({ scheduleType: 'scheduled', scheduleAt, timezone }));
		expect(error?.message).toMatch(message);
		expect(service.calls()).toEqual([]);
	});
});

describe('the body of a campaign', () => {
	it.each<[string, IDataObject, IDataObject]>([
		[
			'a template',
			{ templateSource: 'template', templateId: chosen('2'), templateHtml: '<p>left over</p>' },
			{ template_id: '2', template_html: null, template_json: null },
		],
		[
			'HTML',
			{ templateSource: 'html', templateHtml: '<p>a</p>', templateJson: '{}' },
			{ template_id: '1', template_html: '<p>a</p>', template_json: null },
		],
		[
			'JSON as an object',
			{ templateSource: 'json', templateJson: '={{ { body: [1] } }}' },
			{ template_id: '1', template_html: null, template_json: '{"body":[1]}' },
		],
	])('is %s and nothing besides', async (_what, parameters, sent) => {
		const { service } = test;
		const { error } = await service.run(send(parameters));
		expect(error).toBeUndefined();
		expect(lastSent('template_id', 'template_html', 'template_json')).toEqual(sent);
		expect(service.violations()).toEqual([]);
	});

	it.each<[IDataObject, RegExp]>([
		[
			{ templateSource: 'html', templateHtml: '={{ " " }}' },
			/^"HTML" must be text|^"HTML" is required but empty/,
		],
		[{ templateSource: 'json', templateJson: '={{ "{broken" }}' }, /^"JSON" is not valid JSON: /],
		[{ templateSource: 'json', templateJson: '{}' }, /^"JSON" has no content: /],
		[{ templateSource: 'json', templateJson: '={{ [] }}' }, /^"JSON" has no content: /],
		[{ templateSource: 'json', templateJson: 'null' }, /^"JSON" has no content: /],
		[{ templateSource: 'json', templateJson: '0' }, /^"JSON" has no content: /],
		[{ templateSource: 'json', templateJson: '={{ "" }}' }, /^"JSON" is required but empty/],
		[
			{ templateSource: '={{ "HTML" }}', templateHtml: '<p>a</p>', templateJson: '{}' },
			/^"Content" cannot be "HTML"$/,
		],
	])('is refused before sending: %j', async (parameters, message) => {
		const { service } = test;
		const { error } = await service.run(send(parameters));
		expect(error?.message).toMatch(message);
		expect(service.calls()).toEqual([]);
	});
});

describe('several records', () => {
	const remove = (contactIds: unknown) => ({
		resource: 'contact',
		operation: 'deleteMany',
		contactIds: contactIds as string,
	});

	it.each([
		['an array', ['1000001', '1000002']],
		['numbers', '={{ [1000001, 1000002] }}'],
		['a text', '1000001, 1000002'],
		['a text from an expression', '={{ "1000001;1000002" }}'],
		['items of an earlier node', "={{ $('Items').all().map(item => item.json.id) }}"],
		['with doubles', ['1000001', '1000002', '1000001']],
	])('can be given as %s', async (_what, contactIds) => {
		const { service } = test;
		const { error } = await service.run(remove(contactIds), {
			items: [{ json: { id: 1000001 } }, { json: { id: 1000002 } }],
			node: { executeOnce: true },
		});
		expect(error).toBeUndefined();
		expect(service.sent().map(({ body }) => body)).toEqual([
			{ 'strIds[0]': '1000001', 'strIds[1]': '1000002' },
		]);
		expect(service.state.tables.contacts.size).toBe(0);
	});

	it.each([
		'contacts_21,segments_301',
		['contacts_21', 'segments_301'],
		'={{ ["contacts_21", "segments_301"] }}',
	])('can be an audience: %j', async (recipientId) => {
		await test.service.run(send({ recipientId }));
		expect(lastSent('recipient_id[0]', 'recipient_id[1]', 'recipient_id[2]')).toEqual({
			'recipient_id[0]': 'contacts_21',
			'recipient_id[1]': 'segments_301',
			'recipient_id[2]': null,
		});
	});
});

describe('the country of a contact', () => {
	const create = (country: unknown) => ({
		resource: 'contact',
		operation: 'create',
		contactTypeId: chosen('21'),
		ifContactExists: 'create',
		fields: {
			mappingMode: 'defineBelow',
			value: { email: '={{ $json.email ?? "a@example.com" }}', country },
		},
	});

	it.each([
		['Germany'],
		['germany'],
		['DE'],
		['DEU'],
		['Deutschland'],
		['85'],
		[' 085 '],
		[85],
		[' Germany '],
	])('is understood as %p', async (country) => {
		const { service } = test;
		const { error } = await service.run(create(country) as never);
		expect(error).toBeUndefined();
		expect(lastSent('country')).toEqual({ country: '85' });
		expect(service.violations()).toEqual([]);
	});

	it('is looked up once for all items', async () => {
		const { service } = test;
		const items = ['Germany', 'India', 'DE', 'IN', '85'].map((country) => ({ json: { country } }));
		const { error } = await service.run(create('={{ $json.country }}') as never, { items });
		expect(error).toBeUndefined();
		const [checked, first, ...others] = service.calls();
		expect([checked, first]).toEqual(['GET /global-unsubscribes', 'GET /get/country-state-city']);
		expect(others).toEqual(Array(5).fill('POST /contacts/add'));
		expect(service.journal.map(({ body }) => body?.country ?? null).sort()).toEqual(
			['104', '104', '85', '85', '85', null, null].sort(),
		);
	});

	it('is refused before anything is sent when it is not known', async () => {
		const { service } = test;
		const items = ['Germany', 'Germny'].map((country) => ({ json: { country } }));
		const { error } = await service.run(create('={{ $json.country }}') as never, { items });
		expect(error?.message).toMatch(/^"Country" .*Germny.*Germany.* \[item 1\]$/);
		const reads = ['GET /global-unsubscribes', 'GET /get/country-state-city'];
		expect(service.calls()).toEqual(reads);
	});

	it('comes with the other fields from the item itself', async () => {
		const { service } = test;
		const { error } = await service.run(
			{
				resource: 'contact',
				operation: 'create',
				contactTypeId: chosen('21'),
				fields: { mappingMode: 'autoMapInputData', value: null },
			},
			{
				items: [
					{ json: { email: 'auto@example.com', country: 'India', first_name: 'Auto', other: 1 } },
				],
			},
		);
		expect(error).toBeUndefined();
		expect(service.sent().at(-1)?.body).toEqual({
			contact_type_id: '21',
			email: 'auto@example.com',
			country: '104',
			first_name: 'Auto',
		});
	});
});

describe('the limit of a list', () => {
	it.each([0, -1, 'many', 1.5])('is refused as %p', async (limit) => {
		const { service } = test;
		const { error, items } = await service.run({
			resource: 'contactType',
			operation: 'getAll',
			limit: `={{ ${JSON.stringify(limit)} }}`,
		});
		expect(items).toEqual([]);
		expect(error?.message).toBe('"Limit" must be a whole number above 0');
		expect(service.calls()).toEqual([]);
	});
});
