import type { IDataObject } from 'n8n-workflow';

import { testName } from '../../nodes/EmailMarketing/records/testName';
import { hints } from './contacts/support';
import { chosen } from './rows';
import { contact, NOW } from './records';
import { once, useService } from './sandbox';

const test = useService({
	zoneMinutes: 0,
	listOrder: 'oldest',
	segmentCounts: 'recipients',
	dynamicContent: 'all',
});
const all = { operation: 'getAll', returnAll: true, output: 'raw' };

/** What a list gives, told by one field of each record. */
async function listed(field: string, parameters: IDataObject): Promise<unknown[]> {
	const { items, error } = await test.service.run({ ...all, ...parameters });
	expect(error).toBeUndefined();
	expect(items.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(true);
	return items.map(({ json }) => json[field]);
}

interface Case {
	resource: string;
	operation?: string;
	filters: IDataObject;
	field: string;
	gives: unknown[];
	others?: IDataObject;
}

const send = { resource: 'singleSend', field: 'id' };
const cases: Record<string, Case> = {
	'campaigns by status': { ...send, filters: { status: [0, 3] }, gives: [502, 504] },
	'campaigns by a status in text': { ...send, filters: { status: '2' }, gives: [503] },
	'campaigns by part of the name': { ...send, filters: { text: 'SPRING' }, gives: [502, 503] },
	'campaigns by group': { ...send, filters: { unsubscribeGroups: [52] }, gives: [504] },
	'campaigns by several filters': {
		...send,
		filters: { text: 'spring', status: [2] },
		gives: [503],
	},
	'automations by status': {
		resource: 'automation',
		filters: { status: [0] },
		field: 'automation_name',
		gives: ['Win back'],
	},
	'automations by group, which is a text in them': {
		resource: 'automation',
		filters: { unsubscribeGroups: ['51'] },
		field: 'id',
		gives: [30001, 30002],
	},
	'contacts by contact type': {
		resource: 'contact',
		filters: { contactTypes: ['22'] },
		field: 'email',
		gives: ['ben@example.com'],
	},
	'contacts by part of the email or name': {
		resource: 'contact',
		filters: { text: 'okafór' },
		field: 'email',
		gives: ['ada@example.com'],
	},
	'senders that are not verified': {
		resource: 'sender',
		filters: { isVerified: false },
		field: 'id',
		gives: [82],
	},
	'senders that are verified': {
		resource: 'sender',
		filters: { isVerified: true },
		field: 'id',
		gives: [81],
	},
	'segments by name': {
		resource: 'segment',
		filters: { text: 'cold' },
		field: 'id',
		gives: [],
	},
	'recipients of a segment': {
		resource: 'segment',
		operation: 'getRecipients',
		filters: { text: 'ada' },
		field: 'id',
		gives: [500001],
		others: { segmentId: chosen('301') },
	},
	'recipients of a group': {
		resource: 'unsubscribeGroup',
		operation: 'getRecipients',
		filters: { text: '@elsewhere' },
		field: 'id',
		gives: [],
		others: { unsubscribeGroupId: chosen('51') },
	},
	'dynamic content by name': {
		resource: 'designTemplate',
		operation: 'getDynamicContent',
		filters: { text: 'SENDER' },
		field: 'name',
		gives: ['sender_name', 'sender_address'],
	},
	'countries by name, whatever their fields are called': {
		resource: 'location',
		filters: { text: 'aland isl' },
		field: 'name',
		gives: ['Åland Islands'],
	},
};

const hour = 3_600_000;

beforeEach(() => {
	const { tables } = test.service.state;
	const add = (offset: number, name: string, status: number, group = 51) =>
		tables.singleSends.add(
			{ single_send_name: name, status, unsubscribe_group_id: group },
			NOW + offset * hour,
		);
	add(1, 'Spring sale', 0);
	add(2, 'spring reminder', 2);
	add(-1, 'Winter', 3, 52);
	tables.senders.add({ nickname: 'New', from_email: 'new@example.com', is_verified: 0 }, NOW);
});

describe('filters', () => {
	it.each(Object.entries(cases))('%s', async (_name, { field, gives, others, ...parameters }) => {
		expect(await listed(field, { ...parameters, ...others })).toEqual(gives);
		expect(test.service.calls()).toHaveLength(1);
		expect(test.service.violations()).toEqual([]);
	});

	// The workflow is in Berlin: 10:00 UTC is 11:00 there.
	it.each([
		[{ createdAfter: '2026-03-02T12:00:00' }, [502, 503]],
		[{ createdBefore: '2026-03-02T12:00:00' }, [501, 504]],
		[{ createdAfter: '2026-03-02T11:00:00Z' }, [502, 503]],
		[{ createdAfter: '2026-03-02T11:00:00', createdBefore: '2026-03-02T12:00:00' }, [501]],
		[{ createdAfter: '2026-03-03' }, []],
		[{ updatedAfter: '2026-03-02T13:00:00' }, [503]],
		[{ updatedBefore: '2026-03-02T10:30:00' }, [504]],
	])('dates %j are in the time zone of the workflow', async (filters, gives) => {
		expect(await listed('id', { resource: 'singleSend', filters })).toEqual(gives);
	});

	// Two campaigns, sent on 1 March at 09:00 and at 21:00.
	it.each<[IDataObject, string[], IDataObject?]>([
		[{ sentAfter: '2026-03-01T10:00:00' }, ['Morning', 'Evening']],
		[{ sentAfter: '2026-03-01T10:00:01' }, ['Evening']],
		[{ sentBefore: '2026-03-01T12:00:00' }, ['Morning']],
		[{ sentAfter: '2026-03-01', sentBefore: '2026-03-02' }, ['Morning', 'Evening']],
		[{ sentAfter: '2026-03-02' }, ['Evening'], { sentAtTimezone: 'America/New_York' }],
	])('sent %j leaves out what was not sent', async (filters, gives, options = {}) => {
		for (const [single_send_name, hour] of [
			['Morning', '09'],
			['Evening', '21'],
		]) {
			const sent_at = `2026-03-01 ${hour}:00:00`;
			test.service.state.tables.singleSends.add({ single_send_name, status: 3, sent_at }, NOW);
		}
		const copy = { single_send_name: 'Copy', status: 1, sent_at: '2026-03-01 09:00:00' };
		test.service.state.tables.singleSends.add(copy, NOW);
		expect(await listed('single_send_name', { ...send, filters, options })).toEqual(gives);
	});

	it('leave out what has no date', async () => {
		const filters = { createdBefore: '2030-01-01T00:00:00' };
		expect(await listed('id', { resource: 'designTemplate', filters })).toEqual([2]);
	});

	// A clock in Berlin shows 02:30 twice: at 00:30 and at 01:30 UTC.
	it.each([
		[{ createdAfter: '2026-10-25T02:30:00+01:00' }, ['Late']],
		[{ createdAfter: '2026-10-25T02:30:00+02:00' }, ['Early', 'Late']],
		[{ createdAfter: '={{ DateTime.fromISO("2026-10-25T01:30:00Z") }}' }, ['Late']],
		[{ createdBefore: '2026-10-25T01:30:00Z', createdAfter: '2026-10-25' }, ['Early']],
	])('an offset counts when clocks go back: %j', async (filters, gives) => {
		const { contactTypes } = test.service.state.tables;
		contactTypes.add({ name: 'Early' }, Date.parse('2026-10-25T00:45:00Z'));
		contactTypes.add({ name: 'Late' }, Date.parse('2026-10-25T01:45:00Z'));
		expect(await listed('name', { resource: 'contactType', filters })).toEqual(gives);
	});

	it('leave test sends out unless they are included', async () => {
		test.service.state.tables.singleSends.add({ single_send_name: testName('Sale') }, NOW);
		const names = async (filters: IDataObject) =>
			await listed('single_send_name', { ...send, filters: { text: '[test] sale', ...filters } });
		expect(await names({})).toEqual([]);
		expect(await names({ includeTestSends: true })).toHaveLength(1);
	});

	it('come before the limit', async () => {
		const parameters = { ...send, filters: { text: 'spring' }, returnAll: false, limit: 1 };
		expect(await listed('id', parameters)).toEqual([502]);
	});

	it('are followed by a hint only if the limit left out records', async () => {
		const given = { ...all, resource: 'singleSend', returnAll: false };
		const hinted = async (limit: number) => hints(await test.service.run({ ...given, limit }));
		const total = (await test.service.run({ ...given, returnAll: true })).items.length;
		expect((await hinted(2))?.map(({ message }) => message)).toEqual([
			`Returned 2 of ${total}. To get all of them, turn on "Return All".`,
		]);
		expect(await hinted(total)).toEqual([]);
	});

	it('are not named in the hint if there are none, and deleted records or tests are left out', async () => {
		test.service.state.tables.singleSends.clear();
		test.service.state.tables.singleSends.add({ single_send_name: testName('Sale') }, NOW);
		const hinted = async (filters: IDataObject) =>
			(await test.service.run({ ...all, resource: 'singleSend', filters })).notes;
		expect(await hinted({})).toEqual([
			'Returned 0 of 1: all of them are deleted or test sends. To include them, add a filter.',
		]);
		expect(await hinted({ text: 'sale' })).toEqual(['Returned 0 of 1: none matches the filters.']);
	});

	it('may differ from item to item', async () => {
		const { items } = await test.service.run(
			{ ...all, resource: 'singleSend', filters: { text: '={{ $json.part }}' } },
			{ items: [{ json: { part: 'winter' } }, { json: { part: 'march' } }] },
		);
		expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
			[504, { item: 0 }],
			[501, { item: 1 }],
		]);
	});
});

