import fc from 'fast-check';

import { momentReader } from '../../../nodes/EmailMarketing/params/time';
import { parseAges } from '../../../nodes/EmailMarketing/trigger/ageParameters';
import { EMPTY_STATE } from '../../../nodes/EmailMarketing/trigger/state';
import type { TriggerState } from '../../../nodes/EmailMarketing/trigger/state';
import type { Row, TriggerEvent } from '../../../nodes/EmailMarketing/trigger/types';
import { only, poll, sendOf, utr } from './arbitraries';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);
const read = momentReader('UTC', 'Sent At Time Zone');
const sentAt = ({ sent_at }: Row) => read(sent_at);
const watching = (ages: number[], rest = {}) =>
	only(['statisticsSnapshot'], { ages, sentAt, ...rest });

const textOf = (minutes: number) =>
	new Date(START + minutes * MINUTE).toISOString().slice(0, 19).replace('T', ' ');

/** Campaigns that appear at some minute and are sent at a later one, or never. */
const campaigns = fc.array(
	fc.record({ made: fc.nat(200), wait: fc.option(fc.nat(100), { freq: 4 }) }),
	{ minLength: 1, maxLength: 4 },
);
type Campaign = { made: number; wait: number | null };

const rowsAt = (made: Campaign[], minute: number): Row[] =>
	made.flatMap(({ made, wait }, index) => {
		if (minute < made) return [];
		const isSent = wait !== null && minute >= made + wait;
		const sent_at = isSent ? textOf(made + wait) : '0000-00-00 00:00:00';
		return [sendOf(index + 1, { sent_at, status: isSent ? 3 : 1, delivered: 50, unsubscribes: 2 })];
	});

const agesOf = fc
	.uniqueArray(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 4 })
	.map((ages) => ages.sort((a, b) => a - b));
const pollTimes = fc
	.uniqueArray(fc.nat(400), { minLength: 2, maxLength: 12 })
	.map((times) => times.sort((a, b) => a - b));

const ageOf = ({ snapshot }: TriggerEvent) => Math.round((snapshot?.ageHours ?? NaN) * 60);
const nameOf = (event: TriggerEvent) => `${String(event.record.utr)} ${ageOf(event)}`;
const pollAt = (made: Campaign[], minute: number, state: TriggerState, watch = watching([])) =>
	poll('singleSends', rowsAt(made, minute), state, watch, START + minute * MINUTE);

/** The minute at which each age of each campaign is due, by its name. */
const dueMinutes = (made: Campaign[], ages: number[]) =>
	new Map(
		made.flatMap(({ made, wait }, index) =>
			wait === null
				? []
				: ages.map((age) => [`${utr(index + 1)} ${age}`, made + wait + age] as const),
		),
	);

test('every age that is due between two polls is emitted once, at the first poll after it', () => {
	fc.assert(
		fc.property(campaigns, agesOf, pollTimes, fc.boolean(), (made, ages, times, emitExisting) => {
			const watch = watching(ages, { emitExisting });
			let state = EMPTY_STATE;
			let last = emitExisting ? -1 : (times[0] ?? 0);
			times.forEach((minute, index) => {
				const result = pollAt(made, minute, state, watch);
				const wanted = [...dueMinutes(made, ages)]
					.filter(([, due]) => due > last && due <= minute)
					.map(([name]) => name);
				expect(result.events.map(nameOf).sort()).toEqual(wanted.sort());
				({ state } = result);
				if (index > 0 || emitExisting) last = minute;
			});
		}),
		{ numRuns: 150 },
	);
});

test('a snapshot says when it was due, how late the poll was, and what the rates are', () => {
	const made = [{ made: 0, wait: 10 }];
	const { state } = pollAt(made, 20, EMPTY_STATE, watching([60]));
	expect(pollAt(made, 69, state, watching([60])).events).toEqual([]);
	const [event] = pollAt(made, 73, state, watching([60])).events;
	expect(event).toMatchObject({
		event: 'statisticsSnapshot',
		occurredAt: '2026-01-01T01:10:00.000Z',
		previousStatus: { code: 3, label: 'completed' },
		status: { code: 3, label: 'completed' },
		record: { utr: utr(1), delivered: 50 },
	});
	expect(event?.snapshot).toEqual({
		ageHours: 1,
		dueAt: '2026-01-01T01:10:00.000Z',
		polledAt: '2026-01-01T01:13:00.000Z',
		lateMinutes: 3,
		openRatePercent: null,
		unsubscribeRatePercent: 4,
		bounceRatePercent: null,
		deliveryRatePercent: null,
		opensPerDelivered: null,
	});
});

