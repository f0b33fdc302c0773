import { setTimeout as sleep } from 'node:timers/promises';
import { limits, removal } from '../../scripts/lib/workflow-json.ts';
import type { Contact } from '../../sandbox/model.ts';
import { chain, journal, n8n, node, sandbox, typeOf, violations } from './harness.ts';
import {
	address,
	countActions,
	GERMANY,
	parameters,
	people,
	resetContactType,
	startCreates,
	TYPE,
} from './sync-support.ts';

jest.setTimeout(1_800_000);

beforeEach(resetContactType);
afterEach(async () => expect(await violations()).toEqual([]));

const seed = async (contacts: Array<Partial<Contact>>) =>
	await sandbox.control('POST', '/seed', {
		contacts: contacts.map((fields) => ({ contact_type_id: TYPE, country: GERMANY, ...fields })),
	});

const seedPeople = async (count: number) =>
	await seed(people(count).map((_, n) => ({ email: address(n), first_name: `Ann ${n}` })));

const requests = async () => {
	const entries = await journal();
	return {
		reads: entries.filter(({ method }) => method === 'GET').map(({ path }) => path),
		writes: entries.filter(({ method }) => method !== 'GET').map(({ path }) => path),
	};
};

test('of 10,000 items, 100 new and 100 changed ones are written, and none in a second run', async () => {
	// 0 to 9,874 are there, of which 100 differ; 9,850 to 9,899 unsubscribed; 9,900 to 9,999 are new.
	await seedPeople(9_875);
	await sandbox.control('POST', '/seed', {
		globalUnsubscribes: Array.from({ length: 50 }, (_, n) => ({
			email_address: address(9_850 + n).toUpperCase(),
		})),
	});
	const items = people(10_000, (n) => (n < 100 || n >= 9_850 ? { City: 'Bonn' } : {}));
	const first = await n8n.runNode(parameters(), items);
	expect(first.error).toBeNull();
	expect(countActions(first.items)).toEqual({
		updated: 100,
		unchanged: 9_750,
		skipped: 50,
		created: 100,
	});
	expect(first.items.map(({ pairedItem }) => pairedItem)).toEqual(
		items.map((_, item) => ({ item })),
	);
	const { reads, writes } = await requests();
	expect(reads.sort()).toEqual([
		'/contacts/list',
		'/contacts/list',
		'/get/country-state-city',
		'/global-unsubscribes',
	]);
	expect(writes.filter((path) => path === '/contacts/add')).toHaveLength(100);
	expect(writes.filter((path) => path === '/contacts/update')).toHaveLength(100);
	expect(writes).toHaveLength(200);

	const second = await n8n.runNode(parameters(), items);
	expect(countActions(second.items)).toEqual({ unchanged: 9_950, skipped: 50 });
	expect((await requests()).writes).toHaveLength(200);
});

test('the deletion limit stops the node before anything is written', async () => {
	await seedPeople(20);
	const remove = {
		missing: 'delete',
		options: removal({ onlyAddedBySync: false, removeAfter: 1 }),
	};
	const changed = people(17, () => ({ City: 'Bonn' }));
	const stopped = await n8n.runNode(parameters(remove), changed);
	expect(stopped.status).toBe('error');
	expect(stopped.error?.message).toMatch(/3 of 20 contacts would be deleted, more than the 10%/);
	expect(stopped.error?.context).toMatchObject({ code: 'too-many-removals' });
	expect((await requests()).writes).toEqual([]);

	const options = { ...remove.options, ...limits({ maxRemovalPercent: 15 }) };
	const allowed = await n8n.runNode(parameters({ ...remove, options }), changed);
	expect(countActions(allowed.items)).toEqual({ updated: 17, deleted: 3 });
	expect(await sandbox.counts()).toMatchObject({ contacts: 17 });
});

test('a dry run shows the whole plan and writes nothing', async () => {
	await seedPeople(10);
	const items = [...people(9, (n) => (n === 0 ? { City: 'Bonn' } : {})), ...people(11).slice(10)];
	const remove = {
		missing: 'delete',
		options: removal({ onlyAddedBySync: false, removeAfter: 1 }),
	};
	const dry = await n8n.runNode(parameters({ ...remove, dryRun: true }), items);
	expect(countActions(dry.items)).toEqual({
		wouldUpdate: 1,
		unchanged: 8,
		wouldCreate: 1,
		wouldDelete: 1,
	});
	expect(dry.items[0]?.json).toMatchObject({
		dryRun: true,
		changedFields: { city: { from: '', to: 'Bonn' } },
	});
	expect((await requests()).writes).toEqual([]);
	const real = await n8n.runNode(parameters(remove), items);
	expect(countActions(real.items)).toEqual({ updated: 1, unchanged: 8, created: 1, deleted: 1 });
});

test('a field is blanked on purpose only: neither when it is not mapped nor when it is empty', async () => {
	const there = { email: address(0), first_name: 'Ann', city: 'Köln', postal_code: '50667' };
	await seed([there]);
	const item = { email: address(0), City: '', Zip: '50668' };
	await n8n.runNode(parameters(), [item]);
	expect(await sandbox.records('contacts')).toMatchObject([{ ...there, postal_code: '50668' }]);

	await n8n.runNode(parameters({ options: { emptyValues: 'clear' } }), [item]);
	expect(await sandbox.records('contacts')).toMatchObject([
		{ ...there, postal_code: '50668', city: '', country: GERMANY },
	]);
});

test('failures leave by the error output with their item, and the others go on', async () => {
	const items = people(4, (n) =>
		n === 1 ? { Country: 'Germny' } : n === 2 ? { 'E-Mail': '?' } : {},
	);
	const action = node('Sync', typeOf('emailMarketing'), parameters(), {
		onError: 'continueErrorOutput',
	});
	const source = node(
		'Source',
		'n8n-nodes-base.set',
		{ mode: 'raw', jsonOutput: '={{ { source: $("Start").item.json["First Name"] } }}' },
		{ typeVersion: 3.4 },
	);
	const workflow = chain('Failures', [node('Start', 'n8n-nodes-base.manualTrigger'), action]);
	workflow.nodes.push(source);
	workflow.connections[action.name] = {
		main: [[], [{ node: source.name, type: 'main', index: 0 }]],
	};
	const { nodes } = await n8n.runWorkflow({
		...workflow,
		pinData: { Start: items.map((json) => ({ json })) },
	});
	expect(countActions(nodes.Sync?.items ?? [])).toEqual({ created: 2 });
	expect(nodes.Sync?.errorItems.map(({ json }) => json)).toMatchObject([
		{ Country: 'Germny', error: { code: 'country-unknown', field: 'Country', email: address(1) } },
		{ 'E-Mail': '?', error: { code: 'address-invalid', field: 'Email' } },
	]);
	expect(nodes.Source?.items.map(({ json }) => json)).toEqual([
		{ source: 'Ann 1' },
		{ source: 'Ann 2' },
	]);
});

test('cancelling the execution stops new writes', async () => {
	const { executionId } = await startCreates(n8n, { done: 16, options: { parallelRequests: 8 } });
	await n8n.client.request('POST', `/executions/${executionId}/stop`, {});
	// At most those under way are still carried out; without the stop, there would be 32 more.
	const stopped = (await requests()).writes.length;
	await sleep(2_000);
	expect((await requests()).writes.length).toBeLessThanOrEqual(stopped + 8);
});
