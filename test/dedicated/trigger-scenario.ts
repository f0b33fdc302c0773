import type { SavedWorkflow } from '../../scripts/lib/n8n-client.ts';
import { chain, type DedicatedN8n, node } from '../n8n/harness.ts';
import {
	credentialFor,
	eventsOf,
	executionsOf,
	inWords,
	type OwnSandbox,
	trigger,
	until,
} from '../n8n/trigger-support.ts';

const [sendList, automationList] = ['/single-send/list', '/automations'];
const allStatuses = ['singleSendStatusChanged', 'singleSendCreated', 'automationStatusChanged'];

/** Single sends and automations go through their statuses while everything that can go wrong does. */
export async function goThroughTrouble(n8n: DedicatedN8n, sandbox: OwnSandbox): Promise<void> {
	const failures = async ({ id }: SavedWorkflow) => await n8n.countExecutions(id, 'error');
	const own = await credentialFor(n8n, sandbox);
	const first = await sandbox.add('singleSends', { single_send_name: 'First' });
	const automation = await sandbox.add('automations', {
		automation_name: 'Welcome',
		unsubscribe_group_id: '1',
	});
	const watch = trigger('Watch', { events: allStatuses }, own);
	const everything = await n8n.activate(
		chain('Everything', [watch, node('End', 'n8n-nodes-base.noOp')]),
	);
	const twoNodes = await n8n.activate({
		name: 'Two triggers',
		nodes: [
			trigger(
				'Completed',
				{ events: ['singleSendStatusChanged'], singleSendFilters: { toStatus: ['3'] } },
				own,
			),
			trigger('Automations', { events: ['automationStatusChanged'] }, own),
			node('End', 'n8n-nodes-base.noOp'),
		],
		connections: {
			Completed: { main: [[{ node: 'End', type: 'main', index: 0 }]] },
			Automations: { main: [[{ node: 'End', type: 'main', index: 0 }]] },
		},
	});

	const expected: string[] = [];
	const happens = (event: string, utr: string) => expected.push(`${event} of ${utr}`);
	const words = async (workflow: SavedWorkflow) => (await eventsOf(n8n, workflow)).map(inWords);
	/** Until everything that has happened was told by executions that have ended, and for two polls of each node more. */
	const settled = async () => {
		await until(expected.at(-1) ?? '', async () => {
			const told = await executionsOf(n8n, everything);
			const all = [...told, ...(await executionsOf(n8n, twoNodes))];
			const isEnded = all.every(({ status }) => !['new', 'running'].includes(status));
			return isEnded && told.flatMap(({ events }) => events).length >= expected.length;
		});
		await sandbox.reads(sendList, 6);
		expect(await words(everything)).toEqual(expected);
	};

	await sandbox.reads(sendList, 4);
	await sandbox.tick();
	happens('singleSendStatusChanged 0→1', first.utr);
	await settled();

	await sandbox.call('GET', `/automations/set-live?utr=${automation.utr}`);
	happens('automationStatusChanged 0→1', automation.utr);
	await settled();

	// Killed between two polls; a step happens while n8n is down.
	await n8n.kill();
	await sandbox.tick();
	happens('singleSendStatusChanged 1→2', first.utr);
	await n8n.start();
	await settled();

	// The service is down for two polls of each node.
	const readsBefore = await sandbox.countRequests(sendList);
	await sandbox.kill();
	await until('two failed polls', async () => (await failures(everything)) >= 2);
	await sandbox.start();
	await sandbox.reads(sendList, 2);
	await settled();

	// Truncated answers and then HTML ones while something happens: one list that fails is no failed poll.
	const failedBefore = await failures(everything);
	await sandbox.call('GET', `/automations/pause?utr=${automation.utr}`);
	happens('automationStatusChanged 1→2', automation.utr);
	for (const [kind, path] of [
		['truncated', sendList],
		['html', automationList],
	] as const) {
		await sandbox.fault({ kind, times: 1000, match: { path } });
		await sandbox.reads(path, 6);
		await sandbox.clearFaults();
		// A poll that was still trying the first list reads the second one before it, too, begins to fail.
		await sandbox.reads(automationList, 6);
	}
	await settled();
	expect(await failures(everything)).toBe(failedBefore);

	// The workflow is edited and activated again, with a change in between.
	await n8n.client.deactivate(everything.id);
	const second = await sandbox.add('singleSends', { single_send_name: 'Second' });
	happens('singleSendCreated –→0', second.utr);
	const edited = await n8n.client.request<SavedWorkflow>('PATCH', `/workflows/${everything.id}`, {
		name: 'Everything, edited',
		nodes: [
			{ ...watch, parameters: { ...watch.parameters, events: [...allStatuses, 'contactAdded'] } },
			node('End', 'n8n-nodes-base.noOp'),
		],
		connections: everything.connections,
		versionId: everything.versionId,
	});
	await n8n.client.activate(edited);
	await settled();

	await sandbox.tick();
	happens('singleSendStatusChanged 2→3', first.utr);
	happens('singleSendStatusChanged 0→1', second.utr);
	await settled();

	// Two nodes read this list.
	const reads = readsBefore + (await sandbox.countRequests(sendList));
	expect(reads / 2).toBeGreaterThanOrEqual(20);
	expect(await sandbox.violations()).toEqual([]);
	// Either node may be held up by what happens to its list, so they do not keep in step.
	const ofTwoNodes = [
		`automationStatusChanged 0→1 of ${automation.utr}`,
		`automationStatusChanged 1→2 of ${automation.utr}`,
		`singleSendStatusChanged 2→3 of ${first.utr}`,
	];
	await until(
		'the events of two nodes',
		async () => (await words(twoNodes)).length >= ofTwoNodes.length,
	);
	expect((await words(twoNodes)).sort()).toEqual(ofTwoNodes);
	for (const { id } of [everything, twoNodes]) await n8n.client.deactivate(id);
}