test('a clock that jumps back neither repeats nor loses', () => {
	fc.assert(
		fc.property(campaigns, agesOf, pollTimes, fc.array(fc.nat(200)), (made, ages, times, jumps) => {
			const watch = watching(ages);
			const emitted: string[] = [];
			let state = pollAt(made, 0, EMPTY_STATE, watch).state;
			times.forEach((minute, index) => {
				const rows = rowsAt(made, minute);
				for (const back of [0, jumps[index] ?? 0]) {
					const now = START + (minute - back) * MINUTE;
					const result = poll('singleSends', rows, state, watch, now);
					emitted.push(...result.events.map(nameOf));
					({ state } = result);
				}
			});
			const end = times.at(-1) ?? 0;
			const wanted = [...dueMinutes(made, ages)].filter(([, due]) => due > 0 && due <= end);
			expect(emitted.sort()).toEqual(wanted.map(([name]) => name).sort());
		}),
	);
});

test('from an older state, what came after it is emitted again, and nothing is lost', () => {
	fc.assert(
		fc.property(campaigns, agesOf, pollTimes, fc.array(fc.nat(11)), (made, ages, times, kills) => {
			const watch = watching(ages);
			const first = pollAt(made, 0, EMPTY_STATE, watch).state;
			/** Each state, with what had been emitted by then. */
			const saved = [{ state: first, emitted: [] as string[] }];
			times.forEach((minute, index) => {
				const from = saved[Math.max(0, saved.length - 1 - (kills[index] ?? 0))] ?? saved[0];
				const { events, state } = pollAt(made, minute, from?.state ?? first, watch);
				const names = events.map(nameOf);
				expect(names.filter((name) => from?.emitted.includes(name))).toEqual([]);
				saved.push({ state, emitted: [...(from?.emitted ?? []), ...names] });
			});
			const end = times.at(-1) ?? 0;
			const wanted = [...dueMinutes(made, ages)].filter(([, due]) => due > 0 && due <= end);
			expect(saved.at(-1)?.emitted.sort()).toEqual(wanted.map(([name]) => name).sort());
		}),
	);
});

test('however the ages are edited, none is emitted twice, and none that was over before it was added', () => {
	const edits = fc.array(agesOf, { minLength: 12, maxLength: 12 });
	const absences = fc.array(fc.subarray([0, 1, 2, 3]), { minLength: 12, maxLength: 12 });
	fc.assert(
		fc.property(campaigns, edits, pollTimes, absences, (made, settings, times, absent) => {
			const emitted: string[] = [];
			/** The ages that each campaign which was seen can still reach, by its place. */
			const open = new Map<number, number[]>();
			let known: number[] = [];
			let state = EMPTY_STATE;
			const pool = [...new Set(settings.flat())].slice(0, 10);
			times.forEach((minute, index) => {
				const ages = (settings[index] ?? []).filter((age) => pool.includes(age));
				const missing = (place: number) => absent[index]?.includes(place) === true;
				const rows = rowsAt(made, minute).filter(({ id }) => !missing(Number(id) - 1));
				const now = START + minute * MINUTE;
				const result = poll('singleSends', rows, state, watching(ages), now);
				const wanted = made.flatMap(({ made: start, wait }, place) => {
					const left = (open.get(place) ?? known).filter((age) => ages.includes(age));
					if (minute < start || missing(place)) {
						if (open.has(place)) open.set(place, left);
						return [];
					}
					const isDue = (age: number) => wait !== null && start + wait + age <= minute;
					open.set(
						place,
						ages.filter((age) => !isDue(age)),
					);
					return left.filter(isDue).map((age) => `${utr(place + 1)} ${age}`);
				});
				expect(result.events.map(nameOf).sort()).toEqual(wanted.sort());
				emitted.push(...wanted);
				known = ages;
				({ state } = result);
			});
			expect(new Set(emitted).size).toBe(emitted.length);
		}),
		{ numRuns: 150 },
	);
});

