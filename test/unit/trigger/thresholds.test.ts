import { EMPTY_STATE } from '../../../nodes/EmailMarketing/trigger/state';
import { toThreshold } from '../../../nodes/EmailMarketing/trigger/milestones';
import type { Row, Threshold, TriggerEvent } from '../../../nodes/EmailMarketing/trigger/types';
import { automationOf, only, poll, pollAll, sendOf } from './arbitraries';

const threshold = (value: number, rest: Partial<Threshold> = {}) =>
	toThreshold('singleSends', {
		statistic: 'bounces',
		unit: 'count',
		value,
		minimumMessages: 0,
		...rest,
	});
const percent = (value: number, rest: Partial<Threshold> = {}) =>
	threshold(value, { unit: 'percent', ...rest });
const watching = (...thresholds: Threshold[]) =>
	only(['singleSendStatisticReached'], {
		thresholds: { singleSends: thresholds, automations: [] },
	});
const at = (bounces: number, triggered = 100) => [
	sendOf(1, { status: 3, bounces, triggered, delivered: triggered - bounces }),
];
const reached = (events: TriggerEvent[]) => events.map(({ statistic }) => statistic?.threshold);

describe('thresholds of campaigns', () => {
	test('each fires once per send, also when the number falls and rises again', () => {
		const snapshots = [at(0), at(4), at(5), at(2), at(9), at(12)];
		const events = pollAll('singleSends', snapshots, watching(threshold(5), threshold(10)));
		expect(events.map(reached)).toEqual([[], [], [5], [], [], [10]]);
	});

	test('a percentage of bounces is one of the triggered messages, once there are enough of them', () => {
		const snapshots = [at(0, 0), at(3, 10), at(3, 60), at(6, 90)];
		const events = pollAll('singleSends', snapshots, watching(percent(5, { minimumMessages: 50 })));
		expect(events.map(reached)).toEqual([[], [], [5], []]);
		expect(events[2]?.[0]?.statistic).toEqual({
			name: 'bounces',
			unit: 'percent',
			threshold: 5,
			value: 5,
			count: 3,
			base: 'triggered',
			baseCount: 60,
		});
	});

	test.each([
		[33, 3_000, 1.1],
		[57, 10_000, 0.57],
		[29, 100, 29],
		[3_333, 10_000, 33.33],
		[999_999, 10_000_000, 9.99999],
	])('%d of %d reach %d percent, and one less does not', (count, triggered, value) => {
		const fires = (bounces: number) =>
			pollAll(
				'singleSends',
				[at(0, triggered), at(bounces, triggered)],
				watching(percent(value)),
			)[1];
		expect(fires(count - 1)).toEqual([]);
		expect(fires(count)).toMatchObject([{ statistic: { count, threshold: value } }]);
	});

	test('a campaign of which everything bounced fires', () => {
		const [, [event] = []] = pollAll('singleSends', [at(0, 0), at(80, 80)], watching(percent(5)));
		expect(event?.record).toMatchObject({ triggered: 80, delivered: 0, bounces: 80 });
		expect(event?.statistic).toMatchObject({ value: 100, base: 'triggered', baseCount: 80 });
	});

	test.each([
		['delivered', 'triggered', 80],
		['bounces', 'triggered', 20],
		['unique_opens', 'delivered', 50],
		['total_opens', 'delivered', 150],
		['unsubscribes', 'delivered', 10],
	])('%s are a percentage of %s', (statistic, base, value) => {
		const counts = {
			triggered: 50,
			delivered: 40,
			bounces: 10,
			unique_opens: 20,
			total_opens: 60,
			unsubscribes: 4,
		};
		const fires = (least: number) =>
			pollAll(
				'singleSends',
				[[sendOf(1)], [sendOf(1, { ...counts, status: 3 })]],
				watching(percent(least, { statistic, minimumMessages: 40 })),
			)[1];
		expect(fires(value)).toMatchObject([{ statistic: { name: statistic, value, base } }]);
		expect(fires(value + 0.1)).toEqual([]);
	});

	test('triggered messages have no percentage and are compared as a number', () => {
		const watch = watching(percent(50, { statistic: 'triggered', minimumMessages: 99 }));
		const [, [event] = []] = pollAll('singleSends', [at(0, 49), at(0, 50)], watch);
		expect(event?.statistic).toEqual({
			name: 'triggered',
			unit: 'count',
			threshold: 50,
			value: 50,
			count: 50,
			base: null,
			baseCount: null,
		});
	});

	test('the event has the status now and the one last seen', () => {
		const snapshots = [sendOf(1, { status: 1 }), sendOf(1, { status: 2, bounces: 5 })];
		const [, [event] = []] = pollAll(
			'singleSends',
			snapshots.map((row) => [row]),
			watching(threshold(5)),
		);
		expect(event).toMatchObject({
			previousStatus: { code: 1, label: 'ready to send' },
			status: { code: 2, label: 'running' },
		});
	});

	test('a copy that has the counts of its original reaches none before it is sent', () => {
		const unsent = { bounces: 7, triggered: 100, delivered: 93 };
		const snapshots = [0, 1, 2].map((status) => [sendOf(1, { ...unsent, status })]);
		const [, ...events] = pollAll('singleSends', [[], ...snapshots], watching(threshold(5)));
		expect(events.map(reached)).toEqual([[], [], [5]]);
	});

	test('one that is added later does not report what is past it already, but reports the rest', () => {
		const before = poll('singleSends', at(7), EMPTY_STATE, watching(threshold(5))).state;
		const edited = watching(threshold(6), threshold(20));
		const first = poll('singleSends', at(8), before, edited);
		expect(first.events).toEqual([]);
		const second = poll('singleSends', at(30), first.state, edited);
		expect(reached(second.events)).toEqual([20]);
	});

	test('one that is taken out and put back is new, and the others go on', () => {
		const both = watching(threshold(5), threshold(10));
		let { state } = poll('singleSends', at(6), EMPTY_STATE, both);
		({ state } = poll('singleSends', at(6), state, watching(threshold(10))));
		const back = poll('singleSends', at(12), state, both);
		expect(reached(back.events)).toEqual([10]);
		expect(poll('singleSends', at(12), back.state, both).events).toEqual([]);
		({ state } = poll('singleSends', at(12), back.state, only(['singleSendCreated'])));
		expect(poll('singleSends', at(12), state, both).events).toEqual([]);
	});

	test('the same one twice fires once', () => {
		const twice = watching(threshold(5), threshold(5));
		const [, events = []] = pollAll('singleSends', [at(0), at(6)], twice);
		expect(reached(events)).toEqual([5]);
	});
});

