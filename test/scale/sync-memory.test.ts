import { limits, removal } from '../../scripts/lib/workflow-json.ts';
import { watchUnsubscribed } from './consent.ts';
import { sharedCluster } from './setup/shared.ts';
import {
	address,
	countActions,
	emptySandbox,
	GERMANY,
	people,
	seedPeople,
	SyncWorkflow,
	TYPE,
	unsubscribe,
} from './sync.ts';

jest.setTimeout(1_800_000);

const cluster = sharedCluster();
const { sandbox } = cluster;

beforeEach(async () => await emptySandbox(sandbox));
afterEach(async () => expect(await sandbox.violations()).toEqual([]));

const addresses = (from: number, to: number) =>
	people(from, to).map((item) => String(item['E-Mail']));

const contactOf = async (email: string) =>
	(await sandbox.records('contacts')).find((contact) => contact.email === email);

/** Which of these addresses the service has a contact with. */
async function present(from: number, to: number): Promise<string[]> {
	const there = new Set((await sandbox.records('contacts')).map(({ email }) => email));
	return addresses(from, to).filter((email) => there.has(email));
}

function twoWorkers() {
	const [first, second] = cluster.workers;
	if (!first || !second) throw new Error('There are no two workers');
	return { first, second };
}

const parameters = (report: 'all' | 'summary') => ({
	missing: 'delete',
	options: { ...limits({ maxRemovalPercent: 100 }), ...removal({ removeAfter: 1 }), report },
});

test('in a sub-workflow, either worker removes only whom the sync added, also after a restart', async () => {
	const { first, second } = twoWorkers();
	const sync = await SyncWorkflow.activateWithSubWorkflow(cluster, parameters('all'));
	const run = async (from: number, to: number, worker = first) => {
		const { error, items } = await sync.run(people(from, to), { worker });
		expect(error).toBeUndefined();
		return items;
	};
	// 10 to 29 were in the service before; 0 to 19 have unsubscribed.
	await seedPeople(sandbox, 10, 30);
	await unsubscribe(sandbox, addresses(0, 20));
	let touched = await watchUnsubscribed(sandbox, addresses(0, 20));
	const added = await run(0, 300);
	expect(countActions(added)).toEqual({ skipped: 20, unchanged: 10, created: 270 });
	expect(await touched()).toEqual([]);

	// 250 to 259 unsubscribe, and 1,000 to 1,004 sign up in the service.
	await unsubscribe(sandbox, addresses(250, 260));
	await seedPeople(sandbox, 1_000, 1_005);
	const unsubscribed = [...addresses(0, 20), ...addresses(250, 260)];
	touched = await watchUnsubscribed(sandbox, unsubscribed);
	const before = await contactOf(address(260));
	// A called workflow may be called again in the same execution, so only earlier ones count; a worker counts its own.
	expect(countActions(await run(25, 200, second))).toEqual({ unchanged: 175, skipped: 100 });
	const removed = await run(25, 200, second);
	expect(countActions(removed)).toEqual({ unchanged: 175, deleted: 90, skipped: 10 });
	expect(await present(10, 30)).toEqual(addresses(10, 30));
	expect(await present(200, 300)).toEqual(addresses(250, 260));
	expect(await present(1_000, 1_005)).toEqual(addresses(1_000, 1_005));

	await cluster.restart();
	// A colleague removes 100, and 260 signs up: with an ID that the memory does not confuse with the one before.
	await sandbox.remove('contacts', (await contactOf(address(100)))?.id ?? 0);
	await sandbox.add('contacts', {
		id: (before?.id ?? 0) + 100_001,
		contact_type_id: TYPE,
		country: GERMANY,
		email: address(260),
	});
	expect(countActions(await run(25, 150))).toEqual({ unchanged: 124, skipped: 61 });
	const again = await run(25, 150);
	expect(countActions(again)).toEqual({ unchanged: 124, deleted: 50, skipped: 11 });
	expect(again.find(({ email }) => email === address(100))).toMatchObject({
		action: 'skipped',
		reason: 'removed in the service',
	});
	expect(await present(100, 300)).toEqual([...addresses(101, 150), ...addresses(250, 261)]);
	expect(await present(1_000, 1_005)).toEqual(addresses(1_000, 1_005));
	expect(await touched()).toEqual([]);
});

test('at top level, where workers get no memory, a sync removes nobody and says so on every run', async () => {
	const { first, second } = twoWorkers();
	const sync = await SyncWorkflow.activate(cluster, parameters('summary'));
	await seedPeople(sandbox, 1_000, 1_002);
	await unsubscribe(sandbox, addresses(0, 2));
	const touched = await watchUnsubscribed(sandbox, addresses(0, 2));
	const lacking = [/^This node remembers no earlier run/].map(
		(text) => expect.stringMatching(text) as string,
	);
	const expectNobodyRemoved = async (worker: typeof first, from: number, left: number) => {
		const { error, items } = await sync.run(people(from, 40), { worker });
		expect(error).toBeUndefined();
		expect(items).toMatchObject([
			{ deleted: 0, notAddedBySync: left, notes: expect.arrayContaining(lacking) as string[] },
		]);
		expect(await present(2, 40)).toEqual(addresses(2, 40));
		expect(await present(1_000, 1_002)).toEqual(addresses(1_000, 1_002));
	};
	await expectNobodyRemoved(first, 0, 2);
	await expectNobodyRemoved(second, 10, 10);
	await cluster.restart();
	await expectNobodyRemoved(first, 20, 20);
	expect(await touched()).toEqual([]);
});
