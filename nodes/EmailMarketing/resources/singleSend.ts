import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { endpoints } from '../service/endpoints';
import { sendCheck } from '../features/campaigns/checks/check';
import { lookUpCopies, rememberSingleSends } from '../features/campaigns/copies';
import { ifNameExists, ifNameExistsAgain } from '../features/campaigns/ifNameExists';
import { singleSendFromList, singleSendReport } from '../features/campaigns/report';
import { sendTest } from '../features/campaigns/testSend/sendTest';
import { changedSends, copiedSends, newSends } from '../features/campaigns/sendingGate';
import { singleSendDetails, singleSendFields } from '../features/campaigns/singleSendFields';
import { summarize } from '../features/campaigns/summary';
import { call, callBulkDelete, callForEachItem, callShared } from '../run/entry';
import { done, list, record } from '../run/output/responseMappers';
import { reportCleared } from '../run/reportCleared';
import { recordKeys, utr } from '../params/validators';
import { emailContent } from './fields/emailContent';
import { operationsOf, requiredText, severalFrom, showFor, updateFieldsOf } from './fields/kinds';
import { listOrId, listOrUtr, listOrZone } from './fields/locator';

/** Shows a field for a single send that does not exist yet. */
const forNew = (
	when: Record<string, string[]> = {},
	operations = ['check', 'create'],
): IDisplayOptions => ({
	...showFor('singleSend', operations, when),
	hide: { campaign: ['existing'] },
});

/** Shows a field of the email itself: a test of it has an audience and a time of its own. */
const forContent = (when: Record<string, string[]> = {}): IDisplayOptions =>
	forNew(when, ['check', 'create', 'sendTest']);

/** The fields of a new campaign. */
const newSend: INodeProperties[] = [
	{
		displayName: 'Campaign Name',
		name: 'singleSendName',
		...requiredText,
		placeholder: 'e.g. Spring Sale 2026',
		description: 'The name of the campaign, not shown to recipients',
		displayOptions: forContent(),
	},
	{
		displayName: 'Subject',
		name: 'subject',
		...requiredText,
		placeholder: 'e.g. 20% off everything this week',
		description:
			'The subject line of the email. Placeholders such as ((first_name)) may not work here: send a test first.',
		displayOptions: forContent(),
	},
	{
		displayName: 'Preheader',
		name: 'preheader',
		...requiredText,
		placeholder: 'e.g. Only until Sunday',
		hint: 'Required by the service',
		description:
			'The text that email apps show next to the subject. Placeholders such as ((first_name)) may not work here: send a test first.',
		displayOptions: forContent(),
	},
	{
		displayName: 'Sender',
		name: 'senderId',
		...listOrId('searchSenders'),
		required: true,
		description: 'The sender of the email. It should be verified.',
		displayOptions: forContent(),
	},
	{
		displayName: 'Recipient Names or IDs',
		name: 'recipientId',
		...severalFrom('getTargets', 'senderId.value'),
		required: true,
		description:
			'The contact types (lists) and segments to send to. In an expression, IDs have the form contacts_3 or segments_8. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		displayOptions: forNew(),
	},
	{
		displayName: 'Unsubscribe Group',
		name: 'unsubscribeGroupId',
		...listOrId('searchUnsubscribeGroups'),
		required: true,
		description:
			'The group that recipients can unsubscribe from. Addresses already in it do not receive the email; addresses in other groups do.',
		displayOptions: forContent(),
	},
	...emailContent(forContent),
	{
		displayName: 'Schedule',
		name: 'scheduleType',
		type: 'options',
		default: 'scheduled',
		description: 'When to send the campaign',
		options: [
			{
				name: 'Send Immediately',
				value: 'immediately',
				description: 'Send the campaign as soon as this node runs',
			},
			{
				name: 'Send at a Set Time',
				value: 'scheduled',
				description: 'Send the campaign at the date and time in "Send At"',
			},
		],
		displayOptions: forNew(),
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
		description:
			'The date and time to send the campaign, in the time zone set in "Account Time Zone". For tomorrow at 9:00 in the time zone of the workflow, enter {{ $today.plus({ days: 1 }).set({ hour: 9 }) }} as an expression.',
		hint: 'If "Account Time Zone" is empty, this is a time in the time zone of the workflow: see "Timezone" in the workflow settings',
		displayOptions: forNew({ scheduleType: ['scheduled'] }),
	},
	{
		displayName: 'Account Time Zone',
		name: 'timezone',
		...listOrZone('searchTimeZones', { placeholder: 'Time zone of the workflow' }),
		description:
			'The time zone in which your account schedules campaigns. "Send At" is read in this zone if it has no offset, and converted to it otherwise. By default, the time zone of the workflow.',
		displayOptions: forNew({ scheduleType: ['scheduled'] }),
	},
	{
		displayName:
			'While "Account Time Zone" is empty, "Send At" is taken as a time in the time zone of the workflow. If your account uses another time zone, the campaign is sent at the wrong time. The node cannot read the time zone of your account from the service. Choose it here, even if it is the same as that of the workflow.',
		name: 'sendTimeZone',
		type: 'notice',
		default: '',
		displayOptions: forNew({ scheduleType: ['scheduled'], timezone: [''] }),
	},
	{
		displayName: 'Exclude Names or IDs',
		name: 'excludeSpecificRecipientId',
		...severalFrom('getTargets', 'senderId.value'),
		description:
			'The contact types and segments to exclude from the recipients. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		displayOptions: forNew(),
	},
];

