import {
	raiseProblems,
	recordPoll,
	stateToStartFrom,
	withPollLock,
	type Problem,
} from '../../../nodes/EmailMarketing/trigger/pollLock';
import {
	EMPTY_STATE,
	type TriggerState,
	withLineage,
} from '../../../nodes/EmailMarketing/trigger/state';

const SAVE_GRACE_MS = 60_000;
type Lock = Parameters<typeof recordPoll>[0];
const newLock = (rest: Partial<Lock> = {}): Lock => ({
	...{ held: true, seen: new Set(), unread: new Set(), reads: new Map(), raised: new Map() },
	...rest,
});

/** Of a process that has started from a state. */
function lockAt(newest: TriggerState): Lock {
	const lock = newLock();
	stateToStartFrom(lock, newest);
	return lock;
}

/** The last of so many states, each of which follows from the one before. */
const state = (changes: number, from = 's'): TriggerState => ({
	...EMPTY_STATE,
	lineage: Array.from({ length: changes }, (_, index) => `${from}${index + 1}`),
});
const clock = { now: 5_000 };
beforeEach(() => {
	clock.now = 5_000;
	jest.spyOn(performance, 'now').mockImplementation(() => clock.now);
});
afterEach(() => {
	jest.restoreAllMocks();
});

/** The lock of a node that has not polled yet. */
let nodes = 0;
const newKey = () => `node ${nodes++}`;

describe('one poll of a node at a time', () => {
	it('runs, and gives what it found', async () => {
		expect(await withPollLock(newKey(), async () => 'found')).toBe('found');
	});

	it('lets a second one do nothing, until the first has ended', async () => {
		const key = newKey();
		let end = () => undefined as void;
		const first = withPollLock(key, async () => {
			await new Promise<void>((resolve) => (end = resolve));
			return 'first';
		});
		const work = jest.fn(async () => 'second');
		expect(await withPollLock(key, work)).toBeNull();
		expect(work).not.toHaveBeenCalled();
		expect(await withPollLock(newKey(), async () => 'other node')).toBe('other node');
		end();
		expect(await first).toBe('first');
		expect(await withPollLock(key, work)).toBe('second');
	});

	it('lets the next one run after one that failed', async () => {
		const key = newKey();
		const failing = withPollLock(key, async () => await Promise.reject(new Error('no answer')));
		await expect(failing).rejects.toThrow('no answer');
		expect(await withPollLock(key, async () => 'next')).toBe('next');
	});

	it('remembers what the last poll of the same node saw', async () => {
		const key = newKey();
		await withPollLock(key, async (lock) => {
			stateToStartFrom(lock, state(1));
			recordPoll(lock, { before: state(1), after: state(2), hasEvents: false });
		});
		const start = async (of: string) =>
			await withPollLock(of, async (lock) => stateToStartFrom(lock, state(1)));
		expect(await start(key)).toEqual(state(2));
		expect(await start(newKey())).toEqual(state(1));
	});
});

describe('the state to start from', () => {
	it('is what the process has seen, if it follows from what n8n has', () => {
		const start = (stored: TriggerState) => stateToStartFrom(lockAt(state(3)), stored);
		expect([0, 2, 3].map((changes) => start(state(changes)))).toEqual([
			...[state(3), state(3), state(3)],
		]);
		expect(start(state(4))).toEqual(state(4));
		expect(stateToStartFrom(newLock(), state(0))).toEqual(state(0));
	});

	it('is what the process has seen, however many polls without events n8n has not saved', () => {
		const lock = newLock();
		const first = stateToStartFrom(lock, state(1)) as TriggerState;
		let before = first;
		for (let n = 0; n < 50; n++) {
			const after = withLineage(before, { ...before, heartbeatAt: n });
			recordPoll(lock, { before, after, hasEvents: false });
			before = after;
		}
		expect(before.lineage).not.toContain('s1');
		expect(stateToStartFrom(lock, first)).toBe(before);
		const events = withLineage(before, { ...before, heartbeatAt: 99 });
		recordPoll(lock, { before, after: events, hasEvents: true });
		clock.now += SAVE_GRACE_MS;
		expect(stateToStartFrom(lock, first)).toBe(before);
		expect(stateToStartFrom(lock, events)).toBe(events);
		// A poll that had read the first state before all of this.
		expect(stateToStartFrom(lock, first)).toBe(events);
	});

	it('is what n8n has, if another process has gone on, however much this one has seen', () => {
		const lock = lockAt(state(9));
		const other = { ...state(4), lineage: [...state(3).lineage, 'other'] };
		expect(stateToStartFrom(lock, other)).toBe(other);
		expect(stateToStartFrom(lock, state(9))).toEqual(state(9));
	});

	it('is the one after a poll without events', () => {
		const lock = lockAt(state(1));
		recordPoll(lock, { before: state(1), after: state(2), hasEvents: false });
		expect(stateToStartFrom(lock, state(1))).toEqual(state(2));
	});

	it('is none while n8n saves the events that were reported from it', () => {
		const lock = newLock();
		recordPoll(lock, { before: state(1), after: state(2), hasEvents: true });
		expect(stateToStartFrom(lock, state(1))).toBeNull();
		expect(stateToStartFrom(lock, state(0))).toBeNull();
		expect(stateToStartFrom(lock, state(2))).toEqual(state(2));
		expect(stateToStartFrom(lock, state(1))).toEqual(state(2));
	});

	it('is the same again if n8n has not saved the events in time', () => {
		const lock = { ...lockAt(state(1)), reportedAt: 5_000 };
		clock.now = 5_000 + SAVE_GRACE_MS - 1;
		expect(stateToStartFrom(lock, state(1))).toBeNull();
		clock.now = 5_000 + SAVE_GRACE_MS;
		expect(stateToStartFrom(lock, state(1))).toEqual(state(1));
	});
});

