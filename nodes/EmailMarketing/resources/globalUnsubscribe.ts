import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../service/endpoints';
import { addListedOnce, skipListed } from '../features/membership/addOnce';
import { ofGlobalUnsubscribes } from '../features/membership/syncRecipients';
import { resetCountsUnlessNoted } from '../features/sync/memory/syncMemory';
import { call, callBulkDelete, callOnAllItems } from '../run/entry';
import { done, list } from '../run/output/responseMappers';
import { emailList, recordId, recordIds } from '../params/validators';
import { records } from '../records/records';
import { operationsOf, requiredText, severalFrom, showFor } from './fields/kinds';
import { listEmailOrId } from './fields/locator';

export const globalUnsubscribe: INodeProperties[] = [
	{
		...operationsOf('globalUnsubscribe'),
		options: [
			{
				name: 'Add',
				value: 'add',
				action: 'Add global unsubscribe',
				description:
					'Add addresses to the global unsubscribe list. The service is meant to leave them out of all campaigns.',
				routing: call(endpoints.globalUnsubscribe.add, {
					body: { email_address: emailList('emailAddress') },
					plan: { stages: [skipListed('on the global unsubscribe list'), addListedOnce] },
					output: done('added'),
				}),
			},
			{
				name: 'Add or Sync',
				value: 'syncRecipients',
				action: 'Add or sync many global unsubscribes',
				description:
					'Add the address of each item to the global unsubscribe list. Optionally, remove addresses missing from the input.',
				routing: callOnAllItems(ofGlobalUnsubscribes.sync, { around: resetCountsUnlessNoted }),
			},
			{
				name: 'Apply Plan',
				value: 'applyPlan',
				action: 'Apply plan to global unsubscribes',
				description:
					'Write the changes that a dry run planned, except to entries that have changed since then',
				routing: callOnAllItems(ofGlobalUnsubscribes.apply),
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete global unsubscribe',
				description:
					'Remove an address from the global unsubscribe list. It may then receive campaigns again.',
				routing: call(endpoints.globalUnsubscribe.delete, {
					query: {
						id: recordId('globalUnsubscribeId', {
							label: 'Global Unsubscribe',
							source: records.globalUnsubscribe,
						}),
					},
					output: done('deleted'),
				}),
			},
			{
				name: 'Delete Many',
				value: 'deleteMany',
				action: 'Delete many global unsubscribes',
				description:
					'Remove several addresses from the global unsubscribe list. They may then receive campaigns again.',
				routing: callBulkDelete(
					endpoints.globalUnsubscribe.deleteMany,
					recordIds('globalUnsubscribeIds', 'Global Unsubscribe Names or IDs', {
						source: records.globalUnsubscribe,
					}),
				),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many global unsubscribes',
				description: 'Retrieve the addresses on the global unsubscribe list',
				routing: call(endpoints.globalUnsubscribe.getAll, { output: list }),
			},
		],
	},
	{
		displayName: 'Email Address',
		name: 'emailAddress',
		...requiredText,
		placeholder: 'e.g. name@example.com, other@example.com',
		description:
			'The address to add. To add several, separate them with commas, or use an expression that returns an array.',
		displayOptions: showFor('globalUnsubscribe', ['add']),
	},
	{
		displayName: 'Global Unsubscribe',
		name: 'globalUnsubscribeId',
		...listEmailOrId('searchGlobalUnsubscribes'),
		required: true,
		description: 'The address to remove from the global unsubscribe list',
		displayOptions: showFor('globalUnsubscribe', ['delete']),
	},
	{
		displayName: 'Global Unsubscribe Names or IDs',
		name: 'globalUnsubscribeIds',
		...severalFrom('getGlobalUnsubscribes'),
		required: true,
		description:
			'The addresses to remove from the global unsubscribe list. In an expression, email addresses work too. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		displayOptions: showFor('globalUnsubscribe', ['deleteMany']),
	},
];
