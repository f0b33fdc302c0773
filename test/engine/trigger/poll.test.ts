import type { IDataObject } from 'n8n-workflow';

import { testName } from '../../../nodes/EmailMarketing/records/testName';
import type { Sandbox } from '../../../sandbox/server.ts';
import { keys } from '../engine';
import { asIfBothMethods } from '../readings/underReading';
import { once } from '../sandbox';
import { emptySandbox, Poller } from './poller';

let sandbox: Sandbox;
const store = () => sandbox.state.store.tables;
const now = () => sandbox.state.clock.now();

beforeAll(async () => {
	sandbox = await emptySandbox();
});
beforeEach(() => sandbox.state.reset('empty', ['settings']));
afterAll(async () => await sandbox.close());

const addSend = (fields = {}) =>
	store().singleSends.add({ single_send_name: 'Spring sale', ...fields }, now());
const requests = () => asIfBothMethods(sandbox.state.journal.entries).map(({ path }) => path);

const sends = { events: ['singleSendStatusChanged', 'singleSendCreated', 'singleSendDeleted'] };

describe('a poll', () => {
	it('emits nothing at first, then each change with both statuses and a simplified record', async () => {
		const poller = new Poller(sandbox, sends);
		const send = addSend();
		expect(await poller.poll()).toEqual([]);
		expect(await poller.poll()).toEqual([]);
		store().singleSends.change(send, { status: 2, delivered: 10 });
		const [item, ...others] = await poller.poll();
		expect(others).toEqual([]);
		expect(item).toEqual({
			event: 'singleSendStatusChanged',
			eventLabel: 'Campaign Status Changed',
			name: 'Spring sale',
			eventId: expect.stringMatching(/^[\w-]{22}$/),
			occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
			previousStatus: { code: 0, label: 'initiate' },
			status: { code: 2, label: 'running' },
			record: expect.objectContaining({ utr: send.utr, status: 2, statusLabel: 'running' }),
		});
		const keys = ['event', 'eventLabel', 'name', 'occurredAt', 'previousStatus', 'status'];
		expect(Object.keys(item ?? {})).toEqual([...keys, 'record', 'eventId']);
		expect(item?.record).not.toHaveProperty('unique_open_token');
		expect(await poller.poll()).toEqual([]);
	});

	it('gives the record as the service sent it when Simplify is off', async () => {
		const poller = new Poller(sandbox, { ...sends, simplify: false });
		await poller.poll();
		addSend();
		const [item] = await poller.poll();
		expect(Object.keys(item?.record as IDataObject)).toEqual(
			expect.arrayContaining(['user_id', 'recipient_id', 'unique_open_token']),
		);
	});

	it.each([
		['true', ['singleSendCreated', 'singleSendStatusChanged'], false],
		['FALSE', [], true],
	])('takes %s as text from an expression', async (flag, existing, isWhole) => {
		const poller = new Poller(sandbox, {
			...sends,
			simplify: `={{ "${flag}" }}`,
			options: { emitExisting: `={{ "${flag}" }}`, includeTestSends: `={{ "${flag}" }}` },
		});
		addSend({ single_send_name: testName('Sale') });
		expect((await poller.poll()).map(({ event }) => event)).toEqual(existing);
		addSend();
		const [item] = await poller.poll();
		expect(Object.hasOwn(item?.record as IDataObject, 'unique_open_token')).toBe(isWhole);
	});

	it.each([
		['Simplify', { simplify: '={{ "yes" }}' }],
		['Emit Existing Records', { options: { emitExisting: '={{ "yes" }}' } }],
		['Include Test Sends', { options: { includeTestSends: '={{ "yes" }}' } }],
	])('refuses what is neither true nor false as "%s"', async (label, given) => {
		const poller = new Poller(sandbox, { ...sends, ...given });
		addSend({ status: 3 });
		await expect(poller.poll({ mode: 'manual' })).rejects.toMatchObject({
			message: `"${label}" must be true or false, but it is "yes"`,
			context: { code: 'boolean-expected' },
		});
	});

	it('reads each list once, however many events use it', async () => {
		Object.assign(sandbox.state.settings, { emptyParents: 'success', emptyLists: 'success' });
		const group = store().unsubscribeGroups.add({ group_name: 'News' }, now());
		const segment = store().segments.add({ segment_name: 'Berlin' }, now());
		const poller = new Poller(sandbox, {
			events: [
				'singleSendStatusChanged',
				'singleSendCreated',
				'singleSendDeleted',
				'singleSendStatisticReached',
				'singleSendCompleted',
				'automationStatusChanged',
				'automationCreated',
				'automationDeleted',
				'automationStatisticReached',
				'contactAdded',
				'contactUpdated',
				'globalUnsubscribeAdded',
				'unsubscribeGroupRecipientAdded',
				'segmentRecipientAdded',
				'senderVerified',
			],
			singleSendThresholds: { threshold: [{ statistic: 'bounces', unit: 'percent', value: 5 }] },
			automationThresholds: {
				threshold: [{ statistic: 'total_bounces', unit: 'percent', value: 5 }],
			},
			unsubscribeGroupId: { __rl: true, mode: 'list', value: group.id },
			segmentId: { __rl: true, mode: 'id', value: String(segment.id) },
			contactTypeId: { __rl: true, mode: 'list', value: '' },
		});
		await poller.poll();
		expect(requests().sort()).toEqual([
			'/automations',
			'/contacts/list',
			'/global-unsubscribes',
			'/segment/email/list',
			'/senders',
			'/single-send/list',
			'/unsubscribes-groups/recipients-list',
		]);
		expect(sandbox.state.journal.violations).toEqual([]);
	});

	it('works in an n8n that knows no poll budget', async () => {
		const poller = new Poller(sandbox, sends);
		await poller.pollWithoutBudget();
		addSend();
		expect(await poller.pollWithoutBudget()).toHaveLength(1);
	});
});

