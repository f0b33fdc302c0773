import type { INodeExecutionData } from 'n8n-workflow';

import { simplifyRecord } from '../run/output/simplify';
import { withStatusLabel } from '../records/statusLabels';
import { kindOf } from './lists';
import { listOfEvent } from './sources';
import type { ListEvent } from './sources';
import type { TriggerEvent } from './types';

/** The item of an event for the workflow. */
export function toItem(event: TriggerEvent, simplify: boolean): INodeExecutionData {
	const { previousStatus, status, statistic, snapshot, lists, record } = event;
	const shape = simplify ? simplifyRecord : withStatusLabel;
	return {
		json: {
			event: event.event,
			eventId: event.eventId,
			occurredAt: event.occurredAt,
			...(previousStatus !== undefined && {
				previousStatus: previousStatus && { ...previousStatus },
			}),
			...(status !== undefined && { status: status && { ...status } }),
			...(statistic && { statistic: { ...statistic } }),
			...(snapshot && { snapshot: { ...snapshot } }),
			...(lists
				? { lists: lists.map((list) => ({ ...list })) }
				: { record: shape(record, kindOf(listOfEvent(event.event as ListEvent))) }),
		},
	};
}
