import type { IDataObject } from 'n8n-workflow';

import { outcomeOf, runWorkflow } from '../engine';
import { contact, groupRecipient, NOW, segmentRecipient } from '../records';
import { chosen } from '../rows';
import { get, useService } from '../sandbox';
import { plantEverywhere } from './everywhere';

const test = useService({ segmentCounts: 'recipients' });
const find = { resource: 'person', operation: 'find' };
const byEmail = (email: string) => ({ person: chosen(email, 'email') });
const createdAt = '2026-03-02T10:00:00.000000Z';

/** Every list, in the order in which they are asked for. */
const lists = [
	get('/contacts/list'),
	get('/segment/list'),
	get('/unsubscribes-groups'),
	get('/global-unsubscribes'),
	get('/notification-recipients'),
	get('/senders'),
	get('/segment/email/list', { segment_id: '301' }),
	get('/unsubscribes-groups/recipients-list', { groupId: '51' }),
];

const byPath = <T extends { path: string }>(requests: T[]) =>
	requests.toSorted((a, b) => a.path.localeCompare(b.path));

const run = async (parameters: IDataObject, rest = {}) =>
	await test.service.run({ ...find, ...parameters }, rest);

const all = {
	contacts: 1,
	segmentRecipients: 1,
	unsubscribeGroupRecipients: 1,
	globalUnsubscribes: 1,
	notificationRecipients: 1,
	senders: 1,
};
const none = Object.fromEntries(Object.keys(all).map((name) => [name, 0]));

it('finds a person in every list, each read once, and changes nothing', async () => {
	plantEverywhere(test.service.state.tables, 'Eve@Example.com');
	const { items, error } = await run(byEmail(' eve@example.COM '));
	expect(error).toBeUndefined();
	expect(byPath(test.service.sent())).toEqual(byPath(lists));
	expect(test.service.violations()).toEqual([]);
	const entry = { email: 'Eve@Example.com', createdAt, isDeleted: false };
	expect(items).toEqual([
		{
			json: {
				email: 'eve@example.COM',
				found: true,
				isUnsubscribed: true,
				...all,
				deletedRecords: 0,
				otherAddresses: [],
				entries: [
					{
						recordType: 'contact',
						list: 'Subscribers',
						listId: 22,
						id: 7,
						field: 'email',
						...entry,
					},
					{
						...{ recordType: 'segmentRecipient', list: 'Recent customers', listId: 301, id: 8 },
						...{ field: 'email', ...entry },
					},
					{
						...{ recordType: 'unsubscribeGroupRecipient', list: 'Offers', listId: 51, id: 9 },
						...{ field: 'email_address', ...entry },
					},
					{
						...{ recordType: 'globalUnsubscribe', list: 'Global Unsubscribes', id: 10 },
						...{ field: 'email_address', ...entry },
					},
					{
						...{ recordType: 'notificationRecipient', list: 'Notification Recipients', id: 11 },
						...{ field: 'email_address', ...entry },
					},
					{ recordType: 'sender', list: 'Senders', id: 12, field: 'from_email', ...entry },
				],
			},
			pairedItem: { item: 0 },
		},
	]);
});

it('returns one item per record with all of its fields, and one for whoever is not found', async () => {
	const { items } = await run(
		{ person: chosen('={{ $json.email }}', 'email'), results: 'records' },
		{ items: ['ada@example.com', 'nobody@example.com'].map((email) => ({ json: { email } })) },
	);
	expect(
		items.map(({ json, pairedItem }) => [json.person, json.id, json.record, pairedItem]),
	).toEqual([
		[
			'ada@example.com',
			1000001,
			expect.objectContaining({ id: 1000001, postal_code: '10115' }),
			{ item: 0 },
		],
		['ada@example.com', 500001, { ...segmentRecipient }, { item: 0 }],
		[undefined, undefined, undefined, { item: 1 }],
	]);
	expect(items[2]?.json).toEqual({
		email: 'nobody@example.com',
		found: false,
		isUnsubscribed: false,
		...none,
		deletedRecords: 0,
		otherAddresses: [],
		entries: [],
	});
});

it('reads each list once for all items, also for an address that nobody new may have', async () => {
	plantEverywhere(test.service.state.tables, '-ada@example.com');
	const emails = ['-ada@example.com', 'ben@example.com', '-nobody@example.com'];
	const items = emails.map((email) => ({ json: { email } }));
	const person = chosen('={{ $json.email }}', 'email');
	const outcome = await run({ person }, { items, node: { onError: 'continueRegularOutput' } });
	expect(byPath(test.service.sent())).toEqual(byPath(lists));
	expect(outcome.items.map(({ json }) => [json.found, json.error])).toMatchObject([
		[true, undefined],
		[true, undefined],
		[undefined, { message: expect.stringContaining('"Person" is not an email address') }],
	]);
});

it('finds a person by the ID of a contact, and names their other addresses', async () => {
	const { items } = await run({ person: chosen(1000002, 'list') });
	expect(test.service.sent()[0]).toEqual(get('/contacts/details', { contact_id: '1000002' }));
	expect(items[0]?.json).toMatchObject({
		email: 'ben@example.com',
		contactId: 1000002,
		contacts: 1,
		otherAddresses: ['b@example.org'],
	});
});

it.each([
	"o'brien@example.com",
	'o’brien@example.com',
	'r&brien@example.com',
	'_brien@example.com',
])('does not take %s for an address of brien@example.com', async (email) => {
	plantEverywhere(test.service.state.tables, email);
	const { items } = await run(byEmail('brien@example.com'));
	expect(items).toMatchObject([{ json: { found: false, ...none } }]);
	expect((await run(byEmail(email))).items).toMatchObject([{ json: all }]);
});

