import type { IDataObject } from 'n8n-workflow';

import { testName } from '../../../nodes/EmailMarketing/records/testName';
import type { Sandbox } from '../../../sandbox/server.ts';
import { emptySandbox, Poller } from './poller';

let sandbox: Sandbox;
const events = ['singleSendCreated', 'singleSendCompleted', 'singleSendDeleted'];
const include = { events, options: { includeTestSends: true } };

const addSend = (single_send_name: string) =>
	sandbox.state.store.tables.singleSends.add(
		{ single_send_name, status: 3 },
		sandbox.state.clock.now(),
	);

const seen = (items: IDataObject[]) => items.map(({ event }) => event);

beforeAll(async () => {
	sandbox = await emptySandbox();
});
beforeEach(() => sandbox.state.reset('empty', ['settings']));
afterAll(async () => await sandbox.close());

it('reports no test send, not even its deletion', async () => {
	const poller = new Poller(sandbox, { events });
	addSend('Sale');
	const old = addSend(testName('Sale'));
	await poller.poll();
	const test = addSend(testName('Sale'));
	expect(await poller.poll()).toEqual([]);
	sandbox.state.store.tables.singleSends.remove(test.id);
	sandbox.state.store.tables.singleSends.remove(old.id);
	for (let polls = 0; polls < 5; polls++) expect(await poller.poll()).toEqual([]);
	addSend('[Test] drive');
	expect(seen(await poller.poll())).toEqual(['singleSendCreated', 'singleSendCompleted']);
});

it('reports test sends on request, and no deletion when they are left out again', async () => {
	const poller = new Poller(sandbox, include);
	addSend('Sale');
	await poller.poll();
	addSend(testName('Sale'));
	expect(seen(await poller.poll())).toEqual(['singleSendCreated', 'singleSendCompleted']);
	const edited = poller.restarted(poller.savedState(), { events });
	for (let polls = 0; polls < 5; polls++) expect(await edited.poll()).toEqual([]);
});

it('reports no deletion of a test send that was deleted when it was left out again', async () => {
	const poller = new Poller(sandbox, include);
	const tests = [testName('Sale'), testName('Sale')].map(addSend);
	['Sale', 'Reminder', 'News'].map(addSend);
	await poller.poll();
	const remove = (index: number) =>
		sandbox.state.store.tables.singleSends.remove(tests[index]?.id ?? 0);
	remove(0);
	await poller.poll();
	remove(1);
	const edited = poller.restarted(poller.savedState(), { events });
	for (let polls = 0; polls < 6; polls++) expect(await edited.poll()).toEqual([]);
});

it('reports only later changes of test sends that exist when they are included', async () => {
	const watch = {
		events: [...events, 'singleSendStatusChanged', 'singleSendStatisticReached'],
		singleSendThresholds: { threshold: [{ statistic: 'delivered', unit: 'count', value: 1 }] },
	};
	const { singleSends } = sandbox.state.store.tables;
	const test = singleSends.add({ single_send_name: testName('Sale'), status: 3, delivered: 5 }, 0);
	let poller = new Poller(sandbox, watch);
	await poller.poll();
	for (const status of [2, 4]) {
		const included = { ...watch, options: { includeTestSends: true } };
		poller = poller.restarted(poller.savedState(), included);
		expect(await poller.poll()).toEqual([]);
		singleSends.change(test, { status });
		expect(seen(await poller.poll())).toEqual(['singleSendStatusChanged']);
		poller = poller.restarted(poller.savedState(), watch);
		expect(await poller.poll()).toEqual([]);
		singleSends.change(test, { status: 3 });
	}
});

it('reports nothing that existing test sends passed before, whatever else is edited with it', async () => {
	const { singleSends } = sandbox.state.store.tables;
	const watch = (values: number[], snapshotAges: string, includeTestSends: boolean) => ({
		events: ['singleSendStatisticReached', 'statisticsSnapshot'],
		singleSendThresholds: {
			threshold: values.map((value) => ({ statistic: 'delivered', unit: 'count', value })),
		},
		snapshotAges,
		options: { includeTestSends },
	});
	const sent = { status: 3, delivered: 50, sent_at: '2026-01-01 00:00:00' };
	singleSends.add({ single_send_name: 'Sale', ...sent }, 0);
	const test = singleSends.add({ single_send_name: testName('Sale'), ...sent }, 0);
	const poller = new Poller(sandbox, watch([5, 10, 60], '1h, 2h', false));
	await poller.poll();
	const edited = poller.restarted(poller.savedState(), watch([10, 60], '2h', true));
	for (let polls = 0; polls < 2; polls++) expect(await edited.poll()).toEqual([]);
	singleSends.change(test, { delivered: 60 });
	expect(await edited.poll()).toMatchObject([
		{
			event: 'singleSendStatisticReached',
			...{ statistic: { threshold: 60 }, record: { utr: test.utr } },
		},
	]);
});

it('takes one as a test event if they are included', async () => {
	const { utr } = addSend(testName('Sale'));
	const poller = new Poller(sandbox, { ...include, events: ['singleSendCompleted'] });
	expect(await poller.poll({ mode: 'manual' })).toMatchObject([
		{ event: 'singleSendCompleted', previousStatus: { code: 2 }, record: { utr } },
	]);
});

it('takes none as a test event', async () => {
	addSend(testName('Sale'));
	const sale = addSend('Sale');
	addSend(testName('Sale'));
	const items = await new Poller(sandbox, { events: ['singleSendCompleted'] }).poll({
		mode: 'manual',
	});
	expect(items).toEqual([
		expect.objectContaining({ record: expect.objectContaining({ utr: sale.utr }) }),
	]);
});
