import type { IDataObject, INode } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/server.ts';
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
	store().singleSends.add({ single_send_name: 'Sale', ...fields }, now());
const addAutomation = (fields = {}) =>
	store().automations.add({ automation_name: 'Welcome', status: 1, ...fields }, now());

const bouncesOfSends = {
	events: ['singleSendStatisticReached'],
	singleSendThresholds: {
		threshold: [{ statistic: 'bounces', unit: 'percent', value: 5, minimumMessages: 50 }],
	},
};
const bouncesOfAutomations = {
	events: ['automationStatisticReached'],
	automationThresholds: {
		threshold: [{ statistic: 'total_bounces', unit: 'percent', value: 5, minimumMessages: 50 }],
	},
};

describe('a threshold', () => {
	it('fires for a campaign of which everything bounced', async () => {
		const poller = new Poller(sandbox, bouncesOfSends);
		const send = addSend({ status: 2 });
		await poller.poll();
		store().singleSends.change(send, { status: 3, triggered: 60, delivered: 0, bounces: 60 });
		expect(await poller.poll()).toEqual([
			{
				event: 'singleSendStatisticReached',
				eventLabel: 'Campaign Statistic Reached',
				name: send.single_send_name,
				eventId: expect.any(String),
				occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
				previousStatus: { code: 2, label: 'running' },
				status: { code: 3, label: 'completed' },
				statistic: {
					name: 'bounces',
					unit: 'percent',
					threshold: 5,
					value: 100,
					count: 60,
					base: 'triggered',
					baseCount: 60,
				},
				record: expect.objectContaining({ utr: send.utr, delivered: 0, statusLabel: 'completed' }),
			},
		]);
		expect(await poller.poll()).toEqual([]);
	});

	it('of automations fires once for each, also after a restart', async () => {
		const poller = new Poller(sandbox, bouncesOfAutomations);
		const automation = addAutomation();
		const other = addAutomation({ automation_name: 'Birthday' });
		await poller.poll();
		store().automations.change(automation, { total_triggered: 49, total_bounces: 49 });
		expect(await poller.poll()).toEqual([]);
		store().automations.change(automation, { total_triggered: 50, total_bounces: 49 });
		expect(await poller.poll()).toEqual([
			{
				event: 'automationStatisticReached',
				eventLabel: 'Automation Statistic Reached',
				name: expect.any(String),
				eventId: expect.any(String),
				occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
				previousStatus: { code: 1, label: 'live' },
				status: { code: 1, label: 'live' },
				statistic: {
					name: 'total_bounces',
					unit: 'percent',
					threshold: 5,
					value: 98,
					count: 49,
					base: 'total_triggered',
					baseCount: 50,
				},
				record: {
					...{ id: automation.id, utr: automation.utr, automation_name: 'Welcome' },
					...{ status: 1, statusLabel: 'live', live_at: null },
					...{ bounceRatePercent: 98, deliveryRatePercent: 0, openRatePercent: null },
					...{ opensPerDelivered: null, unsubscribeRatePercent: null },
					...{ total_triggered: 50, total_delivered: 0, total_unique_opens: 0, total_opens: 0 },
					...{ total_bounces: 49, total_unsubscribe: 0 },
				},
			},
		]);
		const restarted = poller.restarted(poller.savedState());
		expect(await restarted.poll()).toEqual([]);
		store().automations.change(other, { total_triggered: 100, total_bounces: 5 });
		expect(await restarted.poll()).toMatchObject([{ record: { utr: other.utr } }]);
	});

	it('that automations had passed when it was added does not fire for them', async () => {
		const poller = new Poller(sandbox, { events: ['automationCreated'] });
		const automation = addAutomation({ total_triggered: 100, total_bounces: 50 });
		await poller.poll();
		const edited = poller.restarted(poller.savedState(), bouncesOfAutomations);
		expect(await edited.poll()).toEqual([]);
		store().automations.change(automation, { total_triggered: 100, total_bounces: 60 });
		expect(await edited.poll()).toEqual([]);
	});
});

