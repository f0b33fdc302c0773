import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../service/endpoints';
import { call } from '../run/entry';
import { locations } from '../run/output/responseMappers';
import { operationsOf, showFor } from './fields/kinds';

export const location: INodeProperties[] = [
	{
		...operationsOf('location'),
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many locations',
				description:
					'Retrieve countries, states and cities with their IDs, which contacts and senders use',
				routing: call(endpoints.location.getAll, { output: locations('locationType') }),
			},
		],
	},
	{
		displayName: 'Location Type',
		name: 'locationType',
		type: 'options',
		default: 'countries',
		description: 'The list to return',
		options: [
			{
				name: 'All in One Item',
				value: 'all',
				description: 'One item with all three lists',
			},
			{ name: 'Cities', value: 'cities', description: 'One item per city' },
			{ name: 'Countries', value: 'countries', description: 'One item per country' },
			{ name: 'States', value: 'states', description: 'One item per state' },
		],
		displayOptions: showFor('location', ['getAll']),
	},
];
