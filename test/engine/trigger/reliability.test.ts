import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/server.ts';
import { once } from '../sandbox';
import { emptySandbox, Poller } from './poller';

let sandbox: Sandbox;
const store = () => sandbox.state.store.tables;
const now = () => sandbox.state.clock.now();
const addSend = (fields = {}) => store().singleSends.add(fields, now());
const slow = (path: string, ms: number) =>
	sandbox.state.faults.add({ kind: 'slow', ms, match: { path } });

/** How long the trigger waits for n8n to save what it has reported. */
const SAVE_GRACE_MS = 60_000;

const copyOf = (cursor: IDataObject) => JSON.parse(JSON.stringify(cursor)) as IDataObject;

const sends = { events: ['singleSendStatusChanged', 'singleSendCreated', 'singleSendDeleted'] };

beforeAll(async () => {
	sandbox = await emptySandbox();
});
beforeEach(() => sandbox.state.reset('empty', ['settings']));
afterAll(async () => await sandbox.close());

describe('polls that overlap', () => {
	it('emit once: the second does nothing while the first is running', async () => {
		const poller = new Poller(sandbox, sends);
		await poller.poll();
		addSend();
		slow('/single-send/list', 300);
		const both = await Promise.all([poller.poll(), poller.poll()]);
		expect(both.map((items) => items.length)).toEqual([1, 0]);
		expect(await poller.poll()).toEqual([]);
	});

	it('of two nodes do not block each other', async () => {
		const pollers = [new Poller(sandbox, sends), new Poller(sandbox, sends)];
		await Promise.all(pollers.map(async (poller) => await poller.poll()));
		addSend();
		slow('/single-send/list', 300);
		const both = await Promise.all(pollers.map(async (poller) => await poller.poll()));
		expect(both.map((items) => items.length)).toEqual([1, 1]);
	});

	it('go on after one that failed', async () => {
		const poller = new Poller(sandbox, { ...sends, options: once });
		await poller.poll();
		sandbox.state.faults.add({ kind: 'status' });
		await expect(poller.poll()).rejects.toThrow();
		addSend();
		expect(await poller.poll()).toHaveLength(1);
	});
});

describe('durable cursors, which are saved after the poll has returned', () => {
	it('polls that start before that save do not emit again, later ones do if it failed', async () => {
		const poller = new Poller(sandbox, sends);
		const cursor: IDataObject = {};
		await poller.poll({ cursor });
		addSend();
		const copy = () => copyOf(cursor);
		const emitting = copy();
		const emitted = await poller.poll({ cursor: emitting });
		expect(emitted).toHaveLength(1);
		for (const stale of [copy(), copy(), copy()]) {
			expect(await poller.poll({ cursor: stale })).toEqual([]);
			expect(stale).toEqual(cursor);
		}
		const later = performance.now() + SAVE_GRACE_MS;
		const clock = jest.spyOn(performance, 'now').mockReturnValue(later);
		const replaying = copy();
		expect(await poller.poll({ cursor: replaying })).toEqual(emitted);
		expect(replaying).toEqual(emitting);
		expect(await poller.poll({ cursor: replaying })).toEqual([]);
		clock.mockRestore();
	});

	it('a poll that starts before the first one is saved continues from it', async () => {
		const poller = new Poller(sandbox, sends);
		const send = addSend();
		const [cursor, stale, later]: [IDataObject, IDataObject, IDataObject] = [{}, {}, {}];
		expect(await poller.poll({ cursor })).toEqual([]);
		expect(await poller.poll({ cursor: stale })).toEqual([]);
		expect(stale).toEqual(cursor);
		store().singleSends.change(send, { status: 1 });
		expect(await poller.poll({ cursor: later })).toMatchObject([
			{ event: 'singleSendStatusChanged', previousStatus: { code: 0 }, status: { code: 1 } },
		]);
	});

	it('a poll that starts before a change without events is saved continues from that change', async () => {
		const onlyFromReady = {
			events: ['singleSendStatusChanged'],
			singleSendFilters: { fromStatus: ['1'] },
		};
		const poller = new Poller(sandbox, onlyFromReady);
		const send = addSend();
		const cursor: IDataObject = {};
		await poller.poll({ cursor });
		const stale = copyOf(cursor);
		store().singleSends.change(send, { status: 1 });
		expect(await poller.poll({ cursor })).toEqual([]);
		store().singleSends.change(send, { status: 2 });
		expect(await poller.poll({ cursor: stale })).toMatchObject([
			{ previousStatus: { code: 1 }, status: { code: 2 } },
		]);
	});

	it('a poll that starts before the last but one save does not emit again', async () => {
		const poller = new Poller(sandbox, sends);
		const cursor: IDataObject = {};
		await poller.poll({ cursor });
		const stale = copyOf(cursor);
		for (const count of [1, 2]) {
			addSend();
			expect([count, await poller.poll({ cursor })]).toMatchObject([count, [{}]]);
		}
		const before = copyOf(stale);
		expect(await poller.poll({ cursor: stale })).toEqual([]);
		expect(stale).toEqual(before);
	});

	it('a poll without changes leaves nothing to save', async () => {
		const poller = new Poller(sandbox, sends);
		const cursor: IDataObject = {};
		addSend();
		await poller.poll({ cursor });
		const before = JSON.stringify(cursor);
		await poller.poll({ cursor });
		expect(JSON.stringify(cursor)).toBe(before);
	});
});

