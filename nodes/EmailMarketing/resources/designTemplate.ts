import type { INodeProperties } from 'n8n-workflow';

import { showForResource } from './show';
import { get } from '../engine/operation';
import { list } from '../output/responseMappers';

export const designTemplate: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'getAll',
		displayOptions: showForResource('designTemplate'),
		options: [
			{
				name: 'Get Dynamic Content',
				value: 'getDynamicContent',
				action: 'Get the dynamic content names',
				description: 'Retrieve the placeholder names that a template can use as ((name))',
				routing: get('/get-dynamic/content', { returns: list('contents') }),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many design templates',
				description: 'Retrieve the design templates that single sends and automations can use',
				routing: get('/get-design/template', { returns: list('templates') }),
			},
		],
	},
];
