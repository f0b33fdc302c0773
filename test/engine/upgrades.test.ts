import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { removal } from '../../scripts/lib/workflow-json.ts';
import { typeKey } from '../../nodes/EmailMarketing/features/sync/memory/syncState';
import { serviceIn } from '../../nodes/EmailMarketing/service/signRequest';
import { eventId } from '../../nodes/EmailMarketing/trigger/events';
import type { Tables } from '../../sandbox/store.ts';
import { version } from '../../package.json';
import { type Demo, operations } from '../n8n/operations.ts';
import { apply, mirror, planOf } from './contacts/planned';
import { actions, address, people, ScheduledSync } from './contacts/scheduledSync';
import { json, TYPE, useAccount } from './contacts/support';
import { keys } from './engine';
import { schemaOf } from './outputSchema';
import { useService } from './sandbox';
import { asShown } from './readings/underReading';
import { Poller } from './trigger/poller';

/** What a version has saved: nodes of workflows, states, and a plan that waits for its approval. */
interface Saved {
	nodes: Array<{ parameters: IDataObject; sends: string[] }>;
	trigger: { records: Partial<Record<Watched, IDataObject[]>>; staticData: IDataObject };
	eventId: string;
	sync: { contacts: IDataObject[]; staticData: Record<string, { syncState: SyncState }> };
	typeKey: string;
	plan: IDataObject[];
}
type SyncState = { salt: string; types: IDataObject } & IDataObject;
type Watched = 'singleSends' | 'automations' | 'senders' | 'contacts' | 'globalUnsubscribes';

const folder = join(__dirname, '../upgrades/saved');
/** Set by `npm run freeze`. */
const isWriting = process.env.FREEZE === '1';

const demo = useService(asShown);
const given = useAccount();

const watching = {
	events: [
		...['singleSendStatusChanged', 'singleSendDeleted', 'automationStatusChanged'],
		...['senderVerified', 'contactAdded', 'contactUpdated', 'globalUnsubscribeAdded'],
	],
};
const eventIdNow = () =>
	eventId({ account: 'account' } as never, 'singleSendStatusChanged', 'utr', '3', '7', '2');
const typeKeyNow = () => typeKey({ salt: 'salt' } as never, 'account', String(TYPE));

/** The demo account at a time that is never past: what is scheduled in it stays scheduled. */
function resetDemo(): void {
	const { state } = demo.service;
	state.clock.freeze(true);
	state.clock.set(Date.parse('2099-01-01T10:00:00Z'));
	state.reset('demo', ['clock']);
}

const demoNow = (): Demo => {
	resetDemo();
	const { tables } = demo.service.state;
	return Object.fromEntries(
		Object.entries(tables).map(([name, table]) => [name, (table as Tables['contacts']).all()]),
	) as unknown as Demo;
};

/** What a node sends in the demo account. */
async function sendsOf(parameters: IDataObject): Promise<string[]> {
	resetDemo();
	await demo.service.run(parameters, { node: { onError: 'continueErrorOutput' } });
	return demo.service.sent().map((request) => JSON.stringify(request));
}

async function saveNodes(): Promise<Saved['nodes']> {
	const nodes: Saved['nodes'] = [];
	for (const [resource, steps] of Object.entries(operations(demoNow()))) {
		for (const [operation, given = {}] of steps) {
			const parameters = { resource, operation, ...(given as IDataObject) };
			nodes.push({ parameters, sends: await sendsOf(parameters) });
		}
	}
	return nodes;
}

/** An account that has something of all that is watched. */
function plant(): void {
	const { tables } = given.account.state;
	const at = given.account.state.clock.now();
	for (const status of [2, 3]) tables.singleSends.add({ status } as never, at);
	tables.automations.add({ status: 1 } as never, at);
	tables.senders.add({ is_verified: 0 } as never, at);
	given.account.add(address('known'));
	given.account.unsubscribe(address('gone'));
}

async function saveTrigger(): Promise<Saved['trigger']> {
	given.account.reset();
	plant();
	const poller = new Poller(given.account.sandbox, watching);
	await poller.poll();
	const { tables } = given.account.state;
	const names: Watched[] = [
		...(['singleSends', 'automations', 'senders'] as const),
		...(['contacts', 'globalUnsubscribes'] as const),
	];
	const records = Object.fromEntries(
		names.map((name) => [name, tables[name].all() as unknown as IDataObject[]]),
	);
	return structuredClone({ records, staticData: poller.savedState() });
}

