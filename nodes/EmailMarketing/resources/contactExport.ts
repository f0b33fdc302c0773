import type { INodeProperties } from 'n8n-workflow';

import { showFor } from './show';

/** Fields of "Export to CSV"; its operation stands with those of the contact. */
export const contactExport: INodeProperties[] = [
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		description: 'Which contacts go into the file; all of them without a filter',
		displayOptions: showFor('contact', ['exportCsv']),
		options: [
			{
				displayName: 'Contact Type Names or IDs',
				name: 'contactTypes',
				type: 'multiOptions',
				default: [],
				description:
					'Contacts of these types. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				typeOptions: { loadOptionsMethod: 'getContactTypes' },
			},
			{
				displayName: 'Created After',
				name: 'createdAfter',
				type: 'dateTime',
				default: '',
				description: 'Contacts that were added after this time',
			},
			{
				displayName: 'Name or Email Contains',
				name: 'text',
				type: 'string',
				default: '',
				placeholder: 'e.g. @example.com',
				description: 'Part of the name or email; case and accents do not count',
			},
			{
				displayName: 'Updated After',
				name: 'updatedAfter',
				type: 'dateTime',
				default: '',
				description: 'Contacts that were changed after this time',
			},
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: showFor('contact', ['exportCsv']),
		options: [
			{
				displayName: 'Columns',
				name: 'columns',
				type: 'multiOptions',
				default: [],
				description:
					'Columns of the file in the order in which they are chosen; all without a choice',
				options: [
					{ name: 'Address Line 1', value: 'address_line1' },
					{ name: 'Address Line 2', value: 'address_line2' },
					{ name: 'Alternative Email', value: 'alt_email' },
					{ name: 'City', value: 'city' },
					{ name: 'Contact ID', value: 'id' },
					{ name: 'Contact Type', value: 'contact_type' },
					{ name: 'Country', value: 'country' },
					{ name: 'Created At', value: 'created_at' },
					{ name: 'Email', value: 'email' },
					{ name: 'First Name', value: 'first_name' },
					{ name: 'Last Name', value: 'last_name' },
					{ name: 'Postal Code', value: 'postal_code' },
					{ name: 'State', value: 'state' },
					{ name: 'State, Province or Region', value: 'state_province_region' },
					{ name: 'Updated At', value: 'updated_at' },
				],
			},
			{
				displayName: 'Custom Fields',
				name: 'customFields',
				type: 'boolean',
				default: true,
				description: 'Whether to add a column for each custom field that a contact has',
			},
			{
				displayName: 'File Name',
				name: 'fileName',
				type: 'string',
				default: 'contacts.csv',
				placeholder: 'e.g. contacts.csv',
				description: 'Name of the file',
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
				displayName: 'Spreadsheet-Safe',
				name: 'spreadsheetSafe',
				type: 'boolean',
				default: true,
				description:
					'Whether to put an apostrophe before cells that a spreadsheet would run as a formula: those that begin with =, +, - or @',
			},
		],
	},
];
