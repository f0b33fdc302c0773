import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../service/endpoints';
import { applyPlanRows } from '../features/sync/savedPlan/applyPlanOperation';
import { contactList, contactRecord } from '../features/contacts/contactList';
import {
	contactDetails,
	ifContactExists,
	nameCustomFields,
	newContactInputs,
	newContactValues,
	resolveCountry,
	tellUnusedFields,
} from '../features/contacts/create';
import { csvSample } from '../features/contacts/csv/csvSample';
import { exportCsv } from '../features/contacts/csv/exportCsv';
import { changedContacts, importedFiles, newContacts } from '../features/contacts/consentGate';
import { contactValues } from '../features/contacts/inputItems';
import {
	changedContactInputs,
	checkNewAddress,
	checkNewAddressAhead,
	keptFields,
} from '../features/contacts/update';
import { chosenContacts } from '../features/sync/removalGate';
import { findProblems } from '../features/people/findProblems';
import { sync, upsert } from '../features/sync/syncOperations';
import { resetCountsUnlessNoted } from '../features/sync/memory/syncMemory';
import { call, callBulkDelete, callOnAllItems } from '../run/entry';
import { mergeCurrent } from '../run/mergeCurrent';
import { reportCleared } from '../run/reportCleared';
import { done } from '../run/output/responseMappers';
import { recordId, recordIds } from '../params/validators';
import { records } from '../records/records';
import { fieldMapper, operationsOf, outputFile, severalFrom, showFor } from './fields/kinds';
import { listEmailOrId, listOrId } from './fields/locator';

