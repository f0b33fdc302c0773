import type { INodeExecutionData } from 'n8n-workflow';

import { simplifiedFields } from '../output/simplify';
import type { EventName, Row, TriggerEvent } from './types';

/** The resource that a record belongs to; the others have few fields as they are. */
const RESOURCE_OF_EVENT: Partial<Record<EventName, string>> = {
	singleSendStatusChanged: 'singleSend',
	singleSendCreated: 'singleSend',
	singleSendStatisticReached: 'singleSend',
	automationStatusChanged: 'automation',
	automationCreated: 'automation',
	contactAdded: 'contact',
	contactUpdated: 'contact',
	segmentRecipientAdded: 'segmentRecipient',
	senderVerified: 'sender',
};

function simplified(record: Row, event: EventName): Row {
	const fields = simplifiedFields[RESOURCE_OF_EVENT[event] ?? ''];
	if (!fields) return record;
	return Object.fromEntries(
		fields.filter((field) => Object.hasOwn(record, field)).map((field) => [field, record[field]]),
	);
}

/** The item that the workflow gets for an event. */
export function toItem(told: TriggerEvent, simplify: boolean): INodeExecutionData {
	const { event, occurredAt, previousStatus, status, statistic, record } = told;
	return {
		json: {
			event,
			occurredAt,
			...(previousStatus === undefined
				? {}
				: { previousStatus: previousStatus && { ...previousStatus } }),
			...(status === undefined ? {} : { status: status && { ...status } }),
			...(statistic === undefined ? {} : { statistic: { ...statistic } }),
			record: simplify ? simplified(record, event) : record,
		},
	};
}
