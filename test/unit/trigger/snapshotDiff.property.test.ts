import fc from 'fast-check';

import { EVENT_NAMES } from '../../../nodes/EmailMarketing/trigger/sources';
import { EMPTY_STATE } from '../../../nodes/EmailMarketing/trigger/state';
import type { TriggerState } from '../../../nodes/EmailMarketing/trigger/state';
import { toThreshold } from '../../../nodes/EmailMarketing/trigger/milestones';
import type { Row, TriggerEvent } from '../../../nodes/EmailMarketing/trigger/types';
import {
	everything,
	historiesOf,
	only,
	poll,
	pollAll,
	sendHistories,
	sendOf,
	thresholds,
	utr,
} from './arbitraries';

const watch = { ...everything, thresholds };

const nameOf = ({ event, record, previousStatus, status, statistic }: TriggerEvent) =>
	[
		event,
		record.utr,
		previousStatus?.code ?? '-',
		status?.code ?? '-',
		statistic ? `${statistic.unit}${statistic.threshold}` : '-',
	].join(' ');

const sources = ['singleSends', 'automations'] as const;
type Source = (typeof sources)[number];

interface Known {
	status: string;
	reached: Set<string>;
	/** What the polls in a row without it add up to. */
	absence: number;
}

/** The same rules implemented another way, with all of the history. */
function expected(snapshots: Row[][], source: Source = 'singleSends'): string[][] {
	const prefix = source.slice(0, -1);
	const total = source === 'automations' ? 'total_' : '';
	const known = new Map<number, Known>();
	return snapshots.map((rows, index) => {
		const events: string[] = [];
		const first = index === 0;
		for (const row of rows) {
			const number = Number(row.id);
			const report = (event: string, ...parts: unknown[]) => {
				if (!first) events.push([`${prefix}${event}`, utr(number), ...parts].join(' '));
			};
			const code = String(row.status);
			const last = known.get(number);
			const previous = last?.status ?? '-';
			if (!last) report('Created', '-', code, '-');
			if ((last?.status ?? '0') !== code) {
				report('StatusChanged', previous, code, '-');
				if (source === 'singleSends' && code === '3') report('Completed', previous, code, '-');
			}
			const triggered = Number(row[`${total}triggered`]);
			const bounces = Number(row[`${total}bounces`]);
			const reached = last?.reached ?? new Set();
			const passed: Array<[string, boolean]> = [
				['count10', bounces >= 10],
				['percent5', triggered >= 40 && bounces / triggered >= 0.05],
			];
			const isUnsent = source === 'singleSends' && ['0', '1'].includes(code);
			for (const [name, isPast] of passed) {
				if (!isPast || isUnsent || reached.has(name)) continue;
				reached.add(name);
				report('StatisticReached', previous, code, name);
			}
			known.set(number, { status: code, reached, absence: 0 });
		}
		const there = new Set(rows.map(({ id }) => Number(id)));
		const alive = [...known].filter(([, { absence }]) => absence < 10);
		const missing = alive.filter(([number]) => !there.has(number));
		for (const [number, one] of missing) {
			one.absence += missing.length > alive.length / 2 ? 2 : 5;
			if (one.absence < 10) continue;
			events.push([`${prefix}Deleted`, utr(number), one.status, '-', '-'].join(' '));
		}
		return events.sort();
	});
}

const run = (snapshots: Row[][], options = watch, source: Source = 'singleSends') =>
	pollAll(source, snapshots, options);

test.each(sources)('%s: emits what happened between the snapshots, and nothing else', (source) => {
	fc.assert(
		fc.property(historiesOf(source), (snapshots) => {
			expect(run(snapshots, watch, source).map((events) => events.map(nameOf).sort())).toEqual(
				expected(snapshots, source),
			);
		}),
		{ numRuns: 150 },
	);
});

