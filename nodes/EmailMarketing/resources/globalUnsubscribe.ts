import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../api/endpoints';
import { addUnsubscribes } from '../contacts/addOperations';
import { call, callBulkDelete, callOnAllItems } from '../engine/entry';
import { done, list } from '../output/responseMappers';
import { emailList, recordId, recordIds } from '../params/validators';
import { listOrId } from './locator';
import { showFor, showForResource } from './show';

export const globalUnsubscribe: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'getAll',
		displayOptions: showForResource('globalUnsubscribe'),
		options: [
			{
				name: 'Add',
				value: 'add',
				action: 'Add global unsubscribe',
				description: 'Add addresses that no campaign may be sent to any more',
				routing: call(endpoints.globalUnsubscribe.add, {
					body: { email_address: emailList('emailAddress') },
					output: done('added'),
				}),
			},
			{
				name: 'Add Many',
				value: 'addMany',
				action: 'Add many global unsubscribes',
				description: 'Add the addresses of all items with few requests, except those already there',
				routing: callOnAllItems(addUnsubscribes),
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete a global unsubscribe so that campaigns reach it again',
				description: 'Take an address off the list, so that campaigns reach it again',
				routing: call(endpoints.globalUnsubscribe.delete, {
					query: { id: recordId('globalUnsubscribeId', { label: 'Global Unsubscribe' }) },
					output: done('deleted'),
				}),
			},
			{
				name: 'Delete Many',
				value: 'deleteMany',
				action: 'Delete many global unsubscribes so that campaigns reach them again',
				description: 'Take several addresses off the list in one request',
				routing: callBulkDelete(
					endpoints.globalUnsubscribe.deleteMany,
					recordIds('globalUnsubscribeIds', 'Global Unsubscribe Names or IDs'),
				),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many global unsubscribes',
				description: 'Retrieve the addresses that no campaign may be sent to',
				routing: call(endpoints.globalUnsubscribe.getAll, { output: list }),
			},
		],
	},
	{
		displayName: 'Email Address',
		name: 'emailAddress',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. name@example.com, other@example.com',
		description:
			'One address, several separated by commas, or an expression that gives an array of addresses',
		displayOptions: showFor('globalUnsubscribe', ['add']),
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'resourceMapper',
		noDataExpression: true,
		required: true,
		default: { mappingMode: 'autoMapInputData', value: null },
		description: 'Which column holds the email',
		displayOptions: showFor('globalUnsubscribe', ['addMany']),
		typeOptions: {
			resourceMapper: {
				resourceMapperMethod: 'getSyncFields',
				mode: 'map',
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: false,
				multiKeyMatch: false,
				supportAutoMap: true,
			},
		},
	},
	{
		displayName: 'Global Unsubscribe',
		name: 'globalUnsubscribeId',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'The entry to take off the list',
		displayOptions: showFor('globalUnsubscribe', ['delete']),
		modes: listOrId('searchGlobalUnsubscribes'),
	},
	{
		displayName: 'Global Unsubscribe Names or IDs',
		name: 'globalUnsubscribeIds',
		type: 'multiOptions',
		required: true,
		default: [],
		description:
			'The entries to take off the list. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		typeOptions: { loadOptionsMethod: 'getGlobalUnsubscribes' },
		displayOptions: showFor('globalUnsubscribe', ['deleteMany']),
	},
];
