import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../service/endpoints';
import { notificationRecipients } from '../features/contacts/consentGate';
import { notifyOnce } from '../features/membership/addOnce';
import { ofNotificationRecipients } from '../features/membership/syncRecipients';
import { resetCountsUnlessNoted } from '../features/sync/memory/syncMemory';
import { call, callBulkDelete, callOnAllItems } from '../run/entry';
import { done, list } from '../run/output/responseMappers';
import { email, recordId, recordIds, text } from '../params/validators';
import { records } from '../records/records';
import { operationsOf, requiredText, severalFrom, showFor } from './fields/kinds';
import { listEmailOrId } from './fields/locator';

export const notificationRecipient: INodeProperties[] = [
	{
		...operationsOf('notificationRecipient'),
		options: [
			{
				name: 'Add or Sync',
				value: 'syncRecipients',
				action: 'Add or sync many notification recipients',
				description:
					'Add each item as a notification recipient. Optionally, remove those that are missing from the input.',
				routing: callOnAllItems(ofNotificationRecipients.sync, { around: resetCountsUnlessNoted }),
			},
			{
				name: 'Apply Plan',
				value: 'applyPlan',
				action: 'Apply plan to notification recipients',
				description:
					'Write the changes that a dry run planned, except to recipients that have changed since then',
				routing: callOnAllItems(ofNotificationRecipients.apply),
			},
			{
				name: 'Create',
				value: 'create',
				action: 'Create notification recipient',
				description:
					'Add somebody to be notified of events in the account, even if the address is already on the list',
				routing: call(endpoints.notificationRecipient.create, {
					body: {
						email_address: email('emailAddress', { required: true }),
						email_owner: text('emailOwner', { required: true }),
					},
					gate: notificationRecipients,
					plan: { stages: [notifyOnce] },
					output: done('created'),
				}),
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete notification recipient',
				description: 'Delete a notification recipient. The API cannot restore it.',
				routing: call(endpoints.notificationRecipient.delete, {
					query: {
						id: recordId('notificationRecipientId', {
							label: 'Notification Recipient',
							source: records.notificationRecipient,
						}),
					},
					output: done('deleted'),
				}),
			},
			{
				name: 'Delete Many',
				value: 'deleteMany',
				action: 'Delete many notification recipients',
				description: 'Delete several notification recipients. The API cannot restore them.',
				routing: callBulkDelete(
					endpoints.notificationRecipient.deleteMany,
					recordIds('notificationRecipientIds', 'Notification Recipient Names or IDs', {
						source: records.notificationRecipient,
					}),
				),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many notification recipients',
				description: 'Retrieve a list of notification recipients',
				routing: call(endpoints.notificationRecipient.getAll, { output: list }),
			},
		],
	},
	{
		displayName: 'Email Address',
		name: 'emailAddress',
		...requiredText,
		placeholder: 'e.g. name@example.com',
		description: 'The address to send notifications to',
		displayOptions: showFor('notificationRecipient', ['create']),
	},
	{
		displayName: 'Email Owner',
		name: 'emailOwner',
		...requiredText,
		placeholder: 'e.g. Nathan Smith',
		description: 'The name of the person or team that uses the address',
		displayOptions: showFor('notificationRecipient', ['create']),
	},
	{
		displayName: 'Notification Recipient',
		name: 'notificationRecipientId',
		...listEmailOrId('searchNotificationRecipients'),
		required: true,
		description: 'The notification recipient to delete',
		displayOptions: showFor('notificationRecipient', ['delete']),
	},
	{
		displayName: 'Notification Recipient Names or IDs',
		name: 'notificationRecipientIds',
		...severalFrom('getNotificationRecipients'),
		required: true,
		description:
			'The notification recipients to delete. In an expression, email addresses work too. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		displayOptions: showFor('notificationRecipient', ['deleteMany']),
	},
];