test.each(sources)('%s: the previous status is there whenever one was seen', (source) => {
	fc.assert(
		fc.property(historiesOf(source), (snapshots) => {
			const statuses = new Map(snapshots[0]?.map((row) => [row.utr, row.status]));
			for (const events of run(snapshots, watch, source)) {
				for (const { event, record, previousStatus } of events) {
					const seen = statuses.get(record.utr);
					expect([event, previousStatus?.code]).toEqual([event, seen]);
				}
				for (const { record, status } of events) {
					if (status) statuses.set(record.utr, status.code);
				}
			}
		}),
	);
});

test('no event repeats: what has been emitted is not emitted by the next poll of the same list', () => {
	fc.assert(
		fc.property(sendHistories, fc.boolean(), (snapshots, emitExisting) => {
			const options = { ...watch, emitExisting };
			const twice = run(
				snapshots.flatMap((rows) => [rows, rows, rows]),
				options,
			);
			twice.forEach((events, index) => {
				// Only a deletion takes several polls.
				if (index % 3 === 0) return;
				expect(events.every(({ event }) => event === 'singleSendDeleted')).toBe(true);
			});
		}),
	);
});

test('a poll replayed after a crash before the save emits the same events again, no others', () => {
	fc.assert(
		fc.property(sendHistories, fc.infiniteStream(fc.boolean()), (snapshots, crashes) => {
			const undisturbed = run(snapshots);
			let saved: TriggerState = EMPTY_STATE;
			snapshots.forEach((rows, index) => {
				while (crashes.next().value) {
					expect(poll('singleSends', rows, saved, watch).events).toEqual(undisturbed[index]);
				}
				const { events, state } = poll('singleSends', rows, saved, watch);
				expect(events).toEqual(undisturbed[index]);
				saved = state;
			});
		}),
	);
});

test('polls lost together with their state lose nothing but the steps in between', () => {
	fc.assert(
		fc.property(sendHistories, fc.infiniteStream(fc.boolean()), (snapshots, lost) => {
			const seen = snapshots.filter((_, index) => index === 0 || !lost.next().value);
			expect(
				run(seen)
					.map((events) => events.map(nameOf).sort())
					.flat(),
			).toEqual(expected(seen).flat());
		}),
	);
});

test('events come oldest first, those without a time last', () => {
	fc.assert(
		fc.property(sendHistories, (snapshots) => {
			for (const events of run(snapshots)) {
				const times = events.map(({ occurredAt }) => occurredAt ?? '~');
				expect(times).toEqual([...times].sort());
			}
		}),
	);
});

test('the state does not depend on the chosen events and filters', () => {
	const selections = fc.record({
		events: fc.subarray(EVENT_NAMES).map((names) => new Set(names)),
		singleSends: fc.record({
			from: fc.subarray(['0', '1', 'other']),
			to: fc.subarray(['2', '3']),
			only: fc.subarray([utr(1), utr(2)]),
		}),
	});
	fc.assert(
		fc.property(sendHistories, fc.infiniteStream(selections), (snapshots, edits) => {
			let plain: TriggerState = EMPTY_STATE;
			let edited: TriggerState = EMPTY_STATE;
			for (const rows of snapshots) {
				plain = poll('singleSends', rows, plain).state;
				edited = poll('singleSends', rows, edited, { ...everything, ...edits.next().value }).state;
				expect(edited.records).toEqual(plain.records);
			}
		}),
	);
});

test('a filtered trigger emits what an unfiltered one does, less what the filter stops', () => {
	fc.assert(
		fc.property(sendHistories, (snapshots) => {
			const filter = { from: ['1'], to: ['2', 'other'], only: [utr(1), utr(2)] };
			const options = only(['singleSendStatusChanged'], { singleSends: filter });
			const unfiltered = run(snapshots, only(['singleSendStatusChanged']));
			expect(run(snapshots, options)).toEqual(
				unfiltered.map((events) =>
					events.filter(
						({ previousStatus, status, record }) =>
							previousStatus?.code === 1 &&
							(status?.code === 2 || status?.code === 4) &&
							(record.id === 1 || record.id === 2),
					),
				),
			);
		}),
	);
});

