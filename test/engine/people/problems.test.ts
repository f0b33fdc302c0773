import type { IDataObject } from 'n8n-workflow';

import { hints } from '../contacts/support';
import { chosen } from '../rows';
import { get, useService } from '../sandbox';
import { NOW } from '../records';
import { contactAdder, plantProblems } from './plantProblems';

const test = useService({ segmentCounts: 'recipients', listOrder: 'oldest' });
const deleted_at = new Date(NOW).toISOString();
const segments = [
	get('/contacts/list'),
	get('/segment/list'),
	get('/segment/email/list', { segment_id: '301' }),
	get('/global-unsubscribes'),
];
const onlyContacts = [get('/contacts/list')];
const byPath = <T extends { path: string }>(requests: T[]) =>
	requests.toSorted((a, b) => a.path.localeCompare(b.path));

const run = async (parameters: IDataObject = {}, rest = {}) =>
	await test.service.run({ resource: 'contact', operation: 'findProblems', ...parameters }, rest);
const add = (email: string, more = {}) => contactAdder(test.service.state.tables)(email, more);
/** Problem and address of each finding. */
const found = async (parameters: IDataObject = {}) => {
	const { items, error } = await run(parameters);
	expect(error).toBeUndefined();
	return items.map(({ json }) => [json.problem, json.email]);
};

const one = (id: number, email: string, more = {}) => ({
	...{ id: 2_000_000 + id, email, contactTypeId: 22, contactType: 'Subscribers', ...more },
});
const inCustomers = { contactTypeId: 21, contactType: 'Customers' };
const eve = 'eve@example.com';
const max = 'max@example.com';
const ofMax = [one(4, max), one(5, max, inCustomers)];

it('returns one item per problem, with the operation that corrects it, and changes nothing', async () => {
	plantProblems(test.service.state.tables);
	const { items, error } = await run({}, { items: [{ json: {} }, { json: {} }] });
	expect(error).toBeUndefined();
	expect(byPath(test.service.sent())).toEqual(byPath(segments));
	expect(test.service.violations()).toEqual([]);
	const expected = [
		{
			problem: 'duplicate',
			description: '3 contacts in Subscribers have the same address',
			email: eve,
			contacts: [one(1, eve), one(2, 'Eve@Example.com'), one(3, eve)],
			fix: { resource: 'contact', operation: 'deleteMany', contactIds: [2_000_002] },
		},
		{
			problem: 'inSeveralTypes',
			description: 'In 2 contact types: Subscribers, Customers',
			email: max,
			contacts: ofMax,
			fix: null,
		},
		{
			problem: 'misspelledDomain',
			description: 'Probably meant: zoe.lee@gmail.com',
			email: 'zoe.lee@gmial.com',
			contacts: [one(6, 'zoe.lee@gmial.com')],
			fix: {
				...{ resource: 'contact', operation: 'update', contactId: 2_000_006 },
				email: 'zoe.lee@gmail.com',
			},
		},
		{
			problem: 'roleAddress',
			description: 'Usually read by several people',
			email: 'info@example.org',
			contacts: [one(7, 'info@example.org')],
			fix: null,
		},
		{
			problem: 'unsubscribedInSegment',
			description: 'Unsubscribed (Global Unsubscribes), but still in the segment Recent customers',
			email: max,
			contacts: ofMax,
			fix: {
				...{ resource: 'segment', operation: 'deleteRecipient' },
				...{ segmentId: 301, segmentRecipientId: 500_100 },
			},
		},
	];
	expect(items).toEqual(expected.map((json) => ({ json, pairedItem: { item: 0 } })));
});

it('finds Gmail variants and missing names where they are chosen, and reads only contacts for them', async () => {
	plantProblems(test.service.state.tables);
	const { items } = await run({ problems: ['missingName', 'gmailVariant'] });
	expect(items.map(({ json }) => [json.problem, json.email, json.fix])).toEqual([
		[
			...['gmailVariant', 'k.im@gmail.com'],
			{ resource: 'contact', operation: 'deleteMany', contactIds: [2_000_009] },
		],
		['missingName', 'ben@example.com', null],
		['missingName', 'zoe.lee@gmial.com', null],
	]);
	expect(test.service.sent()).toEqual(onlyContacts);
});

it('corrects no address to that of a contact that does not meet the filters', async () => {
	add('ada@gmail.com', { city: 'Paris' });
	add('ada@gmial.com', { city: 'Rome' });
	const { items } = await run({ problems: ['misspelledDomain'], filters: { city: 'Rome' } });
	expect(items.map(({ json }) => [json.email, json.fix])).toEqual([['ada@gmial.com', null]]);
});