describe('sorting', () => {
	it.each([
		['single_send_name', 'ascending', [501, 503, 502, 504]],
		['single_send_name', 'descending', [504, 502, 503, 501]],
		['created_at', 'ascending', [504, 501, 502, 503]],
		['status', 'descending', [504, 503, 501, 502]],
	])('by %s, %s', async (field, direction, gives) => {
		const parameters = { resource: 'singleSend', sort: { field, direction } };
		expect(await listed('id', parameters)).toEqual(gives);
	});

	it.each([
		['schedule_date', 'ascending', ['Morning', 'Evening', 'Late']],
		['schedule_date', 'descending', ['Late', 'Evening', 'Morning']],
		['sent_at', 'ascending', ['Morning', 'Evening', 'Late']],
		['sent_at', 'descending', ['Late', 'Evening', 'Morning']],
	])(
		'by %s, %s, sees the time of day and puts dates of zeros last',
		async (field, direction, names) => {
			const { singleSends } = test.service.state.tables;
			singleSends.clear();
			for (const [single_send_name, schedule_date, schedule_time] of [
				['Evening', '2026-05-01', '18:00:00'],
				['Never', '0000-00-00', '00:00:00'],
				['Late', '2026-05-02', '09:00:00'],
				['Morning', '2026-05-01', '09:00:00'],
			] as const) {
				const sent_at = `${schedule_date} ${schedule_time}`;
				singleSends.add(
					{ single_send_name, schedule_date, schedule_time, sent_at, status: 3 },
					NOW,
				);
			}
			const parameters = { ...send, sort: { field, direction } };
			expect(await listed('single_send_name', parameters)).toEqual([...names, 'Never']);
		},
	);

	it('by sent_at takes a copy for unsent, even if it has kept when its original was sent', async () => {
		const { singleSends } = test.service.state.tables;
		singleSends.clear();
		const sent_at = '2026-03-01 09:00:00';
		for (const [single_send_name, status] of [
			['Copy', 1],
			['Original', 3],
		] as const) {
			singleSends.add({ single_send_name, status, sent_at }, NOW);
		}
		for (const direction of ['ascending', 'descending']) {
			const parameters = { ...send, sort: { field: 'sent_at', direction } };
			expect(await listed('single_send_name', parameters)).toEqual(['Original', 'Copy']);
		}
	});

	it.each(['ascending', 'descending'])('puts what has no value last, %s', async (direction) => {
		const sort = { field: 'created_at', direction };
		expect(await listed('id', { resource: 'designTemplate', sort })).toEqual([2, 1]);
	});

	it('comes before the limit, and sees fields that do not come out', async () => {
		const { items } = await test.service.run({
			resource: 'singleSend',
			operation: 'getAll',
			limit: 1,
			output: 'selectedFields',
			outputFields: ['status'],
			sort: { field: 'created_at', direction: 'descending' },
		});
		expect(items.map(({ json }) => json)).toEqual([
			{ id: 503, utr: expect.any(String), status: 2 },
		]);
	});
});

