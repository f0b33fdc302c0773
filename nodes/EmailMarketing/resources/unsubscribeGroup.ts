import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../service/endpoints';
import { addListedOnce, skipListed } from '../features/membership/addOnce';
import { ofUnsubscribeGroup } from '../features/membership/syncRecipients';
import { resetCountsUnlessNoted } from '../features/sync/memory/syncMemory';
import { call, callBulkDelete, callOnAllItems } from '../run/entry';
import { mergeCurrent } from '../run/mergeCurrent';
import { done, list, record } from '../run/output/responseMappers';
import { keep, keepFlag } from '../params/currentValue';
import { emailList, flag, recordId, recordIds, text } from '../params/validators';
import { records } from '../records/records';
import {
	allShown,
	operationsOf,
	requiredText,
	severalFrom,
	showFor,
	updateFieldsOf,
} from './fields/kinds';
import { listEmailOrId, listOrId } from './fields/locator';

/** The fields of a new group. */
const newGroup = allShown(showFor('unsubscribeGroup', ['create']), [
	{
		displayName: 'Group Name',
		name: 'groupName',
		...requiredText,
		placeholder: 'e.g. Product News',
		description: 'The topic that people can unsubscribe from',
	},
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		typeOptions: { rows: 3 },
		required: true,
		default: '',
		placeholder: 'e.g. Monthly news about our products',
		description: 'The description of the topic for recipients, in one sentence',
	},
	{
		displayName: 'Show on Preferences Page',
		name: 'isDisplay',
		type: 'boolean',
		default: true,
		description: 'Whether to show this group on the unsubscribe preferences page',
	},
]);

