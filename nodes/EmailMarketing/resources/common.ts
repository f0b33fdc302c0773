import type { INodeProperties } from 'n8n-workflow';

import { listFields, listOperations } from './listFields';

/** Fields that are the same wherever they appear; each is declared once for all resources. */
export const commonFields: INodeProperties[] = [
	...listFields,
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'simplified',
		description: 'How much of each record comes out',
		options: [
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'The fields that are needed most, at most 10',
			},
			{
				name: 'Raw',
				value: 'raw',
				description: 'Every field as the service sends it',
			},
			{
				name: 'Selected Fields',
				value: 'selectedFields',
				description: 'Only the fields you choose',
			},
		],
		displayOptions: {
			show: {
				resource: [
					'automation',
					'automationSchedule',
					'contact',
					'segment',
					'sender',
					'singleSend',
				],
				operation: ['get', 'getAll', 'getRecipients'],
			},
		},
	},
	{
		displayName: 'Output Field Names or IDs',
		name: 'outputFields',
		type: 'multiOptions',
		default: [],
		description:
			'The fields that come out. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		typeOptions: { loadOptionsMethod: 'getOutputFields' },
		displayOptions: {
			show: {
				resource: [
					'automation',
					'automationSchedule',
					'contact',
					'segment',
					'sender',
					'singleSend',
				],
				operation: ['get', 'getAll', 'getRecipients'],
				output: ['selectedFields'],
			},
		},
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: { hide: { operation: ['exportCsv', 'sync', 'upsert'] } },
		options: [
			{
				displayName: 'Addresses per Request',
				name: 'addressesPerRequest',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 100,
				description: 'How many addresses one request takes, separated by commas',
				displayOptions: {
					show: { '/resource': ['globalUnsubscribe'], '/operation': ['addMany'] },
				},
			},
			{
				displayName: 'Allow Sending Again',
				name: 'allowSendingAgain',
				type: 'boolean',
				default: false,
				description:
					'Whether to update a single send that is running, completed or of an unknown status. The service may then send it again. By default, such an update is refused.',
				displayOptions: { show: { '/resource': ['singleSend'], '/operation': ['update'] } },
			},
			{
				displayName: 'Bulk Deletes Identify Records By',
				name: 'identifyBy',
				type: 'options',
				default: 'id',
				description:
					'What is sent for the chosen records. Try UTR if the service does not find records by their ID.',
				options: [
					{ name: 'ID', value: 'id' },
					{ name: 'UTR', value: 'utr' },
				],
				displayOptions: {
					show: { '/resource': ['automation', 'singleSend'], '/operation': ['deleteMany'] },
				},
			},
			{
				displayName: 'Check Before Sending',
				name: 'preflight',
				type: 'boolean',
				default: true,
				description:
					'Whether to look first for what would go wrong: a sender that is not verified, nobody left in the audience, a time in the past, unknown placeholders and the like. All findings come in one error, and nothing is sent.',
				displayOptions: {
					show: { '/resource': ['singleSend'], '/operation': ['create', 'update'] },
				},
			},
			{
				displayName: 'Check Before Sending',
				name: 'preflight',
				type: 'boolean',
				default: true,
				description:
					'Whether to look first for what would go wrong: no email to send, a sender that is not verified, no unsubscribe group, unknown placeholders and the like. All findings come in one error, and the automation stays as it is.',
				displayOptions: { show: { '/resource': ['automation'], '/operation': ['setLive'] } },
			},
			{
				displayName: 'Deletions per Request',
				name: 'deleteChunk',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 100,
				description: 'How many records one bulk delete takes; those of several items go together',
				displayOptions: { show: { '/operation': ['deleteMany', 'deleteManyRecipients'] } },
			},
			{
				displayName: 'Fields to Clear',
				name: 'clearFields',
				type: 'multiOptions',
				default: [],
				description:
					'Fields to empty on purpose. Fields that you merely leave out keep their value.',
				options: [
					{ name: 'Address Line 1', value: 'address_line1' },
					{ name: 'Address Line 2', value: 'address_line2' },
					{ name: 'City', value: 'city' },
					{ name: 'First Name', value: 'first_name' },
					{ name: 'Last Name', value: 'last_name' },
					{ name: 'Postal Code', value: 'postal_code' },
					{ name: 'State', value: 'state' },
					{ name: 'State, Province or Region', value: 'state_province_region' },
				],
				displayOptions: { show: { '/resource': ['contact'], '/operation': ['update'] } },
			},
			{
				displayName: 'Fields to Clear',
				name: 'clearFields',
				type: 'multiOptions',
				default: [],
				description:
					'Fields to empty on purpose. Fields that you merely leave out keep their value.',
				options: [
					{ name: 'City', value: 'city_id' },
					{ name: 'Company Address Line 2', value: 'company_address2' },
					{ name: 'State', value: 'state_id' },
					{ name: 'Zip Code', value: 'zip_code' },
				],
				displayOptions: { show: { '/resource': ['sender'], '/operation': ['update'] } },
			},
			{
				displayName: 'Fields to Clear',
				name: 'clearFields',
				type: 'multiOptions',
				default: [],
				description: 'Fields to empty. Fields that are only left out keep their value.',
				options: [{ name: 'Exclude', value: 'exclude_specific_recipient_id' }],
				displayOptions: { show: { '/resource': ['singleSend'], '/operation': ['update'] } },
			},
			{
				displayName: 'If Nothing Is Found',
				name: 'ifNothingFound',
				type: 'options',
				default: 'noItems',
				description: 'What comes out of a list when no record fits',
				options: [
					{
						name: 'Output Nothing',
						value: 'noItems',
						description: 'The nodes that follow do not run',
					},
					{
						name: 'Output One Item',
						value: 'oneItem',
						description: 'An item with "found": false, so that the workflow goes on',
					},
				],
				displayOptions: { show: { '/operation': listOperations } },
			},
			{
				displayName: 'Look Up Copy',
				name: 'lookUpCopy',
				type: 'boolean',
				default: true,
				description:
					'Whether to find the UTR of the copy, which the service does not return, by reading the list of single sends before and after',
				displayOptions: { show: { '/resource': ['singleSend'], '/operation': ['duplicate'] } },
			},
			{
				displayName: 'Parallel Requests',
				name: 'parallelRequests',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 100 },
				default: 10,
				description: 'How many requests may be under way at once when there are several items',
			},
			{
				displayName: 'Retry Temporary Failures',
				name: 'retryTemporaryFailures',
				type: 'boolean',
				noDataExpression: true,
				default: true,
				description:
					'Whether to try again when the service is busy or the connection broke. What may have been carried out already is never sent again, whatever is chosen here.',
			},
			{
				displayName: 'Sort By Name or ID',
				name: 'sortBy',
				type: 'options',
				default: '',
				description:
					'Field of the records that puts them in order, before the limit. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				typeOptions: { loadOptionsMethod: 'getSortFields' },
				displayOptions: { show: { '/operation': listOperations } },
			},
			{
				displayName: 'Sort Direction',
				name: 'sortDirection',
				type: 'options',
				default: 'ascending',
				description: 'Which way the records are sorted; those without a value come last either way',
				options: [
					{
						name: 'Ascending',
						value: 'ascending',
						description: 'A to Z, old to new, small to large',
					},
					{
						name: 'Descending',
						value: 'descending',
						description: 'Z to A, new to old, large to small',
					},
				],
				displayOptions: { show: { '/operation': listOperations } },
			},
			{
				displayName: 'Time Format',
				name: 'timeFormat',
				type: 'options',
				default: 'HH:mm:ss',
				description: 'How the time of a scheduled send is written for the service',
				options: [
					{ name: 'HH:MM', value: 'HH:mm' },
					{ name: 'HH:MM:SS', value: 'HH:mm:ss' },
				],
				displayOptions: {
					show: { '/resource': ['singleSend'], '/operation': ['create', 'update'] },
				},
			},
		],
	},
];
