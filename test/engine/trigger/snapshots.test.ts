import type { IDataObject, INode } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/server.ts';
import { emptySandbox, Poller } from './poller';

const HOUR = 3_600_000;
let sandbox: Sandbox;
const store = () => sandbox.state.store.tables;
const textOf = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ');
const addSend = (fields = {}) =>
	store().singleSends.add({ single_send_name: 'Sale', ...fields }, sandbox.state.clock.now());
const counts = { triggered: 200, delivered: 190, bounces: 10, unique_opens: 38, total_opens: 57 };

const START = Date.parse('2026-03-02T10:00:00Z');
let clock: jest.SpyInstance<number, []>;
const at = (hours: number) => clock.mockReturnValue(START + hours * HOUR);

beforeAll(async () => {
	sandbox = await emptySandbox({ zoneMinutes: 0 });
});
beforeEach(() => {
	sandbox.state.reset('empty', ['settings']);
	clock = jest.spyOn(Date, 'now');
	at(0);
});
afterEach(() => clock.mockRestore());
afterAll(async () => await sandbox.close());

const snapshots = { events: ['statisticsSnapshot'] };
const seen = (items: IDataObject[]) =>
	items.map(({ record, snapshot }) => {
		const { single_send_name } = record as IDataObject;
		return `${String(single_send_name)} ${String((snapshot as IDataObject).ageHours)}`;
	});

it('a snapshot has counts, rates and how late the poll was; one not sent yet has none', async () => {
	const poller = new Poller(sandbox, snapshots);
	addSend({ single_send_name: 'Old', status: 3, sent_at: textOf(START - 2 * HOUR) });
	const send = addSend({ status: 1 });
	expect(await poller.poll()).toEqual([]);
	store().singleSends.change(send, {
		...{ ...counts, unsubscribes: 1, status: 3, sent_at: textOf(START) },
	});
	at(0.5);
	expect(await poller.poll()).toEqual([]);
	at(1.1);
	expect(await poller.poll()).toEqual([
		{
			event: 'statisticsSnapshot',
			eventLabel: 'Statistics Snapshot',
			name: expect.any(String),
			eventId: expect.any(String),
			occurredAt: '2026-03-02T11:00:00.000Z',
			previousStatus: { code: 3, label: 'completed' },
			status: { code: 3, label: 'completed' },
			snapshot: {
				ageHours: 1,
				dueAt: '2026-03-02T11:00:00.000Z',
				polledAt: '2026-03-02T11:06:00.000Z',
				lateMinutes: 6,
				openRatePercent: 20,
				unsubscribeRatePercent: 0.53,
				bounceRatePercent: 5,
				deliveryRatePercent: 95,
				opensPerDelivered: 0.3,
			},
			record: expect.objectContaining({ utr: send.utr, ...counts, unsubscribes: 1 }),
		},
	]);
	at(1.2);
	expect(await poller.poll()).toEqual([]);
});

it('a copy that has the send time of its original has none before it is sent itself', async () => {
	const poller = new Poller(sandbox, snapshots);
	expect(await poller.poll()).toEqual([]);
	const copy = addSend({ status: 1, sent_at: textOf(START - 48 * HOUR) });
	at(2);
	expect(await poller.poll()).toEqual([]);
	store().singleSends.change(copy, { status: 3, sent_at: textOf(START + 2 * HOUR) });
	at(3.1);
	expect(seen(await poller.poll())).toEqual(['Sale 1']);
});

it('"Fetch Test Event" shows a campaign as if it had been sent', async () => {
	const poller = new Poller(sandbox, snapshots);
	addSend({ status: 1 });
	expect(await poller.poll({ mode: 'manual' })).toMatchObject([
		{ isTestEvent: true, event: 'statisticsSnapshot' },
	]);
});

it('each age fires once over thirty polls, failed ones, and two kills', async () => {
	let poller = new Poller(sandbox, { ...snapshots, options: { retryTemporaryFailures: false } });
	await poller.poll();
	for (const [name, sent] of [
		['First', 0],
		['Second', 20],
		['Third', 150],
	] as const) {
		addSend({ single_send_name: name, status: 3, sent_at: textOf(START + sent * HOUR) });
	}
	let saved = poller.savedState();
	const emitted: string[] = [];
	for (let count = 1; count <= 30; count++) {
		at(count * 11);
		if (count % 7 === 3) {
			sandbox.state.faults.add({ kind: 'status' });
			await expect(poller.poll()).rejects.toThrow();
			continue;
		}
		// n8n saves the state of a poll that emits together with its events.
		const items = await poller.poll();
		emitted.push(...seen(items));
		if (items.length > 0) saved = poller.savedState();
		if (count === 9 || count === 20) poller = poller.restarted(saved);
	}
	const names = ['First', 'Second', 'Third'];
	expect(emitted.sort()).toEqual(
		names.flatMap((name) => [1, 24, 168].map((age) => `${name} ${age}`)).sort(),
	);
});

