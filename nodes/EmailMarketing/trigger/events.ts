import { isDeleted } from '../records/recordKind';
import { COMPLETED } from '../records/statusLabels';
import { isTestSend } from '../records/testName';
import { isOfNoGroup } from '../records/unsubscribes';
import { coerceNumber, coerceText } from '../util/coerce';
import { shortHash } from '../util/text';
import { ageMilestone, thresholdMilestone } from './milestones';
import type { Milestone } from './milestones';
import { diffSnapshots } from './snapshotDiff';
import type { RecordChange, SnapshotFields, SnapshotState } from './snapshotDiff';
import { sourcesOf } from './sources';
import type { EventName, SnapshotSource, SourceName, WatermarkSource } from './sources';
import { accountOf, chooseState, isSameAccount } from './state';
import type { TriggerState } from './state';
import { isChosen, passesFilter, showStatus, VERIFIED } from './statuses';
import type { Row, TriggerEvent, Watch } from './types';
import { diffByWatermark } from './watermarkDiff';

interface SnapshotRules extends SnapshotFields {
	created?: EventName;
	deleted?: EventName;
	/** The events of thresholds and of ages. */
	reached?: EventName;
	aged?: EventName;
	/** The events for a change of status that passes the filters. */
	changed: (watch: Watch, change: Extract<RecordChange, { kind: 'status' }>) => EventName[];
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
		changed: ({ automations }, change) =>
			passesFilter('automations', automations, change) ? ['automationStatusChanged'] : [],
	},
	senders: {
		key: 'id',
		status: 'is_verified',
		changed: (_watch, { status }) => (status === VERIFIED ? ['senderVerified'] : []),
	},
};

export const keyOf = (source: SnapshotSource) => SNAPSHOT_RULES[source].key;

export const isSnapshotSource = (source: SourceName): source is SnapshotSource =>
	Object.hasOwn(SNAPSHOT_RULES, source);

/** When the record last changed, if the service says so. */
export const occurredAt = ({ updated_at, created_at }: Row): string | null =>
	typeof updated_at === 'string' ? updated_at : typeof created_at === 'string' ? created_at : null;

/**
 * Identifies an event by the record and the kind of change, never by values that may differ when it is reported again.
 */
export const eventId = ({ account }: Watch, event: EventName, ...what: unknown[]): string =>
	shortHash(JSON.stringify([account, event, ...what]), 22);

function snapshotEvents(
	source: SnapshotSource,
	change: RecordChange,
	watch: Watch,
): TriggerEvent[] {
	const rules = SNAPSHOT_RULES[source];
	const { key, previous } = change;
	const isWatched = source === 'senders' || isChosen(watch[source], key);
	const previousStatus = previous === null ? null : showStatus(source, previous);
	if (change.kind === 'deleted') {
		const { deleted: event } = rules;
		if (event === undefined || !isWatched) return [];
		const record = { [rules.key]: key };
		return [
			{
				event,
				eventId: eventId(watch, event, key, change.turn),
				...{ occurredAt: null, previousStatus, status: null, record },
			},
		];
	}
	const { row, status } = change;
	const toEvent = (event: EventName, ...what: string[]): TriggerEvent => ({
		event,
		eventId: eventId(watch, event, key, ...what),
		occurredAt: occurredAt(row),
		previousStatus,
		status: showStatus(source, status),
		record: row,
	});
	switch (change.kind) {
		case 'created':
			return rules.created ? [toEvent(rules.created)] : [];
		case 'status':
			return rules
				.changed(watch, change)
				.map((event) => toEvent(event, previous ?? '', status, change.turn));
		case 'reached': {
			const { milestone, reached } = change;
			return isWatched ? [{ ...toEvent(milestone.event, milestone.name), ...reached }] : [];
		}
	}
}

