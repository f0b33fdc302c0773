import type { INodeProperties } from 'n8n-workflow';

import { listOrId } from './locator';
import { showFor, showForResource } from './show';
import { bulkDelete, del, get, post } from '../engine/operation';
import { email, recordId, recordIds, text } from '../params/validators';
import { done, list } from '../output/responseMappers';

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
				action: 'Create a notification recipient',
				description: 'Add an address that the service notifies of events in your account',
				routing: post('/notification-recipient/save', {
					body: {
						email_address: email('emailAddress', { required: true }),
						email_owner: text('emailOwner', { required: true }),
					},
					returns: done('created'),
				}),
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete a notification recipient',
				description: 'Stop notifying one address',
				routing: del('/notification-recipient/delete', {
					query: { id: recordId('notificationRecipientId', { label: 'Notification Recipient' }) },
					returns: done('deleted'),
				}),
			},
			{
				name: 'Delete Many',
				value: 'deleteMany',
				action: 'Delete many notification recipients',
				description: 'Stop notifying several addresses in one request',
				routing: bulkDelete('/notification-recipient/bulk-delete', {
					body: {
						strIds: recordIds('notificationRecipientIds', 'Notification Recipient Names or IDs'),
					},
					returns: done('deleted'),
				}),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many notification recipients',
				description: 'Retrieve the addresses that the service notifies of events',
				routing: get('/notification-recipients', { returns: list('notifications') }),
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
		description: 'Where the notifications go',
		displayOptions: showFor('notificationRecipient', ['create']),
	},
	{
		displayName: 'Email Owner',
		name: 'emailOwner',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Nathan Smith',
		description: 'Name of the person behind the address',
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
		modes: listOrId('searchNotificationRecipients'),
	},
	{
		displayName: 'Notification Recipient Names or IDs',
		name: 'notificationRecipientIds',
		type: 'multiOptions',
		required: true,
		default: [],
		description:
			'The addresses to stop notifying. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		typeOptions: { loadOptionsMethod: 'getNotificationRecipients' },
		displayOptions: showFor('notificationRecipient', ['deleteMany']),
	},
];
