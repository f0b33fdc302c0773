import { groupRecipient, unsubscribeGroup } from '../records';
import { chosen, checkRows } from '../rows';
import { del, get, multipart, urlencoded } from '../sandbox';

const group = chosen('51');

checkRows('unsubscribeGroup', [
	{
		operation: 'getAll',
		parameters: { returnAll: true },
		sends: [get('/unsubscribes-groups')],
		gives: [{ ...unsubscribeGroup, unsubscribe_clients_count: 1 }],
	},
	{
		operation: 'create',
		with: 'the page showing it',
		parameters: { groupName: 'News', description: 'What is new', isDisplay: true },
		sends: [
			multipart('/unsubscribes-groups/save', {
				group_name: 'News',
				description: 'What is new',
				is_display: '1',
			}),
		],
		gives: [
			{
				created: true,
				group_name: 'News',
				description: 'What is new',
				message: 'Saved Successfully',
			},
		],
	},
	{
		operation: 'create',
		with: 'the page hiding it',
		parameters: { groupName: 'News', description: 'Line 1\nLine "2"', isDisplay: false },
		sends: [
			multipart('/unsubscribes-groups/save', {
				group_name: 'News',
				description: 'Line 1\nLine "2"',
				is_display: '0',
			}),
		],
		gives: [
			{
				created: true,
				group_name: 'News',
				description: 'Line 1\nLine "2"',
				message: 'Saved Successfully',
			},
		],
	},
	{
		operation: 'get',
		parameters: { unsubscribeGroupId: group },
		sends: [get('/unsubscribes-groups/details', { id: '51' })],
		gives: [unsubscribeGroup],
	},
	{
		operation: 'update',
		with: 'one field; the others are read and sent as they are',
		parameters: { unsubscribeGroupId: group, updateFields: { groupName: 'Bargains' } },
		sends: [
			get('/unsubscribes-groups/details', { id: '51' }),
			multipart(
				'/unsubscribes-groups/update',
				{
					group_name: 'Bargains',
					description: 'Discounts and special offers',
					is_display: '1',
				},
				{ id: '51' },
			),
		],
		gives: [
			{
				updated: true,
				id: 51,
				group_name: 'Bargains',
				description: 'Discounts and special offers',
				message: 'Updated Successfully',
			},
		],
	},
	{
		operation: 'update',
		with: 'every field; nothing is read',
		parameters: {
			unsubscribeGroupId: group,
			updateFields: { groupName: 'Bargains', description: 'Cheap', isDisplay: false },
		},
		sends: [
			multipart(
				'/unsubscribes-groups/update',
				{ group_name: 'Bargains', description: 'Cheap', is_display: '0' },
				{ id: '51' },
			),
		],
		gives: [
			{
				updated: true,
				id: 51,
				group_name: 'Bargains',
				description: 'Cheap',
				message: 'Updated Successfully',
			},
		],
	},
	{
		operation: 'addRecipient',
		with: 'several addresses',
		parameters: {
			unsubscribeGroupId: group,
			emailAddress: 'A@example.com, b@example.com, a@example.com',
		},
		sends: [
			get('/unsubscribes-groups/recipients-list', { groupId: '51' }),
			multipart('/unsubscribes-groups/manually-add', {
				unsubscribe_groups_id: '51',
				email_address: 'a@example.com,b@example.com',
			}),
		],
		gives: [
			{
				added: true,
				unsubscribe_groups_id: 51,
				email_address: 'a@example.com,b@example.com',
				message: 'Added Successfully',
			},
		],
	},
	{
		operation: 'addRecipient',
		with: 'an address that is in the group already, next to a new one',
		parameters: {
			unsubscribeGroupId: group,
			emailAddress: `${groupRecipient.email_address}, new@example.com`,
		},
		sends: [
			get('/unsubscribes-groups/recipients-list', { groupId: '51' }),
			multipart('/unsubscribes-groups/manually-add', {
				unsubscribe_groups_id: '51',
				email_address: 'new@example.com',
			}),
		],
		gives: [
			{
				added: true,
				unsubscribe_groups_id: 51,
				email_address: 'new@example.com',
				alreadyListed: groupRecipient.email_address,
				message: 'Added Successfully',
			},
		],
	},
	{
		operation: 'addRecipient',
		with: 'only an address that is in the group already',
		parameters: { unsubscribeGroupId: group, emailAddress: groupRecipient.email_address },
		sends: [get('/unsubscribes-groups/recipients-list', { groupId: '51' })],
		gives: [
			{
				added: false,
				unsubscribe_groups_id: 51,
				email_address: groupRecipient.email_address,
				message: 'Already in the unsubscribe group; nothing was written',
			},
		],
	},
	{
		operation: 'getRecipients',
		parameters: { unsubscribeGroupId: group, returnAll: true },
		sends: [get('/unsubscribes-groups/recipients-list', { groupId: '51' })],
		gives: [groupRecipient],
	},
	{
		operation: 'deleteRecipient',
		parameters: { groupRecipientId: chosen('300001') },
		sends: [del('/unsubscribes-groups/recipients-delete', { id: '300001' })],
		gives: [{ deleted: true, id: 300001, message: 'Deleted Successfully' }],
	},
	{
		operation: 'deleteManyRecipients',
		parameters: { groupRecipientIds: ['300001'] },
		sends: [urlencoded('/unsubscribes-groups/recipients-bulk-delete', { 'strIds[0]': '300001' })],
		gives: [{ deleted: true, ids: [300001], message: 'Deleted Successfully' }],
	},
]);