describe('selected fields', () => {
	const selected = (outputFields: string[], parameters: IDataObject = {}) => ({
		...{ resource: 'contact', operation: 'getAll', output: 'selectedFields', outputFields },
		...parameters,
	});

	it.each<[string, IDataObject]>([
		['list', {}],
		['record', { operation: 'get', contactId: chosen(contact.id) }],
	])('that no record of a %s has are named in a hint', async (_what, parameters) => {
		const { items, error, notes } = await test.service.run(
			selected(['emial', 'alt_email', 'custom_field_company', 'plan'], parameters),
		);
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ id: contact.id, custom_field_company: 'Okafor & Co' });
		expect(notes).toEqual([
			'Not in any record: "emial", "plan". Check "Output Field Names or IDs".',
		]);
	});

	it('are not named where there are no records, or several items read them', async () => {
		const filters = { text: 'nobody' };
		const { notes } = await test.service.run(selected(['emial'], { filters }));
		expect(notes).toEqual([expect.stringContaining('none matches the filters')]);
		const items = [{ json: {} }, { json: {} }];
		expect((await test.service.run(selected(['emial']), { items })).notes).toEqual([]);
	});
});

describe('rates', () => {
	const rates = {
		...{ openRatePercent: 30, unsubscribeRatePercent: 0.53, bounceRatePercent: 5 },
		...{ deliveryRatePercent: 95, opensPerDelivered: 1.15 },
	};

	const names = Object.keys(rates);

	it.each<[string, IDataObject]>([
		['simplified records', {}],
		['raw records', { output: 'raw' }],
		['selected fields', { output: 'selectedFields', outputFields: ['statusLabel', ...names] }],
	])('are returned with %s, right after the status', async (_name, parameters) => {
		const { utr } = test.service.state.tables.singleSends.add(
			{
				...{ triggered: 200, delivered: 190, bounces: 10, unique_opens: 57, total_opens: 218 },
				...{ single_send_name: 'Rated', unsubscribes: 1 },
			},
			NOW,
		);
		const rated = { resource: 'singleSend', ...parameters };
		for (const operation of [
			{ operation: 'getAll', filters: { text: 'rated' } },
			{ operation: 'get', singleSendUtr: chosen(utr) },
		]) {
			const { items, error } = await test.service.run({ ...rated, ...operation });
			expect(error).toBeUndefined();
			expect(items[0]?.json).toMatchObject({ utr, ...rates });
			const keys = Object.keys(items[0]?.json ?? {});
			expect(keys.slice(keys.indexOf('statusLabel')).slice(1, 6)).toEqual(names);
		}
		expect(test.service.calls()).toEqual(['GET /single-send/list', 'GET /single-send/details']);
	});

	it('are left out of selected fields without them', async () => {
		const selected = { output: 'selectedFields', outputFields: ['status'] };
		const { items } = await test.service.run({
			...{ resource: 'singleSend', operation: 'getAll' },
			...selected,
		});
		expect(Object.keys(items[0]?.json ?? {})).toEqual(['status', 'utr', 'id']);
	});
});

