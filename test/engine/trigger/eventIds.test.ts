import type { IDataObject } from 'n8n-workflow';

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

const everything = {
	events: [
		...['singleSendCreated', 'singleSendStatusChanged', 'singleSendCompleted', 'singleSendDeleted'],
		...['singleSendStatisticReached', 'statisticsSnapshot', 'automationStatusChanged'],
		...['contactAdded', 'contactUpdated', 'globalUnsubscribeAdded', 'senderVerified'],
	],
	singleSendThresholds: {
		threshold: [5, 6].map((value) => ({ statistic: 'bounces', unit: 'count', value })),
	},
};
const idsOf = (items: IDataObject[]) => items.map(({ eventId }) => String(eventId));

it('are the same when events are reported again, whatever has changed in the records since', async () => {
	const poller = new Poller(sandbox, everything);
	const [send, kept, gone] = [{}, {}, {}].map((row) => store().singleSends.add(row, now()));
	const automation = store().automations.add({}, now());
	const sender = store().senders.add({}, now());
	const contact = store().contacts.add({ email: 'ada@example.com' }, now());
	if (!send || !kept || !gone) throw new Error('Nothing was added');
	await poller.poll();
	store().singleSends.remove(gone.id);
	expect(await poller.poll()).toEqual([]);
	const saved = poller.savedState();
	store().singleSends.change(send, {
		...{
			status: 3,
			bounces: 7,
			sent_at: '2026-03-02 09:00:00',
			updated_at: '2026-03-02T09:01:00Z',
		},
	});
	store().singleSends.add({ status: 2 }, now());
	store().automations.change(automation, { status: 1 });
	store().senders.change(sender, { is_verified: 1 });
	store().contacts.change(contact, { updated_at: '2030-01-01T00:00:00.000000Z' });
	store().contacts.add({ email: 'bob@example.com' }, now());
	store().globalUnsubscribes.add({ email_address: 'eve@example.com' }, now());
	const events = await poller.poll();
	expect(new Set(events.map(({ event }) => event))).toEqual(new Set(everything.events));
	expect(new Set(idsOf(events)).size).toBe(events.length);

	// n8n was killed before it had saved anything.
	for (const table of [store().singleSends, store().automations] as const) {
		table.all().forEach((row) => {
			table.change(row as never, { updated_at: '2026-03-02T09:05:00.000000Z' });
		});
	}
	const again = await poller.restarted(saved).poll();
	expect(idsOf(again).sort()).toEqual(idsOf(events).sort());
});

it('differ each time that a record changes to and fro', async () => {
	const poller = new Poller(sandbox, everything);
	const automation = store().automations.add({}, now());
	await poller.poll();
	const ids: string[] = [];
	for (let count = 0; count < 6; count++) {
		store().automations.change(automation, { status: count % 2 ? 0 : 1 });
		ids.push(...idsOf(await poller.poll()));
	}
	expect(new Set(ids).size).toBe(6);
});

it('differ from those of another account, and of the node before its state was lost', async () => {
	const idsWith = async (publicKey: string, minute: number) => {
		const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 2, 2, 10, minute));
		sandbox.state.reset('empty', ['settings']);
		const poller = new Poller(sandbox, everything, {}, { publicKey });
		const automation = store().automations.add({ utr: 'the-same' }, now());
		await poller.poll();
		store().automations.change(automation, { status: 1 });
		const ids = idsOf(await poller.poll());
		clock.mockRestore();
		return ids;
	};
	const key = 'sandbox-public-key';
	const first = await idsWith(key, 1);
	expect(first).toHaveLength(1);
	expect(await idsWith(key, 2)).not.toEqual(first);
	expect(await idsWith(key, 1)).toEqual(first);
});

it('of test events are not those of real ones', async () => {
	const poller = new Poller(sandbox, everything);
	await poller.poll();
	store().contacts.add({ email: 'ada@example.com' }, now());
	const tested = idsOf(await poller.poll({ mode: 'manual' }));
	const real = idsOf(await poller.poll());
	expect(real).toHaveLength(1);
	expect(tested).not.toContain(real[0]);
});