test('a record missing once and back is neither deleted nor created, and keeps its memory', () => {
	fc.assert(
		fc.property(sendHistories, fc.infiniteStream(fc.boolean()), (snapshots, flickers) => {
			const whole = snapshots.map(() => [1, 2, 3].map((number) => sendOf(number, { bounces: 12 })));
			const flickering = whole.flatMap((rows) => [rows, rows.filter(() => !flickers.next().value)]);
			expect(run([...flickering, whole[0] ?? []]).flat()).toEqual([]);
		}),
	);
});

test('nothing that is missing from any number of polls is new when it comes back', () => {
	const gaps = fc.array(fc.tuple(fc.subarray([1, 2, 3, 4]), fc.integer({ min: 1, max: 12 })), {
		maxLength: 6,
	});
	fc.assert(
		fc.property(gaps, (all) => {
			const whole = [1, 2, 3, 4].map((number) => sendOf(number, { status: 3, bounces: 12 }));
			const lists = all.flatMap(([left, polls]) => [
				...Array<Row[]>(polls).fill(whole.filter(({ id }) => left.includes(Number(id)))),
				whole,
			]);
			const events = run([whole, ...lists]).flat();
			expect(events.filter(({ event }) => event !== 'singleSendDeleted')).toEqual([]);
			const ids = events.map(({ eventId }) => eventId);
			expect(new Set(ids).size).toBe(ids.length);
		}),
	);
});

test('most of a list is never reported as deleted within four polls', () => {
	const lists = fc.array(fc.subarray([1, 2, 3, 4, 5], { maxLength: 2 }), { maxLength: 4 });
	fc.assert(
		fc.property(lists, (partial) => {
			const whole = [1, 2, 3, 4, 5].map((number) => sendOf(number));
			const seen = partial.map((left) => whole.filter(({ id }) => left.includes(Number(id))));
			expect(run([whole, ...seen, whole, ...seen]).flat()).toEqual([]);
		}),
	);
});

test('deleted records are remembered, up to 10,000', () => {
	const many = Array.from({ length: 10_050 }, (_, index) => sendOf(index + 1));
	let { state } = poll('singleSends', many);
	for (let count = 0; count < 5; count++) ({ state } = poll('singleSends', [], state));
	expect(Object.keys(state.records.singleSends?.records ?? {})).toHaveLength(10_000);
	expect(Object.keys(state.records.singleSends?.absent ?? {})).toHaveLength(10_000);
	const { events } = poll('singleSends', many.slice(40, 60), state);
	expect(events.map(({ event, record }) => `${event} ${String(record.id)}`)).toEqual(
		Array.from({ length: 10 }, (_, index) => `singleSendCreated ${index + 41}`),
	);
});

test('the state keeps at most 55 bytes for each record, and three for each threshold', () => {
	const send = fc.record({
		id: fc.integer({ min: 1, max: 2 ** 31 }),
		utr: fc.uuid(),
		status: fc.integer({ min: 0, max: 99 }),
		bounces: fc.integer({ min: 0, max: 29 }),
	});
	const many = Array.from({ length: 30 }, (_, index) =>
		toThreshold('singleSends', {
			...{ statistic: 'bounces', unit: 'count' as const, value: index + 1, minimumMessages: 0 },
		}),
	);
	const sends = fc.uniqueArray(send, { selector: (row) => row.utr, minLength: 1, maxLength: 60 });
	fc.assert(
		fc.property(sends, (rows) => {
			const options = { ...everything, thresholds: { singleSends: many, automations: [] } };
			const { records } = poll('singleSends', rows, EMPTY_STATE, options).state;
			const bytes = Buffer.byteLength(JSON.stringify(records.singleSends?.records));
			const reached = rows.reduce((sum, { bounces }) => sum + bounces, 0);
			expect(bytes).toBeLessThanOrEqual(rows.length * 55 + reached * 3);
		}),
	);
});
