import type { INodeProperties } from 'n8n-workflow';

import { listOrId } from './locator';
import { showFor, showForResource } from './show';
import { del, get, post } from '../engine/operation';
import { recordId, text } from '../params/validators';
import { done, list, record } from '../output/responseMappers';

export const contactType: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'getAll',
		displayOptions: showForResource('contactType'),
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create a contact type',
				description: 'Add a contact type, the kind of list that contacts are grouped in',
				routing: post('/contacts-type/add', {
					body: { name: text('name', { required: true, minLength: 2 }) },
					returns: done('created'),
				}),
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete a contact type for good',
				description: 'Delete a contact type for good; this cannot be undone',
				routing: del('/contacts-type/delete', {
					query: { contact_type_id: recordId('contactTypeId') },
					returns: done('deleted'),
				}),
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get a contact type',
				description: 'Retrieve one contact type',
				routing: get('/contacts-type/view', {
					query: { contact_type_id: recordId('contactTypeId') },
					returns: record('contactType'),
				}),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many contact types',
				description: 'Retrieve contact types with the number of contacts in each',
				routing: get('/contacts-type', { returns: list('contactTypes') }),
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update a contact type',
				description: 'Rename a contact type',
				routing: post('/contacts-type/update', {
					body: {
						id: recordId('contactTypeId', { label: 'Contact Type' }),
						name: text('name', { required: true, minLength: 2 }),
					},
					returns: done('updated'),
				}),
			},
		],
	},
	{
		displayName: 'Contact Type',
		name: 'contactTypeId',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'The list of contacts to work on',
		displayOptions: showFor('contactType', ['delete', 'get', 'update']),
		modes: listOrId('searchContactTypes'),
	},
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Customers',
		description: 'What the contact type is called; at least 2 characters',
		displayOptions: showFor('contactType', ['create', 'update']),
	},
];
