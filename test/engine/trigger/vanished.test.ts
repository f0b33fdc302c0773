import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/server.ts';
import { emptySandbox, Poller } from './poller';

const HOUR = 3_600_000;
const START = Date.parse('2026-03-02T10:00:00Z');
let sandbox: Sandbox;
let clock: jest.SpyInstance<number, []>;
const store = () => sandbox.state.store.tables;
const addSend = (fields = {}) => store().singleSends.add(fields, START);

beforeAll(async () => {
	sandbox = await emptySandbox();
});
beforeEach(() => {
	sandbox.state.reset('empty', ['settings']);
	clock = jest.spyOn(Date, 'now').mockReturnValue(START);
});
afterEach(() => clock.mockRestore());
afterAll(async () => await sandbox.close());

const threshold = { statistic: 'bounces', unit: 'count', value: 5 };
const watched = {
	events: [
		...['singleSendStatusChanged', 'singleSendCompleted', 'singleSendCreated'],
		...['singleSendDeleted', 'singleSendStatisticReached', 'statisticsSnapshot'],
	],
	singleSendThresholds: { threshold: [threshold] },
};
const notDeleted = { ...watched, events: watched.events.filter((name) => !/Deleted/.test(name)) };

/** A response with these records only. */
const listed = (rows: object[], times = 1, path = '/single-send/list', name = 'singleSends') =>
	sandbox.state.faults.add({
		kind: 'shape',
		body: { status: 'success', message: { [name]: rows } },
		match: { path },
		times,
	});

/** Completed campaigns that have reached the threshold and all ages, as the trigger has reported. */
async function reported(count: number, parameters = watched): Promise<Poller> {
	const poller = new Poller(sandbox, parameters);
	expect(await poller.poll()).toEqual([]);
	for (let n = 0; n < count; n++) {
		addSend({ status: 3, sent_at: '2026-03-02 09:00:00', bounces: 9, triggered: 90 });
	}
	clock.mockReturnValue(START + 200 * HOUR);
	expect(await poller.poll()).toHaveLength(count * 7);
	return poller;
}

/** The events of so many polls, or why a poll failed. */
async function polls(poller: Poller, count: number, hoursApart = 0): Promise<string[][]> {
	const results: string[][] = [];
	for (let n = 0; n < count; n++) {
		clock.mockReturnValue(Date.now() + hoursApart * HOUR);
		const result = await poller
			.poll({ budgetMs: 60_000 })
			.catch((error: Error) => [{ event: error.message }]);
		results.push(result.map(({ event }) => String(event)));
	}
	return results;
}

const deleted = (count: number) => Array(count).fill('singleSendDeleted');
const says = (missing: number, of = missing) => [
	`${missing} of ${of} campaigns have been missing from their list for three polls`,
];

it.each([1, 2, 8])('of %d campaigns, two empty lists by mistake report nothing', async (count) => {
	const poller = await reported(count);
	listed([], 2);
	expect((await polls(poller, 8)).flat()).toEqual([]);
});

it('what comes back after any number of empty lists is not new', async () => {
	const poller = await reported(4);
	listed([], 20);
	const events = await polls(poller, 20);
	expect(events.flat()).toEqual([...says(4), ...deleted(4)]);
	expect((await polls(poller, 3)).flat()).toEqual([]);
	const restarted = poller.restarted(poller.savedState());
	const [send] = store().singleSends.all();
	if (send) store().singleSends.change(send, { status: 2 });
	addSend();
	expect((await polls(restarted, 2)).flat().sort()).toEqual([
		'singleSendCreated',
		'singleSendStatusChanged',
	]);
});

it('most campaigns are believed to be deleted at the sixth poll; the third says what is missing', async () => {
	const poller = await reported(5);
	store()
		.singleSends.all()
		.slice(0, 3)
		.forEach(({ id }) => store().singleSends.remove(id));
	expect(await polls(poller, 8)).toEqual([[], [], says(3, 5), [], [], deleted(3), [], []]);
});

it.each([1, 2, 30])('it is the same with %d hours between two polls', async (hours) => {
	const poller = await reported(5);
	listed([], 8);
	expect(await polls(poller, 8, hours)).toEqual([[], [], says(5), [], [], deleted(5), [], []]);
});

it('so it is when further campaigns are missing later', async () => {
	const poller = await reported(5);
	for (const count of [3, 1]) {
		const gone = store().singleSends.all().slice(0, count);
		gone.forEach(({ id }) => store().singleSends.remove(id));
		if (count > 1) expect(await polls(poller, 1, 2)).toEqual([[]]);
	}
	expect(await polls(poller, 6, 2)).toEqual([[], says(4, 5), [], [], deleted(3), deleted(1)]);
});

