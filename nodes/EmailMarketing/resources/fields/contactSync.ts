import type { INodeProperties } from 'n8n-workflow';

import { CONTACT_FIELDS } from '../../features/contacts/fields';
import { fieldMapper, optionsField, showFor } from './kinds';
import { listOrId, listOrName } from './locator';
import {
	allowOverLimit,
	changesMissing,
	contactFieldOptions,
	dryRun,
	limits,
	neverAdd,
	parallelRequests,
	removal,
	removalNotices,
	reportOn,
	respectedGroups,
	respectedUnsubscribes,
	retryTemporaryFailures,
} from './options';

const both = showFor('contact', ['upsert', 'sync']);
// Without the slash, n8n 1 and early n8n 2 refuse the whole node.
const automatically = { '/fields.mappingMode': ['autoMapInputData'] };

const syncOptions: INodeProperties[] = [
	{
		displayName: 'Compatibility: CSV Format',
		name: 'csvFormat',
		type: 'fixedCollection',
		default: { layout: { countryAs: 'id', columns: {} } },
		description:
			'How to write the file for CSV imports. By default, there is one column for each API field, with the field name as its header, and countries are written as IDs.',
		options: [
			{
				displayName: 'Layout',
				name: 'layout',
				values: [
					{
						displayName: 'Country As',
						name: 'countryAs',
						type: 'options',
						default: 'id',
						description: 'How to write countries in the file',
						options: [
							{ name: 'ID', value: 'id' },
							{ name: 'Name', value: 'name' },
						],
					},
					{
						displayName: 'Columns',
						name: 'columns',
						type: 'fixedCollection',
						typeOptions: { multipleValues: true, sortable: true },
						placeholder: 'Add column',
						default: {},
						description: 'The columns of the file, in order',
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
										description: 'The name of the column in the first line of the file',
									},
									{
										displayName: 'Field',
										name: 'field',
										type: 'options',
										default: 'email',
										description: 'The contact field in this column',
										options: contactFieldOptions(CONTACT_FIELDS),
									},
								],
							},
						],
					},
				],
			},
		],
	},
	{
		displayName: 'Custom Fields of New Contacts',
		name: 'customFields',
		type: 'options',
		default: 'import',
		description:
			'How to create new contacts whose items have custom fields, such as custom_field_plan. The API accepts custom fields only in CSV imports, so a few contacts are imported first as a trial. Custom fields of existing contacts cannot be changed. By default, new contacts are created without custom fields; Apply Plan imports those in the plan, or does not create the contacts.',
		options: [
			{
				name: 'Create Without Them',
				value: 'ignore',
				description:
					'The contacts have no custom fields. In Apply Plan, the custom fields in the plan are ignored.',
			},
			{
				name: 'Import as File',
				value: 'import',
				description: 'If that fails, create the contacts without their custom fields',
			},
			{
				name: 'Import as File or Fail',
				value: 'importOrFail',
				description: 'If that fails, do not create the contacts',
			},
		],
	},
	{
		displayName: 'Empty Values',
		name: 'emptyValues',
		type: 'options',
		default: 'ignore',
		description: 'What to do if a mapped field is empty. By default, the contact keeps its value.',
		options: [
			{
				name: 'Clear the Field',
				value: 'clear',
				description: 'Remove the value from the contact',
			},
			{ name: 'Ignore', value: 'ignore', description: 'Keep the value of the contact' },
		],
	},
	{
		displayName: 'External ID Field',
		name: 'externalIdField',
		type: 'string',
		default: '',
		placeholder: 'e.g. customer_number',
		description:
			'The name of the input field that identifies a person in your source, such as a customer number. If the email of a person changes, their contact is updated. By default, a second contact is created.',
	},
	{
		displayName: 'Import as File If More New Contacts Than',
		name: 'importAbove',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 200,
		description:
			'The number of new contacts above which they are imported as CSV files. A few are imported first as a trial. If the contact list does not show these exactly as planned, the others are created one by one. By default, each contact is created with its own request.',
	},
	limits,
	neverAdd,
	reportOn('Contacts'),
	parallelRequests,
	removal('contact', 'deleted, moved or added to the unsubscribe group', {
		onlyAdded: {
			description:
				'Whether to remove only contacts that this sync created. Others stay: those added by a form or a colleague, those that were there before "Missing From Input" or "External ID Field" was set, and those that a manual execution created.',
		},
		recreate: {
			description:
				'Whether to recreate contacts that somebody removed in the service. By default, they are skipped while "Only Added by Sync" is on.',
		},
	}),
	{
		...respectedUnsubscribes,
		description:
			'Whether to skip addresses on the global unsubscribe list, so that they are not created, updated, moved, deleted or added to a group. By default, they are skipped.',
	},
	respectedGroups,
	retryTemporaryFailures,
];

