import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../service/endpoints';
import { call } from '../run/entry';
import { list } from '../run/output/responseMappers';
import { operationsOf } from './fields/kinds';

export const designTemplate: INodeProperties[] = [
	{
		...operationsOf('designTemplate'),
		options: [
			{
				name: 'Get Dynamic Content',
				value: 'getDynamicContent',
				action: 'Get dynamic content names',
				description:
					'Retrieve the names of the placeholders for design templates, such as first_name for ((first_name))',
				routing: call(endpoints.designTemplate.getDynamicContent, { output: list }),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many design templates',
				description: 'Retrieve a list of design templates',
				routing: call(endpoints.designTemplate.getAll, { output: list }),
			},
		],
	},
];
