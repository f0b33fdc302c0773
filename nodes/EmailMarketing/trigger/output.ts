import type { INodeExecutionData } from 'n8n-workflow';

import { simplifyRecord } from '../output/simplify';
import { showStatus, statusOf } from './statuses';
import type { EventName, Row, SnapshotSource, TriggerEvent } from './types';

interface StatusField {
	source: SnapshotSource;
	field: 'status' | 'is_verified';
}

const STATUS_FIELDS: Record<string, StatusField | undefined> = {
	singleSend: { source: 'singleSends', field: 'status' },
	automation: { source: 'automations', field: 'status' },
	sender: { source: 'senders', field: 'is_verified' },
};

/** What kind of record an event has; the other kinds have few fields anyway. */
const KIND_OF_EVENT: Partial<Record<EventName, string>> = {
	singleSendStatusChanged: 'singleSend',
	singleSendCompleted: 'singleSend',
	singleSendCreated: 'singleSend',
	singleSendStatisticReached: 'singleSend',
	automationStatusChanged: 'automation',
	automationCreated: 'automation',
	automationStatisticReached: 'automation',
	contactAdded: 'contact',
	contactUpdated: 'contact',
	segmentRecipientAdded: 'segmentRecipient',
	senderVerified: 'sender',
};

/** The record with its `statusLabel` right after the field that holds the status code. */
function withStatusLabel(record: Row, { source, field }: StatusField): Row {
	const code = statusOf(record, field);
	if (code === undefined) return record;
	const { label } = showStatus(source, code);
	const entries = Object.entries(record).flatMap((entry) =>
		entry[0] === field ? [entry, ['statusLabel', label]] : [entry],
	);
	return Object.fromEntries(entries) as Row;
}

/** The item that the workflow gets for an event. */
export function toItem(
	{ event, occurredAt, previousStatus, status, statistic, record }: TriggerEvent,
	simplify: boolean,
): INodeExecutionData {
	const kind = KIND_OF_EVENT[event];
	const shown = simplify ? simplifyRecord(record, kind ?? '') : record;
	const statusField = kind === undefined ? undefined : STATUS_FIELDS[kind];
	return {
		json: {
			event,
			occurredAt,
			...(previousStatus === undefined
				? {}
				: { previousStatus: previousStatus && { ...previousStatus } }),
			...(status === undefined ? {} : { status: status && { ...status } }),
			...(statistic === undefined ? {} : { statistic: { ...statistic } }),
			record: statusField ? withStatusLabel(shown, statusField) : shown,
		},
	};
}
