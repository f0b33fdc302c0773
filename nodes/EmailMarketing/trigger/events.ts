import { ratesOf } from '../output/statistics';
import type { StatisticsSource } from '../output/statistics';
import { COMPLETED } from '../output/statusLabels';
import { coerceNumber, coerceText } from '../util/coerce';
import { MS_PER_MINUTE } from './ages';
import type { DueAge } from './ages';
import { sentAtIn } from './sentAt';
import { ABSENCE, diffSnapshots } from './snapshotDiff';
import type { RecordChange, SnapshotFields, SnapshotState } from './snapshotDiff';
import { accountOf, isSameAccount } from './state';
import type { TriggerState } from './state';
import { isChosen, passesFilter, showStatus, VERIFIED } from './statuses';
import { measure } from './thresholds';
import type {
	EventName,
	Row,
	SnapshotSource,
	SourceName,
	StatisticsSnapshot,
	Threshold,
	TriggerEvent,
	Watch,
	WatermarkSource,
} from './types';
import { diffByWatermark } from './watermarkDiff';

interface SnapshotRules extends SnapshotFields {
	created?: EventName;
	deleted?: EventName;
	reached?: EventName;
	aged?: EventName;
	/** The events for a change of status that passes the filters. */
	changed: (watch: Watch, change: Extract<RecordChange, { kind: 'status' }>) => EventName[];
	/** Whether an empty list may be a failure: 44 may say both with "Record Not Found". */
	isDoubtfulWhenEmpty?: boolean;
}

const SNAPSHOT_RULES: Record<SnapshotSource, SnapshotRules> = {
	singleSends: {
		key: 'utr',
		status: 'status',
		created: 'singleSendCreated',
		deleted: 'singleSendDeleted',
		reached: 'singleSendStatisticReached',
		aged: 'statisticsSnapshot',
		changed: ({ singleSends }, change) => {
			const events: EventName[] = [];
			if (passesFilter('singleSends', singleSends, change)) events.push('singleSendStatusChanged');
			if (change.status === COMPLETED && isChosen(singleSends, change.key)) {
				events.push('singleSendCompleted');
			}
			return events;
		},
	},
	automations: {
		key: 'utr',
		status: 'status',
		created: 'automationCreated',
		deleted: 'automationDeleted',
		reached: 'automationStatisticReached',
		isDoubtfulWhenEmpty: true,
		changed: ({ automations }, change) =>
			passesFilter('automations', automations, change) ? ['automationStatusChanged'] : [],
	},
	senders: {
		key: 'id',
		status: 'is_verified',
		changed: (_watch, { status }) => (status === VERIFIED ? ['senderVerified'] : []),
	},
};

const isSnapshotSource = (source: SourceName): source is SnapshotSource =>
	Object.hasOwn(SNAPSHOT_RULES, source);

/** When the record last changed, as far as the service says. */
export const occurredAt = ({ updated_at, created_at }: Row): string | null =>
	typeof updated_at === 'string' ? updated_at : typeof created_at === 'string' ? created_at : null;

const hasStatistics = (source: SnapshotSource): source is StatisticsSource => source !== 'senders';

/** What an event says about a single send at an age. */
export function takeSnapshot(row: Row, { age, dueAt }: DueAge, now: number): StatisticsSnapshot {
	return {
		ageHours: Math.round((age / 60) * 100) / 100,
		dueAt: new Date(dueAt).toISOString(),
		polledAt: new Date(now).toISOString(),
		lateMinutes: Math.max(0, Math.floor((now - dueAt) / MS_PER_MINUTE)),
		rates: ratesOf('singleSends', row),
	};
}

function snapshotEvents(
	source: SnapshotSource,
	change: RecordChange,
	watch: Watch,
	now: number,
): TriggerEvent[] {
	const rules = SNAPSHOT_RULES[source];
	const show = (code: string) => showStatus(source, code);
	const isWatched = !hasStatistics(source) || isChosen(watch[source], change.key);
	if (change.kind === 'deleted') {
		if (!rules.deleted || !isWatched) return [];
		return [
			{
				event: rules.deleted,
				occurredAt: null,
				previousStatus: show(change.previous),
				status: null,
				record: { [rules.key]: change.key },
			},
		];
	}
	const { row, kind } = change;
	const base = { occurredAt: occurredAt(row), status: show(change.status), record: row };
	if (kind === 'created') {
		return rules.created ? [{ ...base, event: rules.created, previousStatus: null }] : [];
	}
	const withPrevious = {
		...base,
		previousStatus: change.previous === null ? null : show(change.previous),
	};
	if (kind === 'status') {
		return rules.changed(watch, change).map((event) => ({ ...withPrevious, event }));
	}
	if (kind === 'aged') {
		if (!rules.aged || !isWatched) return [];
		const snapshot = takeSnapshot(row, change.due, now);
		return [{ ...withPrevious, event: rules.aged, occurredAt: snapshot.dueAt, snapshot }];
	}
	if (!rules.reached || !isWatched) return [];
	const statistic = measure(row, change.threshold);
	return [{ ...withPrevious, event: rules.reached, statistic }];
}

