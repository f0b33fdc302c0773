import type { INode } from 'n8n-workflow';

import { GROUP, SEGMENT } from '../world.ts';
import { locator, node } from './node.ts';

export const THRESHOLD = 5;

export const EVENTS = [
	...['singleSendCreated', 'singleSendStatusChanged', 'singleSendDeleted'],
	...['singleSendStatisticReached', 'automationCreated', 'automationStatusChanged'],
	...['automationDeleted', 'contactAdded', 'contactUpdated', 'globalUnsubscribeAdded'],
	...['unsubscribeGroupRecipientAdded', 'segmentRecipientAdded', 'senderVerified'],
];

/** A trigger on everything. */
export const watch = (): INode =>
	node('Watch', {
		events: EVENTS,
		unsubscribeGroupId: locator(GROUP),
		segmentId: locator(SEGMENT),
		singleSendThresholds: {
			threshold: [{ statistic: 'bounces', unit: 'count', value: THRESHOLD, minimumMessages: 0 }],
		},
		simplify: false,
		options: { unreadableHours: 1 },
	});
