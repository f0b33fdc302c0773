import {
	recordPoll,
	SAVE_GRACE_MS,
	stateToStartFrom,
	withPollLock,
} from '../../../nodes/EmailMarketing/trigger/pollLock';
import { EMPTY_STATE, type TriggerState } from '../../../nodes/EmailMarketing/trigger/state';

const state = (changes: number): TriggerState => ({ ...EMPTY_STATE, changes });
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
			recordPoll(lock, { before: state(1), after: state(2), hasEvents: false });
		});
		const start = async (of: string) =>
			await withPollLock(of, async (lock) => stateToStartFrom(lock, state(1)));
		expect(await start(key)).toEqual(state(2));
		expect(await start(newKey())).toEqual(state(1));
	});
});

describe('the state to start from', () => {
	it('is the newer one of what n8n has and what the process has seen', () => {
		const lock = { held: true, newest: state(3) };
		expect([2, 3, 4].map((stored) => stateToStartFrom(lock, state(stored))?.changes)).toEqual([
			3, 3, 4,
		]);
		const saved = { ...state(3), next: 'contacts' as const };
		expect(stateToStartFrom(lock, saved)).toBe(saved);
		expect(stateToStartFrom({ held: true }, state(0))).toEqual(state(0));
	});

	it('is the one after a poll without events', () => {
		const lock: Parameters<typeof recordPoll>[0] = { held: true };
		recordPoll(lock, { before: state(1), after: state(2), hasEvents: false });
		expect(lock).toEqual({ held: true, newest: state(2) });
	});

	it('is none while n8n saves the events that were reported from it', () => {
		const lock: Parameters<typeof recordPoll>[0] = { held: true };
		recordPoll(lock, { before: state(1), after: state(2), hasEvents: true });
		expect(lock).toEqual({
			held: true,
			newest: state(1),
			reported: { from: 1, at: 5_000 },
		});
		expect(stateToStartFrom(lock, state(1))).toBeNull();
		expect(stateToStartFrom(lock, state(0))).toBeNull();
		expect(stateToStartFrom(lock, state(2))).toEqual(state(2));
	});

	it('is the same again if n8n has not saved the events in time', () => {
		const lock = { held: true, newest: state(1), reported: { from: 1, at: 5_000 } };
		clock.now = 5_000 + SAVE_GRACE_MS - 1;
		expect(stateToStartFrom(lock, state(1))).toBeNull();
		clock.now = 5_000 + SAVE_GRACE_MS;
		expect(stateToStartFrom(lock, state(1))).toEqual(state(1));
	});
});
