import type { INodeExecutionData } from 'n8n-workflow';

import { simplifyRecord } from '../output/simplify';
import { withStatusLabel } from '../output/statusLabels';
import type { EventName, TriggerEvent } from './types';

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
	statisticsSnapshot: 'singleSend',
};

/** The item that the workflow gets for an event. */
export function toItem(
	{ event, occurredAt, previousStatus, status, statistic, snapshot, record }: TriggerEvent,
	simplify: boolean,
): INodeExecutionData {
	const kind = KIND_OF_EVENT[event] ?? '';
	const shape = simplify ? simplifyRecord : withStatusLabel;
	return {
		json: {
			event,
			occurredAt,
			...(previousStatus === undefined
				? {}
				: { previousStatus: previousStatus && { ...previousStatus } }),
			...(status === undefined ? {} : { status: status && { ...status } }),
			...(statistic === undefined ? {} : { statistic: { ...statistic } }),
			...(snapshot === undefined ? {} : { snapshot: { ...snapshot } }),
			record: shape(record, kind),
		},
	};
}
