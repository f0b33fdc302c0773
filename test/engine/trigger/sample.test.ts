import type { INode } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/server.ts';
import { emptySandbox, Poller } from './poller';

let sandbox: Sandbox;
const store = () => sandbox.state.store.tables;
const now = () => sandbox.state.clock.now();
const addSend = (fields = {}) => store().singleSends.add(fields, now());
const fetchTestEvent = async (parameters: INode['parameters']) => {
	const poller = new Poller(sandbox, parameters);
	const items = await poller.poll({ mode: 'manual' });
	expect(poller.savedState()).toEqual({});
	return items;
};

beforeAll(async () => {
	sandbox = await emptySandbox();
});
beforeEach(() => sandbox.state.reset('empty', ['settings']));
afterAll(async () => await sandbox.close());

describe('"Fetch Test Event"', () => {
	it('gives the newest real record for each event, in the shape of a real event and marked as a test', async () => {
		const completed = addSend({ status: 3, updated_at: '2026-01-01T00:00:00.000000Z' });
		const newest = addSend({
			status: 2,
			triggered: 50,
			delivered: 45,
			bounces: 5,
			updated_at: '2026-02-01T00:00:00.000000Z',
		});
		const items = await fetchTestEvent({
			events: [
				'singleSendStatusChanged',
				'singleSendCreated',
				'singleSendDeleted',
				'singleSendStatisticReached',
				'singleSendCompleted',
			],
			singleSendThresholds: { threshold: [{ statistic: 'bounces', unit: 'percent', value: 5 }] },
		});
		const record = expect.objectContaining({ utr: newest.utr, status: 2, statusLabel: 'running' });
		const occurredAt = '2026-02-01T00:00:00.000000Z';
		const eventId = expect.any(String);
		const running = { code: 2, label: 'running' };
		expect(items.map((item) => Object.keys(item).at(-1))).toEqual(Array(5).fill('isTestEvent'));
		expect(items).toEqual([
			{
				isTestEvent: true,
				event: 'singleSendStatusChanged',
				eventLabel: 'Campaign Status Changed',
				name: String(newest.id),
				eventId,
				occurredAt,
				previousStatus: { code: 1, label: 'ready to send' },
				status: running,
				record,
			},
			{
				isTestEvent: true,
				event: 'singleSendCompleted',
				eventLabel: 'Campaign Completed',
				name: String(completed.id),
				eventId,
				occurredAt: '2026-01-01T00:00:00.000000Z',
				previousStatus: running,
				status: { code: 3, label: 'completed' },
				record: expect.objectContaining({ utr: completed.utr, statusLabel: 'completed' }),
			},
			{
				isTestEvent: true,
				event: 'singleSendCreated',
				eventLabel: 'Campaign Created',
				name: String(newest.id),
				eventId,
				occurredAt,
				previousStatus: null,
				status: running,
				record,
			},
			{
				isTestEvent: true,
				event: 'singleSendDeleted',
				eventLabel: 'Campaign Deleted',
				eventId,
				occurredAt: null,
				previousStatus: running,
				status: null,
				record: { utr: newest.utr },
			},
			{
				isTestEvent: true,
				event: 'singleSendStatisticReached',
				eventLabel: 'Campaign Statistic Reached',
				name: String(newest.id),
				eventId,
				occurredAt,
				previousStatus: running,
				status: running,
				statistic: {
					name: 'bounces',
					unit: 'percent',
					threshold: 5,
					value: 10,
					count: 5,
					base: 'triggered',
					baseCount: 50,
				},
				record,
			},
		]);
	});

	it('prefers a record that passes the filters', async () => {
		const completed = addSend({ status: 3, updated_at: '2026-01-01T00:00:00.000000Z' });
		addSend({ status: 0, updated_at: '2026-02-01T00:00:00.000000Z' });
		const filtered = (toStatus: string[]) =>
			fetchTestEvent({ events: ['singleSendStatusChanged'], singleSendFilters: { toStatus } });
		expect(await filtered(['3'])).toMatchObject([
			{ previousStatus: { code: 2 }, status: { code: 3 }, record: { utr: completed.utr } },
		]);
		expect(await filtered(['2'])).toMatchObject([{ previousStatus: null, status: { code: 0 } }]);
	});

	it('prefers it also if several statuses may come before, none of them the one below', async () => {
		const { utr } = addSend({ status: 3, updated_at: '2026-01-01T00:00:00.000000Z' });
		addSend({ status: 0, updated_at: '2026-02-01T00:00:00.000000Z' });
		const singleSendFilters = { fromStatus: ['0', '1'], toStatus: ['3'] };
		const parameters = { events: ['singleSendStatusChanged'], singleSendFilters };
		expect(await fetchTestEvent(parameters)).toMatchObject([
			{ previousStatus: { code: 0 }, status: { code: 3 }, record: { utr } },
		]);
	});

	it('refuses a filter for a record that is not listed', async () => {
		const { utr } = addSend({ status: 3 });
		store().automations.add({ status: 1 }, now());
		const only = (utrs: string[]) => ({ singleSendFilters: { utrs }, automationFilters: { utrs } });
		const events = ['singleSendCompleted'];
		expect(await fetchTestEvent({ events, ...only([utr]) })).toMatchObject([{ record: { utr } }]);
		await expect(fetchTestEvent({ events, ...only([utr, 'Mine']) })).rejects.toMatchObject({
			message: '"Campaign Names or IDs" has a UTR that matches no campaign: "Mine"',
			description: 'Choose from the list, or remove it.',
		});
		await expect(
			fetchTestEvent({ events: ['automationStatusChanged'], ...only([utr]) }),
		).rejects.toMatchObject({
			message: `"Automation Names or IDs" has a UTR that matches no automation: "${utr}"`,
		});
	});

	it('shows no deleted record', async () => {
		const deleted = { deleted_at: '2026-02-01T00:00:00.000000Z' };
		store().contacts.add({ email: 'gone@example.com', contact_type_id: 3, ...deleted }, now());
		const events = ['contactAdded'];
		await expect(fetchTestEvent({ events, contactTypeId: '' })).rejects.toMatchObject({
			message: 'No test event available: the account has no contacts yet',
		});
		store().contacts.add({ email: 'ada@example.com', contact_type_id: 3 }, 0);
		const contactTypeId = { __rl: true, mode: 'id', value: '4' };
		expect(await fetchTestEvent({ events, contactTypeId })).toMatchObject([
			{ record: { email: 'ada@example.com' } },
		]);
	});

	it('shows automations, contacts, unsubscribes and senders alike', async () => {
		store().automations.add({ status: 1, total_triggered: 20, total_bounces: 3 }, now());
		store().contacts.add({ email: 'ada@example.com', contact_type_id: 3 }, now());
		store().contacts.add({ email: 'bob@example.com', contact_type_id: 4 }, now());
		store().globalUnsubscribes.add({ email_address: 'no@example.com' }, now());
		store().senders.add({ is_verified: 1 }, now());
		const items = await fetchTestEvent({
			events: [
				'automationStatusChanged',
				'automationStatisticReached',
				'contactUpdated',
				'globalUnsubscribeAdded',
				'senderVerified',
			],
			contactTypeId: { __rl: true, mode: 'id', value: '3' },
			automationThresholds: {
				threshold: [{ statistic: 'total_bounces', unit: 'percent', value: 15 }],
			},
		});
		expect(items).toMatchObject([
			{
				event: 'automationStatusChanged',
				previousStatus: { label: 'draft' },
				status: { label: 'live' },
			},
			{
				event: 'automationStatisticReached',
				status: { label: 'live' },
				statistic: { name: 'total_bounces', value: 15, base: 'total_triggered', baseCount: 20 },
				record: { statusLabel: 'live' },
			},
			{ event: 'contactUpdated', record: { email: 'ada@example.com' } },
			{ event: 'globalUnsubscribeAdded', record: { email_address: 'no@example.com' } },
			{
				event: 'senderVerified',
				status: { label: 'verified' },
				record: { statusLabel: 'verified' },
			},
		]);
	});

	it('says so when there is nothing to show', async () => {
		await expect(
			fetchTestEvent({ events: ['singleSendCreated', 'contactAdded'], contactTypeId: '' }),
		).rejects.toMatchObject({
			message: 'No test event available: the account has no campaigns or contacts yet',
		});
	});
});

describe('the lists of the filters', () => {
	it('offer campaigns and automations by their utr', async () => {
		const poller = new Poller(sandbox, { events: ['singleSendStatusChanged'] });
		const send = addSend({ single_send_name: 'Spring sale', status: 3 });
		const automation = store().automations.add({ automation_name: 'Welcome' }, now());
		expect(await poller.choices('getSingleSends')).toMatchObject([
			{ name: 'Spring sale', value: send.utr, description: expect.stringContaining('completed') },
		]);
		expect(await poller.choices('getAutomations')).toMatchObject([
			{ name: 'Welcome', value: automation.utr },
		]);
	});
});
