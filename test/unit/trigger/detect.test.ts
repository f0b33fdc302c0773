import { detect } from '../../../nodes/EmailMarketing/trigger/events';
import { toThreshold } from '../../../nodes/EmailMarketing/trigger/milestones';
import type { Row } from '../../../nodes/EmailMarketing/trigger/types';
import { automationOf, everything, only, poll, pollAll, sendOf, time, utr } from './arbitraries';

const threshold = toThreshold('singleSends', {
	...{ statistic: 'bounces', unit: 'count' as const, value: 5, minimumMessages: 0 },
});
const thresholds = { singleSends: [threshold], automations: [] };
const names = (reported: Array<{ event: string; record: Row }> | undefined) =>
	reported?.map(({ event, record }) => `${event} ${String(record.id)}`);

it('keeps the state of lists that were not read', () => {
	const sends = poll('singleSends', [sendOf(1)]).state;
	const { state } = poll('contacts', [{ id: 1, user_id: 7 }], sends);
	expect(Object.keys(state.records)).toEqual(['singleSends']);
	expect(Object.keys(state.entries)).toEqual(['contacts']);
	expect(detect(new Map(), state, everything, 0)).toEqual({ events: [], state, massAbsences: [] });
});

it('remembers thresholds and ages only once their events are chosen', () => {
	const remembered = (...events: Parameters<typeof only>[0]) => {
		const watch = only(events, { thresholds, ages: [60] });
		return poll('singleSends', [sendOf(1)], undefined, watch).state.records.singleSends?.watched;
	};
	expect(remembered('singleSendCreated', 'automationStatisticReached')).toEqual([]);
	expect(remembered('singleSendStatisticReached')).toEqual(['bounces>=5']);
	expect(remembered('statisticsSnapshot')).toEqual(['60m']);
});

it('takes snapshots of chosen campaigns only', () => {
	const watch = only(['statisticsSnapshot'], {
		ages: [1],
		sentAt: () => 0,
		singleSends: { from: [], to: [], only: [utr(2)] },
	});
	const rows = [sendOf(1, { status: 3 }), sendOf(2, { status: 3 })];
	const { state } = poll('singleSends', rows, undefined, watch, 0);
	expect(names(poll('singleSends', rows, state, watch, 60_000).events)).toEqual([
		'statisticsSnapshot 2',
	]);
});

it('names the statuses of automations in filters for them', () => {
	const filter = (to: string[]) =>
		only(['automationStatusChanged'], { automations: { from: [], to, only: [] } });
	const reported = (to: string[], status: number) =>
		pollAll('automations', [[automationOf(1)], [automationOf(1, { status })]], filter(to))[1];
	expect(reported(['other'], 1)).toEqual([]);
	expect(names(reported(['other'], 77))).toEqual(['automationStatusChanged 1']);
});

it('reports updates of contacts of the chosen type only', () => {
	const contact = (id: number, type: number, seconds: number) => ({
		...{ id, user_id: 7, contact_type_id: type, updated_at: time(seconds) },
	});
	const watch = only(['contactUpdated'], { contactTypeId: 3 });
	const lists = [1, 9].map((seconds) => [contact(1, 3, seconds), contact(2, 4, seconds)]);
	expect(names(pollAll('contacts', lists, watch)[1])).toEqual(['contactUpdated 1']);
});

it('takes a list with a known record for that of the same account', () => {
	const later = sendOf(1, { status: 2, user_id: 8 });
	const watch = only(['singleSendStatusChanged']);
	expect(names(pollAll('singleSends', [[sendOf(1)], [later]], watch)[1])).toEqual([
		'singleSendStatusChanged 1',
	]);
	const other = sendOf(2, { status: 2, user_id: 8 });
	expect(pollAll('singleSends', [[sendOf(1)], [other]], watch)[1]).toEqual([]);
});

describe('another credential', () => {
	const inAccount = (account: string) => ({ ...everything, account });
	const entries = [1, 2].map((id) => ({ id, user_id: 8 }));

	it('has a first poll of its own, also where the list of the account before was empty', () => {
		const { state } = poll('globalUnsubscribes', [], undefined, inAccount('A'));
		const { events, state: after } = poll('globalUnsubscribes', entries, state, inAccount('B'));
		expect(events).toEqual([]);
		const more = [...entries, { id: 3, user_id: 8 }];
		expect(names(poll('globalUnsubscribes', more, after, inAccount('B')).events)).toEqual([
			'globalUnsubscribeAdded 3',
		]);
	});

	it('deletes nothing where its own list is empty', () => {
		let { state } = poll('singleSends', [sendOf(1)], undefined, inAccount('A'));
		for (let polls = 0; polls < 3; polls++) {
			const result = poll('singleSends', [], state, inAccount('B'));
			expect(result.events).toEqual([]);
			({ state } = result);
		}
		expect(names(poll('singleSends', [sendOf(2)], state, inAccount('B')).events)).toEqual([
			'singleSendCreated 2',
		]);
	});

	it('may be new keys of the same account', () => {
		const { state } = poll('globalUnsubscribes', entries, undefined, inAccount('A'));
		const more = [...entries, { id: 3, user_id: 8 }];
		expect(names(poll('globalUnsubscribes', more, state, inAccount('B')).events)).toEqual([
			'globalUnsubscribeAdded 3',
		]);
	});
});

it('takes a new record without a valid status for one in the first status', () => {
	const odd = { ...sendOf(1), status: null } as unknown as Row;
	expect(pollAll('singleSends', [[], [odd]])[1]).toMatchObject([
		{ event: 'singleSendCreated', status: { code: 0 } },
	]);
});