it('finds a contact by its alternative email', async () => {
	const { items } = await run(byEmail('B@example.org'));
	expect(items[0]?.json).toMatchObject({ contacts: 1, otherAddresses: [] });
	expect(items[0]?.json.entries).toEqual([
		expect.objectContaining({ id: 1000002, field: 'alt_email', email: 'b@example.org' }),
	]);
});

describe('the next step', () => {
	const step = 'For a copy of this data, use "Person: Export". To delete it, use "Person: Erase".';
	const absent = 'Nothing was found for nobody@example.com. Check the spelling.';

	it.each([
		['one person', ['ada@example.com'], [step]],
		['several', ['ada@example.com', 'ben@example.com'], [step]],
		['not everybody', ['ada@example.com', 'nobody@example.com'], [step, absent]],
		['nobody', ['nobody@example.com'], [absent]],
	])('is said after %s was found', async (_who, emails, notes) => {
		const items = emails.map((email) => ({ json: { email } }));
		const outcome = await run({ person: chosen('={{ $json.email }}', 'email') }, { items });
		expect(outcome.notes).toEqual(notes);
	});

	it('is not named if the workflow has one already', async () => {
		const parameters = { ...find, ...byEmail('ada@example.com') };
		const { baseUrl } = test.service;
		const ran = await runWorkflow({
			baseUrl,
			steps: [
				{ name: 'Find', parameters, to: ['Export'] },
				{ name: 'Export', parameters: { ...parameters, operation: 'export' } },
			],
		});
		expect(outcomeOf(ran, 'Find')).toMatchObject({ items: [{ json: { found: true } }], notes: [] });
	});
});

it('reads no list twice for 1,000 people', async () => {
	const items = Array.from({ length: 1000 }, (_, index) => ({
		json: { email: index === 999 ? 'ada@example.com' : `person${index}@example.com` },
	}));
	const outcome = await run({ person: chosen('={{ $json.email }}', 'email') }, { items });
	expect(outcome.items).toHaveLength(1000);
	expect(outcome.items[999]?.json).toMatchObject({ found: true, contacts: 1 });
	expect(byPath(test.service.sent())).toEqual(byPath(lists));
});

it('counts what is marked as deleted apart, and reads no deleted segment', async () => {
	const { tables } = test.service.state;
	const deleted_at = new Date(NOW).toISOString();
	const ada = tables.contacts.get(contact.id);
	const segment = tables.segments.get(301);
	if (ada) tables.contacts.change(ada, { deleted_at });
	if (segment) tables.segments.change(segment, { deleted_at });
	const { items } = await run(byEmail('ada@example.com'));
	expect(items[0]?.json).toMatchObject({
		found: true,
		contacts: 0,
		segmentRecipients: 0,
		deletedRecords: 1,
	});
	expect(test.service.calls()).not.toContain('GET /segment/email/list');
});

it.each(['number', 'text'] as const)(
	'counts an entry of a group once where the global list has it too, as %s',
	async (groupEntries) => {
		test.service.state.settings.groupEntries = groupEntries;
		test.service.holdsOddRecords = true;
		const { items } = await run(byEmail('left.us@example.com'));
		expect(items[0]?.json).toMatchObject({
			...{ isUnsubscribed: false, globalUnsubscribes: 0, unsubscribeGroupRecipients: 1 },
			entries: [expect.objectContaining({ list: 'Offers', id: groupRecipient.id })],
		});
	},
);

describe('what could not be read', () => {
	const failing = ['/segment/email/list', '/contacts/list'];
	beforeEach(() => {
		for (const path of failing) {
			test.service.fault({ kind: 'status', status: 403, match: { path }, times: 9 });
		}
	});

	it('stops the node, and is no absence', async () => {
		const { items, error } = await run(byEmail('nobody@example.com'));
		expect(items).toEqual([]);
		expect(error?.description).toMatch(
			/^(?:Contacts, Segments: Recent customers|Segments: Recent customers, Contacts) could not be read, so it is unknown what is stored there\./,
		);
	});

	it('is an error of every item', async () => {
		const { items, failed } = await run(
			{ person: chosen('={{ $json.email }}', 'email') },
			{
				items: ['a@example.com', 'no address'].map((email) => ({ json: { email } })),
				node: { onError: 'continueErrorOutput' },
			},
		);
		expect(items).toEqual([]);
		expect(failed.map(({ json }) => (json.error as IDataObject).unreadLists)).toEqual([
			expect.arrayContaining(['Contacts', 'Segments: Recent customers']),
			undefined,
		]);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});
});

it('cannot read the list of a group without a valid ID, and does not ask for it', async () => {
	const groups = { unsubscribesGroups: [{ id: 'ada@example.com', group_name: 'News' }] };
	const body = { status: 'success', message: groups };
	test.service.fault({ kind: 'shape', match: { path: '/unsubscribes-groups' }, body });
	const { items, error } = await run(byEmail('nobody@example.com'));
	expect([items, error?.message]).toEqual([
		[],
		'Unexpected response: an entry of "Unsubscribe Groups" has no valid ID',
	]);
	expect(test.service.violations()).toEqual([]);
});

it.each([
	['no address', chosen('={{ "ada" }}', 'email'), /^"Person" is not an email address: "ada"/],
	['nothing', chosen('={{ "" }}', 'email'), /^"Person" is required but empty/],
	['a contact that does not exist', chosen(404, 'id'), /Record Not Found/],
])('says that an item has %s', async (_what, person, message) => {
	const { error } = await run({ person });
	expect(error?.message).toMatch(message);
	expect(test.service.calls()).not.toContain('GET /contacts/list');
});