describe('a threshold that is added while a campaign is missing', () => {
	const watching = (...values: number[]) => ({
		events: ['singleSendStatisticReached'],
		singleSendThresholds: {
			threshold: values.map((value) => ({ statistic: 'bounces', unit: 'count', value })),
		},
	});
	const reached = (items: IDataObject[]) =>
		items.map(({ statistic }) => (statistic as IDataObject).threshold);

	it.each([1, 8])('does not fire for what it passed in %d polls, only for more', async (polls) => {
		const send = addSend({ status: 3, bounces: 30 });
		let poller = new Poller(sandbox, watching(5));
		await poller.poll();
		const body = { status: 'success', message: { singleSends: [] } };
		const match = { path: '/single-send/list' };
		sandbox.state.faults.add({ kind: 'shape', body, match, times: polls + 1 });
		poller = poller.restarted(poller.savedState(), watching(20, 40, 5));
		for (let n = 0; n < polls; n++) expect(await poller.poll()).toEqual([]);
		// Edited once more.
		poller = poller.restarted(poller.savedState(), watching(5, 40, 20, 50));
		expect(await poller.poll()).toEqual([]);
		expect(await poller.poll()).toEqual([]);
		store().singleSends.change(send, { bounces: 45 });
		expect(reached(await poller.poll())).toEqual([40]);
		store().singleSends.change(send, { bounces: 50 });
		expect(reached(await poller.poll())).toEqual([50]);
	});
});

describe('a label stands beside each status code', () => {
	const events = ['singleSendCreated', 'automationCreated', 'senderVerified'];

	it.each([true, false])('with Simplify %s', async (simplify) => {
		const poller = new Poller(sandbox, { events, simplify });
		await poller.poll();
		addSend({ status: 1 });
		addAutomation({ status: 2 });
		store().senders.add({ is_verified: 1 }, now());
		const records = (await poller.poll()).map(({ record }) => record as object);
		const labels = records.map((record) => {
			const keys = Object.keys(record);
			const at = keys.indexOf('statusLabel');
			return [keys[at - 1], (record as Record<string, unknown>).statusLabel];
		});
		expect(labels.sort()).toEqual([
			['is_verified', 'verified'],
			['status', 'ready to send'],
			['status', 'unknown (2)'],
		]);
	});
});

describe('thresholds that make no sense are refused before a request', () => {
	const ofAutomations = (threshold: object): INode['parameters'] => ({
		events: ['automationStatisticReached'],
		automationThresholds: { threshold: [threshold] } as never,
	});
	const bounces = { statistic: 'total_bounces', unit: 'percent', value: 5 };

	it.each([
		[
			{ events: ['singleSendStatisticReached'], singleSendThresholds: {} },
			'"Campaign Thresholds" is required but empty',
			'Add a threshold, or remove "Campaign (Single Send) Statistic Reached" from "Events".',
		],
		[
			{ events: ['automationStatisticReached'], automationThresholds: {} },
			'"Automation Thresholds" is required but empty',
			'Add a threshold, or remove "Automation Statistic Reached" from "Events".',
		],
		[
			ofAutomations({ ...bounces, value: 0 }),
			'"Value" in "Automation Thresholds" must be a number above 0',
			'Correct the value. Every statistic starts at 0, so 0 would always be reached.',
		],
		[
			ofAutomations({ ...bounces, value: 500 }),
			'"Value" in "Automation Thresholds" is a percentage above 100, which is never reached',
			'Correct the value, or set "Unit" to "Number".',
		],
		[
			ofAutomations({ ...bounces, minimumMessages: -1 }),
			'"Minimum Messages" in "Automation Thresholds" must be 0 or more',
			'Correct the number, or set it to 0 to check the percentage from the first message on.',
		],
		[
			ofAutomations({ ...bounces, statistic: 'bounces' }),
			'"Automation Thresholds" has an unknown "Statistic": "bounces"',
			expect.stringMatching(/^Choose one of: total_triggered, /),
		],
		[
			{
				events: ['singleSendStatisticReached'],
				singleSendThresholds: {
					threshold: Array.from({ length: 31 }, (_, index) => ({
						...{ statistic: 'bounces', unit: 'count', value: index + 1 },
					})),
				},
			},
			'"Campaign Thresholds" can have at most 30 thresholds',
			'Move some of them to a second trigger node.',
		],
	])('%#', async (parameters, message, description) => {
		const poller = new Poller(sandbox, parameters as INode['parameters']);
		await expect(poller.poll()).rejects.toMatchObject({
			name: 'NodeOperationError',
			message,
			description,
		});
		expect(sandbox.state.journal.entries).toEqual([]);
	});
});