export const contact: INodeProperties[] = [
	{
		...operationsOf('contact'),
		options: [
			{
				name: 'Apply Plan',
				value: 'applyPlan',
				action: 'Apply plan to contacts',
				description:
					'Write the changes that a dry run planned, except to contacts that have changed since then',
				routing: callOnAllItems(applyPlanRows),
			},
			{
				name: 'Create',
				value: 'create',
				action: 'Create contact',
				description: 'Add a new contact to a contact type (list)',
				routing: call(endpoints.contact.create, {
					values: newContactValues,
					body: {
						contact_type_id: recordId('contactTypeId'),
						...newContactInputs,
					},
					gate: newContacts,
					plan: {
						stages: [resolveCountry, ifContactExists, tellUnusedFields, nameCustomFields],
					},
					output: done('created'),
				}),
			},
			{
				name: 'Create or Update',
				value: 'upsert',
				action: 'Create or update contact',
				description: 'Create a new record, or update the current one if it already exists (upsert)',
				routing: callOnAllItems(upsert, { around: resetCountsUnlessNoted }),
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete contact',
				description: 'Delete a contact. The API cannot restore it.',
				routing: call(endpoints.contact.delete, {
					query: {
						contact_id: recordId('contactId', { identifies: 'id', source: records.contact }),
					},
					gate: chosenContacts,
					output: done('deleted'),
				}),
			},
			{
				name: 'Delete Many',
				value: 'deleteMany',
				action: 'Delete many contacts',
				description: 'Delete several contacts. The API cannot restore them.',
				routing: callBulkDelete(
					endpoints.contact.deleteMany,
					recordIds('contactIds', 'Contact Names or IDs', { source: records.contact }),
					chosenContacts,
				),
			},
			{
				name: 'Export to CSV',
				value: 'exportCsv',
				action: 'Export contacts to CSV',
				description: 'Export all contacts, or those of one list with a filter, to a CSV file',
				routing: callOnAllItems(exportCsv, { readsOnly: true }),
			},
			{
				name: 'Find Problems',
				value: 'findProblems',
				action: 'Find problems with contacts',
				description:
					'Find duplicates, misspelled addresses and other problems. Results name the operation that fixes them, if any.',
				routing: callOnAllItems(findProblems, { readsOnly: true }),
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get contact',
				description: 'Retrieve a contact',
				routing: call(endpoints.contact.get, {
					query: {
						contact_id: recordId('contactId', { identifies: 'id', source: records.contact }),
					},
					output: contactRecord,
				}),
			},
			{
				name: 'Get CSV Sample',
				value: 'getCsvSample',
				action: 'Get CSV sample',
				description:
					'Retrieve the sample file for CSV imports, or what the service returns in its place',
				routing: call(endpoints.contact.getCsvSample, {
					output: csvSample,
				}),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many contacts',
				description: 'Retrieve many contacts, of one contact type (list) or several',
				routing: call(endpoints.contact.getAll, { output: contactList }),
			},
			{
				name: 'Import From CSV',
				value: 'importCsv',
				action: 'Import contacts from CSV',
				description: 'Import contacts from a CSV file into a contact type (list)',
				routing: call(endpoints.contact.importCsv, {
					body: { contact_type_id: recordId('contactTypeId') },
					file: { field: 'file', parameter: 'binaryPropertyName', extension: 'csv' },
					gate: importedFiles,
					output: done('imported'),
				}),
			},
			{
				name: 'Sync',
				value: 'sync',
				action: 'Sync contacts',
				description:
					'Make a contact type (list) match the input, writing only what changed. By default, nobody is removed.',
				routing: callOnAllItems(sync, { around: resetCountsUnlessNoted }),
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update contact',
				description: 'Update a contact. Fields that are not set keep their values.',
				routing: call(endpoints.contact.update, {
					values: contactValues,
					body: {
						contact_id: recordId('contactId', { identifies: 'id', source: records.contact }),
						contact_type_id: recordId('', { identifies: false }),
						...changedContactInputs,
					},
					gate: changedContacts,
					plan: {
						record: 'contact_id',
						ahead: [resolveCountry, checkNewAddressAhead],
						stages: [
							checkNewAddress,
							nameCustomFields,
							mergeCurrent({ ...contactDetails, fields: keptFields }),
							resolveCountry,
						],
						complete: reportCleared(contactDetails),
					},
					output: done('updated'),
				}),
			},
		],
	},
	{
		displayName: 'Contact',
		name: 'contactId',
		...listEmailOrId('searchContacts'),
		required: true,
		description: 'The contact to delete, get or update',
		displayOptions: showFor('contact', ['delete', 'get', 'update']),
	},
	{
		displayName: 'Contact Names or IDs',
		name: 'contactIds',
		...severalFrom('getContacts'),
		required: true,
		description:
			'The contacts to delete. In an expression, email addresses work too. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		displayOptions: showFor('contact', ['deleteMany']),
	},
	{
		displayName: 'Contact Type (List)',
		name: 'contactTypeId',
		...listOrId('searchContactTypes'),
		required: true,
		description: 'The contact type (list) that the contacts belong to',
		displayOptions: showFor('contact', ['create', 'importCsv', 'sync', 'upsert']),
	},
	{
		displayName: 'If Contact Exists',
		name: 'ifContactExists',
		type: 'options',
		default: 'return',
		description:
			'What to do if the contact type already has a contact with this email, or an earlier item creates one. By default, the existing contact is returned. To update it, use "Create or Update".',
		options: [
			{
				name: 'Create Another',
				value: 'create',
				description:
					'Create the contact without checking. The contact type may then have several contacts with this email.',
			},
			{ name: 'Fail', value: 'fail', description: 'Create nothing and fail the item' },
			{
				name: 'Return Existing',
				value: 'return',
				description: 'Return the existing contact unchanged',
			},
		],
		displayOptions: showFor('contact', ['create']),
	},
	{
		displayName: 'Fields',
		name: 'fields',
		...fieldMapper({ resourceMapperMethod: 'getContactFields', mode: 'add' }, ['operation']),
		description: 'Values to set on the contact',
		displayOptions: showFor('contact', ['create', 'update']),
	},
	{
		displayName: 'Input Data Field Name',
		name: 'binaryPropertyName',
		type: 'string',
		required: true,
		default: 'data',
		placeholder: 'e.g. data',
		hint: 'The name of the input field containing the file data to be processed',
		description: 'The binary field of the input item that contains the CSV file',
		displayOptions: showFor('contact', ['importCsv']),
	},
	{
		...outputFile,
		description: 'The binary field of the output item to put the file in',
		displayOptions: showFor('contact', ['exportCsv', 'getCsvSample']),
	},
];
