import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { optionsField, severalFrom } from '../resources/fields/kinds';
import { listOrId } from '../resources/fields/locator';
import {
	automationStatuses,
	campaignStatuses,
	retryTemporaryFailures,
	sentAtTimezone,
} from '../resources/fields/options';
import type { EventName } from './sources';

/** As text, which is what the filters compare. */
const asText = (statuses: INodePropertyOptions[]): INodePropertyOptions[] =>
	statuses.map(({ name, value }) => ({ name, value: String(value) }));

/** @param prefix begins the names of the statistics */
const thresholdsOf = (
	kind: 'Campaign' | 'Automation',
	{
		name,
		event,
		prefix = '',
		statistics,
	}: { name: string; event: EventName; prefix?: string; statistics: INodePropertyOptions[] },
): INodeProperties => ({
	displayName: `${kind} Thresholds`,
	name,
	type: 'fixedCollection',
	placeholder: 'Add threshold',
	default: { threshold: [{ statistic: `${prefix}bounces`, unit: 'percent', value: 5 }] },
	description: `The statistics that start the workflow. Each threshold fires once per ${kind.toLowerCase()}. A new threshold ignores ${kind.toLowerCase()}s already past it.`,
	typeOptions: { multipleValues: true },
	displayOptions: { show: { events: [event] } },
	options: [
		{
			displayName: 'Threshold',
			name: 'threshold',
			values: [
				{
					displayName: 'Statistic',
					name: 'statistic',
					type: 'options',
					default: `${prefix}bounces`,
					description: 'The statistic to watch',
					options: statistics,
				},
				{
					displayName: 'Unit',
					name: 'unit',
					type: 'options',
					default: 'percent',
					description:
						'The unit of the value. Delivered and bounces are percentages of triggered messages. Opens and unsubscribes are percentages of delivered messages.',
					displayOptions: { hide: { statistic: [`${prefix}triggered`] } },
					options: [
						{ name: 'Number', value: 'count' },
						{ name: 'Percentage', value: 'percent' },
					],
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'number',
					typeOptions: { minValue: 0, numberPrecision: 2 },
					default: 5,
					placeholder: 'e.g. 5',
					description: 'The number or percentage to reach. Must be above 0.',
				},
				{
					displayName: 'Minimum Messages',
					name: 'minimumMessages',
					type: 'number',
					typeOptions: { minValue: 0 },
					default: 0,
					placeholder: 'e.g. 100',
					description:
						'The number of messages required before the percentage is checked, so that one early bounce does not start the workflow. For delivered and bounces, triggered messages count; for opens and unsubscribes, delivered ones.',
					displayOptions: {
						show: { unit: ['percent'] },
						hide: { statistic: [`${prefix}triggered`] },
					},
				},
			],
		},
	],
});

interface Filters {
	name: string;
	loadOptionsMethod: string;
	/** The events that it applies to. */
	events: EventName[];
	/** Ends the descriptions of the filters by status. */
	hint?: string;
}

