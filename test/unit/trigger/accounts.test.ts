import { sourceOf, sourcesOf } from '../../../nodes/EmailMarketing/trigger/sources';
import {
	accountOf,
	EMPTY_STATE,
	isSameAccount,
	readState,
	withLineage,
} from '../../../nodes/EmailMarketing/trigger/state';
import { everything, only, poll, sendOf } from './arbitraries';

describe('the state that n8n has saved', () => {
	it('is read, unless it is damaged or of another format', () => {
		const sends = poll('singleSends', [sendOf(1)]).state;
		const { state } = poll('contacts', [{ id: 1 }], sends);
		expect(readState({ state } as never)).toBe(state);
		expect(readState({})).toBe(EMPTY_STATE);
		const { singleSends } = state.records;
		const { contacts } = state.entries;
		for (const damage of [
			...[{ format: 1 }, { lineage: 'a' }, { failing: undefined }],
			...[{ records: [] }, { entries: null }, { records: { singleSends: 5 } }],
			...['records', 'absent', 'watched', 'since'].map((part) => ({
				records: { singleSends: { ...singleSends, [part]: undefined } },
			})),
			{ records: { singleSends: { ...singleSends, records: { a: '3' } } } },
			...['max', 'gaps'].map((part) => ({ entries: { contacts: { ...contacts, [part]: null } } })),
			...[5, {}].map((updates) => ({ entries: { contacts: { ...contacts, updates } } })),
		]) {
			expect([damage, readState({ state: { ...state, ...damage } } as never)]).toEqual([
				...[damage, undefined],
			]);
		}
	});

	it('has a lineage that grows with its changes, up to 20', () => {
		const first = withLineage(EMPTY_STATE, { ...EMPTY_STATE, failing: { senders: 1 } });
		// As n8n returns it.
		const before = JSON.parse(JSON.stringify(first)) as typeof first;
		expect(before.lineage).toHaveLength(1);
		expect(withLineage(before, { ...before })).toBe(before);
		const after = withLineage(before, { ...before, next: 'contacts' });
		expect(after).toEqual({
			...before,
			next: 'contacts',
			lineage: [...before.lineage, expect.stringMatching(/^[\w-]{12}$/)],
		});
		// The same change is another state where it comes from another one.
		const elsewhere = withLineage(EMPTY_STATE, { ...EMPTY_STATE, next: 'contacts' });
		expect(elsewhere.lineage).toHaveLength(1);
		expect(elsewhere.lineage[0]).not.toBe(after.lineage[1]);
		let state = EMPTY_STATE;
		for (let count = 0; count < 30; count++) {
			state = withLineage(state, { ...state, failing: { contacts: count } });
		}
		expect(new Set(state.lineage).size).toBe(20);
	});
});

describe('the account', () => {
	const rows = [{ id: 1, user_id: 7 }, { id: 2 }];

	it.each([
		[[], '7', true],
		[rows, undefined, true],
		[rows, '7', true],
		[rows, '8', false],
		[
			[
				{ id: 2, user_id: 8 },
				{ id: 1, user_id: 7 },
			],
			'7',
			true,
		],
		[[{ id: 2 }], '7', false],
	])('of %j is that of %s: %s', (list, owner, same) => {
		expect(isSameAccount(list, { owner }, undefined)).toBe(same);
	});

	it('is the same where a record is known', () => {
		const known = (one: number) => isSameAccount(rows, { owner: '8' }, 'B', ({ id }) => id === one);
		expect([known(2), known(3)]).toEqual([true, false]);
	});

	it.each([
		[[], '7', 'A', false],
		[rows, undefined, 'A', false],
		[rows, undefined, 'B', true],
		[[], undefined, undefined, true],
		[rows, '7', 'A', true],
		[rows, '8', 'A', false],
		[rows, '8', 'B', true],
	])(
		'of %j is that of %s with the keys %s, now that they are B: %s',
		(list, owner, account, same) => {
			expect(isSameAccount(list, { owner, account }, 'B')).toBe(same);
			expect(isSameAccount([], { owner, account }, undefined)).toBe(true);
		},
	);

	it.each([
		[[], undefined, {}],
		[[], '7', { owner: '7' }],
		[[{ user_id: 7 }], undefined, { owner: '7' }],
		[rows, '9', { owner: '7' }],
		[[{ user_id: 8 }, { user_id: 7 }], '7', { owner: '7' }],
		[[{ user_id: 8 }, { user_id: 7 }], '9', { owner: '8' }],
		[[{ user_id: '7' }], undefined, { owner: '7' }],
		[[{ id: 1 }], '7', {}],
		[[{ id: 1 }, { user_id: 7 }], undefined, { owner: '7' }],
		[[{ id: 1 }, { user_id: 7 }], '9', { owner: '7' }],
		[[{ id: 1 }, { user_id: 8 }, { user_id: 7 }], '7', { owner: '7' }],
		[[{ user_id: null }, { user_id: '9' }, { user_id: 7 }], undefined, { owner: '9' }],
	])('to remember of %j after %s is %j', (list, before, owner) => {
		expect(accountOf(list as never, { owner: before }, undefined)).toEqual(owner);
		expect(accountOf(list as never, { owner: before }, 'A')).toEqual({ ...owner, account: 'A' });
	});
});

describe('the lists to read', () => {
	it('are those of the events, each once', () => {
		const events = only(['singleSendCreated', 'singleSendCompleted', 'statisticsSnapshot']);
		expect(sourcesOf(events)).toEqual(['singleSends']);
		expect(sourcesOf(only([]))).toEqual([]);
		expect(sourcesOf(everything)).toEqual([
			'singleSends',
			'automations',
			'contacts',
			'globalUnsubscribes',
			'group:4',
			'segment:5',
			'senders',
		]);
	});

	it('name the group and the segment', () => {
		const none = only([], { groupId: undefined, segmentId: undefined });
		expect(sourceOf('unsubscribeGroupRecipientAdded', none)).toBe('group:0');
		expect(sourceOf('segmentRecipientAdded', none)).toBe('segment:0');
		expect(sourceOf('automationDeleted', none)).toBe('automations');
	});
});