describe('a response that is not a list', () => {
	const faults = [
		['an HTTP 500', { kind: 'status', status: 500 }, '500'],
		['an HTTP 429', { kind: 'status', status: 429 }, '429'],
		['a failed envelope', { kind: 'failed' }, '200'],
		['a missing key', { kind: 'shape', body: { status: 'success', message: {} } }, '200'],
		[
			'no array',
			{ kind: 'shape', body: { status: 'success', message: { singleSends: {} } } },
			'200',
		],
		['a web page', { kind: 'html' }, '200'],
		['an empty response', { kind: 'empty' }, '200'],
		['a truncated response', { kind: 'truncated' }, null],
		[
			'a truncated response of the announced length',
			{ kind: 'truncated', contentLength: 'cut' },
			'200',
		],
		['a reset connection', { kind: 'reset-before' }, null],
		[
			'a record without a utr',
			{ kind: 'shape', body: { status: 'success', message: { singleSends: [{ id: 1 }] } } },
			null,
		],
	] as const;

	it.each(faults)('%s fails the poll and changes nothing', async (_name, fault, httpCode) => {
		const poller = new Poller(sandbox, { ...sends, options: once });
		addSend();
		await poller.poll();
		const before = poller.savedState();
		for (let times = 0; times < 3; times++) {
			sandbox.state.faults.add(fault);
			await expect(poller.poll()).rejects.toMatchObject({ name: 'NodeApiError', httpCode });
		}
		expect(poller.savedState()).toEqual(before);
		expect(await poller.poll()).toEqual([]);
	});
});

it.each([
	['a slash at the end', ({ baseUrl }: Sandbox) => ({ baseUrl: `${baseUrl}/` })],
	[
		'spaces',
		({ baseUrl }: Sandbox) => ({ baseUrl: ` ${baseUrl}`, publicKey: `${keys.publicKey} ` }),
	],
])('a credential that gets %s is of the same account', async (_what, credential) => {
	const events = ['contactAdded', 'globalUnsubscribeAdded'];
	const poller = new Poller(sandbox, { events });
	await poller.poll();
	store().contacts.add({ email: 'ada@example.com' }, now());
	const later = new Poller(sandbox, { events }, poller.savedState(), credential(sandbox));
	expect(await later.poll()).toMatchObject([{ event: 'contactAdded' }]);
});

