import fc from 'fast-check';

import { EMPTY_STATE } from '../../../nodes/EmailMarketing/trigger/state';
import type { Row } from '../../../nodes/EmailMarketing/trigger/types';
import { poll, time } from './arbitraries';

const DAY = 24 * 60 * 60;
const START = Date.UTC(2026, 0, 1);

/** Contacts of which some get a change date that is days or centuries ahead. */
class Account {
	readonly contacts = new Map<number, Row>();
	/** Seconds since the start, which no two changes share. */
	seconds = 0;

	constructor(size: number) {
		for (let id = 1; id <= size; id++) this.write(id, this.seconds);
	}

	write(id: number, seconds: number) {
		const at = time(seconds);
		this.contacts.set(id, { id, user_id: 7, contact_type_id: 1, updated_at: at });
	}

	update(id: number) {
		this.write(id, (this.seconds += 1));
	}

	list = () => [...this.contacts.values()];
}

interface Step {
	/** Contacts that are updated. */
	updated: number[];
	/** Contacts whose change date is so many seconds ahead. */
	ahead: Array<[id: number, seconds: number]>;
	/** Contacts that are missing from the response. */
	missing: number[];
	/** Seconds until the next step. */
	pause: number;
}

const stepsOf = (ids: fc.Arbitrary<number>, ahead: fc.Arbitrary<number>, most: number) =>
	fc.array(
		fc.record<Step>({
			updated: fc.uniqueArray(ids, { maxLength: 5 }),
			ahead: fc.array(fc.tuple(ids, ahead), { maxLength: most }),
			missing: fc.uniqueArray(ids, { maxLength: 2 }),
			pause: fc.oneof(fc.constant(60), fc.integer({ min: 60, max: 4 * DAY })),
		}),
		{ minLength: 1, maxLength: 12 },
	);

const versionOf = ({ id, updated_at }: Row) => `${Number(id)} ${String(updated_at)}`;

/** Plays the steps; `wrong` are versions that a poll should have reported, or should not have. */
function play(size: number, steps: Step[], now: (seconds: number) => number) {
	const account = new Account(size);
	let { state } = poll('contacts', account.list(), EMPTY_STATE, undefined, now(0));
	const known = new Set(account.list().map(versionOf));
	const wrong: string[] = [];
	const late: string[] = [];
	for (const { updated, ahead, missing, pause } of steps) {
		account.seconds += pause;
		const polledAt = now(account.seconds + 10);
		for (const id of updated) account.update(id);
		ahead.forEach(([id, seconds], index) => account.write(id, account.seconds + seconds + index));
		const isMissing = (id: number) => missing.includes(id) && !updated.includes(id);
		const rows = account.list().filter(({ id }) => !isMissing(Number(id)));
		const result = poll('contacts', rows, state, undefined, polledAt);
		state = result.state;
		const reported = result.events.map(({ record }) => versionOf(record));
		const expected = rows.map(versionOf).filter((version) => !known.has(version));
		wrong.push(...reported.filter((version) => !expected.includes(version)));
		late.push(...expected.filter((version) => !reported.includes(version)));
		for (const version of reported) known.add(version);
	}
	const bytes = JSON.stringify(state.entries.contacts?.updated?.ahead ?? []).length;
	return { wrong, late, bytes };
}

const clockOf = (seconds: number) => START + seconds * 1000;

test('of up to 20 contacts, each change date is reported once, however far ahead', () => {
	const id = fc.integer({ min: 1, max: 20 });
	const ahead = fc.oneof(
		fc.integer({ min: DAY + 60, max: 5 * DAY }),
		fc.integer({ min: 5 * DAY, max: 70_000 * DAY }),
	);
	const steps = stepsOf(id, ahead, 4).map((all) => all.map((step) => ({ ...step, missing: [] })));
	fc.assert(
		fc.property(steps, (history) => {
			expect(play(20, history, clockOf)).toMatchObject({ wrong: [], late: [] });
		}),
		{ numRuns: 300 },
	);
});

test('any number of contacts centuries ahead hide no other updates, and none is reported twice', () => {
	const id = fc.integer({ min: 1, max: 150 });
	const ahead = fc.integer({ min: 10_000 * DAY, max: 70_000 * DAY });
	fc.assert(
		fc.property(stepsOf(id, ahead, 60), (history) => {
			const { wrong, late, bytes } = play(150, history, clockOf);
			expect(wrong).toEqual([]);
			expect(late.filter((version) => version.includes(' 2026-'))).toEqual([]);
			expect(bytes).toBeLessThan(1600);
		}),
		{ numRuns: 200 },
	);
});

test('a clock of n8n that is wrong, by whatever time, neither hides nor repeats an update', () => {
	const id = fc.integer({ min: 1, max: 150 });
	const steps = stepsOf(id, fc.constant(0), 0).map((all) =>
		all.map((step) => ({ ...step, missing: [] })),
	);
	fc.assert(
		fc.property(steps, fc.integer({ min: -9000 * DAY, max: 9000 * DAY }), (history, offset) => {
			const result = play(150, history, (seconds) => clockOf(seconds + offset));
			expect(result).toMatchObject({ wrong: [], late: [] });
		}),
		{ numRuns: 300 },
	);
});

test('a clock of n8n that jumps repeats no update', () => {
	const id = fc.integer({ min: 1, max: 60 });
	const steps = stepsOf(id, fc.constant(0), 0).map((all) =>
		all.map((step) => ({ ...step, missing: [] })),
	);
	const jumps = fc.infiniteStream(fc.constantFrom(0, 0, 300 * DAY, -300 * DAY));
	fc.assert(
		fc.property(steps, jumps, (history, jump) => {
			const { wrong } = play(60, history, (seconds) => clockOf(seconds + jump.next().value));
			expect(wrong).toEqual([]);
		}),
		{ numRuns: 300 },
	);
});
