import { EMPTY_STATE } from '../../../nodes/EmailMarketing/trigger/state';
import type { TriggerState } from '../../../nodes/EmailMarketing/trigger/state';
import type { SourceName } from '../../../nodes/EmailMarketing/trigger/sources';
import type { Row } from '../../../nodes/EmailMarketing/trigger/types';
import { everything, poll, sendOf, time } from './arbitraries';

type Step = [account: string, rows: Row[]];

/** The events of each poll, with the account of its credential. */
function polls(source: SourceName, steps: Step[]) {
	let state: TriggerState = EMPTY_STATE;
	return steps.map(([account, rows]) => {
		const result = poll(source, rows, state, { ...everything, account });
		({ state } = result);
		return result.events.map(({ event, record }) => `${event} ${String(record.id ?? record.utr)}`);
	});
}

const owned = (user_id: number, ...ids: number[]) => ids.map((id) => sendOf(id, { user_id }));
const entries = (user_id: number, ...ids: number[]) =>
	ids.map((id): Row => ({ id, user_id, updated_at: time(id) }));
/** The record that comes last is new in it. */
const added = [
	['singleSends', 'singleSendCreated 9', owned],
	['contacts', 'contactAdded 9', entries],
	['globalUnsubscribes', 'globalUnsubscribeAdded 9', entries],
] as const;

describe.each(added)('%s: after an account whose list became empty', (source, event, rows) => {
	it.each([
		['another account has a first poll of its own', 'B', 8, [4, 5, 6]],
		['the same account goes on', 'A', 7, [1, 2, 3]],
	] as const)('%s', (_what, account, owner, ids) => {
		const results = polls(source, [
			['A', rows(7, 1, 2, 3)],
			['A', []],
			[account, rows(owner, ...ids)],
			[account, rows(owner, ...ids, 9)],
		]);
		expect(results).toEqual([[], [], [], [event]]);
	});

	it('another account with an empty list has one, too', () => {
		const results = polls(source, [
			['A', rows(7, 1, 2, 3)],
			['A', []],
			['B', []],
			['B', []],
			['B', rows(8, 9)],
		]);
		expect(results).toEqual([[], [], [], [], [event]]);
	});

	it('the same account goes on where others own all that is in it now', () => {
		const results = polls(source, [
			['A', rows(7, 1, 2, 3)],
			['A', rows(8, 4, 9)],
			['new keys', rows(8, 4, 9, 10)],
		]);
		expect(results[1]).toContain(event);
		expect(results[2]).toContain(event.replace('9', '10'));
	});

	it('the same account goes on with new keys if the list is empty at first', () => {
		const results = polls(source, [
			['A', rows(7, 1, 2, 3)],
			['new keys', []],
			['new keys', []],
			['newer keys', []],
			['newer keys', rows(7, 1, 2, 3, 9)],
			['newer keys', rows(7, 1, 2, 3, 9)],
		]);
		expect(results).toEqual([[], [], [], [], [event], []]);
	});

	it('another account reports the first record of its list, which was empty', () => {
		const results = polls(source, [
			['A', rows(7, 1, 2, 3)],
			['B', []],
			['B', rows(8, 9)],
			['B', rows(8, 9)],
		]);
		expect(results).toEqual([[], [], [event], []]);
	});

	it('the same account goes on with new keys', () => {
		const results = polls(source, [
			['A', rows(7, 1, 2, 3)],
			['A', []],
			['A', []],
			['new keys', rows(7, 9)],
		]);
		expect(results.at(-1)).toEqual([event]);
	});
});
