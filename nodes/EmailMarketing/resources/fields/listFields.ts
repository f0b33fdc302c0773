import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { severalFrom } from './kinds';
import { automationStatuses, campaignStatuses } from './options';

export const listOperations = ['getAll', 'getDynamicContent', 'getRecipients', 'getReserved'];

const forContacts = { show: { '/resource': ['contact'] } };
const forCampaigns = { show: { '/resource': ['singleSend'] } };

const withTimes = {
	show: {
		'/resource': [
			'automation',
			'automationSchedule',
			'contact',
			'contactType',
			'customField',
			'designTemplate',
			'globalUnsubscribe',
			'notificationRecipient',
			'segment',
			'sender',
			'singleSend',
			'unsubscribeGroup',
		],
	},
	hide: { '/operation': ['getDynamicContent', 'getReserved'] },
};

const timesOf = (
	what: 'Created' | 'Sent' | 'Updated',
	which: string,
	displayOptions: IDisplayOptions,
): INodeProperties[] => [
	{
		displayName: `${what} Before`,
		name: `${what.toLowerCase()}Before`,
		type: 'dateTime',
		default: '',
		description: `Only ${which} before this time, in the time zone of the workflow`,
		displayOptions,
	},
	{
		displayName: `${what} On or After`,
		name: `${what.toLowerCase()}After`,
		type: 'dateTime',
		default: '',
		description: `Only ${which} at this time or later, in the time zone of the workflow. For the last seven days, enter {{ $now.minus({ days: 7 }) }} as an expression.`,
		displayOptions,
	},
];

/** Fields that are the same for all lists: how many records are returned, and which. */
export const listFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
		displayOptions: { show: { operation: listOperations }, hide: { locationType: ['all'] } },
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		hint: 'Results beyond the limit are left out. To get all of them, turn on "Return All".',
		displayOptions: {
			show: { operation: listOperations, returnAll: [false] },
			hide: { locationType: ['all'] },
		},
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		description: 'The conditions that records must meet. If there are several, all must be met.',
		displayOptions: {
			show: { operation: [...listOperations, 'exportCsv', 'findProblems'] },
			hide: { locationType: ['all'] },
		},
		options: [
			{
				displayName: 'City',
				name: 'city',
				type: 'string',
				default: '',
				placeholder: 'e.g. Berlin',
				description: 'Only contacts in this city. Case and accents are ignored.',
				displayOptions: forContacts,
			},
			{
				displayName: 'Contact Type Names or IDs',
				name: 'contactTypes',
				...severalFrom('getContactTypes'),
				description:
					'Only records of these contact types. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				displayOptions: {
					show: { '/resource': ['contact', 'segment'] },
					hide: { '/operation': ['getRecipients'] },
				},
			},
			{
				displayName: 'Country Name or ID',
				name: 'country',
				type: 'options',
				default: '',
				description:
					'Only contacts in this country. In an expression, a name or an ISO code works too. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				typeOptions: { loadOptionsMethod: 'getCountries' },
				displayOptions: forContacts,
			},
			...timesOf('Created', 'records created', withTimes),
			{
				displayName: 'Custom Fields',
				name: 'customFields',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				placeholder: 'Add custom field',
				default: {},
				description: 'Only contacts whose custom fields have these values',
				displayOptions: forContacts,
				options: [
					{
						displayName: 'Custom Field',
						name: 'field',
						values: [
							{
								displayName: 'Field Name or ID',
								name: 'name',
								type: 'options',
								default: '',
								description:
									'The custom field. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
								typeOptions: { loadOptionsMethod: 'getCustomFieldNames' },
							},
							{
								displayName: 'Value',
								name: 'value',
								type: 'string',
								default: '',
								placeholder: 'e.g. gold',
								description:
									'The value of the field. Case and accents are ignored. Leave empty for contacts without a value.',
							},
						],
					},
				],
			},
			{
				displayName: 'Email',
				name: 'email',
				type: 'string',
				default: '',
				placeholder: 'e.g. ada@example.com',
				description: 'Only contacts with exactly this address. Case is ignored.',
				displayOptions: forContacts,
			},
			{
				displayName: 'Include Deleted',
				name: 'includeDeleted',
				type: 'boolean',
				default: false,
				description: 'Whether to include records that are marked as deleted',
				displayOptions: {
					show: { '/resource': ['automation', 'contact', 'contactType', 'segment', 'sender'] },
					hide: { '/operation': ['findProblems', 'getRecipients'] },
				},
			},
			{
				displayName: 'Include Test Sends',
				name: 'includeTestSends',
				type: 'boolean',
				default: false,
				description: 'Whether to include campaigns created by "Send Test"',
				displayOptions: forCampaigns,
			},
			{
				displayName: 'Name Contains',
				name: 'text',
				type: 'string',
				default: '',
				placeholder: 'e.g. spring',
				description:
					'Only records whose name, subject or email contains this text. Case and accents are ignored.',
			},
			...timesOf('Sent', 'campaigns sent', forCampaigns),
			{
				displayName: 'State',
				name: 'state',
				type: 'string',
				default: '',
				placeholder: 'e.g. Bavaria',
				description: 'Only contacts in this state. Case and accents are ignored.',
				displayOptions: forContacts,
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'multiOptions',
				default: [],
				description: 'Only campaigns with one of these statuses',
				options: campaignStatuses,
				displayOptions: forCampaigns,
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'multiOptions',
				default: [],
				description:
					'Only automations with one of these statuses. A paused automation may have a status other than Draft or Live.',
				options: automationStatuses,
				displayOptions: { show: { '/resource': ['automation'] } },
			},
			{
				displayName: 'Unsubscribe Group Names or IDs',
				name: 'unsubscribeGroups',
				...severalFrom('getUnsubscribeGroups'),
				description:
					'Only records with one of these unsubscribe groups. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				displayOptions: {
					show: { '/resource': ['automation', 'globalUnsubscribe', 'singleSend'] },
				},
			},
			...timesOf('Updated', 'records last updated', withTimes),
			{
				displayName: 'Verified',
				name: 'isVerified',
				type: 'boolean',
				default: true,
				description:
					'Whether to return only verified senders. If turned off, only unverified senders are returned.',
				displayOptions: { show: { '/resource': ['sender'] } },
			},
		],
	},
];
