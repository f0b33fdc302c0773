import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import { chain, node } from '../n8n/test-n8n.ts';
import { reconcile } from './account.ts';
import { ProductionWorkflow } from './production.ts';
import { sharedCluster } from './setup/shared.ts';
import { countActions, emptySandbox, people, syncNode } from './sync.ts';

jest.setTimeout(1_800_000);

const cluster = sharedCluster();
const { sandbox } = cluster;

/** Another system, whose people are synced. */
let source: Server;
let theirs: IDataObject[] = [];
beforeAll(async () => {
	source = createServer((_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(theirs));
	}).listen(0, '127.0.0.1');
	await once(source, 'listening');
	await emptySandbox(sandbox);
});
afterAll(() => source.close());

/** The next run of a sync of all that the other system has; a schedule with seconds takes the place of hours. */
async function scheduledRun(): Promise<Record<string, number>> {
	const every = { field: 'seconds', secondsInterval: 5 };
	const url = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
	const workflow = await ProductionWorkflow.activate(
		cluster.n8n,
		chain('Hourly sync', [
			node(
				'Every 5 seconds',
				'n8n-nodes-base.scheduleTrigger',
				{ rule: { interval: [every] } },
				{ typeVersion: 1.2 },
			),
			node('Their people', 'n8n-nodes-base.httpRequest', { url }, { typeVersion: 4.2 }),
			syncNode({ missing: 'delete', options: { onlyAddedBySync: false } }),
		]),
	);
	const executionId = await workflow.next([]);
	await workflow.deactivate();
	const { error, items } = await workflow.ended(executionId);
	// Any that had begun as well find nothing to do, and must be over before the people change.
	await workflow.idle();
	expect(error).toBeUndefined();
	return countActions(items);
}

test('an hourly sync of 10,000: the service has what the other system has, to the last contact', async () => {
	theirs = people(0, 10_000);
	expect(await scheduledRun()).toEqual({ created: 10_000 });
	await reconcile(sandbox, theirs);

	const posted = async () =>
		(await sandbox.journal()).filter(({ method }) => method !== 'GET').length;
	const before = await posted();
	expect(await scheduledRun()).toEqual({ unchanged: 10_000 });
	expect(await posted()).toBe(before);

	// 100 leave, 200 come, and 300 move.
	theirs = people(100, 10_200, (n) => (n < 400 ? { City: 'Bonn' } : {}));
	expect(await scheduledRun()).toEqual({
		deleted: 100,
		created: 200,
		updated: 300,
		unchanged: 9_600,
	});
	await reconcile(sandbox, theirs);
});
