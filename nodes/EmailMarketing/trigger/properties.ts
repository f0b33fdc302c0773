import type { INodeProperties } from 'n8n-workflow';

import { listOrId } from '../resources/locator';

export const properties: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		default: [],
		description: 'What starts the workflow. Each event becomes one item, oldest first.',
		options: [
			{
				name: 'Automation Created',
				value: 'automationCreated',
				description: 'An automation is new',
			},
			{
				name: 'Automation Deleted',
				value: 'automationDeleted',
				description: 'An automation is gone, noticed at the second poll without it',
			},
			{
				name: 'Automation Status Changed',
				value: 'automationStatusChanged',
				description: 'An automation went live, was paused or changed status otherwise',
			},
			{
				name: 'Contact Added',
				value: 'contactAdded',
				description: 'A contact is new, added by hand, form or import',
			},
			{
				name: 'Contact Updated',
				value: 'contactUpdated',
				description: 'A contact that was there before was changed',
			},
			{
				name: 'Global Unsubscribe Added',
				value: 'globalUnsubscribeAdded',
				description: 'An address was unsubscribed from everything',
			},
			{
				name: 'Segment Recipient Added',
				value: 'segmentRecipientAdded',
				description: 'A recipient is new in a segment',
			},
			{
				name: 'Sender Verified',
				value: 'senderVerified',
				description: 'A sender confirmed its address and may be used',
			},
			{
				name: 'Single Send Created',
				value: 'singleSendCreated',
				description: 'A single send is new',
			},
			{
				name: 'Single Send Deleted',
				value: 'singleSendDeleted',
				description: 'A single send is gone, noticed at the second poll without it',
			},
			{
				name: 'Single Send Statistic Reached',
				value: 'singleSendStatisticReached',
				description: 'Opens, bounces or another number of a single send reached a threshold',
			},
			{
				name: 'Single Send Status Changed',
				value: 'singleSendStatusChanged',
				description: 'A single send got ready, started, completed or changed status otherwise',
			},
			{
				name: 'Unsubscribe Group Recipient Added',
				value: 'unsubscribeGroupRecipientAdded',
				description: 'An address was unsubscribed from the topic of a group',
			},
		],
	},
	{
		displayName: 'Unsubscribe Group',
		name: 'unsubscribeGroupId',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'The group whose new recipients start the workflow',
		modes: listOrId('searchUnsubscribeGroups'),
		displayOptions: { show: { events: ['unsubscribeGroupRecipientAdded'] } },
	},
	{
		displayName: 'Segment',
		name: 'segmentId',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'The segment whose new recipients start the workflow',
		modes: listOrId('searchSegments'),
		displayOptions: { show: { events: ['segmentRecipientAdded'] } },
	},
	{
		displayName: 'Contact Type',
		name: 'contactTypeId',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description: 'The type of contacts that start the workflow. Leave empty for all types.',
		modes: listOrId('searchContactTypes'),
		displayOptions: { show: { events: ['contactAdded', 'contactUpdated'] } },
	},
	{
		displayName: 'Thresholds',
		name: 'thresholds',
		type: 'fixedCollection',
		placeholder: 'Add Threshold',
		default: { threshold: [{ statistic: 'bounces', unit: 'percent', value: 5 }] },
		description:
			'Each fires once per single send. A threshold that a single send has already passed when you add it here does not fire for it.',
		typeOptions: { multipleValues: true },
		displayOptions: { show: { events: ['singleSendStatisticReached'] } },
		options: [
			{
				displayName: 'Threshold',
				name: 'threshold',
				values: [
					{
						displayName: 'Statistic',
						name: 'statistic',
						type: 'options',
						default: 'bounces',
						description: 'The number to watch',
						options: [
							{ name: 'Bounces', value: 'bounces' },
							{ name: 'Delivered', value: 'delivered' },
							{ name: 'Total Opens', value: 'total_opens' },
							{ name: 'Triggered', value: 'triggered' },
							{ name: 'Unique Opens', value: 'unique_opens' },
							{ name: 'Unsubscribes', value: 'unsubscribes' },
						],
					},
					{
						displayName: 'Reaches',
						name: 'unit',
						type: 'options',
						default: 'percent',
						description:
							'Whether to compare the number itself or its share of the delivered messages',
						options: [
							{ name: 'A Number', value: 'count' },
							{ name: 'A Percentage of Delivered', value: 'percent' },
						],
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'number',
						typeOptions: { minValue: 0, numberPrecision: 2 },
						default: 5,
						placeholder: 'e.g. 5',
						description: 'The number or percentage to reach',
					},
					{
						displayName: 'Minimum Delivered',
						name: 'minimumDelivered',
						type: 'number',
						typeOptions: { minValue: 0 },
						default: 0,
						placeholder: 'e.g. 100',
						description:
							'How many messages have to be delivered before the percentage counts, so that one bounce among the first few does not fire',
						displayOptions: { show: { unit: ['percent'] } },
					},
				],
			},
		],
	},
	{
		displayName: 'Single Send Filters',
		name: 'singleSendFilters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		displayOptions: {
			show: {
				events: ['singleSendStatusChanged', 'singleSendStatisticReached', 'singleSendDeleted'],
			},
		},
		options: [
			{
				displayName: 'From Status',
				name: 'fromStatus',
				type: 'multiOptions',
				default: [],
				description: 'Fire only if the status was one of these. Leave empty for any.',
				displayOptions: { show: { '/events': ['singleSendStatusChanged'] } },
				options: [
					{ name: 'Any Other Code', value: 'other' },
					{ name: 'Completed', value: '3' },
					{ name: 'Initiate', value: '0' },
					{ name: 'Ready to Send', value: '1' },
					{ name: 'Running', value: '2' },
				],
			},
			{
				displayName: 'Only These Single Send Names or IDs',
				name: 'utrs',
				type: 'multiOptions',
				default: [],
				description:
					'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
				typeOptions: { loadOptionsMethod: 'getSingleSends' },
			},
			{
				displayName: 'To Status',
				name: 'toStatus',
				type: 'multiOptions',
				default: [],
				description: 'Fire only if the status is now one of these. Leave empty for any.',
				displayOptions: { show: { '/events': ['singleSendStatusChanged'] } },
				options: [
					{ name: 'Any Other Code', value: 'other' },
					{ name: 'Completed', value: '3' },
					{ name: 'Initiate', value: '0' },
					{ name: 'Ready to Send', value: '1' },
					{ name: 'Running', value: '2' },
				],
			},
		],
	},
	{
		displayName: 'Automation Filters',
		name: 'automationFilters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		displayOptions: { show: { events: ['automationStatusChanged', 'automationDeleted'] } },
		options: [
			{
				displayName: 'From Status',
				name: 'fromStatus',
				type: 'multiOptions',
				default: [],
				description:
					'Fire only if the status was one of these. Leave empty for any. A paused automation may have a code other than Draft and Live.',
				displayOptions: { show: { '/events': ['automationStatusChanged'] } },
				options: [
					{ name: 'Any Other Code', value: 'other' },
					{ name: 'Draft', value: '0' },
					{ name: 'Live', value: '1' },
				],
			},
			{
				displayName: 'Only These Automation Names or IDs',
				name: 'utrs',
				type: 'multiOptions',
				default: [],
				description:
					'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
				typeOptions: { loadOptionsMethod: 'getAutomations' },
			},
			{
				displayName: 'To Status',
				name: 'toStatus',
				type: 'multiOptions',
				default: [],
				description:
					'Fire only if the status is now one of these. Leave empty for any. A paused automation may have a code other than Draft and Live.',
				displayOptions: { show: { '/events': ['automationStatusChanged'] } },
				options: [
					{ name: 'Any Other Code', value: 'other' },
					{ name: 'Draft', value: '0' },
					{ name: 'Live', value: '1' },
				],
			},
		],
	},
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Emit Existing Records on Activation',
				name: 'emitExisting',
				type: 'boolean',
				default: false,
				description:
					'Whether records that are there when a list is looked at for the first time are emitted too, instead of only being noted',
			},
			{
				displayName: 'Retry Temporary Failures',
				name: 'retryTemporaryFailures',
				type: 'boolean',
				noDataExpression: true,
				default: true,
				description:
					'Whether to try again when the service is busy or the connection broke. What may have been carried out already is never sent again, whatever is chosen here.',
			},
		],
	},
];
