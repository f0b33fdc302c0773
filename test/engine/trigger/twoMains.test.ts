import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/server.ts';
import { emptySandbox, inAnotherProcess, Poller } from './poller';

let sandbox: Sandbox;
const store = () => sandbox.state.store.tables;
const now = () => sandbox.state.clock.now();
const addSend = (fields = {}) => store().singleSends.add(fields, now());

beforeAll(async () => {
	sandbox = await emptySandbox();
});
beforeEach(() => sandbox.state.reset('empty', ['settings']));
afterAll(async () => await sandbox.close());

const sends = { events: ['singleSendStatusChanged', 'singleSendCreated'] };
const events = async (poller: Poller) => (await poller.poll()).map(({ event }) => event);

/** Two main processes, of which n8n makes one the leader after the other: it loads what was saved last. */
async function twoMains(parameters: object = sends) {
	const first = new Poller(sandbox, parameters as never);
	await first.poll();
	const Types = { one: inAnotherProcess(), other: inAnotherProcess() };
	let saved = first.savedState();
	let leader = first;
	return {
		/** Without durable cursors, n8n saves the state only with events. */
		poll: async () => {
			const found = await events(leader);
			if (found.length > 0) saved = leader.savedState();
			return found;
		},
		lead: (name: keyof typeof Types) => (leader = first.loaded(saved, Types[name])),
	};
}

it('without durable cursors, an older memory that has seen more does not count', async () => {
	const { poll, lead } = await twoMains({
		...sends,
		singleSendFilters: { fromStatus: ['7'] },
	});
	const quiet = addSend();
	lead('one');
	expect(await poll()).toEqual(['singleSendCreated']);
	for (let status = 1; status < 7; status++) {
		store().singleSends.change(quiet, { status });
		expect(await poll()).toEqual([]);
	}
	lead('other');
	addSend();
	expect(await poll()).toEqual(['singleSendCreated']);
	lead('one');
	for (let count = 0; count < 3; count++) expect(await poll()).toEqual([]);
	addSend();
	expect(await poll()).toEqual(['singleSendCreated']);
	lead('other');
	expect(await poll()).toEqual([]);
});

it('a leader goes on with what it has seen since the last save', async () => {
	const { poll, lead } = await twoMains();
	lead('one');
	const send = addSend({ status: 1 });
	expect(await poll()).toEqual(['singleSendCreated', 'singleSendStatusChanged']);
	store().singleSends.remove(send.id);
	expect(await poll()).toEqual([]);
	lead('one');
	store().singleSends.add(send, now());
	expect(await poll()).toEqual([]);
});

it('with durable cursors, whichever main polls, each change is reported once', async () => {
	const first = new Poller(sandbox, sends);
	const mains = [inAnotherProcess(), inAnotherProcess()].map((Type) => first.loaded({}, Type));
	const cursor: IDataObject = {};
	const found: string[] = [];
	for (let count = 0; count < 12; count++) {
		if (count % 3 === 1) addSend();
		const main = mains[count % 5 < 3 ? 0 : 1] as Poller;
		found.push(
			...(await main.poll({ cursor })).map(({ record }) => String((record as IDataObject).id)),
		);
	}
	const all = store()
		.singleSends.all()
		.map(({ id }) => String(id));
	expect(found).toEqual(all);
});

it('a cursor that another main has saved is not taken for one from before', async () => {
	const first = new Poller(sandbox, sends);
	const [one, other] = [inAnotherProcess(), inAnotherProcess()].map((Type) =>
		first.loaded({}, Type),
	) as [Poller, Poller];
	const cursor: IDataObject = {};
	await one.poll({ cursor });
	addSend();
	expect(await one.poll({ cursor })).toHaveLength(1);
	const stale = JSON.parse(JSON.stringify(cursor)) as IDataObject;
	addSend();
	expect(await other.poll({ cursor })).toHaveLength(1);
	addSend();
	expect(await one.poll({ cursor })).toHaveLength(1);
	// Read before the last two were saved.
	expect(await one.poll({ cursor: stale })).toEqual([]);
	expect(await other.poll({ cursor })).toEqual([]);
});

it('two triggers of a workflow with one node ID poll each for itself', async () => {
	const [one, other] = ['One', 'Other'].map(
		(name) => new Poller(sandbox, sends, {}, {}, { id: 'both', name }),
	);
	const both = async () => await Promise.all([one, other].map(async (each) => await each?.poll()));
	await both();
	addSend();
	expect((await both()).map((found) => found?.length)).toEqual([1, 1]);
});
