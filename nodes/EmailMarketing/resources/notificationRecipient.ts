import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../api/endpoints';
import { call, callBulkDelete } from '../engine/entry';
import { done, list } from '../output/responseMappers';
import { email, recordId, recordIds, text } from '../params/validators';
import type { RecordSource } from '../params/validators';
import { coerceText } from '../util/coerce';
import { listEmailOrId } from './locator';
import { showFor, showForResource } from './show';

const recipients: RecordSource = {
	list: endpoints.notificationRecipient.getAll,
	key: 'id',
	email: 'email_address',
	detail: ({ email_owner }) => coerceText(email_owner),
};

export const notificationRecipient: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'getAll',
		displayOptions: showForResource('notificationRecipient'),
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create notification recipient',
				description: 'Add an address that is notified of events in your account',
				routing: call(endpoints.notificationRecipient.create, {
					body: {
						email_address: email('emailAddress', { required: true }),
						email_owner: text('emailOwner', { required: true }),
					},
					output: done('created'),
				}),
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete notification recipient',
				description: 'Stop notifying one address',
				routing: call(endpoints.notificationRecipient.delete, {
					query: {
						id: recordId('notificationRecipientId', {
							label: 'Notification Recipient',
							source: recipients,
						}),
					},
					output: done('deleted'),
				}),
			},
			{
				name: 'Delete Many',
				value: 'deleteMany',
				action: 'Delete many notification recipients',
				description: 'Stop notifying several addresses',
				routing: callBulkDelete(
					endpoints.notificationRecipient.deleteMany,
					recordIds('notificationRecipientIds', 'Notification Recipient Names or IDs', {
						source: recipients,
					}),
				),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many notification recipients',
				description: 'Retrieve the addresses that are notified of events',
				routing: call(endpoints.notificationRecipient.getAll, { output: list }),
			},
		],
	},
	{
		displayName: 'Email Address',
		name: 'emailAddress',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. name@example.com',
		description: 'Address that the notifications are sent to',
		displayOptions: showFor('notificationRecipient', ['create']),
	},
	{
		displayName: 'Email Owner',
		name: 'emailOwner',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Nathan Smith',
		description: 'Name of the person or team that uses the address',
		displayOptions: showFor('notificationRecipient', ['create']),
	},
	{
		displayName: 'Notification Recipient',
		name: 'notificationRecipientId',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'The address to stop notifying',
		displayOptions: showFor('notificationRecipient', ['delete']),
		modes: listEmailOrId('searchNotificationRecipients'),
	},
	{
		displayName: 'Notification Recipient Names or IDs',
		name: 'notificationRecipientIds',
		type: 'multiOptions',
		required: true,
		default: [],
		description:
			'The addresses to stop notifying; an expression may also return email addresses. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		typeOptions: { loadOptionsMethod: 'getNotificationRecipients' },
		displayOptions: showFor('notificationRecipient', ['deleteMany']),
	},
];
