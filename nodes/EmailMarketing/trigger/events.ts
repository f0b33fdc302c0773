import { coerceNumber, coerceText } from '../util/coerce';
import { diffEntries } from './watermarkDiff';
import type { RecordChange, RecordFields, RecordsState } from './snapshotDiff';
import { diffRecords } from './snapshotDiff';
import type { TriggerState } from './state';
import { isSameAccount, ownerOf } from './state';
import { passesFilter, showStatus } from './statuses';
import { measure } from './thresholds';
import type {
	EntrySource,
	EventName,
	RecordSource,
	Row,
	SourceName,
	TriggerEvent,
	Watch,
} from './types';

interface RecordRules extends RecordFields {
	created?: EventName;
	deleted?: EventName;
	/** The event that a change of status is, if it is one that the user wants. */
	changed: (
		watch: Watch,
		change: Extract<RecordChange, { kind: 'status' }>,
	) => EventName | undefined;
}

const RECORD_RULES: Record<RecordSource, RecordRules> = {
	singleSends: {
		key: 'utr',
		status: 'status',
		created: 'singleSendCreated',
		deleted: 'singleSendDeleted',
		changed: ({ singleSends }, change) =>
			passesFilter('singleSends', singleSends, change) ? 'singleSendStatusChanged' : undefined,
	},
	automations: {
		key: 'utr',
		status: 'status',
		created: 'automationCreated',
		deleted: 'automationDeleted',
		changed: ({ automations }, change) =>
			passesFilter('automations', automations, change) ? 'automationStatusChanged' : undefined,
	},
	senders: {
		key: 'id',
		status: 'is_verified',
		changed: (_watch, { status }) => (status === '1' ? 'senderVerified' : undefined),
	},
};

const isRecordSource = (source: SourceName): source is RecordSource =>
	Object.hasOwn(RECORD_RULES, source);

/** When something happened to a record, as far as the service says. */
export const occurredAt = ({ updated_at, created_at }: Row): string | null =>
	typeof updated_at === 'string' ? updated_at : typeof created_at === 'string' ? created_at : null;

function recordEvent(
	source: RecordSource,
	change: RecordChange,
	watch: Watch,
): TriggerEvent | undefined {
	const rules = RECORD_RULES[source];
	const show = (code: string) => showStatus(source, code);
	if (change.kind === 'deleted') {
		const only = source === 'automations' ? watch.automations.only : watch.singleSends.only;
		if (!rules.deleted || (only.length > 0 && !only.includes(change.key))) return undefined;
		return {
			event: rules.deleted,
			occurredAt: null,
			previousStatus: show(change.previous),
			status: null,
			record: { [rules.key]: change.key },
		};
	}
	const { row, kind } = change;
	const base = { occurredAt: occurredAt(row), record: row };
	if (kind === 'created') {
		if (!rules.created) return undefined;
		return { ...base, event: rules.created, previousStatus: null, status: show(change.status) };
	}
	if (kind === 'reached') {
		if (watch.singleSends.only.length > 0 && !watch.singleSends.only.includes(change.key)) {
			return undefined;
		}
		const statistic = measure(row, change.threshold);
		return { ...base, event: 'singleSendStatisticReached', statistic };
	}
	const event = rules.changed(watch, change);
	if (!event) return undefined;
	const previousStatus = change.previous === null ? null : show(change.previous);
	return { ...base, event, previousStatus, status: show(change.status) };
}

function entryEvents(
	source: EntrySource,
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

/** Oldest first; what has no time (a deletion) was noticed last. Equal times keep their order. */
const byTime = (a: TriggerEvent, b: TriggerEvent) => {
	if (a.occurredAt === b.occurredAt) return 0;
	if (a.occurredAt === null) return 1;
	if (b.occurredAt === null) return -1;
	return a.occurredAt < b.occurredAt ? -1 : 1;
};

const watchedThresholds = ({ events, thresholds }: Watch) =>
	events.has('singleSendStatisticReached') ? thresholds : [];

const isKnown =
	({ records }: RecordsState, { key }: RecordFields) =>
	(row: Row) =>
		Object.hasOwn(records, coerceText(row[key]));

/**
 * What has happened since the last poll.
 *
 * The state after depends on the rows and the state before only, never on which events or filters
 * are chosen (thresholds aside, which have a memory of their own): whatever is edited in the node,
 * the next change is told from the last one seen. Lists without rows here keep their state.
 *
 * @param rows the rows of each list that was read, as the service sent them
 */
export function detect(
	rows: ReadonlyMap<SourceName, Row[]>,
	before: TriggerState,
	watch: Watch,
): { events: TriggerEvent[]; state: TriggerState } {
	const records = { ...before.records };
	const entries = { ...before.entries };
	const events: TriggerEvent[] = [];

	for (const [source, all] of rows) {
		const present = all.filter(({ deleted_at }) => !deleted_at);
		if (isRecordSource(source)) {
			const rules = RECORD_RULES[source];
			const last = before.records[source];
			const known =
				last && isSameAccount(present, last.owner, isKnown(last, rules)) ? last : undefined;
			const thresholds = source === 'singleSends' ? watchedThresholds(watch) : [];
			const { changes, after } = diffRecords(present, known, rules, thresholds, watch.emitExisting);
			records[source] = { ...ownerOf(present, known?.owner), ...after };
			events.push(...changes.flatMap((change) => recordEvent(source, change, watch) ?? []));
		} else {
			const last = before.entries[source];
			const known = last && isSameAccount(present, last.owner) ? last : undefined;
			const { added, updated, after } = diffEntries(present, known, source === 'contacts');
			entries[source] = { ...ownerOf(present, known?.owner), ...after };
			if (known) events.push(...entryEvents(source, added, updated, watch));
			else if (watch.emitExisting) {
				// What exists is emitted once: as added if additions are watched, else as updated.
				const again = watch.events.has('contactAdded') ? [] : updated;
				events.push(...entryEvents(source, added, again, watch));
			}
		}
	}

	const wanted = events.filter(({ event }) => watch.events.has(event)).sort(byTime);
	return { events: wanted, state: { format: 1, changes: before.changes, records, entries } };
}
