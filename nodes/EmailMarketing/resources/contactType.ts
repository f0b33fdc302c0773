import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../service/endpoints';
import { call } from '../run/entry';
import { done, list, record } from '../run/output/responseMappers';
import { recordId, text } from '../params/validators';
import { operationsOf, requiredText, showFor } from './fields/kinds';
import { listOrId } from './fields/locator';

export const contactType: INodeProperties[] = [
	{
		...operationsOf('contactType'),
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create contact type',
				description: 'Create a contact type, a list of contacts',
				routing: call(endpoints.contactType.create, {
					body: { name: text('name', { required: true, minLength: 2 }) },
					output: done('created'),
				}),
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete contact type',
				description:
					'Delete a contact type. The API cannot restore it. Its contacts may be deleted, too.',
				routing: call(endpoints.contactType.delete, {
					query: { contact_type_id: recordId('contactTypeId', { identifies: 'id' }) },
					output: done('deleted'),
				}),
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get contact type',
				description: 'Retrieve a contact type',
				routing: call(endpoints.contactType.get, {
					query: { contact_type_id: recordId('contactTypeId', { identifies: 'id' }) },
					output: record,
				}),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many contact types',
				description: 'Retrieve a list of contact types with their number of contacts',
				routing: call(endpoints.contactType.getAll, { output: list }),
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update contact type',
				description: 'Rename a contact type',
				routing: call(endpoints.contactType.update, {
					body: {
						id: recordId('contactTypeId', { label: 'Contact Type (List)' }),
						name: text('name', { required: true, minLength: 2 }),
					},
					plan: { record: 'id' },
					output: done('updated'),
				}),
			},
		],
	},
	{
		displayName: 'Contact Type (List)',
		name: 'contactTypeId',
		...listOrId('searchContactTypes'),
		required: true,
		description: 'The contact type to delete, get or update',
		displayOptions: showFor('contactType', ['delete', 'get', 'update']),
	},
	{
		displayName:
			'If an unsent campaign excludes this contact type, deleting it may let its contacts receive the campaign. Check scheduled campaigns first.',
		name: 'contactTypeExclusions',
		type: 'notice',
		default: '',
		displayOptions: showFor('contactType', ['delete']),
	},
	{
		displayName: 'Name',
		name: 'name',
		...requiredText,
		placeholder: 'e.g. Customers',
		description: 'The name of the contact type, at least 2 characters',
		displayOptions: showFor('contactType', ['create', 'update']),
	},
];