function watermarkEvents(
	source: WatermarkSource,
	added: Row[],
	updated: Row[],
	watch: Watch,
): TriggerEvent[] {
	const toEvent = (event: EventName) => (row: Row) => ({
		event,
		occurredAt: occurredAt(row),
		record: row,
	});
	if (source === 'globalUnsubscribes') return added.map(toEvent('globalUnsubscribeAdded'));
	if (source.startsWith('group:')) return added.map(toEvent('unsubscribeGroupRecipientAdded'));
	if (source.startsWith('segment:')) return added.map(toEvent('segmentRecipientAdded'));
	const ofType = ({ contact_type_id }: Row) =>
		watch.contactTypeId === undefined || coerceNumber(contact_type_id) === watch.contactTypeId;
	return [
		...added.filter(ofType).map(toEvent('contactAdded')),
		...updated.filter(ofType).map(toEvent('contactUpdated')),
	];
}

/** Oldest first. A deletion has no time and comes last; equal times keep their order. */
const byTime = (a: TriggerEvent, b: TriggerEvent) => {
	if (a.occurredAt === b.occurredAt) return 0;
	if (a.occurredAt === null) return 1;
	if (b.occurredAt === null) return -1;
	return a.occurredAt < b.occurredAt ? -1 : 1;
};

function watchedThresholds(source: SnapshotSource, { events, thresholds }: Watch): Threshold[] {
	const { reached } = SNAPSHOT_RULES[source];
	return hasStatistics(source) && reached && events.has(reached) ? thresholds[source] : [];
}

/**
 * How to read when a single send was sent. While the event for ages is not chosen, the remembered ones that are reached
 * are noted, in the time zone that was set when it was.
 */
function sentAtOf(source: SnapshotSource, watch: Watch, known: SnapshotState | undefined) {
	const { aged } = SNAPSHOT_RULES[source];
	const isChosen = aged !== undefined && watch.events.has(aged);
	if (isChosen || known?.sentAtTimezone === undefined) return watch;
	return sentAtIn(known.sentAtTimezone);
}

function watchedAges(source: SnapshotSource, { events, ages }: Watch): number[] {
	const { aged } = SNAPSHOT_RULES[source];
	return aged && events.has(aged) ? ages : [];
}

const isKnown =
	({ records }: SnapshotState, { key }: SnapshotFields) =>
	(row: Row) =>
		Object.hasOwn(records, coerceText(row[key]));

/**
 * What has happened since the last poll.
 *
 * The new state depends only on the rows and the state before, never on the chosen events or filters
 * (except for thresholds and ages, which are remembered by name): however the node is edited, the next poll
 * compares with what was last seen. Lists that are not in `rows` keep their state.
 *
 * @param now the time of the poll, in milliseconds since 1970
 */
export function detect(
	rows: ReadonlyMap<SourceName, Row[]>,
	before: TriggerState,
	watch: Watch,
	now: number,
): { events: TriggerEvent[]; state: TriggerState } {
	const records = { ...before.records };
	const entries = { ...before.entries };
	const { account } = watch;
	// Lists of events: as arguments of one push, some 130,000 of them would exceed the stack.
	const found: TriggerEvent[][] = [];

	for (const [source, all] of rows) {
		const present = all.filter(({ deleted_at }) => !deleted_at);
		if (isSnapshotSource(source)) {
			const rules = SNAPSHOT_RULES[source];
			const last = before.records[source];
			const isSame = last && isSameAccount(present, last, account, isKnown(last, rules));
			const known = isSame ? last : undefined;
			const isDoubtful = rules.isDoubtfulWhenEmpty && all.length === 0;
			const { sentAt, sentAtTimezone } = sentAtOf(source, watch, known);
			const { changes, after } = diffSnapshots(present, known, rules, {
				thresholds: watchedThresholds(source, watch),
				ages: watchedAges(source, watch),
				clock: { now, sentAt },
				emitExisting: watch.emitExisting,
				absence: isDoubtful ? ABSENCE.doubtful : ABSENCE.certain,
			});
			records[source] = {
				...accountOf(present, known, account),
				...after,
				...(after.ages && sentAtTimezone !== undefined && { sentAtTimezone }),
			};
			found.push(changes.flatMap((change) => snapshotEvents(source, change, watch, now)));
		} else {
			const last = before.entries[source];
			const known = last && isSameAccount(present, last, account) ? last : undefined;
			const { added, updated, after } = diffByWatermark(present, known, source === 'contacts', now);
			entries[source] = { ...accountOf(present, known, account), ...after };
			if (known) found.push(watermarkEvents(source, added, updated, watch));
			else if (watch.emitExisting) {
				// Existing records are emitted once: as added if additions are watched, else as updated.
				const alsoUpdated = watch.events.has('contactAdded') ? [] : updated;
				found.push(watermarkEvents(source, added, alsoUpdated, watch));
			}
		}
	}

	const wanted = found
		.flat()
		.filter(({ event }) => watch.events.has(event))
		.sort(byTime);
	return { events: wanted, state: { format: 1, changes: before.changes, records, entries } };
}
