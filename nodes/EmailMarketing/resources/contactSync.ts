import type { INodeProperties } from 'n8n-workflow';

import { showFor } from './show';

const both = showFor('contact', ['upsert', 'sync']);

/** Fields of "Create or Update" and "Sync"; their operations stand with those of the contact. */
export const contactSync: INodeProperties[] = [
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'resourceMapper',
		noDataExpression: true,
		required: true,
		default: { mappingMode: 'autoMapInputData', value: null },
		description:
			'What each item says about its contact. Fields without a mapping keep their value.',
		displayOptions: both,
		typeOptions: {
			loadOptionsDependsOn: ['matchBy'],
			resourceMapper: {
				resourceMapperMethod: 'getSyncFields',
				mode: 'map',
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: false,
				multiKeyMatch: false,
				supportAutoMap: true,
			},
		},
	},
	{
		displayName: 'Match By',
		name: 'matchBy',
		type: 'options',
		default: 'email',
		description: 'How the contact of an item is found within the contact type',
		options: [
			{
				name: 'Contact ID',
				value: 'contactId',
				description: 'The email may change. Items without an ID are matched by email.',
			},
			{
				name: 'Email',
				value: 'email',
				description: 'Upper and lower case count as the same',
			},
		],
		displayOptions: both,
	},
	{
		displayName: 'Contacts Missing From the Input',
		name: 'missing',
		type: 'options',
		default: 'ignore',
		description: 'What happens to contacts of this contact type that no item names',
		options: [
			{ name: 'Delete', value: 'delete', description: 'Deleted, unless too many would go' },
			{ name: 'Ignore', value: 'ignore', description: 'Left as they are' },
		],
		displayOptions: showFor('contact', ['sync']),
	},
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: false,
		description: 'Whether to only show what would be done, without writing anything',
		displayOptions: both,
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: both,
		options: [
			{
				displayName: 'Country for New Contacts',
				name: 'defaultCountry',
				type: 'string',
				default: '',
				placeholder: 'e.g. Germany, DE or 82',
				description:
					'Name, ISO code or ID of the country that a new contact gets when its item has none',
			},
			{
				displayName: 'CSV Columns',
				name: 'csvColumns',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true, sortable: true },
				placeholder: 'Add column',
				default: {},
				description:
					'Columns of the file for CSV imports, in their order. Without any, the columns are the API fields.',
				options: [
					{
						displayName: 'Column',
						name: 'column',
						values: [
							{
								displayName: 'Header',
								name: 'header',
								type: 'string',
								default: '',
								placeholder: 'e.g. E-Mail',
								description: 'What stands in the first line of the file',
							},
							{
								displayName: 'Field',
								name: 'field',
								type: 'options',
								default: 'email',
								description: 'What the column holds',
								options: [
									{ name: 'Address Line 1', value: 'address_line1' },
									{ name: 'Address Line 2', value: 'address_line2' },
									{ name: 'City', value: 'city' },
									{ name: 'Country', value: 'country' },
									{ name: 'Email', value: 'email' },
									{ name: 'First Name', value: 'first_name' },
									{ name: 'Last Name', value: 'last_name' },
									{ name: 'Postal Code', value: 'postal_code' },
									{ name: 'State', value: 'state' },
									{ name: 'State, Province or Region', value: 'state_province_region' },
								],
							},
						],
					},
				],
			},
			{
				displayName: 'CSV Country As',
				name: 'csvCountry',
				type: 'options',
				default: 'id',
				description: 'How the country is written in the file for CSV imports',
				options: [
					{ name: 'ID', value: 'id' },
					{ name: 'Name', value: 'name' },
				],
			},
			{
				displayName: 'CSV Import Above',
				name: 'csvImportAbove',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 1000,
				description:
					'With more new contacts than this, all of them go into one CSV import, and the list is read afterwards to see which arrived',
			},
			{
				displayName: 'Deletions per Request',
				name: 'deleteChunk',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 100,
				description: 'How many contacts one bulk delete takes',
				displayOptions: { show: { '/missing': ['delete'] } },
			},
			{
				displayName: 'Empty Values',
				name: 'emptyValues',
				type: 'options',
				default: 'ignore',
				description: 'What an empty value in a mapped field means',
				options: [
					{ name: 'Clear the Field', value: 'clear', description: 'The contact loses its value' },
					{ name: 'Ignore', value: 'ignore', description: 'The contact keeps its value' },
				],
			},
			{
				displayName: 'Look Up New IDs',
				name: 'newIds',
				type: 'boolean',
				default: false,
				description:
					'Whether to read the contact list once more at the end, so that new contacts come out with their ID',
			},
			{
				displayName: 'Output',
				name: 'report',
				type: 'options',
				default: 'all',
				description: 'What comes out. Failures always come out at the error output if it is on.',
				options: [
					{ name: 'All Contacts', value: 'all' },
					{
						name: 'Changes Only',
						value: 'changes',
						description: 'Created, updated, deleted and failed',
					},
					{ name: 'Summary Only', value: 'summary', description: 'One item with the counts' },
				],
			},
			{
				displayName: 'Parallel Requests',
				name: 'parallelRequests',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 100 },
				default: 10,
				description: 'How many requests may be under way at once',
			},
			{
				displayName: 'Respect Global Unsubscribes',
				name: 'globalUnsubscribes',
				type: 'boolean',
				default: true,
				description:
					'Whether to skip addresses that are under Global Unsubscribes: not created, not changed, not deleted',
			},
			{
				displayName: 'Respect Unsubscribe Group Names or IDs',
				name: 'unsubscribeGroups',
				type: 'multiOptions',
				default: [],
				description:
					'Unsubscribe groups whose recipients are skipped too. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				typeOptions: { loadOptionsMethod: 'getUnsubscribeGroups' },
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
				displayName: 'Stop If More Than (Contacts)',
				name: 'maxDeletions',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 100,
				description:
					'If more contacts than this would be deleted, nothing is written and the node fails',
				displayOptions: { show: { '/missing': ['delete'] } },
			},
			{
				displayName: 'Stop If More Than (Percent)',
				name: 'maxDeletionPercent',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 100 },
				default: 10,
				description:
					'If more than this share of the contact type would be deleted, nothing is written and the node fails. 10 % when not set.',
				displayOptions: { show: { '/missing': ['delete'] } },
			},
		],
	},
];
