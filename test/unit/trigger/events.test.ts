import { detect } from '../../../nodes/EmailMarketing/trigger/events';
import { EMPTY_STATE } from '../../../nodes/EmailMarketing/trigger/state';
import type { Row, TriggerEvent } from '../../../nodes/EmailMarketing/trigger/types';
import { everything, only, poll, pollAll, sendOf, thresholds, time, utr } from './arbitraries';

const names = (events: TriggerEvent[] | undefined) => events?.map(({ event }) => event);

describe('campaigns and automations', () => {
	test('a change of several steps is one event with both statuses and their labels', () => {
		const now = sendOf(1, { status: 2, updated_at: time(90) });
		expect(pollAll('singleSends', [[sendOf(1)], [now]])[1]).toEqual([
			{
				event: 'singleSendStatusChanged',
				eventId: expect.any(String),
				occurredAt: '2026-01-01T00:01:30.000000Z',
				previousStatus: { code: 0, label: 'initiate' },
				status: { code: 2, label: 'running' },
				record: now,
			},
		]);
	});

	test('a completion is an event of its own, whatever status filters say', () => {
		const snapshots = [2, 3, 3].map((status) => [
			sendOf(1, { status }),
			sendOf(2, { status }),
			sendOf(3),
		]);
		const singleSends = { from: ['0'], to: ['1'], only: [utr(2), utr(3)] };
		const options = only(['singleSendCompleted', 'singleSendStatusChanged'], { singleSends });
		expect(pollAll('singleSends', snapshots, options)).toEqual([
			[],
			[
				{
					event: 'singleSendCompleted',
					eventId: expect.any(String),
					occurredAt: time(2),
					previousStatus: { code: 2, label: 'running' },
					status: { code: 3, label: 'completed' },
					record: sendOf(2, { status: 3 }),
				},
			],
			[],
		]);
	});

	test('whatever status a pause leads to is a status of its own', () => {
		const automation = (status: unknown): Row => ({ ...sendOf(1), status }) as Row;
		const [, live, paused, back] = pollAll(
			'automations',
			[0, 1, 7, 1].map((status) => [automation(status)]),
		);
		expect(live?.[0]).toMatchObject({
			event: 'automationStatusChanged',
			previousStatus: { code: 0, label: 'draft' },
			status: { code: 1, label: 'live' },
		});
		expect(paused?.[0]?.status).toEqual({ code: 7, label: 'unknown (7)' });
		expect(back?.[0]?.previousStatus).toEqual({ code: 7, label: 'unknown (7)' });
		expect(
			pollAll('automations', [[automation(1)], [automation('paused')]])[1]?.[0]?.status,
		).toEqual({
			code: 'paused',
			label: 'unknown (paused)',
		});
		expect(pollAll('automations', [[automation(1)], [automation('1')]])[1]).toEqual([]);
	});

	test('a record that was created and changed between two polls has both events', () => {
		const [, events] = pollAll('singleSends', [[], [sendOf(1, { status: 3 })]]);
		expect(names(events)).toEqual([
			'singleSendCreated',
			'singleSendStatusChanged',
			'singleSendCompleted',
		]);
		expect(events?.[1]).toMatchObject({ previousStatus: null, status: { code: 3 } });
		const fromInitiate = { from: ['0'], to: ['3'], only: [] };
		const options = { ...everything, singleSends: fromInitiate };
		expect(names(pollAll('singleSends', [[], [sendOf(1, { status: 3 })]], options)[1])).toContain(
			'singleSendStatusChanged',
		);
	});

	test('a deletion has the utr and the last status, at the second poll without the record', () => {
		const others = [2, 3].map((number) => sendOf(number));
		const lists = [[sendOf(1, { status: 2 }), ...others], others, others, others];
		expect(pollAll('singleSends', lists)).toEqual([
			[],
			[],
			[
				{
					event: 'singleSendDeleted',
					eventId: expect.any(String),
					occurredAt: null,
					previousStatus: { code: 2, label: 'running' },
					status: null,
					record: { utr: utr(1) },
				},
			],
			[],
		]);
	});

	test('most of a list is believed to be deleted at the fifth poll that counts', () => {
		const [one, two, three] = [1, 2, 3].map((number) => sendOf(number)) as [Row, Row, Row];
		const deletions = (...snapshots: Row[][]) =>
			pollAll('automations', [[one, two, three], ...snapshots]).map((events) =>
				events.map(({ record }) => record.utr),
			);
		const all = [one, two, three].map(({ utr }) => utr);
		expect(deletions([], [], [], [], [], [])).toEqual([[], [], [], [], [], all, []]);
		expect(deletions([], [], [], [], [one, two, three], [])).toEqual([[], [], [], [], [], [], []]);
		// One that was missing before is believed to be deleted at most two polls sooner.
		const [, second] = all;
		expect(deletions([one, three], [], [], [])).toEqual([[], [], [], [], [second]]);
		expect(deletions([], [one, three], [one, three])).toEqual([[], [], [], [second]]);
	});

	test('a record marked as deleted counts as gone', () => {
		const gone = { ...sendOf(1), deleted_at: time(5) };
		const events = pollAll('automations', [[sendOf(1)], [gone], [gone]]);
		expect(names(events[2])).toEqual(['automationDeleted']);
	});

	test('utrs that are names of object members are utrs like others', () => {
		const odd = ['__proto__', 'constructor', '7'].map((name, id) => ({ ...sendOf(id), utr: name }));
		const changed = odd.map((row) => ({ ...row, status: 1 }));
		expect(pollAll('singleSends', [odd, odd, changed]).map((events) => events.length)).toEqual([
			0, 0, 3,
		]);
	});
});

