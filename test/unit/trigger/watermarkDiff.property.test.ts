import fc from 'fast-check';

import type { Row, TriggerEvent } from '../../../nodes/EmailMarketing/trigger/types';
import { poll, pollAll, time } from './arbitraries';

/** An account of which other accounts' contacts take ids too; each step is a minute. */
class Account {
	contacts = new Map<number, Row>();
	private nextId = 1;
	private seconds = 0;
	private late: number[] = [];

	constructor(size: number, stride: number) {
		for (let count = 0; count < size; count++) this.add(stride);
	}

	private now = () => time(this.seconds);

	add(stride = 1) {
		this.nextId += stride;
		this.put(this.nextId);
	}

	private put(id: number) {
		const at = this.now();
		this.contacts.set(id, { id, user_id: 7, contact_type_id: 1, created_at: at, updated_at: at });
	}

	/** Takes an id now that is only saved with `saveLate`, as a slow transaction does. */
	reserve() {
		this.late.push((this.nextId += 1));
		this.add();
	}

	saveLate() {
		const id = this.late.shift();
		if (id !== undefined) this.put(id);
	}

	update(chosen: (index: number) => boolean) {
		[...this.contacts.values()]
			.filter((_, index) => chosen(index))
			.forEach((row) => {
				this.contacts.set(Number(row.id), { ...row, updated_at: this.now() });
			});
	}

	remove(index: number) {
		this.contacts.delete([...this.contacts.keys()][index] ?? 0);
	}

	tick = () => (this.seconds += 60);

	list = () => [...this.contacts.values()].reverse();
}

const act = fc.oneof(
	fc.record({ kind: fc.constant('add' as const), count: fc.integer({ min: 1, max: 2 }) }),
	fc.record({ kind: fc.constant('update' as const), every: fc.integer({ min: 1, max: 7 }) }),
	fc.record({ kind: fc.constant('remove' as const), index: fc.nat(20) }),
	fc.record({ kind: fc.constant('reserve' as const) }),
	fc.record({ kind: fc.constant('saveLate' as const) }),
);

const histories = fc.record({
	size: fc.constantFrom(0, 1, 20, 400),
	stride: fc.integer({ min: 1, max: 3 }),
	minutes: fc.array(fc.array(act, { maxLength: 4 }), { minLength: 1, maxLength: 10 }),
});

type History = typeof histories extends fc.Arbitrary<infer T> ? T : never;

function play({ size, stride, minutes }: History) {
	const account = new Account(size, stride);
	const snapshots = [account.list()];
	for (const acts of minutes) {
		account.tick();
		for (const step of acts) {
			if (step.kind === 'add') for (let n = 0; n < step.count; n++) account.add(stride);
			if (step.kind === 'update') account.update((index) => index % step.every === 0);
			if (step.kind === 'remove') account.remove(step.index);
			if (step.kind === 'reserve') account.reserve();
			if (step.kind === 'saveLate') account.saveLate();
		}
		snapshots.push(account.list());
	}
	return snapshots;
}

const ids = (events: TriggerEvent[], name: string) =>
	events.filter(({ event }) => event === name).map(({ record }) => Number(record.id));

test('every contact that is added is emitted once, also where it was saved late', () => {
	fc.assert(
		fc.property(histories, (history) => {
			const snapshots = play(history);
			const known = new Set(snapshots[0]?.map(({ id }) => Number(id)));
			pollAll('contacts', snapshots).forEach((events, index) => {
				const news = snapshots[index]?.map(({ id }) => Number(id)).filter((id) => !known.has(id));
				expect(ids(events, 'contactAdded').sort()).toEqual((index === 0 ? [] : news)?.sort());
				news?.forEach((id) => known.add(id));
			});
		}),
		{ numRuns: 100 },
	);
});