async function saveSync(): Promise<Pick<Saved, 'sync' | 'plan'>> {
	given.account.reset();
	const sync = new ScheduledSync(given);
	await sync.run(
		people('ann', 'bob').map((one, id) => ({ ...one, customer: `C${id}` })),
		{
			parameters: { options: { ...removal({ removeAfter: 1 }), externalIdField: 'customer' } },
		},
	);
	const contacts = structuredClone(given.account.state.tables.contacts.all()) as never;
	const staticData = structuredClone(sync.staticData) as Saved['sync']['staticData'];
	const plan = await planOf(given.account, mirror.delete, [
		...people('new'),
		{ email: address('ann'), country: 'AT' },
	]);
	return { sync: { contacts, staticData }, plan };
}

const save = async (): Promise<Saved> => ({
	nodes: await saveNodes(),
	trigger: await saveTrigger(),
	...(await saveSync()),
	...{ eventId: eventIdNow(), typeKey: typeKeyNow() },
});

const addAll = (records: Saved['trigger']['records']) => {
	for (const [name, rows = []] of Object.entries(records)) {
		const table = given.account.state.tables[name as Watched];
		for (const row of rows) table.add(row as never, 0);
	}
};

const present = join(folder, `${version}.json`);
if (isWriting) {
	test('what this version saves is written', async () => {
		mkdirSync(folder, { recursive: true });
		writeFileSync(present, `${JSON.stringify(await save(), null, 2)}\n`);
		expect(existsSync(present)).toBe(true);
	});
}

const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Saved;
const byVersion = new Intl.Collator('en', { numeric: true });
const versions = isWriting ? [`${version}.json`] : readdirSync(folder).sort(byVersion.compare);

describe.each(versions)('what %s has saved', (file) => {
	const saved = () => read(file);

	test('its nodes send what they sent', async () => {
		for (const { parameters, sends } of saved().nodes) {
			expect([parameters, await sendsOf(parameters)]).toEqual([parameters, sends]);
		}
	});

	test('its trigger goes on where it was', async () => {
		const { records, staticData } = saved().trigger;
		addAll(records);
		const poller = new Poller(given.account.sandbox, watching, staticData);
		expect(await poller.poll()).toEqual([]);
		const { tables } = given.account.state;
		const [send] = tables.singleSends.all();
		const [automation] = tables.automations.all();
		const [sender] = tables.senders.all();
		if (!send || !automation || !sender) throw new Error('A record is missing');
		tables.singleSends.change(send, { status: 7 });
		tables.automations.change(automation, { status: 2 } as never);
		tables.senders.change(sender, { is_verified: 1 } as never);
		given.account.add(address('new'));
		given.account.unsubscribe(address('known'));
		expect((await poller.poll()).map(({ event }) => event).sort()).toEqual([
			...['automationStatusChanged', 'contactAdded', 'globalUnsubscribeAdded'],
			...['senderVerified', 'singleSendStatusChanged'],
		]);
	});

	test('its sync knows whom it added', async () => {
		const { contacts, staticData } = saved().sync;
		addAll({ contacts });
		const sync = new ScheduledSync(given, { options: removal({ removeAfter: 1 }) });
		const account = `${serviceIn({ baseUrl: given.account.sandbox.baseUrl }).service} ${keys.publicKey}`;
		const data = Object.fromEntries(
			Object.entries(staticData).map(([node, { syncState }]) => {
				const [type] = Object.values(syncState.types);
				// The address of the service is another one in each test.
				const key = typeKey(syncState as never, account, String(TYPE));
				return [node, { syncState: { ...syncState, types: { [key]: type } } }];
			}),
		);
		sync.staticData = sync.own(data);
		expect(actions(await sync.run(people('ann')))).toEqual([
			['unchanged', address('ann'), 'no changes'],
			['deleted', address('bob'), 'missing from the input'],
		]);
	});

	test('its plan is written once it is approved', async () => {
		const { sync, plan } = saved();
		addAll({ contacts: sync.contacts });
		const outcome = await apply(given.account, plan);
		expect(json(outcome).map(({ action, email }) => [action, email])).toEqual([
			['created', address('new')],
			['updated', address('ann')],
			['deleted', address('bob')],
		]);
	});

	test('what identifies events and contact types is the same', () => {
		const { eventId: event, typeKey: type } = saved();
		expect([eventIdNow(), typeKeyNow()]).toEqual([event, type]);
	});
});

test('what is saved has the same form: after a change, raise the format, and run "npm run freeze"', async () => {
	const formOf = ({ trigger, sync, plan }: Saved) => {
		const [state] = Object.values(trigger.staticData);
		const [memory] = Object.values(sync.staticData);
		const [type] = Object.values(memory?.syncState.types ?? {});
		return [
			schemaOf([state]),
			schemaOf([{ ...memory?.syncState, types: null }]),
			schemaOf([
				{
					...(type as IDataObject),
					contacts: Object.values((type as IDataObject).contacts as object),
				},
			]),
			schemaOf(plan),
		];
	};
	const now = { ...(await saveSync()), trigger: await saveTrigger() } as Saved;
	expect(formOf(now)).toEqual(formOf(read(versions.at(-1) ?? '')));
});