describe('first poll', () => {
	const rows = [sendOf(2, { status: 3 }), sendOf(1, { bounces: 9 })];

	test('existing records are remembered and not emitted', () => {
		expect(poll('singleSends', rows).events).toEqual([]);
		expect(poll('contacts', rows).events).toEqual([]);
	});

	test('existing records are emitted too where the user chose that', () => {
		const options = { ...everything, emitExisting: true };
		const { events, state } = poll('singleSends', rows, EMPTY_STATE, options);
		expect(events.map(({ event, record }) => `${event} ${String(record.id)}`)).toEqual([
			'singleSendCreated 1',
			'singleSendStatusChanged 1',
			'singleSendCreated 2',
			'singleSendStatusChanged 2',
			'singleSendCompleted 2',
		]);
		expect(poll('singleSends', rows, state, options).events).toEqual([]);
		expect(names(poll('contacts', rows, EMPTY_STATE, options).events)).toEqual([
			'contactAdded',
			'contactAdded',
		]);
		const updates = only(['contactUpdated'], { emitExisting: true });
		expect(poll('contacts', rows, EMPTY_STATE, updates).events).toHaveLength(2);
	});

	test('a list that is watched later has a first poll of its own; the others go on', () => {
		const { state } = detect(new Map([['singleSends', rows]]), EMPTY_STATE, everything, 0);
		const changed = [sendOf(1, { status: 2 }), sendOf(2, { status: 3 })];
		const { events } = detect(
			new Map([
				['contacts', rows],
				['singleSends', changed],
			]),
			state,
			everything,
			0,
		);
		expect(names(events)).toEqual(['singleSendStatusChanged']);
	});

	test('another account in the credential has a first poll of its own', () => {
		const other = rows.map((row) => ({ ...row, user_id: 8, id: Number(row.id) + 50 }));
		const others = other.map((row) => ({ ...row, utr: utr(Number(row.id)) }));
		expect(pollAll('singleSends', [rows, others, others, others]).flat()).toEqual([]);
		expect(pollAll('contacts', [rows, other, other]).flat()).toEqual([]);
		expect(names(pollAll('contacts', [rows, [...rows, ...other]])[1])).toHaveLength(2);
	});

	test('another account is noticed, also where a record does not show whose it is', () => {
		const [row, ...others] = rows.map((one) => ({ ...one }));
		const unowned = { ...row, user_id: undefined } as Row;
		const other = rows.map((one) => ({ ...one, user_id: 8, id: Number(one.id) + 50 }));
		expect(pollAll('contacts', [[unowned, ...others], other, other]).flat()).toEqual([]);
	});

	test('of lists other than contacts no times are remembered', () => {
		const { state } = poll('globalUnsubscribes', rows);
		const after = { owner: '7', max: 2, gaps: [] };
		expect(state.entries).toEqual({ globalUnsubscribes: after });
		expect(poll('globalUnsubscribes', rows, state).state.entries).toEqual(state.entries);
	});

	test('the state has the status of each record, how often it changed, and nothing else', () => {
		const unwatched = only(['singleSendCreated'], { thresholds });
		expect(poll('singleSends', rows, EMPTY_STATE, unwatched).state.records).toEqual({
			singleSends: {
				owner: '7',
				since: '2026-01-01T12:00:00.000Z',
				records: { [utr(2)]: ['3', 1], [utr(1)]: ['0', 0] },
				absent: {},
				watched: [],
			},
		});
	});
});

