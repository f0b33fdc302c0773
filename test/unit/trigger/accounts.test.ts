import {
	accountOf,
	countChange,
	EMPTY_STATE,
	isSameAccount,
	readState,
	sourceOf,
	sourcesOf,
} from '../../../nodes/EmailMarketing/trigger/state';
import { everything, only } from './arbitraries';

describe('the state that n8n has saved', () => {
	it('is read, unless it has another format', () => {
		const state = { ...EMPTY_STATE, changes: 4 };
		expect(readState({ state } as never)).toBe(state);
		expect(readState({})).toBe(EMPTY_STATE);
		expect(readState({ state: { ...state, format: 2 } } as never)).toBe(EMPTY_STATE);
	});

	it('counts its changes', () => {
		const before = { ...EMPTY_STATE, changes: 4 };
		expect(countChange(before, { ...before })).toBe(before);
		const after = { ...before, next: 'contacts' as const };
		expect(countChange(before, after)).toEqual({ ...after, changes: 5 });
	});
});

describe('the account', () => {
	const rows = [{ id: 1, user_id: 7 }, { id: 2 }];

	it.each([
		[[], 7, true],
		[rows, undefined, true],
		[rows, 7, true],
		[rows, 8, false],
		[
			[
				{ id: 2, user_id: 8 },
				{ id: 1, user_id: 7 },
			],
			7,
			true,
		],
		[[{ id: 2 }], 7, false],
	])('of %j is that of %s: %s', (list, owner, same) => {
		expect(isSameAccount(list, { owner }, undefined)).toBe(same);
	});

	it('is the same where a record is known', () => {
		const known = (one: number) => isSameAccount(rows, { owner: 8 }, 'B', ({ id }) => id === one);
		expect([known(2), known(3)]).toEqual([true, false]);
	});

	it.each([
		[[], 7, 'A', false],
		[rows, undefined, 'A', false],
		[rows, undefined, 'B', true],
		[[], undefined, undefined, true],
		[rows, 7, 'A', true],
		[rows, 8, 'A', false],
		[rows, 8, 'B', true],
	])(
		'of %j is that of %s with the keys %s, now that they are B: %s',
		(list, owner, account, same) => {
			expect(isSameAccount(list, { owner, account }, 'B')).toBe(same);
			expect(isSameAccount([], { owner, account }, undefined)).toBe(true);
		},
	);

	it.each([
		[[], undefined, {}],
		[[], 7, { owner: 7 }],
		[[{ user_id: 7 }], undefined, { owner: 7 }],
		[rows, 9, { owner: 7 }],
		[[{ user_id: 8 }, { user_id: 7 }], 7, { owner: 7 }],
		[[{ user_id: 8 }, { user_id: 7 }], 9, { owner: 8 }],
		[[{ user_id: '7' }], undefined, {}],
		[[{ id: 1 }], 7, {}],
		[[{ id: 1 }, { user_id: 7 }], undefined, { owner: 7 }],
		[[{ id: 1 }, { user_id: 7 }], 9, { owner: 7 }],
		[[{ id: 1 }, { user_id: 8 }, { user_id: 7 }], 7, { owner: 7 }],
		[[{ user_id: null }, { user_id: '9' }, { user_id: 7 }], undefined, { owner: 7 }],
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
