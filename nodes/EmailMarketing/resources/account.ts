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
					'Check whether the node works with this account. Changes nothing and returns no record values.',
				routing: callOnAllItems(checkAccount, { readsOnly: true }),
			},
		],
	},
];