test('every update is emitted once, and an addition is no update', () => {
	fc.assert(
		fc.property(histories, (history) => {
			const snapshots = play(history);
			const results = pollAll('contacts', snapshots);
			const versions = results
				.flat()
				.map(({ record }) => `${Number(record.id)} ${String(record.updated_at)}`);
			expect(new Set(versions).size).toBe(versions.length);
			const updates = new Set(
				results.flatMap((events) =>
					events
						.filter(({ event }) => event === 'contactUpdated')
						.map(({ record }) => `${Number(record.id)} ${String(record.updated_at)}`),
				),
			);
			const before = new Map(snapshots[0]?.map((row) => [row.id, row.updated_at]));
			const addedAs = new Map(
				results
					.flat()
					.filter(({ event }) => event === 'contactAdded')
					.map(({ record }) => [record.id, record.updated_at]),
			);
			// One assertion for all rows: one for each would take most of the time.
			const wrong = (snapshots.at(-1) ?? []).filter((row) => {
				const first = before.get(row.id) ?? addedAs.get(row.id);
				const version = `${Number(row.id)} ${String(row.updated_at)}`;
				return updates.has(version) !== (row.updated_at !== first);
			});
			expect(wrong).toEqual([]);
		}),
		{ numRuns: 100 },
	);
});

test('a record that is missing from one poll and back in the next is not new', () => {
	fc.assert(
		fc.property(histories, fc.infiniteStream(fc.boolean()), (history, missing) => {
			const rows = play(history)[0] ?? [];
			const flickering = rows.filter(() => missing.next().value);
			expect(pollAll('globalUnsubscribes', [rows, flickering, rows, [], rows]).flat()).toEqual([]);
			expect(pollAll('contacts', [rows, flickering, rows, [], rows]).flat()).toEqual([]);
		}),
	);
});

test('replaying a poll emits the same again; the next poll of the same list emits nothing', () => {
	fc.assert(
		fc.property(histories, (history) => {
			let { state } = poll('contacts', []);
			for (const rows of play(history)) {
				const once = poll('contacts', rows, state);
				expect(poll('contacts', rows, state)).toEqual(once);
				expect(poll('contacts', rows, once.state).events).toEqual([]);
				state = once.state;
			}
		}),
	);
});

/** Contacts whose updates the list shows only some polls later, or with a date that is wrong by years. */
const lateUpdates = fc.array(
	fc.record({
		id: fc.integer({ min: 1, max: 400 }),
		late: fc.integer({ min: 0, max: 4 }),
		wrong: fc.option(fc.integer({ min: 1, max: 2_000_000_000 }), { freq: 3 }),
	}),
	{ minLength: 1, maxLength: 40 },
);

test('an update that is shown minutes after newer ones is emitted once, also beside dates in the future', () => {
	fc.assert(
		fc.property(lateUpdates, fc.constantFrom(20, 400, 900), (changes, size) => {
			const shown = new Map<number, Row>();
			const put = (id: number, seconds: number) =>
				shown.set(id, { id, user_id: 7, contact_type_id: 1, updated_at: time(seconds) });
			for (let id = 1; id <= size; id++) put(id, id / 10);
			const rows = () => [...shown.values()];
			let { state } = poll('contacts', rows());
			const emitted: string[] = [];
			const wanted = new Set<string>();
			for (let minute = 0; minute < changes.length + 5; minute++) {
				changes.forEach(({ id, late, wrong }, made) => {
					if (made + late !== minute || id > size) return;
					const seconds = 600 + made * 60 + (wrong ?? 0);
					put(id, seconds);
				});
				for (const { id, updated_at } of rows()) wanted.add(`${Number(id)} ${String(updated_at)}`);
				const result = poll('contacts', rows(), state);
				emitted.push(
					...result.events.map(({ record }) => `${Number(record.id)} ${String(record.updated_at)}`),
				);
				({ state } = result);
			}
			for (let id = 1; id <= size; id++) wanted.delete(`${id} ${time(id / 10)}`);
			expect(emitted.sort()).toEqual([...wanted].sort());
		}),
		{ numRuns: 40 },
	);
});
