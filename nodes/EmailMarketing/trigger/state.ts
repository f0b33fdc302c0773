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

/** Whose records a list had. */
interface Account {
	/** `user_id` of its records. */
	owner?: number;
	/** See `Watch`. */
	account?: string;
}

/**
 * Whether the rows belong to the account that the state is about. If the credential now holds another
 * account, this is a first poll of it: its records are not new. The same keys are the same account, even if
 * none of the records that were there first is left. With other keys, the records decide, since an account may get new
 * keys. Only if no record shows whose it is, because the list is or was empty, do other keys mean another account.
 */
export function isSameAccount(
	rows: Row[],
	before: Account,
	account: string | undefined,
	isKnown: (row: Row) => boolean = () => false,
): boolean {
	if (account !== undefined && account === before.account) return true;
	if (rows.some((row) => isKnown(row))) return true;
	if (rows.length > 0 && before.owner !== undefined) {
		return rows.some((row) => row.user_id === before.owner);
	}
	return (before.account ?? account) === (account ?? before.account);
}

/**
 * The account to remember: the same as before as long as it has rows, or none at all. A row that shows no account says
 * nothing.
 */
export function accountOf(
	rows: Row[],
	before: Account | undefined,
	account: string | undefined,
): Account {
	const shown = rows.flatMap(({ user_id }) => (typeof user_id === 'number' ? [user_id] : []));
	const isBefore = rows.length === 0 || shown.some((one) => one === before?.owner);
	const owner = isBefore ? before?.owner : shown[0];
	return {
		...(owner !== undefined && { owner }),
		...(account !== undefined && { account }),
	};
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
