import type { IDataObject } from 'n8n-workflow';

import { testName } from '../../../nodes/EmailMarketing/records/testName';
import type { Sandbox } from '../../../sandbox/server.ts';
import { once } from '../sandbox';
import { emptySandbox, Poller } from './poller';

const HOUR = 60 * 60_000;
const START = Date.parse('2026-03-02T10:00:00Z');
let sandbox: Sandbox;
let clock: jest.SpyInstance<number, []>;
const at = (hours: number) => clock.mockReturnValue(START + hours * HOUR);
const store = () => sandbox.state.store.tables;

beforeAll(async () => {
	sandbox = await emptySandbox();
});
beforeEach(() => {
	sandbox.state.reset('empty', ['settings']);
	clock = jest.spyOn(Date, 'now');
	at(0);
});
afterEach(() => clock.mockRestore());
afterAll(async () => await sandbox.close());

const alive = {
	events: ['contactAdded', 'singleSendCreated', 'heartbeat'],
	heartbeatHours: 24,
	options: once,
};
const ready = async (parameters: object = alive) => {
	const poller = new Poller(sandbox, parameters as never);
	expect(await poller.poll()).toEqual([]);
	return poller;
};
const list = (name: string, fields: IDataObject) => ({
	...{ list: name, readAt: null, records: null },
	...{ failedPolls: 0, unreadableSince: null, error: null, ...fields },
});

async function pollHourly(poller: Poller, first: number, last: number): Promise<void> {
	for (let hour = first; hour <= last; hour++) {
		at(hour);
		expect(await poller.poll()).toEqual([]);
	}
}

it('comes every day with polls once a day, which are not exactly on time', async () => {
	const poller = await ready();
	at(24);
	expect(await poller.poll()).toHaveLength(1);
	// The clocks go forward in the fourth night.
	for (const hours of [47.9999, 72.0001, 95, 119]) {
		at(hours);
		expect(await poller.poll()).toMatchObject([{ event: 'heartbeat' }]);
	}
});

it('counts the records that the trigger reports', async () => {
	const poller = await ready({ ...alive, events: [...alive.events, 'globalUnsubscribeAdded'] });
	Object.assign(sandbox.state.settings, { groupEntries: 'number' });
	const group = store().unsubscribeGroups.add({ group_name: 'News' }, START);
	const left = { email_address: 'ada@example.com' };
	store().globalUnsubscribes.add(left, START);
	store().groupRecipients.add({ ...left, unsubscribe_groups_id: group.id }, START);
	store().singleSends.add({ single_send_name: 'Sale' }, START);
	store().singleSends.add({ single_send_name: testName('Sale') }, START);
	store().contacts.add({ email: 'ada@example.com' }, START);
	store().contacts.add({ email: 'bob@example.com', deleted_at: '2026-03-01 10:00:00' }, START);
	at(24);
	const events = await poller.poll();
	expect(events.map(({ event }) => event).sort()).toEqual(
		[...alive.events, 'globalUnsubscribeAdded'].sort(),
	);
	expect(events.find(({ event }) => event === 'heartbeat')?.lists).toMatchObject([
		{ list: 'campaigns', records: 1 },
		{ list: 'contacts', records: 1 },
		{ list: 'global unsubscribes', records: 1 },
	]);
});

it('does not come hours early after a pause', async () => {
	const poller = await ready();
	at(1);
	expect(await poller.poll()).toEqual([]);
	at(20);
	expect(await poller.poll()).toEqual([]);
});

it('says every so many hours when each list was read, and what failed', async () => {
	const poller = await ready();
	store().contacts.add({ email: 'ada@example.com' }, START);
	at(1);
	expect(await poller.poll()).toHaveLength(1);
	await pollHourly(poller, 2, 23);
	sandbox.state.faults.add({ kind: 'status', match: { path: '/single-send/list' }, times: 2 });
	at(23.5);
	expect(await poller.poll()).toEqual([]);
	at(24);
	expect(await poller.poll()).toEqual([
		{
			event: 'heartbeat',
			eventLabel: 'Heartbeat',
			eventId: expect.any(String) as string,
			occurredAt: '2026-03-03T10:00:00.000Z',
			lists: [
				list('campaigns', {
					...{ readAt: '2026-03-03T09:00:00.000Z', records: 0, failedPolls: 2 },
					unreadableSince: '2026-03-03T09:30:00.000Z',
					error: 'The service is temporarily unavailable (HTTP 500)',
				}),
				list('contacts', { readAt: '2026-03-03T10:00:00.000Z', records: 1 }),
			],
		},
	]);
	await pollHourly(poller, 25, 47);
	sandbox.state.faults.add({ kind: 'status', match: { path: '/single-send/list' } });
	at(48);
	const [{ lists } = {}] = await poller.poll();
	expect(lists).toEqual([
		list('campaigns', {
			...{ readAt: '2026-03-04T09:00:00.000Z', records: 0, failedPolls: 1 },
			unreadableSince: '2026-03-04T10:00:00.000Z',
			error: 'The service is temporarily unavailable (HTTP 500)',
		}),
		list('contacts', { readAt: '2026-03-04T10:00:00.000Z', records: 1 }),
	]);
});

it('has the same ID when it is reported again, and is not repeated by a restart', async () => {
	const poller = await ready();
	const saved = poller.savedState();
	at(24);
	const [first] = await poller.poll();
	const reported = poller.savedState();
	const [again] = await poller.restarted(saved).poll();
	expect(again?.eventId).toBe(first?.eventId);
	expect(await poller.restarted(reported).poll()).toEqual([]);
	at(48);
	const [next] = await poller.restarted(reported).poll();
	expect(next?.eventId).not.toBe(first?.eventId);
});

it('goes on when the clock was ahead by years', async () => {
	at(100_000);
	const poller = await ready();
	at(1);
	expect(await poller.poll()).toMatchObject([{ event: 'heartbeat' }]);
	expect(await poller.poll()).toEqual([]);
});

it('does not change the state between two heartbeats, so that nothing has to be saved', async () => {
	const poller = await ready();
	const before = poller.savedState();
	await pollHourly(poller, 1, 23);
	expect(poller.savedState()).toEqual(before);
});

it('is shown as a test event', async () => {
	const poller = new Poller(sandbox, alive as never);
	store().contacts.add({ email: 'ada@example.com' }, START);
	store().singleSends.add({}, START);
	const found = await poller.poll({ mode: 'manual' });
	expect(found.map(({ event }) => event)).toEqual(
		expect.arrayContaining(['heartbeat', 'contactAdded']),
	);
	expect(found.find(({ event }) => event === 'heartbeat')?.lists).toHaveLength(2);
});

it.each([
	[{ events: ['heartbeat'] }, '"Events" is required but empty'],
	[
		{ heartbeatHours: 0 },
		'"Heartbeat Every (Hours)" must be a number of at least 1, but it is "0"',
	],
	[
		{ options: { unreadableHours: 'soon' } },
		'"Max Unreadable Time (Hours)" must be a number of at least 1, but it is "soon"',
	],
])('%j is refused', async (changed, message) => {
	const poller = new Poller(sandbox, { ...alive, ...changed } as never);
	await expect(poller.poll()).rejects.toThrow(message);
});
