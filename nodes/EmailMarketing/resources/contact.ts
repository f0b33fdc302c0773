import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../api/endpoints';
import { contactValues, resolveCountry } from '../contacts/contactValues';
import { exportCsv } from '../contacts/exportCsv';
import { sync, upsert } from '../contacts/syncOperations';
import { call, callBulkDelete, callOnAllItems } from '../engine/entry';
import { mergeCurrent } from '../engine/mergeCurrent';
import { csvSample, done, list, record } from '../output/responseMappers';
import { keepId, keep } from '../params/currentValue';
import {
	email,
	recordId,
	recordIds,
	text,
	type Inputs,
	type RecordSource,
} from '../params/validators';
import { coerceText, isObject } from '../util/coerce';
import { listEmailOrId, listOrId } from './locator';
import { showFor, showForResource } from './show';

/** The fields of a contact that the mapper gives (19, 23). */
const mappedInputs: Inputs = {
	email: email('', { required: true }),
	country: text('', { required: true }),
	first_name: text(''),
	last_name: text(''),
	state: text(''),
	city: text(''),
	address_line1: text(''),
	address_line2: text(''),
	state_province_region: text(''),
	postal_code: text(''),
};

const contacts: RecordSource = {
	list: endpoints.contact.getAll,
	key: 'id',
	email: 'email',
	detail: ({ contact_type: type }) => (isObject(type) ? coerceText(type.name) : ''),
};

export const contact: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'getAll',
		displayOptions: showForResource('contact'),
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create a contact',
				description: 'Add a contact to a contact type',
				routing: call(endpoints.contact.create, {
					parse: contactValues,
					body: {
						contact_type_id: recordId('contactTypeId'),
						...mappedInputs,
					},
					enrich: [resolveCountry],
					output: done('created'),
				}),
			},
			{
				name: 'Create or Update',
				value: 'upsert',
				action: 'Create or update a contact',
				description: 'Create a new record, or update the current one if it already exists (upsert)',
				routing: callOnAllItems(upsert),
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete a contact for good',
				description: 'Delete a contact for good; this cannot be undone',
				routing: call(endpoints.contact.delete, {
					query: { contact_id: recordId('contactId', { identifies: 'id', source: contacts }) },
					output: done('deleted'),
				}),
			},
			{
				name: 'Delete Many',
				value: 'deleteMany',
				action: 'Delete many contacts for good',
				description: 'Delete several contacts for good in one request',
				routing: callBulkDelete(
					endpoints.contact.deleteMany,
					recordIds('contactIds', 'Contact Names or IDs', { source: contacts }),
				),
			},
			{
				name: 'Export to CSV',
				value: 'exportCsv',
				action: 'Export contacts to a CSV file',
				description: 'Write all or some contacts to one CSV file',
				routing: callOnAllItems(exportCsv),
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get a contact',
				description: 'Retrieve one contact',
				routing: call(endpoints.contact.get, {
					query: { contact_id: recordId('contactId', { identifies: 'id', source: contacts }) },
					output: record,
				}),
			},
			{
				name: 'Get CSV Sample',
				value: 'getCsvSample',
				action: 'Get the CSV sample for contacts',
				description: 'Download the sample file for imports, if the service has one',
				routing: call(endpoints.contact.getCsvSample, {
					responseEncoding: 'arraybuffer',
					output: csvSample('binaryPropertyName'),
				}),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many contacts',
				description: 'Retrieve contacts with the contact type that each is in',
				routing: call(endpoints.contact.getAll, { output: list }),
			},
			{
				name: 'Import From CSV',
				value: 'importCsv',
				action: 'Import contacts from a CSV file',
				description: 'Add many contacts to a contact type with one file',
				routing: call(endpoints.contact.importCsv, {
					body: { contact_type_id: recordId('contactTypeId') },
					file: { field: 'file', parameter: 'binaryPropertyName', extension: 'csv' },
					output: done('imported'),
				}),
			},
			{
				name: 'Sync',
				value: 'sync',
				action: 'Sync contacts',
				description: 'Make a contact type hold what the input says, with the writes needed for it',
				routing: callOnAllItems(sync),
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update a contact',
				description: 'Change a contact; what you leave out keeps its value',
				routing: call(endpoints.contact.update, {
					parse: contactValues,
					body: {
						contact_id: recordId('contactId', { identifies: 'id', source: contacts }),
						contact_type_id: recordId('', { identifies: false }),
						...mappedInputs,
					},
					clearable: 'options.clearFields',
					enrich: [
						resolveCountry,
						mergeCurrent({
							details: endpoints.contact.get,
							id: 'contact_id',
							fields: {
								contact_type_id: keepId('contact_type_id'),
								email: keep('email'),
								country: keep('country'),
								first_name: keep('first_name'),
								last_name: keep('last_name'),
								state: keep('state'),
								city: keep('city'),
								address_line1: keep('address_line1'),
								address_line2: keep('address_line2'),
								state_province_region: keep('state_province_region'),
								postal_code: keep('postal_code'),
							},
						}),
						resolveCountry,
					],
					output: done('updated'),
				}),
			},
		],
	},
	{
		displayName: 'Contact',
		name: 'contactId',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'The person to work on',
		displayOptions: showFor('contact', ['delete', 'get', 'update']),
		modes: listEmailOrId('searchContacts'),
	},
	{
		displayName: 'Contact Names or IDs',
		name: 'contactIds',
		type: 'multiOptions',
		required: true,
		default: [],
		description:
			'The contacts to delete; an expression may also return email addresses. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		typeOptions: { loadOptionsMethod: 'getContacts' },
		displayOptions: showFor('contact', ['deleteMany']),
	},
	{
		displayName: 'Contact Type',
		name: 'contactTypeId',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'The list that the contacts are put into',
		displayOptions: showFor('contact', ['create', 'importCsv', 'sync', 'upsert']),
		modes: listOrId('searchContactTypes'),
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'resourceMapper',
		noDataExpression: true,
		required: true,
		default: { mappingMode: 'defineBelow', value: null },
		description: 'What the contact is to look like',
		displayOptions: showFor('contact', ['create', 'update']),
		typeOptions: {
			loadOptionsDependsOn: ['operation'],
			resourceMapper: {
				resourceMapperMethod: 'getContactFields',
				mode: 'add',
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: false,
				multiKeyMatch: false,
				supportAutoMap: true,
			},
		},
	},
	{
		displayName: 'Input Data Field Name',
		name: 'binaryPropertyName',
		type: 'string',
		required: true,
		default: 'data',
		placeholder: 'e.g. data',
		hint: 'The name of the input field containing the file data to be processed',
		description: 'Name of the binary field of the input that holds the CSV file',
		displayOptions: showFor('contact', ['importCsv']),
	},
	{
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyName',
		type: 'string',
		required: true,
		default: 'data',
		placeholder: 'e.g. data',
		hint: 'The name of the output binary field to put the file in',
		description: 'Name of the binary field of the output that gets the file',
		displayOptions: showFor('contact', ['exportCsv', 'getCsvSample']),
	},
];