describe('a problem', () => {
	const HOUR = 3_600_000;
	/** Keys in capitals are those that no later poll finds; those with an exclamation mark fail every poll. */
	const problems = (...keys: string[]) =>
		new Map(
			keys.map((key): [string, Problem] => {
				const isFoundOnce = key === key.toUpperCase();
				const isBlocking = key.endsWith('!');
				return [
					key,
					{
						error: new Error(key),
						...(isFoundOnce && { isFoundOnce }),
						...(isBlocking && { isBlocking }),
					},
				];
			}),
		);
	/** What each poll fails with; polls are minutes apart unless stated. */
	const polls = (lock: Lock, found: string[][], apart = 60_000) =>
		found.map((keys, index) => {
			try {
				raiseProblems(lock, problems(...keys), index * apart);
				recordPoll(lock, { before: state(1), after: state(1), hasEvents: false });
				return '';
			} catch (error) {
				return (error as Error).message;
			}
		});

	it('is raised when it begins, and not again within the hour', () => {
		const found = [['a'], ['a'], ['a'], [], ['a'], ['a', 'b']];
		expect(polls(newLock(), found)).toEqual(['a', '', '', '', '', 'b']);
	});

	it('is raised once an hour', () => {
		expect(polls(newLock(), Array(8).fill(['a']), HOUR / 3)).toEqual([
			...['a', '', '', 'a', '', '', 'a', ''],
		]);
	});

	it('is never raised by two polls in a row, nor are two', () => {
		expect(polls(newLock(), Array(4).fill(['a']), 5 * HOUR)).toEqual(['a', '', 'a', '']);
		expect(polls(newLock(), Array(4).fill(['a', 'b']))).toEqual(['a', '', 'b', '']);
		expect(polls(newLock(), [['a'], ['b'], ['a'], ['b']])).toEqual(['a', '', '', 'b']);
	});

	it('that keeps the workflow from being published is raised by every poll', () => {
		expect(polls(newLock(), [['a', 'b!'], ['a', 'b!'], ['b!']])).toEqual(['a', 'b!', 'b!']);
	});

	it('that no later poll finds is raised again within the hour', () => {
		expect(polls(newLock(), [['A'], [], ['A'], []])).toEqual(['A', '', 'A', '']);
	});

	it('that no later poll finds is raised at once, and not again', () => {
		expect(polls(newLock(), [['a'], ['A'], ['A', 'a'], ['a']])).toEqual(['a', 'A', '', '']);
		expect(polls(newLock(), [['A', 'a'], ['A', 'a'], ['a']])).toEqual(['A', '', 'a']);
	});

	it('is raised again only after a poll that succeeded, which reports what the one before found', () => {
		const lock = newLock();
		expect(polls(lock, [['a']])).toEqual(['a']);
		// In between, polls may have failed for other reasons.
		expect(() => raiseProblems(lock, problems('a', 'b'), 5 * HOUR)).not.toThrow();
		expect(() => raiseProblems(lock, problems('a', 'b'), 10 * HOUR)).not.toThrow();
		recordPoll(lock, { before: state(1), after: state(2), hasEvents: true });
		expect(() => raiseProblems(lock, problems('a'), 10 * HOUR)).toThrow('a');
	});
});
