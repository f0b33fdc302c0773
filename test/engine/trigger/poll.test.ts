import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/server.ts';
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
const requests = () => sandbox.state.journal.entries.map(({ path }) => path);

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
			occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
			previousStatus: { code: 0, label: 'initiate' },
			status: { code: 2, label: 'running' },
			record: expect.objectContaining({ utr: send.utr, status: 2, statusLabel: 'running' }),
		});
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

	it('reads each list once, however many events use it', async () => {
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
			{ kind: 'shape', body: { status: 'success', message: { singleSends: null } } },
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

	it('an empty list is a list: at its second poll everything is deleted', async () => {
		const poller = new Poller(sandbox, sends);
		const send = addSend();
		await poller.poll();
		store().singleSends.remove(send.id);
		expect(await poller.poll()).toEqual([]);
		expect(await poller.poll()).toMatchObject([
			{ event: 'singleSendDeleted', record: { utr: send.utr } },
		]);
	});

	it('one list that fails fails the whole poll, so that nothing is half done', async () => {
		const poller = new Poller(sandbox, {
			events: [...sends.events, 'automationCreated'],
			options: once,
		});
		await poller.poll();
		addSend();
		sandbox.state.faults.add({ kind: 'status', match: { path: '/automations' } });
		await expect(poller.poll()).rejects.toMatchObject({ httpCode: '500' });
		expect(await poller.poll()).toHaveLength(1);
	});
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

	it('reports the deletion of the last one at the third such poll in a row', async () => {
		const poller = new Poller(sandbox, automations);
		const automation = add();
		await poller.poll();
		store().automations.remove(automation.id);
		expect(await poller.poll()).toEqual([]);
		const restarted = poller.restarted(poller.savedState());
		expect(await restarted.poll()).toEqual([]);
		expect(await restarted.poll()).toEqual([
			{
				event: 'automationDeleted',
				occurredAt: null,
				previousStatus: { code: 0, label: 'draft' },
				status: null,
				record: { utr: automation.utr },
			},
		]);
		expect(await restarted.poll()).toEqual([]);
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
