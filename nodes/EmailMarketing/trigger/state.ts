import type { IDataObject } from 'n8n-workflow';

import type { EntriesState } from './watermarkDiff';
import type { RecordsState } from './snapshotDiff';
import type { EntrySource, EventName, RecordSource, Row, SourceName, Watch } from './types';

/** What the node keeps in n8n's static data: plain JSON, one part for each list it has ever watched. */
export interface TriggerState {
	format: 1;
	/** How many polls have changed the state; tells a state from the one it led to. */
	changes: number;
	/** The list to begin with where the last poll ran out of time before it. */
	next?: SourceName;
	records: Partial<Record<RecordSource, RecordsState>>;
	entries: Partial<Record<EntrySource, EntriesState>>;
}

export const EMPTY_STATE: TriggerState = { format: 1, changes: 0, records: {}, entries: {} };

/** The state in the static data, or an empty one. */
export function readState(staticData: IDataObject): TriggerState {
	const stored = staticData.state as TriggerState | undefined;
	return stored?.format === EMPTY_STATE.format ? stored : EMPTY_STATE;
}

/** The state after a poll, counted as one change more if it is not the same as before. */
export function countChange(before: TriggerState, after: TriggerState): TriggerState {
	if (JSON.stringify(after) === JSON.stringify(before)) return before;
	return { ...after, changes: before.changes + 1 };
}

/**
 * Whether the rows are of the account that the state was made for. Another account in the same
 * credential is looked at as for the first time: its records are not news.
 */
export function isSameAccount(
	rows: Row[],
	owner: number | undefined,
	isKnown: (row: Row) => boolean = () => false,
): boolean {
	if (rows.length === 0 || owner === undefined) return true;
	return rows.some((row) => row.user_id === owner || isKnown(row));
}

/** The account to remember: the same as before while it still has rows. */
export function ownerOf(rows: Row[], before: number | undefined): { owner?: number } {
	const owner = rows.some(({ user_id }) => user_id === before) ? before : rows[0]?.user_id;
	return typeof owner === 'number' ? { owner } : {};
}

const SOURCE_OF_EVENT: Record<EventName, (watch: Watch) => SourceName> = {
	singleSendStatusChanged: () => 'singleSends',
	singleSendCreated: () => 'singleSends',
	singleSendDeleted: () => 'singleSends',
	singleSendStatisticReached: () => 'singleSends',
	automationStatusChanged: () => 'automations',
	automationCreated: () => 'automations',
	automationDeleted: () => 'automations',
	contactAdded: () => 'contacts',
	contactUpdated: () => 'contacts',
	globalUnsubscribeAdded: () => 'globalUnsubscribes',
	unsubscribeGroupRecipientAdded: ({ groupId }) => `group:${groupId ?? 0}`,
	segmentRecipientAdded: ({ segmentId }) => `segment:${segmentId ?? 0}`,
	senderVerified: () => 'senders',
};

export const EVENT_NAMES = Object.keys(SOURCE_OF_EVENT) as EventName[];

/** The list that an event is read from. */
export const sourceOf = (event: EventName, watch: Watch) => SOURCE_OF_EVENT[event](watch);

/** The lists that the chosen events need, each once. */
export function sourcesOf(watch: Watch): SourceName[] {
	return [
		...new Set(
			EVENT_NAMES.filter((name) => watch.events.has(name)).map((name) => sourceOf(name, watch)),
		),
	];
}