it('corrects no address to one that another contact has in a longer text', async () => {
	add('Ada <ada@gmail.com>', { city: 'Paris' });
	add('ada@gmial.com', { city: 'Rome' });
	const { items } = await run({ problems: ['misspelledDomain'] });
	expect(items.map(({ json }) => [json.email, json.fix])).toEqual([['ada@gmial.com', null]]);
});

it('keeps the address that can be sent to, with the apostrophe of a keyboard', async () => {
	const typed = add("o'brien@example.com");
	const printed = add('o’brien@example.com', { city: 'Bonn' });
	const same = add('o’brien@example.com');
	const { items } = await run({ problems: ['duplicate', 'invalidEmail'] });
	const deletion = { resource: 'contact', operation: 'deleteMany', contactIds: [same] };
	expect(
		items.map(({ json }) => [
			json.problem,
			(json.contacts as IDataObject[]).map(({ id }) => id),
			json.fix,
		]),
	).toEqual([
		['duplicate', [typed, printed, same], deletion],
		['invalidEmail', [printed], null],
		['invalidEmail', [same], deletion],
	]);
});

it('checks only contacts that meet the filters, and all segments', async () => {
	plantProblems(test.service.state.tables);
	const unsubscribed = ['unsubscribedInSegment', max];
	expect(await found({ filters: { contactTypes: [21] } })).toEqual([unsubscribed]);
	expect(await found({ filters: { city: 'Berlin' } })).toEqual([['duplicate', eve], unsubscribed]);
	const { error } = await run({ filters: { contactTypes: '={{ undefined }}' } });
	expect(error?.message).toBe('"Contact Type Names or IDs" in Filters is empty');
});

it('corrects an address that has more than the address, and names what is none', async () => {
	test.service.holdsOddRecords = true;
	const [named, hidden] = [add('Eve <eve@example.com>'), add('e\u200bve@example.org')];
	add(' spaced@example.com ');
	add('eve@localhost');
	add('nobody');
	add('');
	const { items } = await run({ problems: ['invalidEmail'] });
	const fix = (contactId: number, email: string) => ({
		...{ resource: 'contact', operation: 'update', contactId, email },
	});
	expect(items.map(({ json }) => [json.email, json.fix])).toEqual([
		['Eve <eve@example.com>', fix(named, eve)],
		['e\u200bve@example.org', fix(hidden, 'eve@example.org')],
		['eve@localhost', null],
		['nobody', null],
		['', null],
	]);
	expect(items.at(-1)?.json.description).toBe('No email address');
});

it('deletes no contact with a value that the one to keep does not have', async () => {
	const custom = (field_value: string | null) => ({
		custom_field: { field_201: { field_name: 'company', field_value } },
	});
	const kept = add(eve, { ...custom('Roastery'), state: 'Berlin' });
	const [same, empty] = [add(eve, custom('Roastery')), add(eve, custom(null))];
	add(eve, custom('Other'));
	const twin = add('zoe@gmail.com');
	const copy = add('zoe@gmal.com');
	add('kim@gmail.com');
	add('kim@gmal.com', { city: 'Bonn' });
	const { items } = await run({ problems: ['duplicate', 'misspelledDomain'] });
	expect(items.map(({ json }) => (json.fix as IDataObject | null)?.contactIds)).toEqual([
		[same, empty],
		[copy],
		undefined,
	]);
	expect((items[0]?.json.contacts as IDataObject[])[0]?.id).toBe(kept);
	expect(twin).toBeLessThan(copy);
});

it('corrects only the contact that it does not delete as a duplicate', async () => {
	const copies = [add('zoe@gmial.com'), add('Zoe@gmial.com', { city: 'Bonn' })];
	const { items } = await run({ problems: ['duplicate', 'misspelledDomain'] });
	const [copy, kept] = copies;
	expect(items.map(({ json }) => json.fix)).toEqual([
		{ resource: 'contact', operation: 'deleteMany', contactIds: [copy] },
		null,
		{ resource: 'contact', operation: 'update', contactId: kept, email: 'zoe@gmail.com' },
	]);
});

it('does not take a recipient for somebody who unsubscribed and has a similar address', async () => {
	const { segmentRecipients, globalUnsubscribes } = test.service.state.tables;
	const recipient = { segment_id: 301, first_name: 'Ada', last_name: 'Moss' };
	segmentRecipients.add({ ...recipient, email: 'adler@example.com' } as never, NOW);
	globalUnsubscribes.add({ email_address: '_adler@example.com' }, NOW);
	globalUnsubscribes.add({ email_address: 'd’adler@example.com' }, NOW);
	expect(await found({ problems: ['unsubscribedInSegment'] })).toEqual([]);
});

