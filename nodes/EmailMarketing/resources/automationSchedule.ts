import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../service/endpoints';
import { previewImage } from '../features/campaigns/previewImage';
import { addedEmails } from '../features/campaigns/sendingGate';
import { call } from '../run/entry';
import { done, list } from '../run/output/responseMappers';
import { templateHtml, templateId, templateJson } from '../params/template';
import { choice, recordId, text, utr, waitingPeriod } from '../params/validators';
import { records } from '../records/records';
import { emailContent } from './fields/emailContent';
import { operationsOf, requiredText, showFor } from './fields/kinds';
import { listOrId, listOrUtr } from './fields/locator';

export const automationSchedule: INodeProperties[] = [
	{
		...operationsOf('automationSchedule'),
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create automation schedule',
				description: 'Add an email to an automation, with the time to wait before sending it',
				routing: call(endpoints.automationSchedule.create, {
					body: {
						utr: utr('automationUtr', 'Automation', { identifies: 'automationUtr' }),
						sender_id: recordId('senderId'),
						subject: text('subject', { required: true, isForReaders: true }),
						waiting_type: choice('waitingType', ['instantly', 'days', 'hours']),
						waiting_period: waitingPeriod('waitingPeriod', 'waitingType'),
						template_id: templateId(),
						template_html: templateHtml(),
						template_json: templateJson(),
						preview_img: text('previewImg', {
							required: true,
							ifEmpty:
								'The template has no image. Enter the file name of one, such as welcome.png.',
						}),
					},
					gate: addedEmails,
					// The reference does not say whether an email waits for the one before it (49d), so the order counts.
					plan: { record: 'utr', ahead: [previewImage] },
					output: done('created'),
				}),
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete automation schedule',
				description: 'Delete an email of an automation. The API cannot restore it.',
				routing: call(endpoints.automationSchedule.delete, {
					query: {
						utr: utr('automationScheduleUtr', 'Automation Schedule', {
							source: records.automationSchedule,
						}),
					},
					output: done('deleted'),
				}),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many automation schedules',
				description: 'Retrieve the emails of an automation',
				routing: call(endpoints.automationSchedule.getAll, {
					query: { utr: utr('automationUtr', 'Automation') },
					output: list,
				}),
			},
		],
	},
	{
		displayName: 'Automation',
		name: 'automationUtr',
		...listOrUtr('searchAutomations'),
		required: true,
		description: 'The automation to add an email to, or whose emails to get',
		displayOptions: showFor('automationSchedule', ['create', 'getAll']),
	},
	{
		displayName: 'Automation',
		name: 'automationUtr',
		...listOrUtr('searchAutomations'),
		description:
			'The automation that the email belongs to. Leave empty to delete an email by UTR only.',
		displayOptions: showFor('automationSchedule', ['delete']),
	},
	{
		displayName: 'Automation Schedule',
		name: 'automationScheduleUtr',
		...listOrUtr('searchAutomationSchedules'),
		required: true,
		description: 'The email to delete',
		displayOptions: showFor('automationSchedule', ['delete']),
		typeOptions: { loadOptionsDependsOn: ['automationUtr.value'] },
	},
	{
		displayName: 'Sender',
		name: 'senderId',
		...listOrId('searchSenders'),
		required: true,
		description: 'The sender of the email. It should be verified.',
		displayOptions: showFor('automationSchedule', ['create']),
	},
	{
		displayName: 'Subject',
		name: 'subject',
		...requiredText,
		placeholder: 'e.g. Welcome on board',
		description:
			'The subject line of the email. Placeholders such as ((first_name)) may not work here.',
		displayOptions: showFor('automationSchedule', ['create']),
	},
	{
		displayName: 'Waiting Type',
		name: 'waitingType',
		type: 'options',
		default: 'instantly',
		description: 'The unit of "Waiting Period", or Instantly to send without waiting',
		options: [
			{ name: 'Days', value: 'days', description: 'Wait a number of days' },
			{ name: 'Hours', value: 'hours', description: 'Wait a number of hours' },
			{ name: 'Instantly', value: 'instantly', description: 'Send without waiting' },
		],
		displayOptions: showFor('automationSchedule', ['create']),
	},
	{
		displayName: 'Waiting Period',
		name: 'waitingPeriod',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 1,
		description: 'The number of days or hours to wait',
		displayOptions: showFor('automationSchedule', ['create'], { waitingType: ['days', 'hours'] }),
	},
	...emailContent((when) => showFor('automationSchedule', ['create'], when)),
	{
		displayName: 'Preview Image',
		name: 'previewImg',
		type: 'string',
		default: '',
		placeholder: 'e.g. welcome.png',
		description:
			'The file name of the image that the service shows for this email. Leave empty to use the image of the template.',
		displayOptions: showFor('automationSchedule', ['create']),
	},
];
