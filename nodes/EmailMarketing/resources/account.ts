import type { INodeProperties } from 'n8n-workflow';

import { checkAccount } from '../features/account/check';
import { callOnAllItems } from '../run/entry';
import { operationsOf } from './fields/kinds';

export const account: INodeProperties[] = [
	{
		...operationsOf('account', 'check'),
		options: [
			{
				name: 'Check',
				value: 'check',
				action: 'Check account',
				description:
					'Check whether the node works with this account, by reading each list once. Changes nothing. Returns field names and counts, but no values of records.',
				routing: callOnAllItems(checkAccount),
			},
		],
	},
];
