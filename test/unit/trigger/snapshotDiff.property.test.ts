import fc from 'fast-check';

import { EMPTY_STATE, EVENT_NAMES } from '../../../nodes/EmailMarketing/trigger/state';
import type { TriggerState } from '../../../nodes/EmailMarketing/trigger/state';
import { toThreshold } from '../../../nodes/EmailMarketing/trigger/thresholds';
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

const sources = [
	['singleSends', 'singleSend'],
	['automations', 'automation'],
] as const;
type Source = (typeof sources)[number][0];

/** Whether a record is deleted after these polls in a row without it: was the list empty at each of them? */
const isDeleted = (source: Source, emptied: boolean[]) =>
	source === 'automations' && emptied.includes(true) ? emptied.length === 3 : emptied.length === 2;

/** The same rules implemented another way: the whole history of each record, by itself. */
function expected(snapshots: Row[][], source: Source = 'singleSends'): string[][] {
	const prefix = source.slice(0, -1);
	const total = source === 'automations' ? 'total_' : '';
	const events: string[][] = snapshots.map(() => []);
	for (const number of [1, 2, 3, 4, 5]) {
		let last: string | undefined;
		let absences: boolean[] = [];
		let reached = new Set<string>();
		snapshots.forEach((rows, index) => {
			const row = rows.find((candidate) => candidate.id === number);
			const report = (event: string, ...parts: unknown[]) =>
				events[index]?.push([`${prefix}${event}`, utr(number), ...parts].join(' '));
			if (!row) {
				absences.push(rows.length === 0);
				if (last !== undefined && isDeleted(source, absences)) {
					report('Deleted', last, '-', '-');
					last = undefined;
					reached = new Set();
				}
				return;
			}
			absences = [];
			const code = String(row.status);
			const previous = last ?? '-';
			const first = index === 0;
			if (!first && last === undefined) report('Created', '-', code, '-');
			if (!first && (last ?? '0') !== code) {
				report('StatusChanged', previous, code, '-');
				if (source === 'singleSends' && code === '3') report('Completed', previous, code, '-');
			}
			last = code;
			const triggered = Number(row[`${total}triggered`]);
			const bounces = Number(row[`${total}bounces`]);
			const passed: Array<[string, boolean]> = [
				['count10', bounces >= 10],
				['percent5', triggered >= 40 && bounces / triggered >= 0.05],
			];
			for (const [name, isPast] of passed) {
				if (!isPast || reached.has(name)) continue;
				reached.add(name);
				if (!first) report('StatisticReached', previous, code, name);
			}
		});
	}
	return events.map((names) => names.sort());
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
		{ numRuns: 500 },
	);
});

test.each(sources)('%s: the previous status is there whenever one was seen', (source, prefix) => {
	fc.assert(
		fc.property(historiesOf(source), (snapshots) => {
			const statuses = new Map(snapshots[0]?.map((row) => [row.utr, row.status]));
			for (const events of run(snapshots, watch, source)) {
				for (const { event, record, previousStatus } of events) {
					const seen = statuses.get(record.utr);
					expect([event, previousStatus?.code]).toEqual([event, seen]);
				}
				for (const { event, record, status } of events) {
					if (event === `${prefix}Deleted`) statuses.delete(record.utr);
					else if (status) statuses.set(record.utr, status.code);
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
				// Only a deletion takes a second poll.
				if (index % 3 === 1) {
					expect(events.every(({ event }) => event === 'singleSendDeleted')).toBe(true);
				}
				if (index % 3 === 2) expect(events).toEqual([]);
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

test('the state keeps at most 60 bytes for each record', () => {
	const send = fc.record({
		id: fc.integer({ min: 1, max: 2 ** 31 }),
		utr: fc.uuid(),
		status: fc.integer({ min: 0, max: 99 }),
		bounces: fc.integer({ min: 0, max: 1000 }),
		delivered: fc.integer({ min: 0, max: 1000 }),
	});
	const many = Array.from({ length: 30 }, (_, index) =>
		toThreshold('singleSends', {
			statistic: 'bounces',
			unit: 'count',
			value: index,
			minimumMessages: 0,
		}),
	);
	const sends = fc.uniqueArray(send, { selector: (row) => row.utr, minLength: 1, maxLength: 60 });
	fc.assert(
		fc.property(sends, (rows) => {
			const options = { ...everything, thresholds: { singleSends: many, automations: [] } };
			const first = poll('singleSends', rows, EMPTY_STATE, options).state;
			const missing = poll('singleSends', [], first, options).state;
			for (const { records } of [first, missing]) {
				const bytes = Buffer.byteLength(JSON.stringify(records.singleSends?.records));
				expect(bytes / rows.length).toBeLessThanOrEqual(60);
			}
			const gone = poll('singleSends', [], missing, options).state;
			expect(gone.records.singleSends?.records).toEqual({});
		}),
	);
});
