import type { INodeProperties } from 'n8n-workflow';

export const listOperations = ['getAll', 'getDynamicContent', 'getRecipients', 'getReserved'];

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

/** Fields that are the same for all lists: how many records come out, and which. */
export const listFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
		displayOptions: { show: { operation: listOperations } },
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { operation: listOperations, returnAll: [false] } },
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		description:
			'Which records come out: those that fit every filter. The limit counts these only.',
		displayOptions: { show: { operation: listOperations }, hide: { locationType: ['all'] } },
		options: [
			{
				displayName: 'Contact Type Names or IDs',
				name: 'contactTypes',
				type: 'multiOptions',
				default: [],
				description:
					'What is in one of these contact types. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				typeOptions: { loadOptionsMethod: 'getContactTypes' },
				displayOptions: {
					show: { '/resource': ['contact', 'segment'] },
					hide: { '/operation': ['getRecipients'] },
				},
			},
			{
				displayName: 'Created After',
				name: 'createdAfter',
				type: 'dateTime',
				default: '',
				description: 'What was added at this time or later, in the time zone of the workflow',
				displayOptions: withTimes,
			},
			{
				displayName: 'Created Before',
				name: 'createdBefore',
				type: 'dateTime',
				default: '',
				description: 'What was added before this time, in the time zone of the workflow',
				displayOptions: withTimes,
			},
			{
				displayName: 'Name Contains',
				name: 'text',
				type: 'string',
				default: '',
				placeholder: 'e.g. spring',
				description: 'Part of the name, subject or email address; case and accents do not count',
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'multiOptions',
				default: [],
				description: 'How far the campaign has got; any of the chosen ones',
				options: [
					{ name: 'Completed', value: 3 },
					{ name: 'Initiated', value: 0 },
					{ name: 'Ready to Send', value: 1 },
					{ name: 'Running', value: 2 },
				],
				displayOptions: { show: { '/resource': ['singleSend'] } },
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'multiOptions',
				default: [],
				description: 'Whether it is sending; any of the chosen ones',
				options: [
					{ name: 'Draft', value: 0 },
					{ name: 'Live', value: 1 },
				],
				displayOptions: { show: { '/resource': ['automation'] } },
			},
			{
				displayName: 'Unsubscribe Group Names or IDs',
				name: 'unsubscribeGroups',
				type: 'multiOptions',
				default: [],
				description:
					'What belongs to one of these unsubscribe groups. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				typeOptions: { loadOptionsMethod: 'getUnsubscribeGroups' },
				displayOptions: {
					show: { '/resource': ['automation', 'globalUnsubscribe', 'singleSend'] },
				},
			},
			{
				displayName: 'Updated After',
				name: 'updatedAfter',
				type: 'dateTime',
				default: '',
				description: 'What was changed at this time or later, in the time zone of the workflow',
				displayOptions: withTimes,
			},
			{
				displayName: 'Updated Before',
				name: 'updatedBefore',
				type: 'dateTime',
				default: '',
				description: 'What was last changed before this time, in the time zone of the workflow',
				displayOptions: withTimes,
			},
			{
				displayName: 'Verified',
				name: 'isVerified',
				type: 'boolean',
				default: true,
				description: 'Whether to return the senders that are verified, or those that are not',
				displayOptions: { show: { '/resource': ['sender'] } },
			},
		],
	},
];