/** The filters by status apply to changes of status only. */
function filtersOf(
	kind: 'Campaign' | 'Automation',
	statuses: INodePropertyOptions[],
	{ name, loadOptionsMethod, events, hint = '' }: Filters,
): INodeProperties {
	const ofStatus = {
		type: 'multiOptions',
		default: [],
		displayOptions: {
			show: { '/events': events.filter((event) => event.endsWith('StatusChanged')) },
		},
		options: asText(statuses),
	} satisfies Partial<INodeProperties>;
	return {
		displayName: `${kind} Filters`,
		name,
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		displayOptions: { show: { events } },
		options: [
			{
				displayName: 'From Status',
				name: 'fromStatus',
				...ofStatus,
				description: `The previous statuses that start the workflow. Leave empty for any status.${hint}`,
			},
			{
				displayName: `${kind} Names or IDs`,
				name: 'utrs',
				...severalFrom(loadOptionsMethod),
				description: `Only these ${kind.toLowerCase()}s start the workflow. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
			},
			{
				displayName: 'To Status',
				name: 'toStatus',
				...ofStatus,
				description: `The new statuses that start the workflow. Leave empty for any status.${hint}`,
			},
		],
	};
}

export const properties: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		default: [],
		description: 'The events that start the workflow. Each event becomes one item, oldest first.',
		options: [
			{
				name: 'Automation Created',
				value: 'automationCreated',
				action: 'On automation created',
				description: 'An automation was created',
			},
			{
				name: 'Automation Deleted',
				value: 'automationDeleted',
				action: 'On automation deleted',
				description: 'An automation was deleted. Reported when two polls in a row do not find it.',
			},
			{
				name: 'Automation Statistic Reached',
				value: 'automationStatisticReached',
				action: 'On automation statistic reached',
				description: 'Opens, bounces or another statistic of an automation reached a threshold',
			},
			{
				name: 'Automation Status Changed',
				value: 'automationStatusChanged',
				action: 'On automation status changed',
				description: 'An automation went live, was paused or otherwise changed status',
			},
			{
				name: 'Campaign (Single Send) Completed',
				value: 'singleSendCompleted',
				action: 'On campaign completed',
				description: 'A campaign reached the status Completed',
			},
			{
				name: 'Campaign (Single Send) Created',
				value: 'singleSendCreated',
				action: 'On campaign created',
				description: 'A campaign was created',
			},
			{
				name: 'Campaign (Single Send) Deleted',
				value: 'singleSendDeleted',
				action: 'On campaign deleted',
				description: 'A campaign was deleted. Reported when two polls in a row do not find it.',
			},
			{
				name: 'Campaign (Single Send) Statistic Reached',
				value: 'singleSendStatisticReached',
				action: 'On campaign statistic reached',
				description: 'Opens, bounces or another statistic of a campaign reached a threshold',
			},
			{
				name: 'Campaign (Single Send) Statistics Snapshot',
				value: 'statisticsSnapshot',
				action: 'On campaign statistics snapshot',
				description:
					'A campaign reached an age, such as 24 hours after it was sent. Returns its statistics as counts and percentages.',
			},
			{
				name: 'Campaign (Single Send) Status Changed',
				value: 'singleSendStatusChanged',
				action: 'On campaign status changed',
				description: 'A campaign became ready, started, completed or otherwise changed status',
			},
			{
				name: 'Contact Added',
				value: 'contactAdded',
				action: 'On contact added',
				description: 'A contact was added to the account',
			},
			{
				name: 'Contact Updated',
				value: 'contactUpdated',
				action: 'On contact updated',
				description: 'An existing contact was updated',
			},
			{
				name: 'Global Unsubscribe Added',
				value: 'globalUnsubscribeAdded',
				action: 'On global unsubscribe added',
				description: 'An address was unsubscribed from all emails',
			},
			{
				name: 'Heartbeat',
				value: 'heartbeat',
				action: 'On heartbeat',
				description:
					'Starts the workflow every 24 hours by default, and reports when each list was last read and what failed. Choose at least one other event.',
			},
			{
				name: 'Segment Recipient Added',
				value: 'segmentRecipientAdded',
				action: 'On segment recipient added',
				description: 'A recipient was added to a segment',
			},
			{
				name: 'Sender Verified',
				value: 'senderVerified',
				action: 'On sender verified',
				description: 'A sender confirmed its address',
			},
			{
				name: 'Unsubscribe Group Recipient Added',
				value: 'unsubscribeGroupRecipientAdded',
				action: 'On unsubscribe group recipient added',
				description: 'An address was added to an unsubscribe group',
			},
		],
	},
	{
		displayName: 'Heartbeat Every (Hours)',
		name: 'heartbeatHours',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 24,
		description: 'How often "Heartbeat" starts the workflow',
		displayOptions: { show: { events: ['heartbeat'] } },
	},
	{
		displayName: 'Unsubscribe Group',
		name: 'unsubscribeGroupId',
		...listOrId('searchUnsubscribeGroups'),
		required: true,
		description: 'The unsubscribe group whose new recipients start the workflow',
		displayOptions: { show: { events: ['unsubscribeGroupRecipientAdded'] } },
	},
	{
		displayName: 'Segment',
		name: 'segmentId',
		...listOrId('searchSegments'),
		required: true,
		description: 'The segment whose new recipients start the workflow',
		displayOptions: { show: { events: ['segmentRecipientAdded'] } },
	},
	{
		displayName: 'Contact Type (List)',
		name: 'contactTypeId',
		...listOrId('searchContactTypes'),
		description:
			'The contact type whose contacts start the workflow. Leave empty for all contact types.',
		displayOptions: { show: { events: ['contactAdded', 'contactUpdated'] } },
	},
	{
		displayName: 'Snapshot Ages',
		name: 'snapshotAges',
		type: 'string',
		required: true,
		default: '1h, 24h, 7d',
		placeholder: 'e.g. 1h, 24h, 7d',
		description:
			'How long after sending to return the statistics: m for minutes, h for hours, d for days. Separate several ages with commas. Each age starts the workflow once per campaign.',
		displayOptions: { show: { events: ['statisticsSnapshot'] } },
	},
	thresholdsOf('Campaign', {
		name: 'singleSendThresholds',
		event: 'singleSendStatisticReached',
		statistics: [
			{ name: 'Bounces', value: 'bounces' },
			{ name: 'Delivered', value: 'delivered' },
			{ name: 'Total Opens', value: 'total_opens' },
			{ name: 'Triggered', value: 'triggered' },
			{ name: 'Unique Opens', value: 'unique_opens' },
			{ name: 'Unsubscribes', value: 'unsubscribes' },
		],
	}),
	thresholdsOf('Automation', {
		name: 'automationThresholds',
		event: 'automationStatisticReached',
		prefix: 'total_',
		statistics: [
			{ name: 'Bounces', value: 'total_bounces' },
			{ name: 'Delivered', value: 'total_delivered' },
			{ name: 'Total Opens', value: 'total_opens' },
			{ name: 'Triggered', value: 'total_triggered' },
			{ name: 'Unique Opens', value: 'total_unique_opens' },
			{ name: 'Unsubscribes', value: 'total_unsubscribe' },
		],
	}),
	filtersOf('Campaign', campaignStatuses, {
		name: 'singleSendFilters',
		loadOptionsMethod: 'getSingleSends',
		events: [
			'singleSendStatusChanged',
			'singleSendCompleted',
			'singleSendStatisticReached',
			'singleSendDeleted',
			'statisticsSnapshot',
		],
	}),
	filtersOf('Automation', automationStatuses, {
		name: 'automationFilters',
		loadOptionsMethod: 'getAutomations',
		events: ['automationStatusChanged', 'automationStatisticReached', 'automationDeleted'],
		hint: ' A paused automation may have a status other than Draft or Live.',
	}),
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	{
		...optionsField,
		options: [
			{
				...sentAtTimezone,
				displayOptions: { show: { '/events': ['statisticsSnapshot'] } },
			},
			{
				displayName: 'Emit Existing Records',
				name: 'emitExisting',
				type: 'boolean',
				default: false,
				description:
					'Whether the first poll of the workflow reports existing records. By default, it only remembers them. Records of a list that is added later are never reported.',
			},
			{
				displayName: 'Include Test Sends',
				name: 'includeTestSends',
				type: 'boolean',
				default: false,
				description: 'Whether campaigns created by "Send Test" also start the workflow',
				displayOptions: {
					show: {
						'/events': [
							'singleSendStatusChanged',
							'singleSendCompleted',
							'singleSendCreated',
							'singleSendDeleted',
							'singleSendStatisticReached',
							'statisticsSnapshot',
						],
					},
				},
			},
			{
				displayName: 'Max Unreadable Time (Hours)',
				name: 'unreadableHours',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 6,
				description:
					'How long a list may be unreadable before a poll fails, so that your error workflow is notified. From then on, one poll an hour fails. If no list can be read, every poll fails.',
			},
			{
				...retryTemporaryFailures,
				description:
					'Whether to retry requests when the service is busy or the connection fails. By default, they are retried.',
			},
		],
	},
	// n8n adds these to the node, but not to triggers that poll.
	{
		displayName: 'Request Options',
		name: 'requestOptions',
		type: 'collection',
		isNodeSetting: true,
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Ignore SSL Issues (Insecure)',
				name: 'allowUnauthorizedCerts',
				type: 'boolean',
				default: false,
				description: 'Whether to connect even if SSL certificate validation is not possible',
			},
			{
				displayName: 'Proxy',
				name: 'proxy',
				type: 'string',
				default: '',
				placeholder: 'e.g. http://proxy.example.com:3128',
				description:
					'The HTTP proxy to use. If it requires a login, write http://name:password@host:port.',
			},
			{
				displayName: 'Timeout',
				name: 'timeout',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 300000,
				description: 'How long to wait for a response, in milliseconds',
			},
		],
	},
];
