import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../service/endpoints';
import { addToSegmentOnce } from '../features/membership/addOnce';
import { ofSegment } from '../features/membership/syncRecipients';
import { segmentRecipients } from '../features/contacts/consentGate';
import { resetCountsUnlessNoted } from '../features/sync/memory/syncMemory';
import { call, callOnAllItems } from '../run/entry';
import { done, list } from '../run/output/responseMappers';
import { email, recordId, text } from '../params/validators';
import { records } from '../records/records';
import { operationsOf, requiredText, showFor } from './fields/kinds';
import { listEmailOrId, listOrId } from './fields/locator';

export const segment: INodeProperties[] = [
	{
		...operationsOf('segment'),
		options: [
			{
				name: 'Add or Sync Recipients',
				value: 'syncRecipients',
				action: 'Add or sync many recipients of segment',
				description:
					'Add each item to a segment as a recipient. Optionally, remove recipients that are missing from the input.',
				routing: callOnAllItems(ofSegment.sync, { around: resetCountsUnlessNoted }),
			},
			{
				name: 'Add Recipient',
				value: 'addRecipient',
				action: 'Add recipient to segment',
				description:
					'Add a recipient, even if the address is already there. To skip such addresses, use Add or Sync Recipients.',
				routing: call(endpoints.segment.addRecipient, {
					body: {
						segment_id: recordId('segmentId'),
						first_name: text('firstName', { required: true }),
						last_name: text('lastName', { required: true }),
						email: email('email', { required: true }),
					},
					gate: segmentRecipients,
					plan: { stages: [addToSegmentOnce] },
					output: done('added'),
				}),
			},
			{
				name: 'Apply Plan',
				value: 'applyPlan',
				action: 'Apply plan to recipients of segment',
				description:
					'Write the changes that a dry run planned for a segment, except to recipients that have changed since then',
				routing: callOnAllItems(ofSegment.apply),
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete segment',
				description:
					'Delete a segment. The API cannot restore it. Its recipients may be deleted, too.',
				routing: call(endpoints.segment.delete, {
					query: { segment_id: recordId('segmentId', { identifies: 'id' }) },
					output: done('deleted'),
				}),
			},
			{
				name: 'Delete Recipient',
				value: 'deleteRecipient',
				action: 'Delete recipient from segment',
				description: 'Remove a recipient from a segment',
				routing: call(endpoints.segment.deleteRecipient, {
					query: {
						segment_recipient_id: recordId('segmentRecipientId', {
							identifies: 'id',
							source: records.segmentRecipient,
						}),
					},
					output: done('deleted'),
				}),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many segments',
				description:
					'Retrieve a list of segments. The API cannot create segments: create them in the service.',
				routing: call(endpoints.segment.getAll, { output: list }),
			},
			{
				name: 'Get Many Recipients',
				value: 'getRecipients',
				action: 'Get many segment recipients',
				description: 'Retrieve the recipients in a segment',
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
		...listOrId('searchSegments'),
		required: true,
		description: 'The segment to delete, apply the plan to or get recipients from',
		hint: 'The API cannot create segments: create them in the service',
		displayOptions: showFor('segment', ['delete', 'applyPlan', 'getRecipients']),
	},
	{
		displayName:
			'If an unsent campaign excludes this segment, deleting it may let its recipients receive the campaign. Check scheduled campaigns first.',
		name: 'segmentExclusions',
		type: 'notice',
		default: '',
		displayOptions: showFor('segment', ['delete']),
	},
	{
		displayName: 'Segment',
		name: 'segmentId',
		...listOrId('searchSegments'),
		required: true,
		description: 'The segment to add recipients to',
		hint: 'Every recipient needs a first and a last name. The API cannot create segments: create them in the service. To add the contacts that match a filter, put "Contact: Get Many" before this node, with "Return All" on.',
		displayOptions: showFor('segment', ['addRecipient', 'syncRecipients']),
	},
	{
		displayName: 'Segment',
		name: 'segmentId',
		...listOrId('searchSegments'),
		description: 'The segment of the recipient. Leave empty to delete a recipient by ID only.',
		displayOptions: showFor('segment', ['deleteRecipient']),
	},
	{
		displayName: 'Segment Recipient',
		name: 'segmentRecipientId',
		...listEmailOrId('searchSegmentRecipients'),
		required: true,
		description: 'The recipient to remove from the segment',
		displayOptions: showFor('segment', ['deleteRecipient']),
		typeOptions: { loadOptionsDependsOn: ['segmentId.value'] },
	},
	{
		displayName: 'First Name',
		name: 'firstName',
		...requiredText,
		placeholder: 'e.g. Nathan',
		description: 'The first name of the recipient',
		displayOptions: showFor('segment', ['addRecipient']),
	},
	{
		displayName: 'Last Name',
		name: 'lastName',
		...requiredText,
		placeholder: 'e.g. Smith',
		description: 'The last name of the recipient',
		displayOptions: showFor('segment', ['addRecipient']),
	},
	{
		displayName: 'Email',
		name: 'email',
		...requiredText,
		placeholder: 'e.g. name@email.com',
		description: 'The email address of the recipient',
		displayOptions: showFor('segment', ['addRecipient']),
	},
];
