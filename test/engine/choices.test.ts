import fc from 'fast-check';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { methods } from '../../nodes/EmailMarketing/methods';
import { testName } from '../../nodes/EmailMarketing/records/testName';
import { editorContext, keys } from './engine';
import { NOW } from './records';
import { chosen, listOperations } from './rows';
import { useService } from './sandbox';

const test = useService({ segmentCounts: 'recipients' });

type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;
type Load = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

const context = (parameters: IDataObject = {}) =>
	editorContext(parameters, { baseUrl: test.service.baseUrl, ...keys });

async function search(name: string, filter?: string, parameters?: IDataObject, token?: string) {
	const method = methods?.listSearch?.[name] as Search;
	return await method.call(context(parameters), filter, token);
}

async function load(name: string, parameters?: IDataObject) {
	return await (methods?.loadOptions?.[name] as Load).call(context(parameters));
}

/** All entries, page after page, as the editor asks for them. */
async function searchAll(name: string, filter?: string) {
	const pages: INodeListSearchResult[] = [];
	let token: string | undefined;
	do {
		const page = await search(name, filter, {}, token);
		pages.push(page);
		token = page.paginationToken as string | undefined;
	} while (token !== undefined);
	return pages;
}

describe('lists of the editor', () => {
	it('offer a person once, in however many contact types', async () => {
		const { contacts } = test.service.state.tables;
		contacts.add({ email: 'ADA@example.com', contact_type_id: 22 }, NOW);
		const names = async (list: string) =>
			(await search(list, 'ada')).results.map(({ name }) => name.split(' ')[0]);
		expect(await names('searchContacts')).toEqual(['ada@example.com', 'ADA@example.com']);
		expect(await names('searchPeople')).toEqual(['ada@example.com']);
	});

	it.each<[string, IDataObject, string[], Array<{ name: string; value: string }>]>([
		[
			'searchContacts',
			{},
			['GET /contacts/list'],
			[
				{ name: 'ada@example.com (Ada Okafor · Customers)', value: '1000001' },
				{ name: 'ben@example.com (Ben · Subscribers)', value: '1000002' },
			],
		],
		[
			'searchContactTypes',
			{},
			['GET /contacts-type'],
			[
				{ name: 'Customers (1 contact)', value: '21' },
				{ name: 'Subscribers (1 contact)', value: '22' },
			],
		],
		[
			'searchSegments',
			{},
			['GET /segment/list'],
			[{ name: 'Recent customers (1 recipient)', value: '301' }],
		],
		[
			'searchSegmentRecipients',
			{ segmentId: chosen('301') },
			['GET /segment/email/list'],
			[{ name: 'ada@example.com (Ada Okafor)', value: '500001' }],
		],
		[
			'searchUnsubscribeGroups',
			{},
			['GET /unsubscribes-groups'],
			[{ name: 'Offers (1 unsubscribed)', value: '51' }],
		],
		[
			'searchUnsubscribeGroupRecipients',
			{ unsubscribeGroupId: chosen('51') },
			['GET /unsubscribes-groups/recipients-list'],
			[{ name: 'left.us@example.com (2026-03-02)', value: '300001' }],
		],
		[
			'searchGlobalUnsubscribes',
			{},
			['GET /global-unsubscribes'],
			[{ name: 'no.more@example.com (2026-03-02)', value: '100001' }],
		],
		['searchCustomFields', {}, ['GET /custom-fields'], [{ name: 'company (text)', value: '201' }]],
		[
			'searchDesignTemplates',
			{},
			['GET /get-design/template'],
			[
				{ name: 'Blank (blank)', value: '1' },
				{ name: 'Monthly newsletter (changed 2026-03-02)', value: '2' },
			],
		],
		[
			'searchNotificationRecipients',
			{},
			['GET /notification-recipients'],
			[{ name: 'maya@example.com (Maya Lindt)', value: '401' }],
		],
		[
			'searchSenders',
			{},
			['GET /senders'],
			[{ name: 'Main sender · hello@example.com (verified)', value: '81' }],
		],
		[
			'searchSingleSends',
			{},
			['GET /single-send/list'],
			[
				{
					name: 'March newsletter (ready to send · sends 2099-03-20 09:30)',
					value: '11111111-1111-4111-8111-111111111111',
				},
			],
		],
		[
			'searchAutomations',
			{},
			['GET /automations'],
			[
				{
					name: 'Welcome series (live · 2026-03-02)',
					value: '22222222-2222-4222-8222-222222222222',
				},
				{ name: 'Win back (draft · 2026-03-02)', value: '33333333-3333-4333-8333-333333333333' },
			],
		],
		[
			'searchAutomationSchedules',
			{ automationUtr: chosen('22222222-2222-4222-8222-222222222222') },
			['GET /automations/schedule'],
			[{ name: 'Welcome (after 3 days)', value: '44444444-4444-4444-8444-444444444444' }],
		],
		[
			'searchTargets',
			{},
			['GET /contacts-type', 'GET /segment/list'],
			[
				{ name: 'Customers (Contact type · 1 contact)', value: 'contacts_21' },
				{ name: 'Subscribers (Contact type · 1 contact)', value: 'contacts_22' },
				{ name: 'Recent customers (Segment · 1 recipient)', value: 'segments_301' },
			],
		],
	])('%s shows every record by name', async (name, parameters, calls, results) => {
		const { service } = test;
		expect(await search(name, undefined, parameters)).toEqual({ results });
		expect(service.calls().sort()).toEqual(calls);
		expect(service.violations()).toEqual([]);
		service.sent();
	});

	it.each([
		['searchSegmentRecipients', 'Segment'],
		['searchAutomationSchedules', 'Automation'],
		['searchUnsubscribeGroupRecipients', 'Unsubscribe Group'],
	])('%s asks for the choice that it depends on', async (name, label) => {
		await expect(search(name)).rejects.toThrow(`Choose "${label}" first`);
		expect(test.service.calls()).toEqual([]);
	});

	it.each([
		['searchSegmentRecipients', 'Segment', { segmentId: chosen('={{ $json.id }}', 'id') }],
		[
			'searchAutomationSchedules',
			'Automation',
			{ automationUtr: chosen('={{ $json.utr }}', 'utr') },
		],
	])('%s says that it cannot see what an expression returns', async (name, label, parameters) => {
		await expect(search(name, '', parameters)).rejects.toMatchObject({
			message: `The list cannot be loaded, because "${label}" contains an expression`,
			description: 'Enter this value as an expression, too.',
		});
		expect(test.service.calls()).toEqual([]);
	});

	it.each(listOperations)(
		'offer fields to sort by, with names of their own and no objects: %s, %s',
		async (resource, operation, parent) => {
			const given = { resource, operation, ...parent };
			const [none, ...fields] = await load('getSortFields', given);
			expect(none).toEqual({ name: 'As Returned by the Service', value: '' });
			expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
			const { items, error } = await test.service.run({ ...given, output: 'raw' });
			expect([error, items.length > 0]).toEqual([undefined, true]);
			const objects = fields.filter(({ value }) =>
				items.some(({ json }) => typeof (json[String(value)] ?? '') === 'object'),
			);
			expect(objects).toEqual([]);
		},
	);

	it('tell why they cannot be shown', async () => {
		test.service.fault({ kind: 'html' });
		await expect(search('searchContacts')).rejects.toThrow(
			'The service returned a web page instead of data (HTTP 200)',
		);
	});

	it('leave out what cannot be chosen, and name what has no name', async () => {
		const records = [
			{ id: 7, name: ' ' },
			{ id: null, name: 'No ID' },
			{ id: 8, name: { toString: 1 } },
		];
		const message = { contactTypes: records };
		test.service.fault({ kind: 'shape', body: { status: 'success', message } });
		expect((await search('searchContactTypes')).results.map(({ name }) => name)).toEqual([
			expect.stringMatching(/^ID 7\b/),
			expect.stringMatching(/^ID 8\b/),
		]);
	});

	it('leave out custom fields whose names are blank', async () => {
		const { customFields } = test.service.state.tables;
		customFields.add({ field_name: '\ufeff', field_type: 'text' }, NOW);
		const company = { name: 'company', description: 'text', value: 'company' };
		expect(await load('getCustomFieldNames')).toEqual([company]);
	});

	it('tell entries that look alike apart by their ID', async () => {
		test.service.state.tables.contactTypes.add({ name: 'Customers' }, NOW);
		const { results } = await search('searchContactTypes', 'customers');
		expect(results.map(({ name }) => name)).toEqual([
			'Customers (1 contact)',
			'Customers (0 contacts)',
		]);
		test.service.state.tables.customFields.add({ field_name: 'company', field_type: 'text' }, NOW);
		expect((await search('searchCustomFields')).results).toEqual([
			{ name: 'company (text · ID 201)', value: '201' },
			{ name: 'company (text · ID 202)', value: '202' },
		]);
	});

	it('show the newest campaign first, with its time of sending or otherwise of its creation', async () => {
		const { singleSends } = test.service.state.tables;
		const sent_at = '2026-02-01 08:00:00';
		singleSends.add({ single_send_name: 'Copy', schedule_type: 0, sent_at }, NOW);
		singleSends.add({ single_send_name: 'Sent', status: 3, sent_at }, NOW);
		singleSends.add({ single_send_name: 'Now', schedule_type: 0 }, NOW);
		const { results } = await search('searchSingleSends');
		expect(results.map(({ name }) => name).slice(0, 3)).toEqual([
			'Now (initiate · 2026-03-02)',
			'Sent (completed · sent 2026-02-01)',
			'Copy (initiate · 2026-03-02)',
		]);
	});

	it('offer test sends only to be deleted', async () => {
		test.service.state.tables.singleSends.add({ single_send_name: testName('Sale') }, NOW);
		const sale = expect.stringMatching(/^\[Test\] Sale/);
		const march = expect.stringMatching(/^March newsletter/);
		const names = async (operation: string) =>
			(await search('searchSingleSends', '', { operation })).results.map(({ name }) => name);
		expect(await names('duplicate')).toEqual([march]);
		expect(await names('delete')).toEqual([march, sale]);
	});

	it('say so where the list has more than records', async () => {
		const message = { contactTypes: [null] };
		test.service.fault({ kind: 'shape', body: { status: 'success', message } });
		await expect(search('searchContactTypes')).rejects.toThrow(
			'Unexpected response: the list "contactTypes" has an entry that is not a record',
		);
	});

	it.each(['getContacts', 'getCountries'])(
		'%s has an entry that says why it has no others',
		async (name) => {
			test.service.fault({ kind: 'failed', status: 401, errors: 'Unknown key', times: 5 });
			expect(await load(name)).toEqual([
				{
					name: 'The service rejected the keys: Unknown key',
					value: '',
					description: expect.any(String) as string,
				},
			]);
		},
	);

	it('say in an entry which choice they depend on', async () => {
		expect(await load('getUnsubscribeGroupRecipients')).toEqual([
			{
				name: 'Choose "Unsubscribe Group" first',
				value: '',
				description: 'The list depends on it.',
			},
		]);
	});

	it('offer utrs or ids for bulk deletes, as the options say', async () => {
		const utr = '11111111-1111-4111-8111-111111111111';
		const shown = {
			name: 'March newsletter',
			description: 'ready to send · sends 2099-03-20 09:30',
		};
		expect(await load('getSingleSends')).toEqual([{ ...shown, value: '501' }]);
		expect(await load('getSingleSends', { options: { identifyBy: 'utr' } })).toEqual([
			{ ...shown, value: utr },
		]);
	});
});