describe('if nothing is found', () => {
	const nothing = { resource: 'contactType', operation: 'getAll', filters: { text: 'nobody' } };

	it('gives no item as preset', async () => {
		const result = await test.service.run(nothing);
		expect(result.items).toEqual([]);
		expect(hints(result)?.map(({ message }) => message)).toEqual([
			'Returned 0 of 2: none matches the filters.',
		]);
	});

	it('gives one item when asked to', async () => {
		const { items } = await test.service.run({
			...nothing,
			options: { ifNothingFound: 'oneItem' },
		});
		expect(items).toEqual([{ json: { found: false }, pairedItem: { item: 0 } }]);
	});

	it('does not take a failed read for an empty list', async () => {
		const { service } = test;
		service.fault({ kind: 'status', status: 500 });
		const { items, error } = await service.run({
			...nothing,
			options: { ifNothingFound: 'oneItem', ...once },
		});
		expect(items).toEqual([]);
		expect(error?.message).toBe('The service is temporarily unavailable (HTTP 500)');
	});
});

describe('what cannot be meant', () => {
	it.each<[IDataObject, string, string]>([
		[
			{ filters: { createdAfter: 'soon' } },
			'"Created On or After" is not a date with a time: "soon"',
			'Pick a date and a time, or enter them with the year first, such as 2026-05-04 09:30 or 2026-05-04 9:30 AM.',
		],
		[
			{ sort: { field: 'size' } },
			'"Sort" contains a field that these records cannot be sorted by: "size"',
			'Choose one of: contacts_count, created_at, deleted_at, id, name, updated_at, user_id.',
		],
		[
			{ sort: { direction: 'descending' } },
			'"Sort: Field Name or ID" is required but empty',
			'Add the field to "Sort", or remove "Direction".',
		],
		[
			{ sort: { field: '={{ $json.none }}' } },
			'"Sort: Field Name or ID" contains an expression that returned nothing',
			'Correct the expression, or clear the field to keep the order of the service.',
		],
		[
			{ sort: { field: 'id', direction: '={{ "desc" }}' } },
			'"Sort: Direction" cannot be "desc"',
			'Choose one of: ascending, descending.',
		],
		[
			{ options: { ifNothingFound: '={{ "Return One Item" }}' } },
			'"If Nothing Is Found" cannot be "Return One Item"',
			'Choose one of: noItems, oneItem.',
		],
		[
			{ resource: 'singleSend', output: '={{ "Raw" }}' },
			'"Output" cannot be "Raw"',
			'Choose one of: simplified, raw, selectedFields.',
		],
		[
			{ resource: 'singleSend', filters: { status: '={{ "completed" }}' } },
			'"Status" in Filters has an unknown status: "completed"',
			'Choose from the list, or return an array of status codes, such as ["3"].',
		],
		[
			{ resource: 'contact', filters: { contactTypes: '={{ "Customers" }}' } },
			'"Contact Type Names or IDs" in Filters has an entry that is not an ID: "Customers"',
			'Choose from the list, or return an array of IDs, such as [21].',
		],
		[
			{ resource: 'singleSend', filters: { unsubscribeGroups: ['51', 'Offers'] } },
			'"Unsubscribe Group Names or IDs" in Filters has an entry that is not an ID: "Offers"',
			'Choose from the list, or return an array of IDs, such as [21].',
		],
		[
			{ returnAll: false, limit: 'few' },
			'"Limit" must be a whole number above 0',
			'Correct it, or turn on "Return All".',
		],
		[
			{ returnAll: 'maybe' },
			'"Return All" must be true or false, but it is "maybe"',
			'Turn it on or off, or return true or false from the expression.',
		],
		[
			{ resource: 'contact', output: 'selectedFields', outputFields: [] },
			'"Output Field Names or IDs" is required but empty',
			'Choose at least one field, or another "Output".',
		],
	])('%j is refused before anything is sent', async (parameters, message, description) => {
		const { service } = test;
		const { error } = await service.run({ ...all, resource: 'contactType', ...parameters });
		expect([error?.message, error?.description]).toEqual([message, description]);
		expect(service.calls()).toEqual([]);
	});
});

it.each<[IDataObject, string[]]>([
	[
		{ returnAll: false, limit: '={{ $json.limit }}' },
		['At least one list was cut off at "Limit". To get all records, turn on "Return All".'],
	],
	[{ returnAll: true }, []],
])('says once of several items that lists were cut off: %j', async (parameters, expected) => {
	const items = [1, 1, 50].map((limit) => ({ json: { limit } }));
	const all = { resource: 'contact', operation: 'getAll', ...parameters };
	const { notes } = await test.service.run(all, { items });
	expect(notes).toEqual(expected);
});

it('takes "Return All" as text from an expression', async () => {
	const parameters = { resource: 'contact', limit: 1 };
	const all = await listed('id', { ...parameters, returnAll: true });
	expect(all.length).toBeGreaterThan(1);
	expect(await listed('id', { ...parameters, returnAll: 'true' })).toEqual(all);
});
