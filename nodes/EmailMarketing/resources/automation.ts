import type { INodeProperties } from 'n8n-workflow';

import { preflightAutomation } from '../campaigns/automation';
import { listOrId, listOrTarget, listOrUtr } from './locator';
import { showFor, showForResource } from './show';
import { bulkDelete, del, get, post } from '../engine/operation';
import { choice, recordId, recordKeys, target, text, utr } from '../params/validators';
import { done, list, record } from '../output/responseMappers';

export const automation: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'getAll',
		displayOptions: showForResource('automation'),
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create an automation',
				description: 'Create a series of emails as a draft; add its emails, then set it live',
				routing: post('/automations/create', {
					body: {
						type: choice('type', ['welcome', 'custom']),
						automation_name: text('automationName', { required: true }),
						automation_for: target('automationFor'),
						unsubscribe_group_id: recordId('unsubscribeGroupId'),
					},
					returns: done('created'),
				}),
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete an automation for good',
				description: 'Delete an automation with its emails for good',
				routing: del('/automations/delete', {
					query: { utr: utr('automationUtr', 'Automation') },
					returns: done('deleted'),
				}),
			},
			{
				name: 'Delete Many',
				value: 'deleteMany',
				action: 'Delete many automations for good',
				description: 'Delete several automations for good in one request',
				routing: bulkDelete('/automations/bulk-delete', {
					body: { strIds: recordKeys('automationIds', 'Automation Names or IDs') },
					returns: done('deleted'),
				}),
			},
			{
				name: 'Duplicate',
				value: 'duplicate',
				action: 'Duplicate an automation',
				description: 'Make a copy of an automation; the UTR of the copy comes out',
				routing: get('/automations/duplicate', {
					query: { utr: utr('automationUtr', 'Automation') },
					changesData: true,
					returns: done('duplicated'),
				}),
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get an automation',
				description: 'Retrieve one automation with its status and statistics',
				routing: get('/automations/details', {
					query: { utr: utr('automationUtr', 'Automation') },
					returns: record('automation'),
				}),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many automations',
				description: 'Retrieve automations with their status and statistics',
				routing: get('/automations', { returns: list('automations') }),
			},
			{
				name: 'Pause',
				value: 'pause',
				action: 'Pause an automation',
				description: 'Stop a live automation from sending',
				routing: get('/automations/pause', {
					query: { utr: utr('automationUtr', 'Automation') },
					changesData: true,
					returns: done('paused'),
				}),
			},
			{
				name: 'Set Live',
				value: 'setLive',
				action: 'Set an automation live so that its emails go out',
				description: 'Start an automation: its emails then go out to real people',
				routing: get('/automations/set-live', {
					query: { utr: utr('automationUtr', 'Automation') },
					changesData: true,
					guards: [preflightAutomation],
					returns: done('live'),
				}),
			},
		],
	},
	{
		displayName: 'Automation',
		name: 'automationUtr',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'The series of emails to work on',
		displayOptions: showFor('automation', ['delete', 'duplicate', 'get', 'pause', 'setLive']),
		modes: listOrUtr('searchAutomations'),
	},
	{
		displayName: 'Automation Names or IDs',
		name: 'automationIds',
		type: 'multiOptions',
		required: true,
		default: [],
		description:
			'The automations to delete. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		typeOptions: {
			loadOptionsMethod: 'getAutomations',
			loadOptionsDependsOn: ['options.identifyBy'],
		},
		displayOptions: showFor('automation', ['deleteMany']),
	},
	{
		displayName: 'Automation Name',
		name: 'automationName',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Welcome Series',
		description: 'What you call the automation; readers do not see it',
		displayOptions: showFor('automation', ['create']),
	},
	{
		displayName: 'Automation Type',
		name: 'type',
		type: 'options',
		default: 'welcome',
		description: 'What kind of series it is',
		options: [
			{ name: 'Custom', value: 'custom', description: 'A series for any occasion' },
			{ name: 'Welcome', value: 'welcome', description: 'A series that greets new contacts' },
		],
		displayOptions: showFor('automation', ['create']),
	},
	{
		displayName: 'Audience',
		name: 'automationFor',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description: 'The contact type or segment whose people get the emails',
		displayOptions: showFor('automation', ['create']),
		modes: listOrTarget('searchTargets'),
	},
	{
		displayName: 'Unsubscribe Group',
		name: 'unsubscribeGroupId',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'The group whose recipients are left out; without one it cannot be set live',
		displayOptions: showFor('automation', ['create']),
		modes: listOrId('searchUnsubscribeGroups'),
	},
];
