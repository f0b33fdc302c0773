import { detect } from '../../../nodes/EmailMarketing/trigger/events';
import { EMPTY_STATE } from '../../../nodes/EmailMarketing/trigger/state';
import type { Row, TriggerEvent } from '../../../nodes/EmailMarketing/trigger/types';
import { everything, only, poll, pollAll, sendOf, thresholds, time, utr } from './arbitraries';

const names = (events: TriggerEvent[] | undefined) => events?.map(({ event }) => event);

describe('single sends and automations', () => {
	test('a change of several steps is one event with both statuses and their labels', () => {
		const now = sendOf(1, { status: 2, updated_at: time(90) });
		expect(pollAll('singleSends', [[sendOf(1)], [now]])[1]).toEqual([
			{
				event: 'singleSendStatusChanged',
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
		const [, once, twice, later] = pollAll('singleSends', [[sendOf(1, { status: 2 })], [], [], []]);
		expect(once).toEqual([]);
		expect(twice).toEqual([
			{
				event: 'singleSendDeleted',
				occurredAt: null,
				previousStatus: { code: 2, label: 'running' },
				status: null,
				record: { utr: utr(1) },
			},
		]);
		expect(later).toEqual([]);
	});

	test('an empty list of automations deletes them at the third such poll in a row only', () => {
		const [one, two] = [sendOf(1), sendOf(2)];
		const deletions = (...snapshots: Row[][]) =>
			pollAll('automations', [[one, two], ...snapshots]).map((events) =>
				events.map(({ record }) => record.utr),
			);
		expect(deletions([], [], [], [])).toEqual([[], [], [], [utr(1), utr(2)], []]);
		expect(deletions([], [], [one, two], [], [])).toEqual([[], [], [], [], [], []]);
		// The one that was missing before is not taken for deleted sooner by a list that may be a failure.
		expect(deletions([two], [], [], [])).toEqual([[], [], [], [utr(1)], [utr(2)]]);
		expect(deletions([], [two], [two])).toEqual([[], [], [], [utr(1)]]);
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
		const after = { owner: 7, ids: { max: 2, gaps: [] } };
		expect(state.entries).toEqual({ globalUnsubscribes: after });
		expect(poll('globalUnsubscribes', rows, state).state.entries).toEqual(state.entries);
	});

	test('thresholds are remembered only while their event is watched', () => {
		const unwatched = only(['singleSendCreated'], { thresholds });
		expect(poll('singleSends', rows, EMPTY_STATE, unwatched).state.records).toEqual({
			singleSends: { owner: 7, records: { [utr(2)]: '3', [utr(1)]: '0' } },
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
			{ event, occurredAt: time(3), record: { id: 9, created_at: time(3) } },
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

describe('malformed responses', () => {
	const contactOf = (id: number, fields: Row = {}): Row => ({
		...{ id, user_id: 7, updated_at: time(id) },
		...fields,
	});

	test('a record that is listed twice is one', () => {
		const twice = [contactOf(2), contactOf(2)];
		expect(names(pollAll('contacts', [[contactOf(1)], [contactOf(1), ...twice]])[1])).toEqual([
			'contactAdded',
		]);
	});

	test('an invalid time does not become the newest one seen', () => {
		const odd = contactOf(1, { updated_at: 'zzz' });
		const changed = contactOf(2, { updated_at: time(60) });
		expect(
			names(
				pollAll('contacts', [
					[contactOf(1), contactOf(2)],
					[odd, contactOf(2)],
					[odd, changed],
				])[2],
			),
		).toEqual(['contactUpdated']);
	});

	test.each<unknown>([undefined, null, '', {}, { toString: 1 }, '1!', '1~2'])(
		'a status of %j is invalid: the last one is remembered',
		(status) => {
			const odd = { ...sendOf(1), status } as Row;
			const done = sendOf(1, { status: 2 });
			const [, none, last] = pollAll('singleSends', [[sendOf(1, { status: 1 })], [odd], [done]]);
			expect(none).toEqual([]);
			expect(last?.map(({ previousStatus }) => previousStatus)).toEqual([
				{ code: 1, label: 'ready to send' },
			]);
		},
	);

	test.each([false, 0, ''])('a record that was deleted at %j is there', (deleted_at) => {
		const there = { ...sendOf(1), deleted_at } as unknown as Row;
		expect(pollAll('singleSends', [[sendOf(1)], [there], [there]]).flat()).toEqual([]);
	});

	test('a statistic that is no number counts as 0', () => {
		const odd = { ...sendOf(1), bounces: { valueOf: 1, toString: 1 } } as unknown as Row;
		const watch = { ...everything, thresholds };
		expect(pollAll('singleSends', [[sendOf(1)], [odd]], watch)[1]).toEqual([]);
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