it('what is older than an age at the first poll is emitted only if existing records are', async () => {
	addSend({ status: 3, sent_at: textOf(START - 25 * HOUR) });
	const existing = { ...snapshots, options: { emitExisting: true } };
	expect(await new Poller(sandbox, snapshots).poll()).toEqual([]);
	expect(seen(await new Poller(sandbox, existing).poll())).toEqual(['Sale 1', 'Sale 24']);
});

it('an age that is added later starts with what reaches it from then on', async () => {
	const poller = new Poller(sandbox, snapshots);
	await poller.poll();
	addSend({ status: 3, sent_at: textOf(START) });
	at(5);
	expect(seen(await poller.poll())).toEqual(['Sale 1']);
	const edited = poller.restarted(poller.savedState(), {
		...snapshots,
		snapshotAges: '3h, 8h, 1h',
	});
	expect(await edited.poll()).toEqual([]);
	at(9);
	expect(seen(await edited.poll())).toEqual(['Sale 8']);
});

it('an age that is chosen again starts with what reaches it from then on', async () => {
	const poller = new Poller(sandbox, snapshots);
	await poller.poll();
	addSend({ status: 3, sent_at: textOf(START) });
	const without = poller.restarted(poller.savedState(), { events: ['singleSendDeleted'] });
	at(5);
	expect(await without.poll()).toEqual([]);
	const again = without.restarted(without.savedState(), snapshots);
	expect(await again.poll()).toEqual([]);
	at(25);
	expect(seen(await again.poll())).toEqual(['Sale 24']);
});

it('the time zone of sent_at can be set, and only chosen campaigns count', async () => {
	const poller = new Poller(sandbox, {
		...snapshots,
		options: { sentAtTimezone: 'Europe/Berlin' },
	});
	await poller.poll();
	const send = addSend({ status: 3, sent_at: textOf(START) });
	addSend({ single_send_name: 'Other', status: 3, sent_at: textOf(START + 48 * HOUR) });
	expect(await poller.poll()).toMatchObject([
		{ occurredAt: '2026-03-02T10:00:00.000Z', snapshot: { lateMinutes: 0 } },
	]);
	const filtered = poller.restarted(poller.savedState(), {
		...{ ...snapshots, singleSendFilters: { utrs: [send.utr] } },
	});
	at(80);
	expect(seen(await filtered.poll())).toEqual(['Sale 24']);
});

it('another time zone of sent_at holds from the next poll on', async () => {
	const poller = new Poller(sandbox, {
		...snapshots,
		options: { sentAtTimezone: 'America/New_York' },
	});
	await poller.poll();
	addSend({ status: 3, sent_at: textOf(START) });
	at(1.1);
	expect(await poller.poll()).toEqual([]);
	const corrected = poller.restarted(poller.savedState(), snapshots);
	at(1.2);
	expect(seen(await corrected.poll())).toEqual(['Sale 1']);
});

it('"Fetch Test Event" shows a campaign that was sent, without waiting for its age', async () => {
	const send = addSend({ status: 3, sent_at: textOf(START - 0.5 * HOUR) });
	addSend({ status: 0 });
	const items = await new Poller(sandbox, snapshots).poll({ mode: 'manual' });
	expect(items).toMatchObject([
		{
			event: 'statisticsSnapshot',
			occurredAt: '2026-03-02T10:30:00.000Z',
			snapshot: { ageHours: 1, polledAt: '2026-03-02T10:30:00.000Z', lateMinutes: 0 },
			record: { utr: send.utr },
		},
	]);
});

it.each<[INode['parameters'], string, string]>([
	[
		{ snapshotAges: '24' },
		'"Snapshot Ages" has an age that is not valid: "24"',
		'Enter each age as a number and a unit, such as 30m, 1h or 7d, separated by commas.',
	],
	[
		{ snapshotAges: ' ' },
		'"Snapshot Ages" is required but empty',
		'Enter at least one age, such as 24h, or remove "Campaign (Single Send) Statistics Snapshot" from "Events".',
	],
	[
		{ options: { sentAtTimezone: 'Berlin' } },
		'"Compatibility: Sent At Time Zone" is not a known time zone: "Berlin"',
		'Enter it as region and city, such as Europe/Berlin, or leave it empty.',
	],
])('what makes no sense is refused before a request: %j', async (given, message, description) => {
	await expect(new Poller(sandbox, { ...snapshots, ...given }).poll()).rejects.toMatchObject({
		...{ name: 'NodeOperationError', message, description },
	});
	expect(sandbox.state.journal.entries).toEqual([]);
});
