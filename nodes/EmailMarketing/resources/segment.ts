import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../api/endpoints';
import { addManyRecipients } from '../contacts/addOperations';
import { call, callOnAllItems } from '../engine/entry';
import { done, list } from '../output/responseMappers';
import { email, recordId, text } from '../params/validators';
import { listOrId } from './locator';
import { showFor, showForResource } from './show';

export const segment: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'getAll',
		displayOptions: showForResource('segment'),
		options: [
			{
				name: 'Add Many Recipients',
				value: 'addManyRecipients',
				action: 'Add many recipients to a segment',
				description:
					'Add the people of all items to a segment, except those that are in it already',
				routing: callOnAllItems(addManyRecipients),
			},
			{
				name: 'Add Recipient',
				value: 'addRecipient',
				action: 'Add a recipient to a segment',
				description: 'Add one person to a segment by hand',
				routing: call(endpoints.segment.addRecipient, {
					body: {
						segment_id: recordId('segmentId'),
						first_name: text('firstName', { required: true }),
						last_name: text('lastName', { required: true }),
						email: email('email', { required: true }),
					},
					output: done('added'),
				}),
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete a segment for good',
				description: 'Delete a segment for good; this cannot be undone',
				routing: call(endpoints.segment.delete, {
					query: { segment_id: recordId('segmentId', { identifies: 'id' }) },
					output: done('deleted'),
				}),
			},
			{
				name: 'Delete Recipient',
				value: 'deleteRecipient',
				action: 'Delete a recipient from a segment',
				description: 'Take one person out of a segment',
				routing: call(endpoints.segment.deleteRecipient, {
					query: { segment_recipient_id: recordId('segmentRecipientId', { identifies: 'id' }) },
					output: done('deleted'),
				}),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many segments',
				description: 'Retrieve segments with their conditions and the number of recipients in each',
				routing: call(endpoints.segment.getAll, { output: list }),
			},
			{
				name: 'Get Many Recipients',
				value: 'getRecipients',
				action: 'Get the recipients of a segment',
				description: 'Retrieve the people in a segment',
				routing: call(endpoints.segment.getRecipients, {
					query: { segment_id: recordId('segmentId') },
					output: list,
				}),
			},
		],
	},
	{
		displayName: 'Segment',
		name: 'segmentId',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'The segment to work on',
		displayOptions: showFor('segment', [
			'addRecipient',
			'addManyRecipients',
			'delete',
			'getRecipients',
		]),
		modes: listOrId('searchSegments'),
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'resourceMapper',
		noDataExpression: true,
		required: true,
		default: { mappingMode: 'autoMapInputData', value: null },
		description: 'Which columns hold email, first name and last name; the service wants all three',
		displayOptions: showFor('segment', ['addManyRecipients']),
		typeOptions: {
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
		displayName: 'Segment',
		name: 'segmentId',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description: 'The segment whose recipients are listed below; not needed for a recipient by ID',
		displayOptions: showFor('segment', ['deleteRecipient']),
		modes: listOrId('searchSegments'),
	},
	{
		displayName: 'Segment Recipient',
		name: 'segmentRecipientId',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'The person to take out of the segment',
		displayOptions: showFor('segment', ['deleteRecipient']),
		modes: listOrId('searchSegmentRecipients'),
	},
	{
		displayName: 'First Name',
		name: 'firstName',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Nathan',
		description: 'The service takes a recipient only with a first name',
		displayOptions: showFor('segment', ['addRecipient']),
	},
	{
		displayName: 'Last Name',
		name: 'lastName',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Smith',
		description: 'The service takes a recipient only with a last name',
		displayOptions: showFor('segment', ['addRecipient']),
	},
	{
		displayName: 'Email',
		name: 'email',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. name@email.com',
		description: 'Where single sends and automations to this segment go',
		displayOptions: showFor('segment', ['addRecipient']),
	},
];
