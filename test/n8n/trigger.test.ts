import { chain, n8n, node } from './harness.ts';
import {
	credentialFor,
	eventsOf,
	inWords,
	type OwnSandbox,
	startOwnSandbox,
	trigger,
	until,
} from './trigger-support.ts';

let sandbox: OwnSandbox;
beforeAll(async () => {
	sandbox = await startOwnSandbox('watched');
});
afterAll(() => sandbox.kill());

test('a published workflow starts once for each change of status', async () => {
	const send = await sandbox.add('singleSends', { single_send_name: 'Tea' });
	const watch = trigger(
		'Watch',
		{ events: ['singleSendStatusChanged', 'singleSendCreated'] },
		await credentialFor(n8n, sandbox),
	);
	const workflow = await n8n.activate(
		chain('Watched', [watch, node('End', 'n8n-nodes-base.noOp')]),
	);
	const polls = async (count: number) => await sandbox.reads('/single-send/list', count);
	const told = async () => (await eventsOf(n8n, workflow)).map(inWords);
	// The first poll learns what there is.
	await polls(2);
	const expected: string[] = [];
	for (const [before, after] of [
		[0, 1],
		[1, 2],
		[2, 3],
	]) {
		await sandbox.tick();
		expected.push(`singleSendStatusChanged ${before}→${after} of ${send.utr}`);
		await until(`status ${after}`, async () => (await told()).length >= expected.length);
		expect(await told()).toEqual(expected);
	}
	await polls(2);
	expect(await told()).toEqual(expected);
	expect(await sandbox.violations()).toEqual([]);
	await n8n.client.deactivate(workflow.id);
});