export const unsubscribeGroup: INodeProperties[] = [
	{
		...operationsOf('unsubscribeGroup'),
		options: [
			{
				name: 'Add or Sync Recipients',
				value: 'syncRecipients',
				action: 'Add or sync many recipients of unsubscribe group',
				description:
					'Add the address of each item to an unsubscribe group. Optionally, remove addresses that are missing from the input.',
				routing: callOnAllItems(ofUnsubscribeGroup.sync, { around: resetCountsUnlessNoted }),
			},
			{
				name: 'Add Recipient',
				value: 'addRecipient',
				action: 'Add recipient to unsubscribe group',
				description:
					'Add one or more addresses to an unsubscribe group. Campaigns with this group are no longer sent to them.',
				routing: call(endpoints.unsubscribeGroup.addRecipient, {
					body: {
						unsubscribe_groups_id: recordId('unsubscribeGroupId'),
						email_address: emailList('emailAddress'),
					},
					plan: { stages: [skipListed('in the unsubscribe group'), addListedOnce] },
					output: done('added'),
				}),
			},
			{
				name: 'Apply Plan',
				value: 'applyPlan',
				action: 'Apply plan to unsubscribe group',
				description:
					'Write the changes that a dry run planned, except to recipients that have changed since then',
				routing: callOnAllItems(ofUnsubscribeGroup.apply),
			},
			{
				name: 'Create',
				value: 'create',
				action: 'Create unsubscribe group',
				description: 'Create an unsubscribe group, a topic that people can unsubscribe from',
				routing: call(endpoints.unsubscribeGroup.create, {
					body: {
						group_name: text('groupName', { required: true }),
						description: text('description', { required: true }),
						is_display: flag('isDisplay'),
					},
					output: done('created'),
				}),
			},
			{
				name: 'Delete Recipient',
				value: 'deleteRecipient',
				action: 'Delete recipient from unsubscribe group',
				description:
					'Remove an address from an unsubscribe group. It may then receive campaigns with this group again.',
				routing: call(endpoints.unsubscribeGroup.deleteRecipient, {
					query: {
						id: recordId('groupRecipientId', {
							label: 'Group Recipient',
							source: records.unsubscribeGroupRecipient,
						}),
					},
					output: done('deleted'),
				}),
			},
			{
				name: 'Delete Many Recipients',
				value: 'deleteManyRecipients',
				action: 'Delete many recipients from unsubscribe group',
				description:
					'Remove several addresses from an unsubscribe group. They may then receive campaigns with this group again.',
				routing: callBulkDelete(
					endpoints.unsubscribeGroup.deleteManyRecipients,
					recordIds('groupRecipientIds', 'Group Recipient Names or IDs', {
						source: records.unsubscribeGroupRecipient,
					}),
				),
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get unsubscribe group',
				description: 'Retrieve an unsubscribe group',
				routing: call(endpoints.unsubscribeGroup.get, {
					query: { id: recordId('unsubscribeGroupId', { label: 'Unsubscribe Group' }) },
					output: record,
				}),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many unsubscribe groups',
				description: 'Retrieve a list of unsubscribe groups with their number of recipients',
				routing: call(endpoints.unsubscribeGroup.getAll, { output: list }),
			},
			{
				name: 'Get Many Recipients',
				value: 'getRecipients',
				action: 'Get many unsubscribe group recipients',
				description: 'Retrieve the addresses in an unsubscribe group',
				routing: call(endpoints.unsubscribeGroup.getRecipients, {
					query: { groupId: recordId('unsubscribeGroupId') },
					output: list,
				}),
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update unsubscribe group',
				description: 'Update an unsubscribe group. Fields that are not set keep their values.',
				routing: call(endpoints.unsubscribeGroup.update, {
					query: { id: recordId('unsubscribeGroupId', { label: 'Unsubscribe Group' }) },
					body: {
						group_name: text('updateFields.groupName', { required: true }),
						description: text('updateFields.description', { required: true }),
						is_display: flag('updateFields.isDisplay'),
					},
					plan: {
						record: 'id',
						stages: [
							mergeCurrent({
								details: endpoints.unsubscribeGroup.get,
								id: 'id',
								label: 'Unsubscribe Group',
								fields: {
									group_name: keep('group_name'),
									description: keep('description'),
									is_display: keepFlag('is_display'),
								},
							}),
						],
					},
					output: done('updated'),
				}),
			},
		],
	},
	{
		displayName: 'Unsubscribe Group',
		name: 'unsubscribeGroupId',
		...listOrId('searchUnsubscribeGroups'),
		required: true,
		description: 'The unsubscribe group to get or update, or whose recipients to get, add or sync',
		displayOptions: showFor('unsubscribeGroup', [
			'addRecipient',
			'get',
			'getRecipients',
			'applyPlan',
			'syncRecipients',
			'update',
		]),
	},
	{
		displayName: 'Unsubscribe Group',
		name: 'unsubscribeGroupId',
		...listOrId('searchUnsubscribeGroups'),
		description:
			'The unsubscribe group of the recipients. Leave empty to delete recipients by ID only.',
		displayOptions: showFor('unsubscribeGroup', ['deleteRecipient', 'deleteManyRecipients']),
	},
	{
		displayName: 'Email Address',
		name: 'emailAddress',
		...requiredText,
		placeholder: 'e.g. name@example.com, other@example.com',
		description:
			'The address to add. To add several, separate them with commas, or use an expression that returns an array.',
		displayOptions: showFor('unsubscribeGroup', ['addRecipient']),
	},
	...newGroup,
	updateFieldsOf('unsubscribeGroup', newGroup),
	{
		displayName: 'Group Recipient',
		name: 'groupRecipientId',
		...listEmailOrId('searchUnsubscribeGroupRecipients'),
		required: true,
		description: 'The address to remove from the unsubscribe group',
		displayOptions: showFor('unsubscribeGroup', ['deleteRecipient']),
		typeOptions: { loadOptionsDependsOn: ['unsubscribeGroupId.value'] },
	},
	{
		displayName: 'Group Recipient Names or IDs',
		name: 'groupRecipientIds',
		...severalFrom('getUnsubscribeGroupRecipients', 'unsubscribeGroupId.value'),
		required: true,
		description:
			'The addresses to remove from the unsubscribe group. In an expression, email addresses work too. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		displayOptions: showFor('unsubscribeGroup', ['deleteManyRecipients']),
	},
];