test('an age that was removed is forgotten, and new when it is added again', () => {
	const made = [{ made: 0, wait: 0 }];
	let { state } = pollAt(made, 0, EMPTY_STATE, watching([5, 20, 50]));
	({ state } = pollAt(made, 6, state, watching([20, 50])));
	expect(state.records.singleSends?.watched).toEqual(['20m', '50m']);
	const added = pollAt(made, 21, state, watching([5, 20, 50]));
	expect(added.events.map(ageOf)).toEqual([20]);
	expect(pollAt(made, 51, added.state, watching([5, 20, 50])).events.map(ageOf)).toEqual([50]);
});

test('a campaign that is missing from some polls keeps its memory', () => {
	const made = [{ made: 0, wait: 0 }];
	const watch = watching([5, 50]);
	let { state } = pollAt(made, 0, EMPTY_STATE, watch);
	({ state } = pollAt(made, 6, state, watch));
	({ state } = poll('singleSends', [], state, watch, START + 10 * MINUTE));
	const { events } = pollAt(made, 55, state, watch);
	expect(events.map(ageOf)).toEqual([50]);
});

test('a campaign that is missing for good and comes back has no age again', () => {
	const made = [{ made: 0, wait: 0 }];
	const watch = watching([5, 50]);
	let { state } = pollAt(made, 0, EMPTY_STATE, watch);
	({ state } = pollAt(made, 6, state, watch));
	for (let minute = 7; minute < 30; minute++) {
		({ state } = poll('singleSends', [], state, watch, START + minute * MINUTE));
	}
	expect(pollAt(made, 55, state, watch).events.map(ageOf)).toEqual([50]);
});

describe('what is entered', () => {
	test.each([
		['1h, 24h, 7d', [60, 1440, 10080]],
		['7d;1h\n30 min', [30, 60, 10080]],
		['1 day, 24 hours, 1.5H', [90, 1440]],
		[
			['2d', '1h'],
			[60, 2880],
		],
	])('%j is understood', (value, ages) => {
		expect(parseAges(value)).toEqual(ages);
	});

	test.each([
		['', '"Snapshot Ages" is required but empty'],
		['24', '"Snapshot Ages" has an age that is not valid: "24"'],
		['1h, soon', '"Snapshot Ages" has an age that is not valid: "soon"'],
		['0h', '"Snapshot Ages" must be between 1 minute and 365 days, but one is "0h"'],
		['366d', '"Snapshot Ages" must be between 1 minute and 365 days, but one is "366d"'],
		['1h,2h,3h,4h,5h,6h,7h,8h,9h,10h,11h', '"Snapshot Ages" can have at most 10 ages'],
	])('%j is refused', (value, message) => {
		expect(() => parseAges(value)).toThrow(message);
	});

	test.each([
		['UTC', '2026-07-01 09:30:00', '2026-07-01T09:30:00.000Z'],
		['Europe/Berlin', '2026-07-01 09:30:00', '2026-07-01T07:30:00.000Z'],
		['Europe/Berlin', '2026-01-01 09:30:00', '2026-01-01T08:30:00.000Z'],
		['Asia/Kolkata', '2026-07-01T09:30:00', '2026-07-01T04:00:00.000Z'],
		['Asia/Kolkata', '2026-07-01T09:30:00.000000Z', '2026-07-01T09:30:00.000Z'],
	])('a time in %s: %s', (zone, text, iso) => {
		expect(new Date(momentReader(zone, 'Sent At Time Zone')(text) ?? NaN).toISOString()).toBe(iso);
	});

	test.each(['', null, '0000-00-00 00:00:00', '1970-01-01 00:00:00', '2026-02-31 10:00:00', 5, {}])(
		'%j is no time of sending',
		(value) => {
			expect(read(value)).toBeUndefined();
		},
	);
});