/** Fields of "Create or Update" and "Sync"; their operations stand with those of the contact. */
export const contactSync: INodeProperties[] = [
	{
		displayName: 'Fields',
		name: 'fields',
		...fieldMapper({ resourceMapperMethod: 'getSyncFields', mode: 'map' }, ['matchBy']),
		description:
			'Contact values to read from each item. Fields that are not mapped keep their values.',
		displayOptions: both,
	},
	{
		displayName:
			'Similar names work, too, such as "E-mail", "Surname" or "Zip". All other input fields are ignored. By default, globally unsubscribed addresses are skipped. New contacts need a country, from the input or chosen below.',
		name: 'skipsUnsubscribed',
		type: 'notice',
		default: '',
		displayOptions: showFor('contact', ['create', 'upsert', 'sync'], automatically),
	},
	{
		displayName:
			'Similar names work, too, such as "E-mail", "Surname" or "Zip". All other input fields are ignored.',
		name: 'recognizedNames',
		type: 'notice',
		default: '',
		displayOptions: showFor('contact', ['update'], automatically),
	},
	{
		displayName: 'Match By',
		name: 'matchBy',
		type: 'options',
		default: 'email',
		description: 'How to match an item to an existing contact of the contact type',
		options: [
			{
				name: 'Contact ID',
				value: 'contactId',
				description: 'Allows the email to change. Items without an ID are matched by email.',
			},
			{
				name: 'Email',
				value: 'email',
				description: 'Case is ignored',
			},
		],
		displayOptions: both,
	},
	{
		displayName: 'Country for New Contacts',
		name: 'defaultCountry',
		...listOrName('searchCountries'),
		description:
			'The country of new contacts whose item has none. If this field is empty, such items fail, because the service requires a country. Existing contacts keep theirs.',
		displayOptions: showFor('contact', ['create', 'upsert', 'sync']),
	},
	{
		displayName: 'Missing From Input',
		name: 'missing',
		type: 'options',
		default: 'ignore',
		description:
			'What to do with contacts of this contact type that are not in the input. By default, they are left unchanged.',
		options: [
			{
				name: 'Add to Unsubscribe Group',
				value: 'addToUnsubscribeGroup',
				description:
					'Add their addresses to an unsubscribe group. The contacts stay in the contact type.',
			},
			{
				name: 'Delete',
				value: 'delete',
				description: 'Delete them. The API cannot restore them.',
			},
			{ name: 'Ignore', value: 'ignore', description: 'Leave them unchanged' },
			{
				name: 'Move to Contact Type',
				value: 'moveToContactType',
				description: 'Move them to another contact type',
			},
		],
		displayOptions: showFor('contact', ['sync']),
	},
	...removalNotices('contact', showFor('contact', ['sync'], { missing: changesMissing })),
	{
		displayName: 'Move to Contact Type',
		name: 'missingContactTypeId',
		...listOrId('searchContactTypes'),
		description:
			'The contact type to move missing contacts to. Contacts whose email it already has are skipped.',
		displayOptions: showFor('contact', ['sync'], { missing: ['moveToContactType'] }),
	},
	{
		displayName: 'Unsubscribe Group',
		name: 'missingUnsubscribeGroupId',
		...listOrId('searchUnsubscribeGroups'),
		description: 'The unsubscribe group to add the addresses of missing contacts to',
		displayOptions: showFor('contact', ['sync'], { missing: ['addToUnsubscribeGroup'] }),
	},
	{
		...dryRun,
		displayOptions: both,
	},
	{
		...optionsField,
		displayOptions: both,
		options: syncOptions,
	},
];

/** Options that mean the same for "Apply Plan". */
const shared = new Set([
	...['csvFormat', 'customFields', 'globalUnsubscribes', 'importAbove'],
	...['neverAdd', 'parallelRequests', 'report', 'retryTemporaryFailures', 'unsubscribeGroups'],
]);

/** Fields of "Apply Plan"; its operation stands with those of the contact. */
export const contactApplyPlan: INodeProperties[] = [
	{
		displayName:
			'Connect all or some of the items that "Sync" or "Create or Update" returned with "Dry Run" on. Contacts that have changed since then are not written.',
		name: 'takesDryRun',
		type: 'notice',
		default: '',
		displayOptions: showFor('contact', ['applyPlan']),
	},
	{
		...optionsField,
		displayOptions: showFor('contact', ['applyPlan']),
		options: [allowOverLimit, ...syncOptions.filter(({ name }) => shared.has(name))].sort((a, b) =>
			a.displayName < b.displayName ? -1 : 1,
		),
	},
];
