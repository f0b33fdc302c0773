import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../service/endpoints';
import { call } from '../run/entry';
import { done, list } from '../run/output/responseMappers';
import { choice, recordId, text } from '../params/validators';
import { operationsOf, requiredText, showFor } from './fields/kinds';
import { listOrId } from './fields/locator';

export const customField: INodeProperties[] = [
	{
		...operationsOf('customField'),
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create custom field',
				description: 'Create a custom field for contacts',
				routing: call(endpoints.customField.create, {
					body: {
						field_name: text('fieldName', {
							required: true,
							pattern: /^[A-Za-z0-9_]+$/,
							expected: 'letters A to Z, digits and underscores only, such as favorite_color',
						}),
						field_type: choice('fieldType', ['text', 'number', 'datetime-local']),
					},
					output: done('created'),
				}),
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete custom field',
				description: 'Delete a custom field. The API cannot restore it.',
				routing: call(endpoints.customField.delete, {
					query: { id: recordId('customFieldId', { label: 'Custom Field' }) },
					output: done('deleted'),
				}),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many custom fields',
				description: 'Retrieve a list of custom fields',
				routing: call(endpoints.customField.getAll, { output: list }),
			},
			{
				name: 'Get Many Reserved',
				value: 'getReserved',
				action: 'Get many reserved fields',
				description:
					'Retrieve the built-in fields of contacts. Custom fields cannot use their names.',
				routing: call(endpoints.customField.getReserved, { output: list }),
			},
		],
	},
	{
		displayName: 'Custom Field',
		name: 'customFieldId',
		...listOrId('searchCustomFields'),
		required: true,
		description: 'The custom field to delete',
		displayOptions: showFor('customField', ['delete']),
	},
	{
		displayName: 'Field Name',
		name: 'fieldName',
		...requiredText,
		placeholder: 'e.g. favorite_color',
		description:
			'The name of the field: letters A to Z, digits and underscores only. Names of reserved fields are not allowed.',
		displayOptions: showFor('customField', ['create']),
	},
	{
		displayName: 'Field Type',
		name: 'fieldType',
		type: 'options',
		default: 'text',
		description: 'The type of the values in the field',
		options: [
			{ name: 'Date and Time', value: 'datetime-local' },
			{ name: 'Number', value: 'number' },
			{ name: 'Text', value: 'text' },
		],
		displayOptions: showFor('customField', ['create']),
	},
];