it('takes no records of another account for new if the credential is changed during a poll', async () => {
	const other = await emptySandbox();
	const contact = { email: 'ada@example.com' };
	store().contacts.add(contact, now());
	other.state.store.tables.contacts.add(contact, now());
	other.state.store.tables.contacts.add({ email: 'bob@example.com' }, now());
	let reads = 0;
	const credential = {
		get baseUrl() {
			return reads++ < 3 ? sandbox.baseUrl : other.baseUrl;
		},
	};
	const poller = new Poller(sandbox, { events: ['contactAdded'] }, {}, credential);
	// Were it read again for each list, the second poll would be of the first account, and its list of the other one.
	for (let times = 0; times < 5; times++) expect(await poller.poll()).toEqual([]);
	await other.close();
});

describe('an account whose automation list says "Record Not Found" when it is empty', () => {
	beforeEach(() => (sandbox.state.settings.emptyLists = 'failed'));
	afterEach(() => (sandbox.state.settings.emptyLists = 'success'));
	const automations = { events: ['automationCreated', 'automationDeleted'] };
	const add = () => store().automations.add({ automation_name: 'Welcome' }, now());

	it('has none, and the first one is news', async () => {
		const poller = new Poller(sandbox, automations);
		expect(await poller.poll()).toEqual([]);
		add();
		expect(await poller.poll()).toMatchObject([{ event: 'automationCreated' }]);
	});

	it('does not report a deletion when automations are back after two such polls', async () => {
		const poller = new Poller(sandbox, automations);
		add();
		await poller.poll();
		const hiccup = { status: 'failed', errors: 'Record Not Found' };
		for (let times = 0; times < 2; times++) {
			sandbox.state.faults.add({
				kind: 'shape',
				body: hiccup,
				match: { path: '/automations' },
			});
			expect(await poller.poll()).toEqual([]);
		}
		for (let times = 0; times < 3; times++) expect(await poller.poll()).toEqual([]);
	});
});

describe('a service that lists the entries of unsubscribe groups among the global ones', () => {
	afterEach(() => (sandbox.state.settings.groupEntries = 'apart'));

	it.each(['number', 'text'] as const)('has no event for them (group as %s)', async (form) => {
		sandbox.state.settings.groupEntries = form;
		const group = store().unsubscribeGroups.add({ group_name: 'News' }, now());
		const unsubscribe = (email_address: string, unsubscribe_groups_id: number | null) =>
			store()[unsubscribe_groups_id ? 'groupRecipients' : 'globalUnsubscribes'].add(
				{ email_address, unsubscribe_groups_id },
				now(),
			);
		const addresses = async (poller: Poller) =>
			(await poller.poll()).map(({ record }) => (record as IDataObject).email_address);
		const poller = new Poller(sandbox, { events: ['globalUnsubscribeAdded'] });
		unsubscribe('before@example.com', group.id);
		expect(await addresses(poller)).toEqual([]);
		for (let count = 0; count < 3; count++) unsubscribe(`${count}@example.com`, group.id);
		expect(await addresses(poller)).toEqual([]);
		unsubscribe('all@example.com', null);
		unsubscribe('more@example.com', group.id);
		expect(await addresses(poller)).toEqual(['all@example.com']);
		expect(await poller.poll({ mode: 'manual' })).toMatchObject([
			{ name: 'all@example.com', record: { email_address: 'all@example.com' } },
		]);
	});
});

describe('another service whose records have the same owner', () => {
	let other: Sandbox;
	beforeAll(async () => {
		other = await emptySandbox();
	});
	afterAll(async () => await other.close());

	it.each(['contactAdded', 'senderVerified'])('starts over: %s', async (event) => {
		const add = ({ state }: Sandbox, count: number) => {
			const { contacts, senders } = state.store.tables;
			for (let n = 0; n < count; n++) {
				contacts.add({ email: `a${n}@example.com`, contact_type_id: 1 }, now());
				senders.add({ is_verified: n === 0 ? 0 : 1 }, now());
			}
		};
		add(sandbox, 2);
		add(other, 20);
		const first = new Poller(sandbox, { events: [event] });
		expect(await first.poll()).toEqual([]);
		const second = new Poller(other, { events: [event] }, first.savedState());
		expect(await second.poll()).toEqual([]);
		other.state.reset('empty', ['settings']);
	});
});