describe('thresholds of automations', () => {
	const of = (statistic: string, value: number, unit: Threshold['unit'] = 'count') =>
		toThreshold('automations', { statistic, unit, value, minimumMessages: 0 });
	const watching = (...automations: Threshold[]) =>
		only(['automationStatisticReached'], { thresholds: { singleSends: [], automations } });
	const counts = (total_triggered: number, total_bounces: number, rest: Row = {}): Row[] => [
		automationOf(1, { status: 1, total_triggered, total_bounces, ...rest }),
	];

	test('have the event, the statistic and the status of an automation', () => {
		const watch = watching(of('total_bounces', 5, 'percent'));
		const snapshots = [counts(0, 0), counts(40, 1), counts(40, 40), counts(80, 40)];
		const events = pollAll('automations', snapshots, watch);
		expect(events.map(reached)).toEqual([[], [], [5], []]);
		expect(events[2]?.[0]).toEqual({
			event: 'automationStatisticReached',
			eventId: expect.any(String),
			occurredAt: '2026-01-01T00:00:01.000000Z',
			previousStatus: { code: 1, label: 'live' },
			status: { code: 1, label: 'live' },
			statistic: {
				name: 'total_bounces',
				unit: 'percent',
				threshold: 5,
				value: 100,
				count: 40,
				base: 'total_triggered',
				baseCount: 40,
			},
			record: counts(40, 40)[0],
		});
	});

	test.each([
		'total_triggered',
		'total_delivered',
		'total_unique_opens',
		'total_opens',
		'total_bounces',
		'total_unsubscribe',
	])('%s are watched', (statistic) => {
		const events = pollAll(
			'automations',
			[counts(0, 0), counts(0, 0, { [statistic]: 7 })],
			watching(of(statistic, 7)),
		);
		expect(events[1]).toMatchObject([{ statistic: { name: statistic, value: 7 } }]);
	});

	test('only of the chosen automations, and not by thresholds of campaigns', () => {
		const twice = [0, 9].map((bounces) => [
			automationOf(1, { total_bounces: bounces, bounces }),
			automationOf(2, { total_bounces: bounces, bounces }),
		]);
		const both = {
			singleSends: [threshold(5)],
			automations: [of('total_bounces', 5)],
		};
		const events = only(['automationStatisticReached', 'singleSendStatisticReached'], {
			thresholds: both,
			automations: { from: [], to: [], only: [String(twice[0]?.[1]?.utr)] },
		});
		expect(pollAll('automations', twice, events)[1]).toMatchObject([
			{ event: 'automationStatisticReached', record: { id: 2 } },
		]);
	});

	test('are remembered apart from those of campaigns', () => {
		const watch = watching(of('total_bounces', 5));
		const { state } = poll('automations', counts(9, 9), EMPTY_STATE, watch);
		expect(state.records).toEqual({
			automations: {
				owner: '7',
				since: expect.any(String),
				records: { [String(counts(9, 9)[0]?.utr)]: ['1', 1, 0] },
				absent: {},
				watched: ['total_bounces>=5'],
			},
		});
	});
});
