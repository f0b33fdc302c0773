import { eventId, watchedRows } from './events';
import { nounOf } from './lists';
import type { ReadLists } from './lists';
import { HEARTBEAT, sourcesOf } from './sources';
import type { SourceName } from './sources';
import type { TriggerState } from './state';
import type { Row, TriggerEvent, Watch, WatchedListReport } from './types';

/** More than the hour by which the clocks change. */
const MOST_EARLY_MS = 65 * 60_000;

interface ListReads {
	readAt?: number;
	records?: number;
	failedPolls: number;
	error?: string;
}

/**
 * The last read of each list, and its failures since the last heartbeat. Kept in memory, since n8n would have to save
 * them with every poll.
 */
export type Reads = Map<SourceName, ListReads>;

export function recordReads(
	reads: Reads,
	{
		rows,
		failures = new Map(),
	}: { rows: ReadonlyMap<SourceName, Row[]>; failures?: ReadLists['failures'] },
	watch: Watch,
	now: number,
): void {
	const of = (source: SourceName): ListReads => reads.get(source) ?? { failedPolls: 0 };
	for (const [source, all] of rows) {
		const records = watchedRows(source, all, watch).length;
		reads.set(source, { ...of(source), readAt: now, records });
	}
	for (const [source, { error }] of failures) {
		const { failedPolls } = of(source);
		reads.set(source, { ...of(source), failedPolls: failedPolls + 1, error: error.message });
	}
}

/** The next heartbeat tells the failures since this one. */
export function forgetFailures(reads: Reads): void {
	for (const [source, { readAt, records }] of reads) {
		reads.set(source, { readAt, records, failedPolls: 0 });
	}
}

const isoTime = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());

/**
 * "Heartbeat", if it is due: counted from the first poll, or from the last heartbeat that n8n has saved. It comes with the
 * poll that is nearest to its time, about an hour early at most: polls are not exactly on time, and one day of the year
 * has 23 hours.
 *
 * @param sincePoll the time since the poll before, in milliseconds
 */
export function heartbeatOf(
	watch: Watch,
	{ heartbeatAt = -1 }: TriggerState,
	{ reads, failing }: { reads: Reads } & Pick<TriggerState, 'failing'>,
	now: number,
	sincePoll: number,
): { heartbeat: TriggerEvent[]; heartbeatAt?: number } {
	const { heartbeatMs } = watch;
	if (heartbeatMs === undefined) return { heartbeat: [] };
	if (heartbeatAt === -1) return { heartbeat: [], heartbeatAt: now };
	// A clock that is set back by years must not silence it.
	if (Math.abs(now - heartbeatAt) < heartbeatMs - Math.min(sincePoll / 2, MOST_EARLY_MS))
		return { heartbeat: [], heartbeatAt };
	const lists = sourcesOf(watch).map((source): WatchedListReport => {
		const { readAt, records = null, failedPolls = 0, error = null } = reads.get(source) ?? {};
		return {
			list: nounOf(source),
			readAt: isoTime(readAt),
			...{ records, failedPolls },
			unreadableSince: isoTime(failing[source]),
			error,
		};
	});
	const event: TriggerEvent = {
		event: HEARTBEAT,
		eventId: eventId(watch, HEARTBEAT, heartbeatAt),
		occurredAt: new Date(now).toISOString(),
		lists,
		record: {},
	};
	return { heartbeat: [event], heartbeatAt: now };
}
