import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../api/endpoints';
import { lookUpCopies, rememberSingleSends } from '../campaigns/copies';
import { ifExists } from '../campaigns/ifExists';
import { refuseSendingAgain } from '../campaigns/sendAgain';
import { preflightSingleSend } from '../campaigns/singleSend';
import { summaryOfRequest } from '../campaigns/summary';
import { call, callBulkDelete } from '../engine/entry';
import { mergeCurrent } from '../engine/mergeCurrent';
import { done, list, record } from '../output/responseMappers';
import { keep, keepId, keepTargets, keepFlag } from '../params/currentValue';
import { keepSchedule, scheduleDate, scheduleTime, scheduleType } from '../params/schedule';
import { keepBody, templateHtml, templateId, templateJson } from '../params/template';
import { recordId, recordKeys, targets, text, utr } from '../params/validators';
import { listOrId, listOrUtr } from './locator';
import { showFor, showForResource } from './show';

export const singleSend: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'getAll',
		displayOptions: showForResource('singleSend'),
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create a single send that goes out to its recipients',
				description:
					'Create a campaign. It goes out to real people: immediately, or at the time you set.',
				routing: call(endpoints.singleSend.create, {
					body: {
						single_send_name: text('singleSendName', { required: true }),
						subject: text('subject', { required: true }),
						preheader: text('preheader', { required: true }),
						sender_id: recordId('senderId'),
						unsubscribe_group_id: recordId('unsubscribeGroupId'),
						recipient_id: targets('recipientId', { required: true }),
						exclude_specific_recipient_id: targets('excludeSpecificRecipientId'),
						template_id: templateId(),
						template_html: templateHtml(),
						template_json: templateJson(),
						schedule_type: scheduleType(''),
						schedule_date: scheduleDate(''),
						schedule_time: scheduleTime(''),
					},
					resolveExisting: ifExists,
					preconditions: [preflightSingleSend()],
					summary: summaryOfRequest(),
					output: done('created'),
				}),
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete a single send for good',
				description: 'Delete a campaign for good; one that is scheduled is then not sent',
				routing: call(endpoints.singleSend.delete, {
					query: { utr: utr('singleSendUtr', 'Single Send') },
					output: done('deleted'),
				}),
			},
			{
				name: 'Delete Many',
				value: 'deleteMany',
				action: 'Delete many single sends for good',
				description: 'Delete several campaigns for good in one request',
				routing: callBulkDelete(
					endpoints.singleSend.deleteMany,
					recordKeys('singleSendIds', 'Single Send Names or IDs'),
				),
			},
			{
				name: 'Duplicate',
				value: 'duplicate',
				action: 'Duplicate single send',
				description: 'Make a copy of a campaign; returns the UTR of the copy',
				routing: call(endpoints.singleSend.duplicate, {
					query: { utr: utr('singleSendUtr', 'Single Send', { identifies: 'sourceUtr' }) },
					enrich: [rememberSingleSends],
					complete: lookUpCopies,
					output: done('duplicated'),
				}),
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get a single send',
				description: 'Retrieve one campaign with its status and statistics',
				routing: call(endpoints.singleSend.get, {
					query: { utr: utr('singleSendUtr', 'Single Send') },
					output: record,
				}),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many single sends',
				description: 'Retrieve campaigns with their status and statistics',
				routing: call(endpoints.singleSend.getAll, { output: list }),
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update a single send',
				description: 'Change a campaign; what you leave out keeps its value',
				routing: call(endpoints.singleSend.update, {
					body: {
						utr: utr('singleSendUtr', 'Single Send'),
						single_send_name: text('updateFields.singleSendName', { required: true }),
						subject: text('updateFields.subject', { required: true }),
						preheader: text('updateFields.preheader', { required: true }),
						sender_id: recordId('updateFields.senderId'),
						unsubscribe_group_id: recordId('updateFields.unsubscribeGroupId'),
						recipient_id: targets('updateFields.recipientId', { required: true }),
						exclude_specific_recipient_id: targets('updateFields.excludeSpecificRecipientId'),
						template_id: templateId('updateFields.'),
						template_html: templateHtml('updateFields.'),
						template_json: templateJson('updateFields.'),
						schedule_type: scheduleType('updateFields.'),
						schedule_date: scheduleDate('updateFields.'),
						schedule_time: scheduleTime('updateFields.'),
					},
					enrich: [
						mergeCurrent({
							details: endpoints.singleSend.get,
							id: 'utr',
							fields: {
								single_send_name: keep('single_send_name'),
								subject: keep('subject'),
								preheader: keep('preheader'),
								sender_id: keepId('sender_id'),
								unsubscribe_group_id: keepId('unsubscribe_group_id'),
								recipient_id: keepTargets('recipient_id', { required: true }),
								exclude_specific_recipient_id: keepTargets('exclude_specific_recipient_id'),
								template_id: keepId('template_id'),
								template_html: keepBody('template_html'),
								template_json: keepBody('template_json'),
								schedule_type: keepFlag('schedule_type'),
								schedule_date: keepSchedule('schedule_date'),
								schedule_time: keepSchedule('schedule_time'),
							},
							check: refuseSendingAgain,
						}),
					],
					clearable: 'options.clearFields',
					preconditions: [preflightSingleSend('updateFields.')],
					summary: summaryOfRequest('updateFields.'),
					output: done('updated'),
				}),
			},
		],
	},
	{
		displayName: 'Single Send',
		name: 'singleSendUtr',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'The campaign to work on',
		displayOptions: showFor('singleSend', ['delete', 'duplicate', 'get', 'update']),
		modes: listOrUtr('searchSingleSends'),
	},
	{
		displayName: 'Single Send Names or IDs',
		name: 'singleSendIds',
		type: 'multiOptions',
		required: true,
		default: [],
		description:
			'The campaigns to delete. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		typeOptions: {
			loadOptionsMethod: 'getSingleSends',
			loadOptionsDependsOn: ['compatibility.identifyBy'],
		},
		displayOptions: showFor('singleSend', ['deleteMany']),
	},
	{
		displayName: 'Single Send Name',
		name: 'singleSendName',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Spring Sale 2026',
		description: 'What you call the campaign; readers do not see it',
		displayOptions: showFor('singleSend', ['create']),
	},
	{
		displayName: 'If Name Exists',
		name: 'ifNameExists',
		type: 'options',
		default: 'fail',
		description:
			'What to do if a single send with this name exists, or an earlier item creates one. By default, the item fails and nothing is sent.',
		options: [
			{
				name: 'Create Another',
				value: 'create',
				description: 'Create one more single send with this name',
			},
			{ name: 'Fail', value: 'fail', description: 'Send nothing and fail the item' },
			{
				name: 'Return Existing',
				value: 'return',
				description:
					'Send nothing and return the newest one, so that running a workflow again sends nothing again',
			},
		],
		displayOptions: showFor('singleSend', ['create']),
	},
	{
		displayName: 'Subject',
		name: 'subject',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 20 % off everything this week',
		description:
			'Subject line of the email. Placeholders such as ((first_name)) are documented for design templates only; whether they work here is up to the service.',
		displayOptions: showFor('singleSend', ['create']),
	},
	{
		displayName: 'Preheader',
		name: 'preheader',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Only until Sunday',
		description:
			'Text that email apps show beside the subject. Placeholders such as ((first_name)) are documented for design templates only; whether they work here is up to the service.',
		displayOptions: showFor('singleSend', ['create']),
	},
	{
		displayName: 'Sender',
		name: 'senderId',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'The sender of the email; should be verified',
		displayOptions: showFor('singleSend', ['create']),
		modes: listOrId('searchSenders'),
	},
	{
		displayName: 'Recipient Names or IDs',
		name: 'recipientId',
		type: 'multiOptions',
		required: true,
		default: [],
		description:
			'The contact types and segments that it goes to, such as contacts_3 and segments_8. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		typeOptions: { loadOptionsMethod: 'getTargets', loadOptionsDependsOn: ['senderId.value'] },
		displayOptions: showFor('singleSend', ['create']),
	},
	{
		displayName: 'Exclude Names or IDs',
		name: 'excludeSpecificRecipientId',
		type: 'multiOptions',
		default: [],
		description:
			'Contact types and segments whose people do not get it. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		typeOptions: { loadOptionsMethod: 'getTargets', loadOptionsDependsOn: ['senderId.value'] },
		displayOptions: showFor('singleSend', ['create']),
	},
	{
		displayName: 'Unsubscribe Group',
		name: 'unsubscribeGroupId',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'The group whose recipients are left out, and that readers can unsubscribe from',
		displayOptions: showFor('singleSend', ['create']),
		modes: listOrId('searchUnsubscribeGroups'),
	},
	{
		displayName: 'Content',
		name: 'templateSource',
		type: 'options',
		default: 'template',
		description: 'Where the body of the email comes from',
		options: [
			{
				name: 'Design Template',
				value: 'template',
				description: 'A template that is in the service',
			},
			{ name: 'HTML', value: 'html', description: 'HTML of your own' },
			{ name: 'JSON', value: 'json', description: 'A design of your own as JSON' },
		],
		displayOptions: showFor('singleSend', ['create']),
	},
	{
		displayName: 'Template',
		name: 'templateId',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'The design template to send',
		displayOptions: showFor('singleSend', ['create'], { templateSource: ['template'] }),
		modes: listOrId('searchDesignTemplates'),
	},
	{
		displayName: 'HTML',
		name: 'templateHtml',
		type: 'string',
		typeOptions: { editor: 'htmlEditor', rows: 8 },
		required: true,
		default: '',
		description:
			'HTML of the email. Known placeholders include ((first_name)), ((last_name)), ((full_name)), ((email)), ((city)), ((country)), ((company_name)), ((sender_name)), ((sender_address)) and ((unsubscribe_preferences)). They are documented for design templates only.',
		hint: 'Known placeholders: ((first_name)), ((full_name)), ((company_name)), ((unsubscribe_preferences)) and more',
		displayOptions: showFor('singleSend', ['create'], { templateSource: ['html'] }),
	},
	{
		displayName: 'JSON',
		name: 'templateJson',
		type: 'json',
		required: true,
		default: '',
		description:
			'The design as the editor of the service exports it. Known placeholders are the same as in HTML, such as ((first_name)).',
		displayOptions: showFor('singleSend', ['create'], { templateSource: ['json'] }),
	},
	{
		displayName: 'Schedule',
		name: 'scheduleType',
		type: 'options',
		default: 'scheduled',
		description: 'When the campaign goes out',
		options: [
			{
				name: 'Send Immediately',
				value: 'immediately',
				description: 'It goes out as soon as it is created',
			},
			{
				name: 'Send at a Set Time',
				value: 'scheduled',
				description: 'It waits until the date and time below',
			},
		],
		displayOptions: showFor('singleSend', ['create']),
	},
	{
		displayName: "The campaign is sent as soon as this node runs and can't be recalled",
		name: 'sendsImmediately',
		type: 'notice',
		default: '',
		displayOptions: showFor('singleSend', ['create'], { scheduleType: ['immediately'] }),
	},
	{
		displayName: 'Send At',
		name: 'scheduleAt',
		type: 'dateTime',
		required: true,
		default: '',
		description: 'Date and time to send the campaign, in the time zone below',
		displayOptions: showFor('singleSend', ['create'], { scheduleType: ['scheduled'] }),
	},
	{
		displayName: 'Time Zone',
		name: 'timezone',
		type: 'string',
		default: '={{ $now.zoneName }}',
		placeholder: 'e.g. Europe/Berlin',
		description:
			'Time zone in which the service reads "Send At". By default, the time zone of the workflow.',
		displayOptions: showFor('singleSend', ['create'], { scheduleType: ['scheduled'] }),
	},
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		description: 'Fields to change. What is not added here keeps its value.',
		displayOptions: showFor('singleSend', ['update']),
		options: [
			{
				displayName: 'Exclude Names or IDs',
				name: 'excludeSpecificRecipientId',
				type: 'multiOptions',
				default: [],
				description:
					'Contact types and segments whose people do not get it. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				typeOptions: { loadOptionsMethod: 'getTargets' },
			},
			{
				displayName: 'HTML',
				name: 'templateHtml',
				type: 'string',
				typeOptions: { editor: 'htmlEditor', rows: 8 },
				default: '',
				description: 'HTML of your own, in place of the template',
			},
			{
				displayName: 'JSON',
				name: 'templateJson',
				type: 'json',
				default: '',
				description: 'A design of your own as JSON, in place of the template',
			},
			{
				displayName: 'Preheader',
				name: 'preheader',
				type: 'string',
				default: '',
				description: 'The line that mail programs show beside the subject',
			},
			{
				displayName: 'Recipient Names or IDs',
				name: 'recipientId',
				type: 'multiOptions',
				default: [],
				description:
					'The contact types and segments that it goes to, in place of those so far. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				typeOptions: { loadOptionsMethod: 'getTargets' },
			},
			{
				displayName: 'Schedule',
				name: 'scheduleType',
				type: 'options',
				default: 'scheduled',
				description: 'When the campaign goes out',
				options: [
					{
						name: 'Send Immediately',
						value: 'immediately',
						description: 'It goes out as soon as it is updated',
					},
					{
						name: 'Send at a Set Time',
						value: 'scheduled',
						description: 'It waits until "Send At"',
					},
				],
			},
			{
				displayName: 'Send At',
				name: 'scheduleAt',
				type: 'dateTime',
				default: '',
				description:
					'Date and time to send the campaign, in the time zone of the workflow unless "Time Zone" is added',
			},
			{
				displayName: 'Sender',
				name: 'senderId',
				type: 'resourceLocator',
				default: { mode: 'list', value: '' },
				description: 'The sender of the email; should be verified',
				modes: listOrId('searchSenders'),
			},
			{
				displayName: 'Single Send Name',
				name: 'singleSendName',
				type: 'string',
				default: '',
				description: 'What you call the campaign; readers do not see it',
			},
			{
				displayName: 'Subject',
				name: 'subject',
				type: 'string',
				default: '',
				description: 'The subject line that readers see',
			},
			{
				displayName: 'Template',
				name: 'templateId',
				type: 'resourceLocator',
				default: { mode: 'list', value: '' },
				description: 'The design template to send, in place of the present content',
				modes: listOrId('searchDesignTemplates'),
			},
			{
				displayName: 'Time Zone',
				name: 'timezone',
				type: 'string',
				default: '={{ $now.zoneName }}',
				placeholder: 'e.g. Europe/Berlin',
				description:
					'Time zone in which the service reads "Send At". By default, the time zone of the workflow.',
			},
			{
				displayName: 'Unsubscribe Group',
				name: 'unsubscribeGroupId',
				type: 'resourceLocator',
				default: { mode: 'list', value: '' },
				description:
					'The group whose recipients are left out, and that readers can unsubscribe from',
				modes: listOrId('searchUnsubscribeGroups'),
			},
		],
	},
	{
		displayName: "The campaign is sent as soon as this node runs and can't be recalled",
		name: 'sendsImmediately',
		type: 'notice',
		default: '',
		displayOptions: {
			show: {
				resource: ['singleSend'],
				operation: ['update'],
				'/updateFields.scheduleType': ['immediately'],
			},
		},
	},
];
