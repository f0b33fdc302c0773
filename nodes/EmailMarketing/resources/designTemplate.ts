import type { INodeProperties } from 'n8n-workflow';

import { showForResource } from '../shared/show';
import { get } from '../transport/endpoint';
import { list } from '../transport/returns';

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