it.each([0, 2])('says so of further campaigns, with %d hours between two polls', async (hours) => {
	const poller = await reported(10);
	const results: string[][] = [];
	for (const count of [6, 3]) {
		const gone = store().singleSends.all().slice(0, count);
		gone.forEach(({ id }) => store().singleSends.remove(id));
		results.push(...(await polls(poller, 3, hours)));
	}
	results.push(...(await polls(poller, 4, hours)));
	expect(results).toEqual([
		...[[], [], says(6, 10), [], [], says(3, 4)],
		// The first ones are due at the poll that failed.
		...[deleted(6), [], deleted(3), []],
	]);
});

it('so it is when no list can be read after the poll that said so', async () => {
	const poller = await reported(5);
	listed([], 3);
	expect(await polls(poller, 3, 2)).toEqual([[], [], says(5)]);
	sandbox.state.faults.add({ kind: 'status', status: 404, times: 1 });
	listed([], 4);
	const [failed, ...others] = await polls(poller, 5, 2);
	expect(failed).toHaveLength(1);
	expect(others).toEqual([[], [], deleted(5), []]);
});

it('says so again of a list that was whole in between', async () => {
	const poller = await reported(5);
	for (let times = 0; times < 2; times++) {
		listed([], 4);
		expect(await polls(poller, 5, 2)).toEqual([[], [], says(5), [], []]);
	}
});

it('less than half are believed to be deleted at the second poll', async () => {
	const poller = await reported(5);
	store()
		.singleSends.all()
		.slice(0, 2)
		.forEach(({ id }) => store().singleSends.remove(id));
	expect(await polls(poller, 3)).toEqual([[], deleted(2), []]);
});

it('most campaigns that are listed as deleted are believed to be', async () => {
	const poller = await reported(5);
	const gone = store()
		.singleSends.all()
		.map((row, index) => ({ ...row, deleted_at: index < 4 ? '2026-03-02T10:00:00Z' : null }));
	listed(gone, 5);
	expect(await polls(poller, 3)).toEqual([[], deleted(4), []]);
});

it('says so before other events, which the next poll reports', async () => {
	const poller = await reported(4);
	listed([], 2);
	await polls(poller, 2);
	const news = { id: 9, user_id: 1, utr: 'news', status: 0 };
	listed([news], 4);
	expect(await polls(poller, 4)).toEqual([says(4, 5), ['singleSendCreated'], [], deleted(4)]);
});

it('n8n can publish the workflow although most are missing, and the next poll says so', async () => {
	const poller = await reported(4);
	listed([], 5);
	expect(await polls(poller, 2)).toEqual([[], []]);
	// Without a budget, it is the poll with which n8n publishes a workflow.
	expect(await poller.poll()).toEqual([]);
	expect(await polls(poller, 2)).toEqual([says(4), []]);
});

it('says so once of several lists, and believes it of none earlier than of the others', async () => {
	const events = [...watched.events, 'automationDeleted'];
	store().automations.add({}, START);
	const poller = await reported(4, { ...watched, events });
	for (const hours of [0, 2]) {
		listed([], 4);
		listed([], 4, '/automations', 'automations');
		const both = [
			'4 of 4 campaigns and 1 of 1 automations have been missing from their list for three polls',
		];
		expect(await polls(poller, 5, hours)).toEqual([[], [], both, [], []]);
		await polls(poller, 1, 2);
	}
});

it('says nothing where deletions are not watched, since nothing is reported wrongly', async () => {
	const poller = await reported(4, notDeleted);
	listed([], 9);
	expect((await polls(poller, 12)).flat()).toEqual([]);
});

it('a state that cannot be read says so in each poll, and is kept: the version that saved it loses nothing', async () => {
	const poller = await reported(3, { ...watched, options: { emitExisting: true } } as never);
	const saved = poller.savedState();
	const broken = (state: unknown) =>
		poller.restarted(
			Object.fromEntries(Object.keys(saved).map((key) => [key, { state }])) as IDataObject,
		);
	const { state } = Object.values(saved)[0] as { state: IDataObject };
	const lists = state.records as IDataObject;
	for (const unreadable of [
		...[null, 'damaged', {}, { ...state, format: 1 }, { ...state, format: 3 }],
		...[
			{ ...state, records: { singleSends: {} } },
			{ ...state, records: 5 },
		],
		{
			...state,
			records: { singleSends: { ...(lists.singleSends as object), records: { a: '3' } } },
		},
	]) {
		const again = broken(unreadable);
		const refusal = ['The saved state of this trigger cannot be read and was left unchanged'];
		const kept = again.savedState();
		expect(await polls(again, 2)).toEqual([refusal, refusal]);
		expect(again.savedState()).toEqual(kept);
	}
	const send = addSend({ status: 2 });
	const updated = poller.restarted(saved);
	expect(await polls(updated, 1)).toEqual([['singleSendCreated', 'singleSendStatusChanged']]);
	store().singleSends.remove(send.id);
});
