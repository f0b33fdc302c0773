import type { StatisticsSource } from '../output/statistics';
import { COMPLETED } from '../output/statusLabels';
import { coerceNumber, coerceText } from '../util/coerce';
import { MS_PER_MINUTE } from './ages';
import { occurredAt, takeSnapshot } from './events';
import { sourceOf } from './state';
import { FIRST_STATUS, isChosen, passesFilter, showStatus, statusOf, VERIFIED } from './statuses';
import { isReached, measure } from './thresholds';
import type { EventName, Row, SnapshotSource, SourceName, TriggerEvent, Watch } from './types';

const newestFirst = (a: Row, b: Row) => {
	const [timeOfA, timeOfB] = [occurredAt(a) ?? '', occurredAt(b) ?? ''];
	if (timeOfA !== timeOfB) return timeOfA < timeOfB ? 1 : -1;
	return coerceNumber(b.id) - coerceNumber(a.id);
};

/** The status that a record most likely had before. */
function likelyPrevious(row: Row, source: SnapshotSource, from: string[]): string | null {
	if (from.length === 1 && from[0] !== undefined && /^\d+$/.test(from[0])) return from[0];
	const status = Number(statusOf(row, source === 'senders' ? 'is_verified' : 'status'));
	return status > 0 ? String(status - 1) : null;
}

function toSample(event: EventName, row: Row, watch: Watch, now: number): TriggerEvent {
	const base = { event, occurredAt: occurredAt(row), record: row };
	const status = statusOf(row, 'status') ?? FIRST_STATUS;
	const changed = (source: SnapshotSource, code: string, from: string[]) => {
		const previous = likelyPrevious(row, source, from);
		return {
			...base,
			previousStatus: previous === null ? null : showStatus(source, previous),
			status: showStatus(source, code),
		};
	};
	const created = (source: SnapshotSource) => ({
		...base,
		previousStatus: null,
		status: showStatus(source, status),
	});
	const deleted = (source: SnapshotSource) => ({
		event,
		occurredAt: null,
		previousStatus: showStatus(source, status),
		status: null,
		record: { utr: row.utr },
	});
	const reached = (source: StatisticsSource) => {
		const shown = showStatus(source, status);
		const { [source]: thresholds } = watch.thresholds;
		const threshold = thresholds.find((candidate) => isReached(row, candidate)) ?? thresholds[0];
		const statistic = threshold && { statistic: measure(row, threshold) };
		return { ...base, previousStatus: shown, status: shown, ...statistic };
	};
	const aged = () => {
		const shown = showStatus('singleSends', status);
		const [age = 0] = watch.ages;
		const dueAt = (watch.sentAt(row) ?? now) + age * MS_PER_MINUTE;
		const snapshot = takeSnapshot(row, { age, dueAt }, Math.max(now, dueAt));
		return {
			...base,
			...{ occurredAt: snapshot.dueAt, previousStatus: shown, status: shown, snapshot },
		};
	};
	switch (event) {
		case 'singleSendStatusChanged':
			return changed('singleSends', status, watch.singleSends.from);
		case 'singleSendCompleted':
			return changed('singleSends', status, []);
		case 'automationStatusChanged':
			return changed('automations', status, watch.automations.from);
		case 'senderVerified':
			return changed('senders', statusOf(row, 'is_verified') ?? FIRST_STATUS, []);
		case 'singleSendCreated':
			return created('singleSends');
		case 'automationCreated':
			return created('automations');
		case 'singleSendDeleted':
			return deleted('singleSends');
		case 'automationDeleted':
			return deleted('automations');
		case 'singleSendStatisticReached':
			return reached('singleSends');
		case 'automationStatisticReached':
			return reached('automations');
		case 'statisticsSnapshot':
			return aged();
		default:
			return base;
	}
}

/** Whether a record looks like one that the event would be about. */
function isTypical(event: EventName, row: Row, watch: Watch): boolean {
	const { singleSends, automations, contactTypeId } = watch;
	const change = {
		key: coerceText(row.utr),
		previous: null,
		status: statusOf(row, 'status') ?? FIRST_STATUS,
	};
	const hasReached = (source: StatisticsSource) =>
		isChosen(watch[source], change.key) &&
		watch.thresholds[source].some((threshold) => isReached(row, threshold));
	switch (event) {
		case 'singleSendStatusChanged':
			return passesFilter('singleSends', { ...singleSends, from: [] }, change);
		case 'automationStatusChanged':
			return passesFilter('automations', { ...automations, from: [] }, change);
		case 'singleSendCompleted':
			return change.status === COMPLETED && isChosen(singleSends, change.key);
		case 'singleSendStatisticReached':
			return hasReached('singleSends');
		case 'automationStatisticReached':
			return hasReached('automations');
		case 'contactAdded':
		case 'contactUpdated':
			return contactTypeId === undefined || coerceNumber(row.contact_type_id) === contactTypeId;
		case 'statisticsSnapshot':
			return watch.sentAt(row) !== undefined && isChosen(singleSends, change.key);
		case 'senderVerified':
			return statusOf(row, 'is_verified') === VERIFIED;
		default:
			return true;
	}
}

/**
 * For each chosen event, the newest record that it could be about, in the shape of the event. Where
 * no record passes the filters, it is the newest of all: the shape is what matters.
 */
export function sampleEvents(
	rows: ReadonlyMap<SourceName, Row[]>,
	watch: Watch,
	now: number,
): TriggerEvent[] {
	return [...watch.events].flatMap((event) => {
		const newest = [...(rows.get(sourceOf(event, watch)) ?? [])].sort(newestFirst);
		const row = newest.find((candidate) => isTypical(event, candidate, watch)) ?? newest[0];
		return row ? [toSample(event, row, watch, now)] : [];
	});
}
