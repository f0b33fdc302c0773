import fc from 'fast-check';

import { detect } from '../../../nodes/EmailMarketing/trigger/events';
import {
	raiseProblems,
	recordPoll,
	stateToStartFrom,
} from '../../../nodes/EmailMarketing/trigger/pollLock';
import { ABSENCE } from '../../../nodes/EmailMarketing/trigger/snapshotDiff';
import { EMPTY_STATE, withLineage } from '../../../nodes/EmailMarketing/trigger/state';
import type { Row } from '../../../nodes/EmailMarketing/trigger/types';
import { everything, sendOf, utr } from './arbitraries';

const HOUR = 3_600_000;

interface Poll {
	/** Whether it failed to say what is missing; the events are those that n8n got. */
	hasFailed: boolean;
	events: string[];
	/** By utr, as after the poll, which is not saved if it has failed. */
	absent: Record<string, number>;
}

/** Polls of one process of n8n, each so long after the one before. */
function pollAll(snapshots: readonly Row[][], apart: readonly number[]): Poll[] {
	const lock: Parameters<typeof recordPoll>[0] = {
		...{ held: true, seen: new Set(), unread: new Set(), reads: new Map(), raised: new Map() },
	};
	let saved = EMPTY_STATE;
	let now = Date.UTC(2026, 0, 1, 12);
	return snapshots.map((rows, index) => {
		now += apart[index] ?? 0;
		const before = stateToStartFrom(lock, saved) ?? saved;
		const found = detect(new Map([['singleSends', rows]]), before, everything, now);
		const { absent = {} } = found.state.records.singleSends ?? {};
		const problems = found.massAbsences.map(
			() => ['missing', { error: new Error(), isFoundOnce: true }] as const,
		);
		try {
			raiseProblems(lock, new Map(problems), now);
		} catch {
			return { hasFailed: true, events: [], absent };
		}
		saved = withLineage(before, found.state);
		recordPoll(lock, { before, after: saved, hasEvents: found.events.length > 0 });
		const events = found.events.map(({ event, record }) => `${event} ${String(record.utr)}`);
		return { hasFailed: false, events, absent };
	});
}

const sends = (...numbers: number[]) => numbers.map((number) => sendOf(number));
const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => from + index);

const anyDistance = fc.oneof(
	fc.integer({ min: 60_000, max: HOUR }),
	fc.integer({ min: HOUR, max: 50 * HOUR }),
);
const distances = fc.array(anyDistance, { minLength: 9, maxLength: 9 });

test('however far apart the polls are, the third one fails, the sixth reports the deletions, and other events come once', () => {
	fc.assert(
		fc.property(distances, fc.integer({ min: 1, max: 12 }), (apart, left) => {
			const most = range(21, 41);
			const known = [...range(1, left), ...most];
			// One more is created before each poll.
			const later = range(1, 8).map((poll) => sends(...range(1, left), ...range(51, 50 + poll)));
			const polls = pollAll([sends(...known), ...later], apart).slice(1);
			expect(polls.map(({ hasFailed }) => hasFailed)).toEqual(
				range(1, 8).map((number) => number === 3),
			);
			const deleted = most.map((number) => `singleSendDeleted ${utr(number)}`);
			const created = (poll: number) => `singleSendCreated ${utr(50 + poll)}`;
			expect(polls.map(({ events }) => events)).toEqual([
				...[[created(1)], [created(2)], [], [created(3), created(4)], [created(5)]],
				...[[created(6), ...deleted], [created(7)], [created(8)]],
			]);
		}),
	);
});

const histories = fc
	.array(fc.subarray(range(1, 6)), { maxLength: 25 })
	.map((lists) => [sends(...range(1, 6)), ...lists.map((numbers) => sends(...numbers))]);

/** Longer absences than those that come about by chance. */
const waves = fc
	.array(fc.tuple(fc.subarray(range(1, 6)), fc.integer({ min: 1, max: 7 })), { maxLength: 5 })
	.map((all) => [
		sends(...range(1, 6)),
		...all.flatMap(([numbers, times]) => Array<Row[]>(times).fill(sends(...numbers))),
	]);

/** The records that were missing from the last three or four polls, each time with most of the list. */
const longAbsent = (absent: Poll['absent']) =>
	Object.keys(absent).filter((key) => [6, 8].includes(absent[key] ?? 0));

const DELETED = 'singleSendDeleted ';
const deletedIn = ({ events }: Poll) =>
	events.filter((event) => event.startsWith(DELETED)).map((event) => event.slice(DELETED.length));

test('no poll fails again for records that have been missing since the last one that did', () => {
	fc.assert(
		fc.property(fc.oneof(histories, waves), anyDistance, (snapshots, apart) => {
			const polls = pollAll(snapshots, Array<number>(snapshots.length).fill(apart));
			let told: string[] = [];
			polls.forEach((poll, index) => {
				const present = (snapshots[index] ?? []).map(({ utr: key }) => String(key));
				const settled = new Set([...present, ...deletedIn(poll)]);
				told = told.filter((key) => !settled.has(key));
				if (!poll.hasFailed) return;
				const long = longAbsent(poll.absent);
				expect(long.filter((key) => told.includes(key))).toEqual([]);
				told = long;
			});
		}),
		{ numRuns: 300 },
	);
});

test('what was missing only together with most of the list is not reported as deleted before a poll has failed for it', () => {
	fc.assert(
		fc.property(fc.oneof(histories, waves), (snapshots) => {
			let told: string[] = [];
			let saved: Poll['absent'] = {};
			for (const poll of pollAll(snapshots, Array<number>(snapshots.length).fill(HOUR))) {
				if (poll.hasFailed) {
					told = Object.keys({ ...saved, ...poll.absent });
					continue;
				}
				told = told.filter((key) => Object.hasOwn(poll.absent, key));
				// Only polls without most of the list add up to this.
				const last = ABSENCE.isDeleted - ABSENCE.uncertain;
				const doubtful = deletedIn(poll).filter(
					(key) => saved[key] === last && poll.absent[key] === ABSENCE.isDeleted,
				);
				expect(told).toEqual(expect.arrayContaining(doubtful));
				saved = poll.absent;
			}
		}),
		{ numRuns: 300 },
	);
});