export const singleSend: INodeProperties[] = [
	{
		...operationsOf('singleSend'),
		options: [
			{
				name: 'Check',
				value: 'check',
				action: 'Check campaign',
				description:
					'Check whether a campaign is ready to be sent, and how many addresses it reaches. Sends nothing.',
				routing: callForEachItem(sendCheck),
			},
			{
				name: 'Create',
				value: 'create',
				action: 'Create and send campaign',
				description:
					'Create a campaign (single send), which is sent to its recipients immediately or at a scheduled time',
				routing: call(endpoints.singleSend.create, {
					body: singleSendFields(),
					gate: newSends,
					plan: {
						list: 'campaigns',
						ahead: [ifNameExists],
						stages: [ifNameExistsAgain, summarize()],
					},
					output: done('created'),
				}),
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete campaign',
				description:
					'Delete a campaign. The API cannot restore it. If it is scheduled, it may still be sent.',
				routing: call(endpoints.singleSend.delete, {
					query: { utr: utr('singleSendUtr', 'Campaign') },
					output: done('deleted'),
				}),
			},
			{
				name: 'Delete Many',
				value: 'deleteMany',
				action: 'Delete many campaigns',
				description:
					'Delete several campaigns. The API cannot restore them. Scheduled ones may still be sent.',
				routing: callBulkDelete(
					endpoints.singleSend.deleteMany,
					recordKeys('singleSendIds', 'Campaign Names or IDs'),
				),
			},
			{
				name: 'Duplicate',
				value: 'duplicate',
				action: 'Duplicate campaign',
				description:
					'Create a copy of a campaign and return the UTR of the copy (its text ID in the service) if it can be found',
				routing: call(endpoints.singleSend.duplicate, {
					query: { utr: utr('singleSendUtr', 'Campaign', { identifies: 'sourceUtr' }) },
					gate: copiedSends,
					plan: { ahead: [rememberSingleSends], complete: lookUpCopies },
					output: done('duplicated'),
				}),
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get campaign',
				description: 'Retrieve a campaign with its status, statistics and rates',
				routing: call(endpoints.singleSend.get, {
					query: { utr: utr('singleSendUtr', 'Campaign') },
					output: record,
				}),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many campaigns',
				description: 'Retrieve a list of campaigns with their status, statistics and rates',
				routing: call(endpoints.singleSend.getAll, { output: list }),
			},
			{
				name: 'Get Report',
				value: 'getReport',
				action: 'Get campaign report',
				description:
					'Retrieve the counts and rates of one campaign. For several campaigns, use "Get Many".',
				routing: callShared(endpoints.singleSend.get, {
					query: { utr: utr('singleSendUtr', 'Campaign') },
					plan: { stages: [singleSendFromList] },
					output: singleSendReport,
				}),
			},
			{
				name: 'Send Test',
				value: 'sendTest',
				action: 'Send campaign test',
				description:
					'Send a copy of a campaign to a small test list immediately. Only the contacts of the test list receive it.',
				routing: callForEachItem(sendTest),
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update campaign',
				description: 'Update a campaign. Fields that are not set keep their values.',
				routing: call(endpoints.singleSend.update, {
					body: {
						utr: utr('singleSendUtr', 'Campaign'),
						...singleSendFields('updateFields.'),
					},
					gate: changedSends,
					plan: {
						record: 'utr',
						stages: [summarize('updateFields.')],
						complete: reportCleared(singleSendDetails),
					},
					output: done('updated'),
				}),
			},
		],
	},
	{
		displayName: 'New or Existing Campaign',
		name: 'campaign',
		type: 'options',
		default: 'new',
		description: 'Which campaign to use. By default, a new one from the fields below.',
		options: [
			{
				name: 'Existing Campaign',
				value: 'existing',
				description: 'A campaign that is already in the service',
			},
			{
				name: 'New Campaign',
				value: 'new',
				description: 'A campaign that does not exist yet, with the same fields as Create',
			},
		],
		displayOptions: showFor('singleSend', ['check', 'sendTest']),
	},
	{
		displayName: 'Campaign',
		name: 'singleSendUtr',
		...listOrUtr('searchSingleSends'),
		required: true,
		description: 'The campaign to delete, duplicate, get, report on or update',
		displayOptions: showFor('singleSend', ['delete', 'duplicate', 'get', 'getReport', 'update']),
	},
	{
		displayName:
			'A scheduled campaign may still be sent after it is deleted. To make sure that it is not sent, first set its "Send At" far in the future with "Update".',
		name: 'deletedMayBeSent',
		type: 'notice',
		default: '',
		displayOptions: showFor('singleSend', ['delete', 'deleteMany']),
	},
	{
		displayName:
			'For the rates of several campaigns, such as those of last week, use "Get Many" with the filter "Sent On or After"',
		name: 'severalCampaigns',
		type: 'notice',
		default: '',
		displayOptions: showFor('singleSend', ['getReport']),
	},
	{
		displayName: 'Campaign',
		name: 'singleSendUtr',
		...listOrUtr('searchSingleSends'),
		required: true,
		description: 'The existing campaign',
		displayOptions: showFor('singleSend', ['check', 'sendTest'], { campaign: ['existing'] }),
	},
	{
		displayName:
			'To update a campaign that is stored as "Send Immediately", add "Schedule" to "Update Fields". Choose "Send at a Set Time" and add "Send At", or choose "Send Immediately" to send it now.',
		name: 'updateMaySend',
		type: 'notice',
		default: '',
		displayOptions: showFor('singleSend', ['update']),
	},
	{
		displayName: 'Campaign Names or IDs',
		name: 'singleSendIds',
		...severalFrom('getSingleSends', 'options.identifyBy'),
		required: true,
		description:
			'The campaigns to delete. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		displayOptions: showFor('singleSend', ['deleteMany']),
	},
	...newSend,
	{
		displayName: 'If Name Exists',
		name: 'ifNameExists',
		type: 'options',
		default: 'fail',
		description:
			'What to do if a campaign with this name already exists, or an earlier item creates one. By default, the item fails and nothing is sent.',
		options: [
			{
				name: 'Create Another',
				value: 'create',
				description: 'Create another campaign with the same name',
			},
			{ name: 'Fail', value: 'fail', description: 'Create nothing and fail the item' },
			{
				name: 'Return Existing',
				value: 'return',
				description:
					'Return the newest campaign with this name, so that running the workflow again does not send it twice',
			},
		],
		displayOptions: showFor('singleSend', ['create']),
	},
	updateFieldsOf(
		'singleSend',
		newSend.filter(({ name, type }) => name !== 'templateSource' && type !== 'notice'),
		{
			excludeSpecificRecipientId: { typeOptions: { loadOptionsMethod: 'getTargets' } },
			preheader: { description: 'The text that email apps show next to the subject' },
			recipientId: {
				description:
					'The contact types and segments to send to, replacing the current ones. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				typeOptions: { loadOptionsMethod: 'getTargets' },
			},
			scheduleAt: {
				description:
					'The date and time to send the campaign. Also add "Account Time Zone". Without it, this time is in the time zone of the workflow, which may be the wrong one.',
			},
			scheduleType: {
				description:
					'When to send the campaign. Required for a campaign that is stored as "Send Immediately".',
			},
			subject: { description: 'The subject line of the email' },
			templateHtml: {
				description: 'Your own HTML, replacing the current content',
				hint: undefined,
			},
			templateId: { description: 'The design template to use, replacing the current content' },
			templateJson: { description: 'Your own design as JSON, replacing the current content' },
		},
	),
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
