import fc from 'fast-check';

import { detect } from '../../../nodes/EmailMarketing/trigger/events';
import { EVENT_NAMES } from '../../../nodes/EmailMarketing/trigger/sources';
import { EMPTY_STATE } from '../../../nodes/EmailMarketing/trigger/state';
import { toThreshold } from '../../../nodes/EmailMarketing/trigger/milestones';
import type { TriggerState } from '../../../nodes/EmailMarketing/trigger/state';
import type {
	EventName,
	SourceName,
	StatisticsSource,
} from '../../../nodes/EmailMarketing/trigger/sources';
import type {
	Row,
	Threshold,
	TriggerEvent,
	Watch,
} from '../../../nodes/EmailMarketing/trigger/types';

export const everything: Watch = {
	events: new Set(EVENT_NAMES),
	singleSends: { from: [], to: [], only: [] },
	automations: { from: [], to: [], only: [] },
	thresholds: { singleSends: [], automations: [] },
	ages: [],
	sentAt: () => undefined,
	groupId: 4,
	segmentId: 5,
	emitExisting: false,
};

export const only = (events: EventName[], rest: Partial<Watch> = {}): Watch => ({
	...everything,
	...rest,
	events: new Set(events),
});

/** `2026-01-01T00:00:SS.000000Z` for any count of seconds. */
export const time = (seconds: number) =>
	new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString().replace('Z', '000Z');

export const utr = (number: number) =>
	`00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export function deepFreeze<T>(value: T): T {
	if (typeof value === 'object' && value !== null) {
		Object.values(value).forEach(deepFreeze);
		Object.freeze(value);
	}
	return value;
}

/** One poll. The state goes through JSON, as in n8n, and is frozen to show that it is not modified. */
export function poll(
	source: SourceName,
	rows: Row[],
	state: TriggerState = EMPTY_STATE,
	watch: Watch = everything,
	now = Date.UTC(2026, 0, 1, 12),
): { events: TriggerEvent[]; state: TriggerState } {
	const before = deepFreeze(JSON.parse(JSON.stringify(state)) as TriggerState);
	return detect(new Map([[source, deepFreeze(rows)]]), before, watch, now);
}

/** Polls one snapshot after another; the events of each. */
export function pollAll(source: SourceName, snapshots: Row[][], watch: Watch = everything) {
	let state: TriggerState = EMPTY_STATE;
	return snapshots.map((rows) => {
		const result = poll(source, rows, state, watch);
		state = result.state;
		return result.events;
	});
}

export const sendOf = (number: number, fields: Row = {}): Row => ({
	id: number,
	user_id: 7,
	utr: utr(number),
	status: 0,
	triggered: 0,
	delivered: 0,
	bounces: 0,
	updated_at: time(number),
	...fields,
});

export const automationOf = (number: number, fields: Row = {}): Row => ({
	id: number,
	user_id: 7,
	utr: utr(number),
	status: 0,
	total_triggered: 0,
	total_delivered: 0,
	total_bounces: 0,
	updated_at: time(number),
	...fields,
});

const made = {
	singleSends: (number: number, triggered: number, bounces: number, rest: Row) =>
		sendOf(number, { triggered, delivered: triggered - bounces, bounces, ...rest }),
	automations: (number: number, triggered: number, bounces: number, rest: Row) =>
		automationOf(number, {
			total_triggered: triggered,
			total_delivered: triggered - bounces,
			total_bounces: bounces,
			...rest,
		}),
};

/** Any history of up to five single sends or automations: present or not, in any status, at any time. */
export const historiesOf = (source: StatisticsSource) =>
	fc.array(
		fc
			.uniqueArray(
				fc.record({
					number: fc.integer({ min: 1, max: 5 }),
					status: fc.integer({ min: 0, max: 4 }),
					triggered: fc.integer({ min: 20, max: 100 }),
					bounces: fc.integer({ min: 0, max: 20 }),
					at: fc.integer({ min: 0, max: 50 }),
				}),
				{ selector: ({ number }) => number, maxLength: 5 },
			)
			.map((records) =>
				records.map(({ number, triggered, bounces, status, at }) =>
					made[source](number, triggered, bounces, { status, updated_at: time(at) }),
				),
			),
		{ minLength: 1, maxLength: 12 },
	);

export const sendHistories = historiesOf('singleSends');

/** Of bounces, as the editor has them. */
const bounces = (source: StatisticsSource): Threshold[] => {
	const statistic = source === 'singleSends' ? 'bounces' : 'total_bounces';
	return [
		toThreshold(source, { statistic, unit: 'count', value: 10, minimumMessages: 0 }),
		toThreshold(source, { statistic, unit: 'percent', value: 5, minimumMessages: 40 }),
	];
};

export const thresholds: Watch['thresholds'] = {
	singleSends: bounces('singleSends'),
	automations: bounces('automations'),
};
