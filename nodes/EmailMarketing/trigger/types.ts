import type { IDataObject } from 'n8n-workflow';

import type { Rates } from '../records/statistics';
import type { EventName, StatisticsSource } from './sources';

export type Row = IDataObject;

/** The statuses that a filter accepts; an empty list accepts all. */
export interface StatusFilter {
	from: string[];
	to: string[];
	/** Only records with these utrs. */
	only: string[];
}

export interface Threshold {
	/** Field of a single send or automation, such as `bounces`. */
	statistic: string;
	/** Field that a percentage is of, such as `triggered`; undefined for a statistic without a percentage. */
	base?: string;
	unit: 'count' | 'percent';
	value: number;
	/** A percentage is not checked while the base is lower. */
	minimumMessages: number;
}

/** The choices of the user in the node. */
export interface Watch {
	events: ReadonlySet<EventName>;
	singleSends: StatusFilter;
	automations: StatusFilter;
	thresholds: Record<StatisticsSource, Threshold[]>;
	/** Ages of "Campaign (Single Send) Statistics Snapshot" in minutes, ascending. */
	ages: number[];
	/** When a single send was sent, in milliseconds since 1970; undefined if it was not. */
	sentAt: (row: Row) => number | undefined;
	contactTypeId?: number;
	groupId?: number;
	segmentId?: number;
	/** Distinguishes the accounts of two credentials if their records do not; undefined if unknown. */
	account?: string;
	/** How often "Heartbeat" is reported. */
	heartbeatMs?: number;
	/** Also emit existing records when a list is polled for the first time. */
	emitExisting: boolean;
	/** Also report the single sends that "Send Test" has created. */
	includeTestSends?: boolean;
}

export interface Status {
	code: number | string;
	label: string;
}

export interface ReachedStatistic {
	name: string;
	unit: 'count' | 'percent';
	threshold: number;
	/** The count or the percentage, as `unit` says. */
	value: number;
	count: number;
	/** Field that the percentage is of; null for a statistic without one. */
	base: string | null;
	baseCount: number | null;
}

/** The statistics of a single send at an age. */
interface StatisticsSnapshot extends Rates {
	ageHours: number;
	/** ISO times. */
	dueAt: string;
	polledAt: string;
	/** How long after `dueAt` the poll was. */
	lateMinutes: number;
}

/** The reads of a list in the polls since the last heartbeat. */
export interface WatchedListReport {
	list: string;
	/** When it was last read, as an ISO time; null if it never was since n8n was started. */
	readAt: string | null;
	/** How many records it had then. */
	records: number | null;
	failedPolls: number;
	/** Null for a list that the last poll has read. */
	unreadableSince: string | null;
	error: string | null;
}

export interface TriggerEvent {
	event: EventName;
	/** Stays the same when n8n loses an event and the trigger reports it again. */
	eventId: string;
	/** `updated_at` of the record as the service returned it; null if there is none. For a snapshot, when it was due. */
	occurredAt: string | null;
	previousStatus?: Status | null;
	status?: Status | null;
	statistic?: ReachedStatistic;
	snapshot?: StatisticsSnapshot;
	/** Only of "Heartbeat", which has no record. */
	lists?: WatchedListReport[];
	record: Row;
}
