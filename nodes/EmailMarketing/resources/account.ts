import type { INodeProperties } from 'n8n-workflow';

import { checkAccount } from '../features/account/check';
import { callOnAllItems } from '../run/entry';
import { showForResource } from './fields/show';

export const account: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'check',
		displayOptions: showForResource('account'),
		options: [
			{
				name: 'Check',
				value: 'check',
				action: 'Check account',
				description:
					'Read every list of the account once and report whether the node works with it. Changes nothing and returns no data from the account.',
				routing: callOnAllItems(checkAccount),
			},
		],
	},
];