function watermarkEvents(
	source: WatermarkSource,
	added: Row[],
	updated: Row[],
	watch: Watch,
): TriggerEvent[] {
	// The service may number the entries of each group, and of each segment, from 1.
	const [, listId] = source.split(':');
	const list = listId === undefined ? [] : [listId];
	const toEvent =
		(event: EventName, ...what: Array<keyof Row>) =>
		(row: Row): TriggerEvent => ({
			event,
			eventId: eventId(watch, event, Number(row.id), ...list, ...what.map((field) => row[field])),
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
		...updated.filter(ofType).map(toEvent('contactUpdated', 'updated_at')),
	];
}

/** Oldest first. A deletion has no time and comes last; equal times keep their order. */
const byTime = (a: TriggerEvent, b: TriggerEvent) => {
	if (a.occurredAt === b.occurredAt) return 0;
	if (a.occurredAt === null) return 1;
	if (b.occurredAt === null) return -1;
	return a.occurredAt < b.occurredAt ? -1 : 1;
};

/** The thresholds and ages that are watched. */
export function milestonesOf(source: SnapshotSource, watch: Watch, now: number): Milestone[] {
	const { reached, aged } = SNAPSHOT_RULES[source];
	const thresholds =
		source !== 'senders' && reached && watch.events.has(reached)
			? watch.thresholds[source].map((threshold) => thresholdMilestone(reached, threshold))
			: [];
	const ages = aged && watch.events.has(aged) ? watch.ages : [];
	return [
		...thresholds,
		...ages.map((age) => ageMilestone(aged as EventName, age, watch.sentAt, now)),
	];
}

/** Most of a list is missing. It will be reported as deleted if the next polls do not find it either. */
export interface MassAbsence {
	source: SnapshotSource;
	missing: number;
	of: number;
}

/** Whether a row is a test send, unless these are watched, too. */
const isIgnored = (row: Row, { includeTestSends = false }: Watch): boolean =>
	!includeTestSends && isTestSend(row);

/** The rows of a list that are there, and of its kind: the service may list others as well. */
export function watchedRows(source: SourceName, rows: readonly Row[], watch: Watch): Row[] {
	const isListed = source === 'globalUnsubscribes' ? isOfNoGroup : () => true;
	return rows.filter((row) => !isDeleted(row) && isListed(row) && !isIgnored(row, watch));
}

/** Forgets records that are no longer watched, so that they do not look deleted. */
function without(keys: string[], last: SnapshotState | undefined): SnapshotState | undefined {
	if (last === undefined || keys.length === 0) return last;
	const records = { ...last.records };
	for (const key of keys) delete records[key];
	const earlier = without(keys, last.earlier);
	return { ...last, records, ...(earlier && { earlier }) };
}

/** The test sends that a state remembers: those that are listed, and those that may have been deleted. */
const testSendsIn = (
	{ records }: Pick<SnapshotState, 'records'>,
	known: SnapshotState | undefined,
	listed: readonly string[],
): string[] =>
	[...new Set([...(known?.testSends ?? []), ...listed])].filter((key) =>
		Object.hasOwn(records, key),
	);

/**
 * The lists whose existing records are to be reported: at the first poll, and later those that it could not read. A list
 * that is added later is only remembered.
 */
function unreportedLists(
	{ records, entries, unreported }: TriggerState,
	watch: Watch,
): SourceName[] {
	if (!watch.emitExisting) return [];
	const isFirst = Object.keys(records).length + Object.keys(entries).length === 0;
	return sourcesOf(watch).filter((source) => isFirst || unreported?.includes(source));
}

interface Detected {
	events: TriggerEvent[];
	state: TriggerState;
	/** Only of lists whose deletions are watched. */
	massAbsences: MassAbsence[];
}

/**
 * The events since the last poll.
 *
 * The new state depends only on the rows and the state before, never on the chosen events or filters (except for
 * the thresholds and ages that are watched, and test sends, unless these are watched): however the node is
 * edited, the next poll compares with the last state seen. Lists that are not in `rows` keep their state.
 *
 * @param now the time of the poll, in milliseconds since 1970
 */
export function detect(
	rows: ReadonlyMap<SourceName, Row[]>,
	before: TriggerState,
	watch: Watch,
	now: number,
): Detected {
	const records = { ...before.records };
	const entries = { ...before.entries };
	const { account } = watch;
	// Not as arguments of one push: about 130,000 events would exceed the stack.
	const found: TriggerEvent[][] = [];
	const massAbsences: MassAbsence[] = [];
	const unreported = unreportedLists(before, watch);

	for (const [source, all] of rows) {
		const ignored = all.filter((row) => isIgnored(row, watch));
		const present = watchedRows(source, all, watch);
		if (isSnapshotSource(source)) {
			const rules = SNAPSHOT_RULES[source];
			const key = (row: Row) => coerceText(row[rules.key]);
			const saved = before.records[source];
			const hasTestSends = source === 'singleSends' && watch.includeTestSends === true;
			const forgotten = hasTestSends ? [] : (saved?.testSends ?? []);
			const last = without([...ignored.map(key), ...forgotten], saved);
			const isIn = (row: Row, state?: SnapshotState) =>
				Object.hasOwn(state?.records ?? {}, key(row));
			const { known, earlier } = chooseState(present, last, (state) => {
				const isKnown = (row: Row) => isIn(row, state);
				return isSameAccount(present, state, account, isKnown, rules.key === 'utr');
			});
			const deleted = new Set(all.filter(isDeleted).map(key));
			const milestones = milestonesOf(source, watch, now);
			// Editing the node reports nothing.
			const isIncludedNow = known !== undefined && hasTestSends && !known.testSends;
			const included = isIncludedNow
				? present.filter((row) => isTestSend(row) && !isIn(row, known))
				: [];
			const { changes, after, massAbsence } = diffSnapshots(present, deleted, known, rules, {
				...{ milestones, newlyWatched: new Set(included.map(key)) },
				emitExisting: unreported.includes(source) && saved === undefined,
				now: new Date(now).toISOString(),
			});
			records[source] = {
				...accountOf(present, known, account),
				...after,
				...(hasTestSends && {
					testSends: testSendsIn(after, known, present.filter(isTestSend).map(key)),
				}),
				...(earlier && { earlier }),
			};
			found.push(changes.flatMap((change) => snapshotEvents(source, change, watch)));
			if (massAbsence && rules.deleted && watch.events.has(rules.deleted)) {
				massAbsences.push({ source, ...massAbsence });
			}
		} else {
			const { known, earlier } = chooseState(present, before.entries[source], (state) =>
				isSameAccount(present, state, account),
			);
			const { added, updated, after } = diffByWatermark(present, known, source === 'contacts');
			entries[source] = {
				...accountOf(present, known, account),
				...after,
				...(earlier && { earlier }),
			};
			if (known) found.push(watermarkEvents(source, added, updated, watch));
			else if (unreported.includes(source) && before.entries[source] === undefined) {
				// Existing records are emitted once: as added if additions are watched, otherwise as updated.
				const alsoUpdated = watch.events.has('contactAdded') ? [] : updated;
				found.push(watermarkEvents(source, added, alsoUpdated, watch));
			}
		}
	}

	const wanted = found
		.flat()
		.filter(({ event }) => watch.events.has(event))
		.sort(byTime);
	const left = unreported.filter((source) => !rows.has(source));
	const state = {
		...{ ...before, records, entries },
		unreported: left.length > 0 ? left : undefined,
	};
	return { events: wanted, state, massAbsences };
}
