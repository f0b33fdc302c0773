import type { INodeProperties } from 'n8n-workflow';

import { COLUMNS } from '../../features/contacts/csv/exportCsv';
import { optionsField, showFor } from './kinds';
import { contactFieldOptions, retryTemporaryFailures } from './options';

/** Options of "Export to CSV"; its operation stands with those of the contact, its filters with those of lists. */
export const contactExport: INodeProperties[] = [
	{
		displayName:
			'Without a filter, the contacts of all contact types are exported. For one list, add the filter "Contact Type Names or IDs".',
		name: 'exportsAll',
		type: 'notice',
		default: '',
		displayOptions: showFor('contact', ['exportCsv']),
	},
	{
		...optionsField,
		displayOptions: showFor('contact', ['exportCsv']),
		options: [
			{
				displayName: 'Columns',
				name: 'columns',
				type: 'multiOptions',
				default: [],
				description:
					'The columns of the file, in the order you choose them. Leave empty for all columns; "Deleted At" is one of them if "Include Deleted" is on.',
				options: contactFieldOptions([...COLUMNS, 'deleted_at']),
			},
			{
				displayName: 'Custom Fields',
				name: 'customFields',
				type: 'boolean',
				default: true,
				description:
					'Whether to add a column for each custom field, such as custom_field_plan. By default, these columns are added.',
			},
			{
				displayName: 'File Name',
				name: 'fileName',
				type: 'string',
				default: 'contacts.csv',
				placeholder: 'e.g. contacts.csv',
				description: 'The name of the file',
			},
			{
				displayName: 'For Spreadsheets',
				name: 'forSpreadsheets',
				type: 'boolean',
				default: true,
				description:
					'Whether to write the file for Excel and other spreadsheets: letters such as é and ü show correctly, and values that start with =, +, - or @ do not run as formulas. Turn it off if a program reads the file, such as "Extract From File" or "Contact: Import From CSV".',
			},
			{
				displayName: 'Leave Out Global Unsubscribes',
				name: 'leaveOutGlobalUnsubscribes',
				type: 'boolean',
				default: false,
				description:
					'Whether to leave out contacts whose email or alternative email is on the global unsubscribe list. People who unsubscribed only from a group are exported. Turn it on if you will email these people from another service.',
			},
			retryTemporaryFailures,
		],
	},
];
