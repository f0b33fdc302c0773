import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';

import { commonFields } from './common';
import { eachItem } from '../engine/eachItem';
import { automation } from './automation';
import { automationSchedule } from './automationSchedule';
import { contact } from './contact';
import { contactExport } from './contactExport';
import { contactSync } from './contactSync';
import { contactType } from './contactType';
import { customField } from './customField';
import { designTemplate } from './designTemplate';
import { globalUnsubscribe } from './globalUnsubscribe';
import { location } from './location';
import { notificationRecipient } from './notificationRecipient';
import { segment } from './segment';
import { sender } from './sender';
import { singleSend } from './singleSend';
import { unsubscribeGroup } from './unsubscribeGroup';

/** Operations and fields of all resources, then the fields that they share. */
export const resourceFields: INodeProperties[] = [
	...automation,
	...automationSchedule,
	...contact,
	...contactExport,
	...contactSync,
	...contactType,
	...customField,
	...designTemplate,
	...globalUnsubscribe,
	...location,
	...notificationRecipient,
	...segment,
	...sender,
	...singleSend,
	...unsubscribeGroup,
	...commonFields,
];

type Operations = NonNullable<INodeType['customOperations']>;

/**
 * How the node carries out its operations: those with a row item by item, as the row says.
 *
 * @param joint those that look at all items at once
 */
export function operationsWith(joint: Operations): Operations {
	const operations: Operations = {};
	for (const { name, displayOptions, options } of resourceFields) {
		if (name !== 'operation') continue;
		const resource = String(displayOptions?.show?.resource?.[0]);
		const rows = (options as INodePropertyOptions[]).flatMap(({ value, routing }) =>
			routing === undefined ? [] : [[value, eachItem(routing)] as const],
		);
		operations[resource] = { ...Object.fromEntries(rows), ...joint[resource] };
	}
	return operations;
}