it('deletes no contact with a custom field of its own, whatever its name', async () => {
	const custom = (field: unknown) => ({ custom_field: { field_201: field } });
	const without = add(eve);
	add(eve, custom({ field_name: 'joined_at', field_value: '2026-01-01T10:00' }));
	const { items } = await run({ problems: ['duplicate'] });
	expect(items.map(({ json }) => (json.fix as IDataObject).contactIds)).toEqual([[without]]);
});

it('keeps the contact whose email is the address alone', async () => {
	const named = add('Eve <eve@example.com>');
	const plain = add(eve);
	add('Kim <kim@example.com>', { city: 'Bonn' });
	add('kim@example.com');
	const { items } = await run({ problems: ['duplicate'] });
	expect(
		items.map(({ json }) => [json.email, (json.fix as IDataObject | null)?.contactIds]),
	).toEqual([
		[eve, [named]],
		['kim@example.com', undefined],
	]);
	expect(plain).toBeGreaterThan(named);
});

it('finds nothing in records that are marked as deleted', async () => {
	const { tables } = test.service.state;
	add(eve, { deleted_at });
	add(eve);
	add('info@example.org', { deleted_at });
	tables.globalUnsubscribes.add({ email_address: 'ada@example.com' }, NOW);
	const [segment] = tables.segments.all();
	if (segment) tables.segments.change(segment, { deleted_at });
	test.service.state.settings.deletes = 'kept';
	expect(await found()).toEqual([]);
	expect(test.service.calls()).not.toContain('GET /segment/email/list');
});

describe('whoever has unsubscribed from a group', () => {
	const unsubscribeGroups = [51];
	const ada = ['unsubscribedInSegment', 'ada@example.com'];
	beforeEach(() => {
		const { groupRecipients } = test.service.state.tables;
		groupRecipients.add({ unsubscribe_groups_id: 51, email_address: ' ADA@example.com' }, NOW);
		test.service.holdsOddRecords = true;
	});

	it.each(['apart', 'number', 'text'] as const)(
		'counts only if the group is chosen, where the global list has its entries as %s',
		async (groupEntries) => {
			test.service.state.settings.groupEntries = groupEntries;
			expect(await found()).toEqual([]);
			const list = get('/unsubscribes-groups/recipients-list', { groupId: '51' });
			const named = groupEntries === 'apart' ? [] : [list];
			expect(byPath(test.service.sent())).toEqual(byPath([...segments, ...named]));
			const before = test.service.sent().length;
			const { items } = await run({ options: { unsubscribeGroups } });
			expect(items.map(({ json }) => [json.problem, json.email])).toEqual([ada]);
			expect(items[0]?.json.description).toContain('Unsubscribed (Unsubscribe Group 51)');
			expect(byPath(test.service.sent().slice(before))).toEqual(byPath([...segments, list]));
		},
	);

	it.each([51, 99])(
		'counts as unsubscribed globally if only the global list has the entry, of group %j',
		async (unsubscribe_groups_id) => {
			const { globalUnsubscribes, groupRecipients } = test.service.state.tables;
			groupRecipients.clear();
			const email_address = 'ada@example.com';
			globalUnsubscribes.add({ email_address, unsubscribe_groups_id }, NOW);
			const { items } = await run();
			expect(items.map(({ json }) => [json.problem, json.email])).toEqual([ada]);
			expect(items[0]?.json.description).toContain('Unsubscribed (Global Unsubscribes)');
		},
	);

	it('is an error if the list of a group that the global list names cannot be read', async () => {
		test.service.state.settings.groupEntries = 'number';
		const match = { path: '/unsubscribes-groups/recipients-list' };
		test.service.fault({ kind: 'status', status: 403, match, times: 9 });
		const { items, error } = await run();
		expect(items).toEqual([]);
		expect(error?.description).toMatch(/^Unsubscribe Groups: 51 could not be read/);
	});

	it('is an error if the group does not exist', async () => {
		const { items, error } = await run({ options: { unsubscribeGroups: [52] } });
		expect(items).toEqual([]);
		expect(error?.description).toMatch(/^Unsubscribe Groups: 52 could not be read/);
	});
});

it('reports a recipient who is no contact', async () => {
	const { tables } = test.service.state;
	const row = { segment_id: 301, contact_id: null, email: 'Gone@example.com' };
	tables.segmentRecipients.add(row, NOW);
	tables.globalUnsubscribes.add({ email_address: 'gone@example.com' }, NOW);
	const { items } = await run({ problems: ['unsubscribedInSegment'] });
	expect(items.map(({ json }) => [json.email, json.contacts])).toEqual([['Gone@example.com', []]]);
});

