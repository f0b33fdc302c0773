import type { INodeProperties } from 'n8n-workflow';

import { exportPeople } from '../../features/people/export';
import { findPeople } from '../../features/people/find';
import { callOnAllItems } from '../../run/entry';
import { listEmailOrId } from '../fields/locator';
import { showFor, showForResource } from '../fields/show';

export const person: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'find',
		displayOptions: showForResource('person'),
		options: [
			{
				name: 'Export',
				value: 'export',
				action: 'Export person',
				description:
					'Return everything that the API has of a person, as one document and as a CSV file. Changes nothing.',
				routing: callOnAllItems(exportPeople),
			},
			{
				name: 'Find',
				value: 'find',
				action: 'Find person',
				description:
					'Find a person in all contact types, segments, unsubscribe lists, notification recipients and senders. Changes nothing.',
				routing: callOnAllItems(findPeople),
			},
		],
	},
	{
		displayName: 'Person',
		name: 'person',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description:
			'One of the contacts of the person, or their email address. All records with the same address are found, however it is written.',
		displayOptions: showForResource('person'),
		modes: listEmailOrId('searchContacts'),
	},
	{
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyName',
		type: 'string',
		required: true,
		default: 'data',
		placeholder: 'e.g. data',
		hint: 'The name of the output binary field to put the file in',
		description: 'The binary field of the output item to put the CSV file in',
		displayOptions: showFor('person', ['export']),
	},
	{
		displayName: 'Results',
		name: 'results',
		type: 'options',
		default: 'people',
		description: 'What each output item is about',
		options: [
			{
				name: 'One Item per Person',
				value: 'people',
				description: 'Counts, and a list of the records',
			},
			{
				name: 'One Item per Record',
				value: 'records',
				description:
					'Each record with all of its fields. Whoever is not found has one item with "found": false.',
			},
		],
		displayOptions: showFor('person', ['find']),
	},
];
