import type { INodeProperties } from 'n8n-workflow';

import { erasePeople } from '../features/people/erase/erase';
import { exportPeople } from '../features/people/export';
import { findPeople } from '../features/people/find';
import { callOnAllItems } from '../run/entry';
import { operationsOf, optionsField, outputFile, showFor, showForResource } from './fields/kinds';
import { listEmailOrId } from './fields/locator';
import { parallelRequests, retryTemporaryFailures } from './fields/options';

export const person: INodeProperties[] = [
	{
		...operationsOf('person', 'find'),
		options: [
			{
				name: 'Erase',
				value: 'erase',
				action: 'Erase person',
				description:
					'Plan the erasure of a person. With "Dry Run" off, unsubscribe the address globally, then delete the records.',
				routing: callOnAllItems(erasePeople, { isOnAllItems: false }),
			},
			{
				name: 'Export',
				value: 'export',
				action: 'Export data of person',
				description:
					'Return everything the API has about a person, as one document and as a CSV file. Changes nothing.',
				routing: callOnAllItems(exportPeople, { isOnAllItems: false, readsOnly: true }),
			},
			{
				name: 'Find',
				value: 'find',
				action: 'Find records of person',
				description:
					'Find the lists that a person is on, including unsubscribe lists. For a copy of the data, use "Export".',
				routing: callOnAllItems(findPeople, { isOnAllItems: false, readsOnly: true }),
			},
		],
	},
	{
		displayName: 'Person',
		name: 'person',
		...listEmailOrId('searchPeople'),
		required: true,
		description:
			'A contact of the person, or their email address. Finds all records with this address, even if it is written differently, such as in capital letters.',
		displayOptions: showForResource('person'),
	},
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: true,
		description:
			'Whether to only return what would be deleted. Turn it off to erase the person. The API cannot restore what is deleted.',
		displayOptions: showFor('person', ['erase']),
	},
	{
		...outputFile,
		description: 'The binary field of the output item to put the CSV file in',
		displayOptions: showFor('person', ['export']),
	},
	{
		displayName: 'Results',
		name: 'results',
		type: 'options',
		default: 'people',
		description: 'How the results are split into items',
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
					'Each record with all of its fields. If a person is not found, one item with "found": false is returned.',
			},
		],
		displayOptions: showFor('person', ['find']),
	},
	{
		...optionsField,
		displayOptions: showFor('person', ['erase']),
		options: [
			{
				displayName: 'Delete Senders',
				name: 'deleteSenders',
				type: 'boolean',
				default: false,
				description:
					'Whether to delete senders that send from the address of the person. Campaigns that use such a sender may then fail.',
			},
			{
				displayName: 'Delete Unsubscribes Too',
				name: 'removeUnsubscribes',
				type: 'boolean',
				default: false,
				description:
					'Whether to delete the address from the global unsubscribe list as well, instead of adding it. The next import can then add the person again, and they may be emailed. To prevent this, add the tombstone to "Never Add" in the operations that add people.',
			},
			{
				displayName: 'Hide Address in Receipt',
				name: 'hideAddress',
				type: 'boolean',
				default: false,
				description:
					'Whether the receipt shows the tombstone, a hash, instead of the address. Requires "Tombstone Key".',
			},
			parallelRequests,
			{
				displayName: 'Request Reference',
				name: 'reference',
				type: 'string',
				default: '',
				placeholder: 'e.g. 2026-117',
				description: 'Your own reference for the request, repeated in the receipt',
			},
			retryTemporaryFailures,
			{
				displayName: 'Tombstone Key',
				name: 'tombstoneKey',
				type: 'string',
				typeOptions: { password: true },
				default: '',
				description:
					'A secret of your own, such as a long random text. The receipt then contains a tombstone: a hash (HMAC-SHA256) that can be matched to the address only with this key. With the tombstone and this key, "Never Add" keeps the person off contact types, segments and notification recipients.',
			},
		],
	},
];
