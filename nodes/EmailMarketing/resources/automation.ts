import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../service/endpoints';
import { automationCheck } from '../features/campaigns/checks/check';
import { automationReport } from '../features/campaigns/report';
import {
	copiedAutomations,
	forgetPaused,
	startedAutomations,
} from '../features/campaigns/sendingGate';
import { call, callBulkDelete, callForEachItem, callShared } from '../run/entry';
import { done, list, record } from '../run/output/responseMappers';
import { choice, recordId, recordKeys, target, text, utr } from '../params/validators';
import { operationsOf, requiredText, severalFrom, showFor } from './fields/kinds';
import { listOrId, listOrTarget, listOrUtr } from './fields/locator';

export const automation: INodeProperties[] = [
	{
		...operationsOf('automation'),
		options: [
			{
				name: 'Check',
				value: 'check',
				action: 'Check automation',
				description:
					'Check whether an automation is ready to be set live, and how many addresses it reaches. Sends nothing.',
				routing: callForEachItem(automationCheck),
			},
			{
				name: 'Create',
				value: 'create',
				action: 'Create automation',
				description:
					'Create an automation (a series of emails) as a draft. Add its emails with Automation Schedule, then set it live.',
				routing: call(endpoints.automation.create, {
					body: {
						type: choice('type', ['welcome', 'custom']),
						automation_name: text('automationName', { required: true }),
						automation_for: target('automationFor'),
						unsubscribe_group_id: recordId('unsubscribeGroupId'),
					},
					output: done('created'),
				}),
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete automation',
				description:
					'Delete an automation. The API cannot restore it. If it was live, it may still send emails.',
				routing: call(endpoints.automation.delete, {
					query: { utr: utr('automationUtr', 'Automation') },
					output: done('deleted'),
				}),
			},
			{
				name: 'Delete Many',
				value: 'deleteMany',
				action: 'Delete many automations',
				description:
					'Delete several automations. The API cannot restore them. Those that were live may still send emails.',
				routing: callBulkDelete(
					endpoints.automation.deleteMany,
					recordKeys('automationIds', 'Automation Names or IDs'),
				),
			},
			{
				name: 'Duplicate',
				value: 'duplicate',
				action: 'Duplicate automation',
				description:
					'Create a copy of an automation and return its UTR (its text ID in the service)',
				routing: call(endpoints.automation.duplicate, {
					query: { utr: utr('automationUtr', 'Automation', { identifies: 'sourceUtr' }) },
					gate: copiedAutomations,
					output: done('duplicated'),
				}),
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get automation',
				description: 'Retrieve an automation with its status, statistics and rates',
				routing: call(endpoints.automation.get, {
					query: { utr: utr('automationUtr', 'Automation') },
					output: record,
				}),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many automations',
				description: 'Retrieve a list of automations with their status, statistics and rates',
				routing: call(endpoints.automation.getAll, { output: list }),
			},
			{
				name: 'Get Report',
				value: 'getReport',
				action: 'Get automation report',
				description:
					'Retrieve the counts and rates of an automation and, given an earlier report, what has changed since',
				routing: callShared(endpoints.automation.get, {
					query: { utr: utr('automationUtr', 'Automation') },
					output: automationReport,
				}),
			},
			{
				name: 'Pause',
				value: 'pause',
				action: 'Pause automation',
				description: 'Stop a live automation from sending',
				routing: call(endpoints.automation.pause, {
					query: { utr: utr('automationUtr', 'Automation') },
					plan: { complete: forgetPaused },
					output: done('paused'),
				}),
			},
			{
				name: 'Set Live',
				value: 'setLive',
				action: 'Set automation live',
				description: 'Start an automation. Its emails are then sent to real people.',
				routing: call(endpoints.automation.setLive, {
					query: { utr: utr('automationUtr', 'Automation') },
					gate: startedAutomations,
					plan: { record: 'utr' },
					output: done('live'),
				}),
			},
		],
	},
	{
		displayName: 'Automation',
		name: 'automationUtr',
		...listOrUtr('searchAutomations'),
		required: true,
		description: 'The automation to check, delete, duplicate, get, report on, pause or set live',
		displayOptions: showFor('automation', [
			'check',
			'delete',
			'duplicate',
			'get',
			'getReport',
			'pause',
			'setLive',
		]),
	},
	{
		displayName: 'Previous Report',
		name: 'previousReport',
		type: 'json',
		default: '',
		description:
			'An item that this operation returned in an earlier run, such as one saved in a data table. The report then also has the changes since that run and their rates. Leave empty for totals only.',
		displayOptions: showFor('automation', ['getReport']),
	},
	{
		displayName:
			'A live automation may still send emails after it is deleted. To make sure that it sends none, pause it first with "Pause".',
		name: 'deletedMayBeLive',
		type: 'notice',
		default: '',
		displayOptions: showFor('automation', ['delete', 'deleteMany']),
	},
	{
		displayName: 'Automation Names or IDs',
		name: 'automationIds',
		...severalFrom('getAutomations', 'options.identifyBy'),
		required: true,
		description:
			'The automations to delete. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		displayOptions: showFor('automation', ['deleteMany']),
	},
	{
		displayName: 'Automation Name',
		name: 'automationName',
		...requiredText,
		placeholder: 'e.g. Welcome Series',
		description: 'The name of the automation, not shown to recipients',
		displayOptions: showFor('automation', ['create']),
	},
	{
		displayName: 'Automation Type',
		name: 'type',
		type: 'options',
		default: 'welcome',
		description: 'The type of automation',
		options: [
			{ name: 'Custom', value: 'custom', description: 'A series for any occasion' },
			{ name: 'Welcome', value: 'welcome', description: 'A series for new contacts' },
		],
		displayOptions: showFor('automation', ['create']),
	},
	{
		displayName: 'Audience',
		name: 'automationFor',
		...listOrTarget('searchTargets'),
		description:
			'The contact type or segment that receives the emails. Choose it now: the API cannot add it later. An automation without an audience might email everybody, so "Check Before Sending" refuses to set it live.',
		displayOptions: showFor('automation', ['create']),
	},
	{
		displayName: 'Unsubscribe Group',
		name: 'unsubscribeGroupId',
		...listOrId('searchUnsubscribeGroups'),
		required: true,
		description:
			'The group that recipients can unsubscribe from. An automation without one cannot be set live.',
		displayOptions: showFor('automation', ['create']),
	},
];