describe('5,000 records', () => {
	const contactType = { name: 'Everyone' };
	beforeEach(() => {
		const { tables } = test.service.state;
		tables.contacts.clear();
		const { id } = tables.contactTypes.add(contactType, NOW);
		for (let index = 0; index < 5000; index++) {
			const email = `person${String(index).padStart(4, '0')}@example.com`;
			const last_name = index === 4321 ? 'Müller-Lüdenscheidt' : 'Smith';
			tables.contacts.add({ email, first_name: 'P', last_name, contact_type_id: id }, NOW);
		}
	});

	it('are all offered, none twice, with one request for a page', async () => {
		const pages = await searchAll('searchContacts');
		const values = pages.flatMap(({ results }) => results.map(({ value }) => value));
		expect(values).toEqual(
			Array.from({ length: 5000 }, (_value, index) => String(1000001 + index)),
		);
		expect(test.service.calls()).toEqual(pages.map(() => 'GET /contacts/list'));
	});

	it.each([
		['part of the name', 'erson4999@', 1],
		['capitals', 'PERSON4999', 1],
		['a part that is behind the first page', 'person49', 100],
		['letters without their marks', 'muller-ludenscheidt', 1],
		['letters with their marks', 'MÜLLER', 1],
		['the id', '1004322', 1],
		['the contact type', 'everyone', 5000],
		['nothing that there is', 'nobody', 0],
	])('are found by %s', async (_what, filter, count) => {
		const pages = await searchAll('searchContacts', filter);
		expect(pages.flatMap(({ results }) => results)).toHaveLength(count);
		expect(test.service.calls()).toHaveLength(pages.length);
	});

	it('are all options of a field that takes several', async () => {
		expect(await load('getContacts')).toHaveLength(5000);
		expect(test.service.calls()).toEqual(['GET /contacts/list']);
	});
});

it('finds a record by any part of its name', async () => {
	const { service } = test;
	// Lists show names without the spaces around them.
	const name = fc.string({ minLength: 1, maxLength: 12 }).filter((given) => given === given.trim());
	const names = fc.array(name, { minLength: 1, maxLength: 5 });
	await fc.assert(
		fc.asyncProperty(names, fc.nat(), fc.nat(), async (given, from, length) => {
			const { customFields } = service.state.tables;
			customFields.clear();
			for (const field_name of given) customFields.add({ field_name }, NOW);
			const [name = ''] = given;
			const start = from % name.length;
			const part = name.slice(start, start + 1 + (length % name.length));
			const { results } = await search('searchCustomFields', part);
			expect(results.map(({ value }) => value)).toContain('201');
		}),
		{ numRuns: 20 },
	);
});
