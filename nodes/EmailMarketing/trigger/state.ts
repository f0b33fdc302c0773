import type { IDataObject } from 'n8n-workflow';

import type { WatermarkState } from './watermarkDiff';
import type { SnapshotState } from './snapshotDiff';
import type { EventName, Row, SnapshotSource, SourceName, Watch, WatermarkSource } from './types';

/** What the node saves in n8n's static data: plain JSON, one part for each list it has ever watched. */
export interface TriggerState {
	format: 1;
	/** How many polls have changed the state, which shows which of two states is newer. */
	changes: number;
	/** The list to start with, where the last poll ran out of time before it. */
	next?: SourceName;
	records: Partial<Record<SnapshotSource, SnapshotState>>;
	entries: Partial<Record<WatermarkSource, WatermarkState>>;
}

export const EMPTY_STATE: TriggerState = { format: 1, changes: 0, records: {}, entries: {} };

export function readState(staticData: IDataObject): TriggerState {
	const stored = staticData.state as TriggerState | undefined;
	return stored?.format === EMPTY_STATE.format ? stored : EMPTY_STATE;
}

/** Counts one more change, unless the states are equal. */
export function countChange(before: TriggerState, after: TriggerState): TriggerState {
	if (JSON.stringify(after) === JSON.stringify(before)) return before;
	return { ...after, changes: before.changes + 1 };
}

/**
 * Whether the rows belong to the account that the state is about. If the credential now holds another
 * account, this is a first poll of it: its records are not new.
 */
export function isSameAccount(
	rows: Row[],
	owner: number | undefined,
	isKnown: (row: Row) => boolean = () => false,
): boolean {
	if (rows.length === 0 || owner === undefined) return true;
	return rows.some((row) => row.user_id === owner || isKnown(row));
}

/** The account to remember: the same as before as long as it has rows. A row that shows no account says nothing. */
export function ownerOf(rows: Row[], before: number | undefined): { owner?: number } {
	const shown = rows.flatMap(({ user_id }) => (typeof user_id === 'number' ? [user_id] : []));
	const owner = shown.find((one) => one === before) ?? shown[0];
	return owner === undefined ? {} : { owner };
}

const SOURCE_OF_EVENT: Record<EventName, (watch: Watch) => SourceName> = {
	singleSendStatusChanged: () => 'singleSends',
	singleSendCompleted: () => 'singleSends',
	singleSendCreated: () => 'singleSends',
	singleSendDeleted: () => 'singleSends',
	singleSendStatisticReached: () => 'singleSends',
	automationStatusChanged: () => 'automations',
	automationCreated: () => 'automations',
	automationDeleted: () => 'automations',
	automationStatisticReached: () => 'automations',
	contactAdded: () => 'contacts',
	contactUpdated: () => 'contacts',
	globalUnsubscribeAdded: () => 'globalUnsubscribes',
	unsubscribeGroupRecipientAdded: ({ groupId }) => `group:${groupId ?? 0}`,
	segmentRecipientAdded: ({ segmentId }) => `segment:${segmentId ?? 0}`,
	senderVerified: () => 'senders',
	statisticsSnapshot: () => 'singleSends',
};

export const EVENT_NAMES = Object.keys(SOURCE_OF_EVENT) as EventName[];

export const sourceOf = (event: EventName, watch: Watch) => SOURCE_OF_EVENT[event](watch);

export function sourcesOf(watch: Watch): SourceName[] {
	return [
		...new Set(
			EVENT_NAMES.filter((name) => watch.events.has(name)).map((name) => sourceOf(name, watch)),
		),
	];
}
