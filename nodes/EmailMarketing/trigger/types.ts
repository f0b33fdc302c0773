import type { IDataObject } from 'n8n-workflow';

export type Row = IDataObject;

/** Lists that are watched record by record. */
export type RecordSource = 'singleSends' | 'automations' | 'senders';

/** Lists that are watched by a high-water mark; groups and segments have a list each. */
export type EntrySource =
	'contacts' | 'globalUnsubscribes' | `group:${number}` | `segment:${number}`;

export type SourceName = RecordSource | EntrySource;

export type EventName =
	| 'singleSendStatusChanged'
	| 'singleSendCreated'
	| 'singleSendDeleted'
	| 'singleSendStatisticReached'
	| 'automationStatusChanged'
	| 'automationCreated'
	| 'automationDeleted'
	| 'contactAdded'
	| 'contactUpdated'
	| 'globalUnsubscribeAdded'
	| 'unsubscribeGroupRecipientAdded'
	| 'segmentRecipientAdded'
	| 'senderVerified';

/** What a status filter lets through; an empty list lets everything through. */
export interface StatusFilter {
	from: string[];
	to: string[];
	/** Only records with these utrs. */
	only: string[];
}

export interface Threshold {
	/** Field of a single send, such as `bounces`. */
	statistic: string;
	/** `percent` is of `delivered`. */
	unit: 'count' | 'percent';
	value: number;
	/** Below this number of delivered messages a percentage is not looked at. */
	minimumDelivered: number;
}

/** What the user chose in the node. */
export interface Watch {
	events: ReadonlySet<EventName>;
	singleSends: StatusFilter;
	automations: StatusFilter;
	thresholds: Threshold[];
	contactTypeId?: number;
	groupId?: number;
	segmentId?: number;
	/** Also emit what is there when a list is looked at for the first time. */
	emitExisting: boolean;
}

export interface Status {
	code: number | string;
	label: string;
}

export interface Reached {
	name: string;
	unit: 'count' | 'percent';
	threshold: number;
	value: number;
	delivered: number;
}

export interface TriggerEvent {
	event: EventName;
	/** `updated_at` of the record as the service sent it; null where the service does not say. */
	occurredAt: string | null;
	previousStatus?: Status | null;
	status?: Status | null;
	statistic?: Reached;
	record: Row;
}