describe('the poll budget', () => {
	const two = { events: ['singleSendCreated', 'contactAdded'] };
	const addContact = () => store().contacts.add({ email: 'ada@example.com' }, now());

	it('what was read in time is emitted, the rest comes first in the next poll', async () => {
		const poller = new Poller(sandbox, two);
		await poller.poll();
		addSend();
		addContact();
		slow('/contacts/list', 20_000);
		expect(await poller.poll({ budgetMs: 1500 })).toMatchObject([{ event: 'singleSendCreated' }]);
		slow('/single-send/list', 20_000);
		expect(await poller.poll({ budgetMs: 1500 })).toMatchObject([{ event: 'contactAdded' }]);
		expect(await poller.poll({ budgetMs: 1500 })).toEqual([]);
	});

	it.each([undefined, 300_000])(
		'of %p is none, and a failed request is tried five times',
		async (budgetMs) => {
			const poller = new Poller(sandbox, sends);
			sandbox.state.faults.add({ kind: 'status', status: 503, times: 99 });
			const activation = 'init';
			expect(await poller.poll({ budgetMs, activation })).toEqual([]);
			await expect(poller.poll({ budgetMs })).rejects.toThrow('HTTP 503');
			expect(sandbox.state.journal.entries).toHaveLength(10);
		},
	);

	it('a list that takes all of it alone fails the poll', async () => {
		const poller = new Poller(sandbox, sends);
		slow('/single-send/list', 3000);
		await expect(poller.poll({ budgetMs: 200 })).rejects.toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining('took longer than the 0.2 seconds'),
		});
	});
});

describe('an n8n that is killed', () => {
	it('emits the same events again where it was killed before the save, and no others', async () => {
		const poller = new Poller(sandbox, sends);
		const send = addSend();
		await poller.poll();
		const saved = poller.savedState();
		store().singleSends.change(send, { status: 1 });
		const emitted = await poller.poll();
		const restarted = poller.restarted(saved);
		expect(await restarted.poll()).toEqual(emitted);
		expect(await restarted.restarted(restarted.savedState()).poll()).toEqual([]);
	});
});

describe('a node that is edited', () => {
	it('neither loses nor repeats', async () => {
		const send = addSend();
		const before = new Poller(sandbox, { events: ['singleSendCreated'] });
		await before.poll();
		store().singleSends.change(send, { status: 1 });
		addSend();
		const edited = before.restarted(before.savedState(), {
			events: ['singleSendCreated', 'singleSendStatusChanged', 'senderVerified'],
		});
		expect((await edited.poll()).map(({ event }) => event)).toEqual([
			'singleSendStatusChanged',
			'singleSendCreated',
		]);
		const back = edited.restarted(edited.savedState(), { events: ['singleSendCreated'] });
		expect(await back.poll()).toEqual([]);
	});

	it.each([
		[{ events: [] }, '"Events" is required but empty'],
		[
			{
				events: ['segmentRecipientAdded'],
				segmentId: { __rl: true, mode: 'list', value: '' },
			},
			'"Segment" is required but empty',
		],
		[
			{
				events: ['contactAdded'],
				contactTypeId: { __rl: true, mode: 'id', value: 'customers' },
			},
			'"Contact Type (List)" must be a whole number, but it is "customers"',
		],
		[
			{
				events: ['contactAdded'],
				contactTypeId: { __rl: true, mode: 'id', value: '={{ $vars.noType }}' },
			},
			'"Contact Type (List)" contains an expression that returned nothing',
		],
		[
			{
				events: ['statisticsSnapshot'],
				snapshotAges: '24h',
				options: { sentAtTimezone: '={{ $vars.noZone }}' },
			},
			'"Compatibility: Sent At Time Zone" contains an expression that returned nothing',
		],
	])('says what is missing: %#', async (parameters, message) => {
		await expect(new Poller(sandbox, parameters).poll()).rejects.toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringContaining(message),
			description: expect.stringMatching(/\.$/),
		});
	});
});