describe('the other lists', () => {
	test('contacts of one type only', () => {
		const contact = (id: number, type: number) => ({
			id,
			contact_type_id: type,
			updated_at: time(id),
		});
		const options = { ...everything, contactTypeId: 3 };
		const [, events] = pollAll(
			'contacts',
			[[contact(1, 3)], [2, 3].map((id) => contact(id, id))],
			options,
		);
		expect(events?.map(({ record }) => record.id)).toEqual([3]);
	});

	test.each([
		['globalUnsubscribes', 'globalUnsubscribeAdded'],
		['group:4', 'unsubscribeGroupRecipientAdded'],
		['segment:5', 'segmentRecipientAdded'],
	] as const)('%s report what was added', (source, event) => {
		const [, events] = pollAll(source, [[{ id: 1 }], [{ id: 1 }, { id: 9, created_at: time(3) }]]);
		expect(events).toEqual([
			{
				...{ event, eventId: expect.any(String), occurredAt: time(3) },
				record: { id: 9, created_at: time(3) },
			},
		]);
	});

	test('a sender is verified once, also when it is new', () => {
		const sender = (id: number, is_verified: number) => ({ id, is_verified, updated_at: time(id) });
		const events = pollAll('senders', [
			[sender(1, 0), sender(2, 1)],
			[sender(1, 1), sender(2, 1), sender(3, 1)],
			[sender(1, 0), sender(2, 1), sender(3, 1)],
		]);
		expect(events.map((reported) => reported.map(({ record }) => record.id))).toEqual([
			[],
			[1, 3],
			[],
		]);
		expect(events[1]?.[0]).toMatchObject({
			previousStatus: { code: 0, label: 'unverified' },
			status: { code: 1, label: 'verified' },
		});
	});
});

it('reports as many events as a large import makes', () => {
	const contacts = Array.from({ length: 200_000 }, (_value, index) => ({
		id: index + 1,
		user_id: 7,
	}));
	const [, events] = pollAll('contacts', [contacts.slice(0, 1), contacts]);
	expect(events).toHaveLength(contacts.length - 1);
});

test.each(['group', 'segment'] as const)(
	'entries of two lists of one kind have different IDs of events: %s',
	(kind) => {
		const row = { id: 7, created_at: time(1) } as Row;
		const ids = ([4, 5] as const).map((id) => {
			const source = `${kind}:${id}` as const;
			const { state } = detect(new Map([[source, []]]), EMPTY_STATE, everything, 0);
			const { events } = detect(new Map([[source, [row]]]), state, everything, 0);
			return events.map(({ eventId }) => eventId);
		});
		expect(ids.flat()).toHaveLength(2);
		expect(new Set(ids.flat()).size).toBe(2);
	},
);
