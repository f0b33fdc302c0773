import { countIn } from '../records/statistics';
import { COMPLETED } from '../records/statusLabels';
import { coerceNumber, coerceText } from '../util/coerce';
import { detect, isSnapshotSource, keyOf, milestonesOf, occurredAt, watchedRows } from './events';
import { ABSENCE } from './snapshotDiff';
import type { SnapshotState } from './snapshotDiff';
import { heartbeatOf, recordReads } from './heartbeat';
import type { Reads } from './heartbeat';
import { HEARTBEAT, sourceOf } from './sources';
import type { ListEvent, SnapshotSource, SourceName } from './sources';
import { EMPTY_STATE } from './state';
import { FIRST_STATUS, statusOf, VERIFIED } from './statuses';
import type { Row, Threshold, TriggerEvent, Watch } from './types';

/** So many of the newest records are tried. */
const MAX_TRIED = 1000;

const newestFirst = (a: Row, b: Row) => {
	const [timeOfA, timeOfB] = [occurredAt(a) ?? '', occurredAt(b) ?? ''];
	if (timeOfA !== timeOfB) return timeOfA < timeOfB ? 1 : -1;
	return coerceNumber(b.id) - coerceNumber(a.id);
};

/** Undefined for a record in its first status. */
function likelyPrevious(status: string, from: string[]): string | undefined {
	const before = Number(status) > 0 ? String(Number(status) - 1) : undefined;
	if (before !== undefined && from.includes(before)) return before;
	return from.find((code) => /^\d+$/.test(code) && code !== status) ?? before;
}

/** The list as it may have been before the event; undefined if a first poll also has the event. */
function listBefore(
	event: ListEvent,
	source: SnapshotSource,
	row: Row,
	watch: Watch,
): SnapshotState | undefined {
	const current = statusOf(row, source === 'senders' ? 'is_verified' : 'status') ?? FIRST_STATUS;
	const isStatusChanged = event.endsWith('StatusChanged');
	const from = isStatusChanged && source !== 'senders' ? watch[source].from : [];
	const isOfStatus = isStatusChanged || /(Completed|Verified)$/.test(event);
	const status = isOfStatus ? likelyPrevious(current, from) : current;
	if (event.endsWith('Created') || status === undefined) return undefined;
	const key = coerceText(row[keyOf(source)]);
	return {
		account: watch.account,
		since: '',
		records: { [key]: [status, 0] },
		absent: event.endsWith('Deleted') ? { [key]: ABSENCE.isDeleted - 1 } : {},
		watched: milestonesOf(source, watch, 0).map(({ name }) => name),
	};
}

/** The event that `detect` finds between an invented state and the record. */
function sampleOf(event: ListEvent, row: Row, watch: Watch, now: number): TriggerEvent | undefined {
	const source = sourceOf(event, watch);
	const list = isSnapshotSource(source) ? listBefore(event, source, row, watch) : undefined;
	const [age = 0] = watch.ages;
	const dueAt = (watch.sentAt(row) ?? 0) + age * 60_000;
	const { events } = detect(
		new Map([[source, event.endsWith('Deleted') ? [] : [row]]]),
		list ? { ...EMPTY_STATE, records: { [source]: list } } : EMPTY_STATE,
		watch,
		Math.max(now, dueAt),
	);
	return events[0];
}

const asSent: ReadonlySet<ListEvent> = new Set(['singleSendCompleted', 'statisticsSnapshot']);

/** If no record had the event: the newest record, as if it had. */
function asIf(event: ListEvent, row: Row, watch: Watch, now: number): TriggerEvent | undefined {
	const any = { from: [], to: [], only: [] };
	const reached = (threshold: Threshold): Threshold => ({
		...threshold,
		...{ unit: 'count', value: countIn(row, threshold.statistic) ?? 0 },
	});
	const { singleSends, automations } = watch.thresholds;
	const statuses = {
		...(asSent.has(event) && { status: Number(COMPLETED) }),
		...(event === 'senderVerified' && { is_verified: Number(VERIFIED) }),
	};
	return sampleOf(
		event,
		{ ...row, ...statuses },
		{
			...watch,
			...{ singleSends: any, automations: any, contactTypeId: undefined },
			thresholds: { singleSends: singleSends.map(reached), automations: automations.map(reached) },
			sentAt: (sent) => watch.sentAt(sent) ?? now,
		},
		now,
	);
}

/** A heartbeat as if the lists had just been read. */
function sampleHeartbeat(
	rows: ReadonlyMap<SourceName, Row[]>,
	watch: Watch,
	now: number,
): TriggerEvent[] {
	const reads: Reads = new Map();
	recordReads(reads, { rows }, watch, now);
	const before = { ...EMPTY_STATE, heartbeatAt: 0 };
	const test = { ...watch, account: `test ${now}` };
	return heartbeatOf(test, before, { reads, failing: {} }, now, 0).heartbeat;
}

/**
 * For each chosen event, the newest record that could have it, in the form of the event. If no record passes the
 * filters, the newest of all is used, because only the form matters.
 */
export function sampleEvents(
	rows: ReadonlyMap<SourceName, Row[]>,
	watch: Watch,
	now: number,
): TriggerEvent[] {
	return [...watch.events].flatMap((event) => {
		if (event === HEARTBEAT) return sampleHeartbeat(rows, watch, now);
		const source = sourceOf(event, watch);
		const newest = watchedRows(source, rows.get(source) ?? [], watch).sort(newestFirst);
		const only: Watch = {
			...watch,
			events: new Set([event]),
			ages: watch.ages.slice(0, 1),
			// Test events have other IDs than real ones.
			account: `test ${now}`,
			emitExisting: true,
		};
		for (const row of newest.slice(0, MAX_TRIED)) {
			const sample = sampleOf(event, row, only, now);
			if (sample) return [sample];
		}
		const sample = newest[0] && asIf(event, newest[0], only, now);
		return sample ? [sample] : [];
	});
}