it('reads each list once, however many segments there are', async () => {
	const { tables } = test.service.state;
	for (let index = 0; index < 40; index++) {
		const segment = tables.segments.add({ contact_type_id: 21, segment_name: `S${index}` }, NOW);
		const row = { segment_id: segment.id, contact_id: null, email: 'no.more@example.com' };
		tables.segmentRecipients.add(row, NOW);
	}
	expect(await found()).toHaveLength(40);
	const urls = test.service.sent().map(({ path, query }) => `${path} ${JSON.stringify(query)}`);
	expect(urls).toHaveLength(44);
	expect(new Set(urls).size).toBe(44);
});

describe('a list that could not be read', () => {
	beforeEach(() => {
		for (const path of ['/segment/email/list', '/contacts/list']) {
			test.service.fault({ kind: 'status', status: 403, match: { path }, times: 9 });
		}
	});

	it('stops the node: it may have problems', async () => {
		const { items, error } = await run();
		expect(items).toEqual([]);
		expect(error?.description).toContain('could not be read, so it is unknown what is stored');
	});

	it('is an error item that names it', async () => {
		const { items, failed } = await run({}, { node: { onError: 'continueErrorOutput' } });
		expect(items).toEqual([]);
		expect(failed.map(({ json }) => (json.error as IDataObject).unreadLists)).toEqual([
			expect.arrayContaining(['Contacts', 'Segments: Recent customers']),
		]);
	});
});

it('returns nothing, or one item, if there are no problems', async () => {
	const nothing = await run();
	expect(nothing.items).toEqual([]);
	expect(hints(nothing)?.map(({ message }) => message)).toEqual([
		'No problems found. Contacts checked: 2.',
	]);
	const { items } = await run({ options: { ifNothingFound: 'oneItem' } });
	expect(items).toEqual([{ json: { found: false }, pairedItem: { item: 0 } }]);
});

it.each([
	['none', '={{ [] }}', '"Problems" is required but empty'],
	['an unknown one', ['duplicate', 'typo'], '"Problems" cannot be "typo"'],
])('refuses %s as problems', async (_what, problems, message) => {
	const { error } = await run({ problems });
	expect(error?.message).toBe(message);
	expect(test.service.calls()).toEqual([]);
});

it('is put right by the operations that it names', async () => {
	const { state } = test.service;
	plantProblems(state.tables);
	const first = await run();
	const follow = async (operation: string, parameters: IDataObject) => {
		const items = first.items.filter(
			({ json }) => (json.fix as IDataObject | null)?.operation === operation,
		);
		const resource = (items[0]?.json.fix as IDataObject).resource;
		const { error } = await test.service.run({ resource, operation, ...parameters }, { items });
		expect(error).toBeUndefined();
	};
	await follow('deleteMany', { contactIds: '={{ $json.fix.contactIds }}' });
	await follow('update', {
		contactId: chosen('={{ $json.fix.contactId }}', 'id'),
		fields: { mappingMode: 'defineBelow', value: { email: '={{ $json.fix.email }}' } },
	});
	await follow('deleteRecipient', {
		segmentId: chosen('={{ $json.fix.segmentId }}', 'id'),
		segmentRecipientId: chosen('={{ $json.fix.segmentRecipientId }}', 'id'),
	});
	const left = await run({ problems: ['duplicate', 'misspelledDomain', 'unsubscribedInSegment'] });
	expect(left.items.map(({ json }) => [json.problem, json.fix])).toEqual([['duplicate', null]]);
	expect(test.service.violations()).toEqual([]);
});

it('corrects no contact to an email that another one has, or is corrected to', async () => {
	for (const email of ['Bob <bob@example.com>', 'bob@example.com', 'eve@gmial.com', 'eve@gmal.com'])
		add(email);
	const { items } = await run({ problems: ['invalidEmail', 'misspelledDomain'] });
	expect(
		items.map(({ json }) => [json.email, (json.fix as IDataObject | null)?.operation]),
	).toEqual([
		['Bob <bob@example.com>', 'deleteMany'],
		['eve@gmial.com', 'update'],
		['eve@gmal.com', undefined],
	]);
});

it.each<[string, IDataObject]>([
	['"Problems" is ', { problems: '={{ [$json.problem] }}' }],
	[
		'"Respect Unsubscribe Group Names or IDs" is ',
		{ options: { unsubscribeGroups: '={{ [$json.group] }}' } },
	],
])('items that differ are refused before anything is read: %s', async (message, parameters) => {
	const items = [
		{ json: { problem: 'duplicate', group: 51 } },
		{ json: { problem: 'malformed', group: 52 } },
	];
	const { error } = await run(parameters, { items });
	expect(error?.message).toContain(message);
	expect(error?.message).toContain(' for item 1, but ');
	expect(test.service.calls()).toEqual([]);
});
