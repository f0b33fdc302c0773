import type { IDataObject } from 'n8n-workflow';

import { durableCursors } from '../../scripts/lib/n8n-process.ts';
import { itNeeds } from '../n8n/features.ts';
import { chain, type DedicatedN8n, node, startDedicatedN8n } from '../n8n/harness.ts';
import {
	credentialFor,
	eventsOf,
	type OwnSandbox,
	startOwnSandbox,
	trigger,
	until,
} from '../n8n/trigger-support.ts';

jest.setTimeout(1_800_000);

const sendList = '/single-send/list';
let n8n: DedicatedN8n;
let sandbox: OwnSandbox;

beforeAll(async () => {
	[n8n, sandbox] = await Promise.all([
		// Killed just as an execution begins, n8n 2.41.1 does not start otherwise.
		startDedicatedN8n({ ...durableCursors, N8N_EVENTBUS_RECOVERY_MODE: 'simple' }),
		startOwnSandbox('snapshots'),
	]);
});
afterAll(async () => {
	await n8n.stop();
	await sandbox.kill();
});

const textOf = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

const title = 'a snapshot comes once for each campaign and age over thirty polls with two kills';

itNeeds('durableCursors', title, async () => {
	const own = await credentialFor(n8n, sandbox);
	await sandbox.add('singleSends', { single_send_name: 'Old', sent_at: '2026-01-01 00:00:00' });
	const workflow = await n8n.activate(
		chain('Snapshots', [
			trigger('Watch', { events: ['statisticsSnapshot'], snapshotAges: '1m, 2m, 3m' }, own),
			node('End', 'n8n-nodes-base.noOp'),
		]),
	);
	await sandbox.reads(sendList, 4);
	const readsBefore = await sandbox.countRequests(sendList);

	// Due at once, in a quarter of a minute and in half a minute; the rest is due after the test.
	const sent = { First: 165, Second: 95, Third: 45 };
	const added = Date.now();
	for (const [single_send_name, seconds] of Object.entries(sent)) {
		const sent_at = textOf(added - seconds * 1000);
		await sandbox.add('singleSends', { single_send_name, status: 3, sent_at });
	}
	await sandbox.add('singleSends', { single_send_name: 'Not sent' });
	/** What was due within half a minute, however long the test takes. */
	const told = async () =>
		(await eventsOf(n8n, workflow)).flatMap(({ record, snapshot }) => {
			const { dueAt, ageHours } = snapshot as IDataObject;
			if (Date.parse(String(dueAt)) > added + 30_000) return [];
			const minutes = Math.round(Number(ageHours) * 60);
			return [`${String((record as IDataObject).single_send_name)} ${minutes}`];
		});
	const atOnce = ['First 1', 'First 2', 'Second 1'];
	await until('what is due at once', async () => (await told()).length >= atOnce.length);

	await n8n.kill();
	// While n8n is down, the next two become due.
	await until('two due ages', async () => Date.now() > added + 17_000);
	await n8n.start();
	const later = [...atOnce, 'First 3', 'Third 1'];
	await until('what became due meanwhile', async () => (await told()).length >= later.length);
	await n8n.kill();
	await n8n.start();
	const all = [...later, 'Second 2'].sort();
	await until('the last one', async () => (await told()).length >= all.length);

	const reads = (await sandbox.countRequests(sendList)) - readsBefore;
	if (reads < 30) await sandbox.reads(sendList, 30 - reads);
	expect((await told()).sort()).toEqual(all);
	expect(await sandbox.violations()).toEqual([]);
	await n8n.client.deactivate(workflow.id);
});
