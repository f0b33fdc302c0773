import { occurredAt } from '../../../nodes/EmailMarketing/trigger/events';
import { ageMilestone } from '../../../nodes/EmailMarketing/trigger/milestones';
import {
	isChosen,
	passesFilter,
	showStatus,
	statusOf,
} from '../../../nodes/EmailMarketing/trigger/statuses';
import { only, pollAll, sendOf, time } from './arbitraries';

const events = (...all: Array<ReturnType<typeof pollAll>[number]>) =>
	all.map((reported) => reported.map(({ event, record }) => `${event} ${String(record.id)}`));

it.each([
	[3, '3'],
	[' 3 ', '3'],
	[true, '1'],
	[false, '0'],
	['paused', 'paused'],
	['x'.repeat(40), 'x'.repeat(40)],
	['x'.repeat(41), undefined],
	['', undefined],
	[null, undefined],
	[{}, undefined],
])('the status %j is kept as %j', (status, kept) => {
	expect(statusOf({ status }, 'status')).toBe(kept);
	expect(statusOf({ is_verified: status }, 'is_verified')).toBe(kept);
});

it.each([
	['0', { code: 0, label: 'initiate' }],
	['-7', { code: -7, label: 'unknown (-7)' }],
	['7a', { code: '7a', label: 'unknown (7a)' }],
	['a7', { code: 'a7', label: 'unknown (a7)' }],
	['9'.repeat(16), { code: '9'.repeat(16), label: `unknown (${'9'.repeat(16)})` }],
])('the status %s is shown as %j', (code, shown) => {
	expect(showStatus('singleSends', code)).toEqual(shown);
});

describe('a filter', () => {
	const change = { key: 'a', previous: '1', status: '3' };
	const passes = (filter: object, rest: Partial<typeof change> | { previous: null } = {}) =>
		passesFilter('singleSends', { from: [], to: [], only: [], ...filter }, { ...change, ...rest });

	it('lets everything through unless something is chosen', () => {
		expect(passes({})).toBe(true);
		expect(isChosen({ from: [], to: [], only: ['b'] }, 'a')).toBe(false);
		expect([['a'], ['b']].map((chosen) => passes({ only: chosen }))).toEqual([true, false]);
	});

	it('looks at the status before and the one after', () => {
		expect([['1'], ['2'], ['0', '1']].map((from) => passes({ from }))).toEqual([true, false, true]);
		expect([['3'], ['2']].map((to) => passes({ to }))).toEqual([true, false]);
		expect([['0'], ['1']].map((from) => passes({ from }, { previous: null }))).toEqual([
			true,
			false,
		]);
	});

	it('takes as other what the reference does not name', () => {
		const other = { to: ['other'] };
		expect(['3', '99', 'odd'].map((status) => passes(other, { status }))).toEqual([
			false,
			true,
			true,
		]);
		expect(passes({ to: ['2'] }, { status: '99' })).toBe(false);
	});
});

describe('the time of an event', () => {
	it('is the last change of the record, or its creation', () => {
		expect(occurredAt({ updated_at: time(2), created_at: time(1) })).toBe(time(2));
		expect(occurredAt({ updated_at: null, created_at: time(1) })).toBe(time(1));
		expect(occurredAt({ updated_at: 5, created_at: 6 })).toBeNull();
	});

	it('orders the events; deletions come last, and equal times keep their order', () => {
		const rows = [4, 3, 2].map((id) => sendOf(id, { updated_at: time(id === 2 ? 9 : 5) }));
		const others = [5, 6].map((id) => sendOf(id));
		const lists = [[sendOf(1), ...others], others, [...rows, ...others]];
		const [, , latest] = pollAll('singleSends', lists);
		expect(events(latest ?? [])).toEqual([
			[
				'singleSendCreated 4',
				'singleSendCreated 3',
				'singleSendCreated 2',
				'singleSendDeleted undefined',
			],
		]);
		const odd = [9, 8].map((id) => sendOf(id, { updated_at: undefined, created_at: undefined }));
		const mixed = [odd[0], sendOf(3), odd[1], sendOf(2)].map((row) => row ?? {});
		expect(events(...pollAll('singleSends', [[], mixed]))[1]).toEqual([
			'singleSendCreated 2',
			'singleSendCreated 3',
			'singleSendCreated 9',
			'singleSendCreated 8',
		]);
	});
});

it('rounds the age of a snapshot, and takes none early', () => {
	const sentAt = Date.UTC(2026, 0, 1);
	const dueAt = sentAt + 100 * 60_000;
	const reached = (now: number) =>
		ageMilestone('statisticsSnapshot', 100, () => sentAt, now).reach({})?.snapshot;
	expect(reached(dueAt - 1)).toBeUndefined();
	expect(reached(dueAt + 119_999)).toMatchObject({
		ageHours: 1.67,
		dueAt: '2026-01-01T01:40:00.000Z',
		polledAt: '2026-01-01T01:41:59.999Z',
		lateMinutes: 1,
	});
	expect(reached(dueAt)?.lateMinutes).toBe(0);
	expect(reached(dueAt + 120_000)?.lateMinutes).toBe(2);
});

it('reports what happens to chosen campaigns only, and its creation in any case', () => {
	const chosen = { from: [], to: [], only: [String(sendOf(1).utr)] };
	const watch = only(['singleSendCreated', 'singleSendDeleted'], { singleSends: chosen });
	const rows = [1, 2, 3, 4, 5].map((number) => sendOf(number));
	const left = rows.slice(2);
	expect(events(...pollAll('singleSends', [left, rows, left, left], watch))).toEqual([
		...[[], ['singleSendCreated 1', 'singleSendCreated 2']],
		...[[], ['singleSendDeleted undefined']],
	]);
});

it('reports contacts of the chosen type, also where it is a text', () => {
	const contact = (id: number, contact_type_id: unknown) =>
		({ id, contact_type_id, updated_at: time(id) }) as never;
	const watch = only(['contactAdded', 'contactUpdated'], { contactTypeId: 3 });
	const lists = [
		[contact(1, 3)],
		[contact(1, 3), contact(2, '3'), contact(3, 4), contact(4, null)],
	];
	expect(events(...pollAll('contacts', lists, watch))[1]).toEqual(['contactAdded 2']);
	const any = only(['contactAdded']);
	expect(events(...pollAll('contacts', lists, any))[1]).toHaveLength(3);
});
