import type { INodeProperties } from 'n8n-workflow';

import { TEXT_FIELDS } from '../../features/contacts/fields';
import { optionsField, severalFrom } from './kinds';
import { listFields, listOperations } from './listFields';
import {
	contactFieldOptions,
	neverAdd,
	parallelRequests,
	respectedGroups,
	respectedUnsubscribes,
	retryTemporaryFailures,
	sentAtTimezone,
} from './options';

const forWrites = { show: { '/resource': ['singleSend'], '/operation': ['create', 'update'] } };

const adding = ['addRecipient', 'create', 'importCsv', 'update'];

const fieldsToClear = {
	displayName: 'Fields to Clear',
	name: 'clearFields',
	type: 'multiOptions',
	default: [],
	description: 'The fields to empty. All other fields keep their values unless they are set.',
} satisfies INodeProperties;

/** Records with so many fields that the user may choose among them. */
const withManyFields = {
	resource: ['automation', 'automationSchedule', 'contact', 'segment', 'sender', 'singleSend'],
	operation: ['get', 'getAll', 'getRecipients'],
};

/** Fields that are the same wherever they appear; each is declared once for all resources. */
export const commonFields: INodeProperties[] = [
	...listFields,
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'simplified',
		description: 'Which fields of each record to return',
		options: [
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'The most useful fields',
			},
			{
				name: 'Raw',
				value: 'raw',
				description:
					'All fields as the service returns them, plus those that the node adds: statusLabel for records with a status, and the rates of campaigns and automations',
			},
			{
				name: 'Selected Fields',
				value: 'selectedFields',
				description:
					'Only the fields you choose. The ID and, if the record has one, the UTR are always included.',
			},
		],
		displayOptions: { show: withManyFields },
	},
	{
		displayName: 'Output Field Names or IDs',
		name: 'outputFields',
		...severalFrom('getOutputFields'),
		description:
			'The fields to return. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		displayOptions: { show: { ...withManyFields, output: ['selectedFields'] } },
	},
	{
		displayName:
			'By default, globally unsubscribed addresses are skipped. To change which lists are checked, add "Respect Global Unsubscribes" or "Respect Unsubscribe Group Names or IDs" in Options.',
		name: 'skipsUnsubscribed',
		type: 'notice',
		default: '',
		displayOptions: {
			show: {
				resource: ['contact', 'segment'],
				operation: ['addRecipient', 'applyPlan', 'importCsv', 'syncRecipients'],
			},
		},
	},
	{
		...optionsField,
		displayOptions: {
			hide: { operation: ['applyPlan', 'erase', 'exportCsv', 'sync', 'syncRecipients', 'upsert'] },
		},
		options: [
			{
				displayName: 'Allow Live Automation',
				name: 'allowLive',
				type: 'boolean',
				default: false,
				description:
					'Whether to duplicate an automation that is live. The copy may be live too and send emails: the API reference does not say. By default, such an automation is not duplicated.',
				displayOptions: { show: { '/resource': ['automation'], '/operation': ['duplicate'] } },
			},
			{
				displayName: 'Allow Live Automation',
				name: 'allowLive',
				type: 'boolean',
				default: false,
				description:
					'Whether to add an email to an automation that is live. It may be sent immediately, without a check. By default, the automation has to be paused first.',
				displayOptions: {
					show: { '/resource': ['automationSchedule'], '/operation': ['create'] },
				},
			},
			{
				displayName: 'Allow Sending Again',
				name: 'allowSendingAgain',
				type: 'boolean',
				default: false,
				description:
					'Whether to duplicate a campaign whose copy may be sent immediately, and to update one that is running, completed or of unknown status. The service may then send it to everyone. By default, the item fails.',
				displayOptions: {
					show: { '/resource': ['singleSend'], '/operation': ['duplicate', 'update'] },
				},
			},
			{
				displayName: 'Check Before Sending',
				name: 'preflight',
				type: 'boolean',
				default: true,
				description:
					'Whether to check the sender, audience, schedule and placeholders first. By default, they are checked. If there are problems, one error lists them and the campaign is not sent.',
				displayOptions: forWrites,
			},
			{
				displayName: 'Check Before Sending',
				name: 'preflight',
				type: 'boolean',
				default: true,
				description:
					'Whether to check the emails, senders, unsubscribe group and placeholders first. By default, they are checked. If there are problems, one error lists them and the automation is not set live.',
				displayOptions: { show: { '/resource': ['automation'], '/operation': ['setLive'] } },
			},
			{
				displayName: 'Compare With Last',
				name: 'compareWithLast',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 10,
				description:
					'How many other completed campaigns to compare this one with, newest first. By default, there is no comparison.',
				displayOptions: { show: { '/resource': ['singleSend'], '/operation': ['getReport'] } },
			},
			{
				displayName: 'Compatibility: Bulk Delete Identifier',
				name: 'identifyBy',
				type: 'options',
				default: 'id',
				description:
					'The identifier to send for the chosen records. Try UTR if the service does not find the records by ID.',
				options: [
					{ name: 'ID', value: 'id' },
					{ name: 'UTR', value: 'utr' },
				],
				displayOptions: {
					show: { '/resource': ['automation', 'singleSend'], '/operation': ['deleteMany'] },
				},
			},
			{
				displayName: 'Compatibility: Date Format',
				name: 'dateFormat',
				type: 'options',
				default: 'yyyy-MM-dd',
				description:
					'The format of the send date in the request. Change it only if the service rejects the default.',
				options: [
					{ name: 'YY-MM-DD', value: 'yy-MM-dd' },
					{ name: 'YYYY-MM-DD', value: 'yyyy-MM-dd' },
				],
				displayOptions: forWrites,
			},
			{
				displayName: 'Compatibility: Request Method',
				name: 'requestMethod',
				type: 'options',
				default: 'POST',
				description: 'The HTTP method of the request. Try GET if the service does not allow POST.',
				options: [
					{ name: 'GET', value: 'GET' },
					{ name: 'POST', value: 'POST' },
				],
				displayOptions: { show: { '/resource': ['singleSend'], '/operation': ['duplicate'] } },
			},
			{
				...sentAtTimezone,
				displayOptions: {
					show: { '/resource': ['singleSend'], '/operation': ['check', 'getAll'] },
				},
			},
			{
				displayName: 'Compatibility: Stored Content',
				name: 'storedContent',
				type: 'options',
				default: 'fail',
				description:
					'Which content of an existing campaign to use if the service stores more than one, or a placeholder such as {}. By default, the item fails and nothing is sent.',
				options: [
					{ name: 'Design Template', value: 'template' },
					{ name: 'Fail', value: 'fail' },
					{ name: 'HTML', value: 'html' },
					{ name: 'JSON', value: 'json' },
				],
				displayOptions: {
					show: { '/resource': ['singleSend'], '/operation': ['check', 'sendTest', 'update'] },
				},
			},
			{
				displayName: 'Compatibility: Time Format',
				name: 'timeFormat',
				type: 'options',
				default: 'HH:mm:ss',
				description:
					'The format of the send time in the request. Change it only if the service rejects the default.',
				options: [
					{ name: 'HH:MM', value: 'HH:mm' },
					{ name: 'HH:MM:SS', value: 'HH:mm:ss' },
				],
				displayOptions: forWrites,
			},
			{
				displayName: 'Compatibility: Unused Content',
				name: 'unusedContent',
				type: 'options',
				default: 'omit',
				description:
					'How to send the HTML and JSON fields that the email does not use. By default, they are left out.',
				options: [
					{ name: 'Leave Out', value: 'omit' },
					{ name: 'Send Empty', value: 'empty' },
				],
				displayOptions: {
					show: {
						'/resource': ['automationSchedule', 'singleSend'],
						'/operation': ['create', 'sendTest', 'update'],
					},
				},
			},
			{
				...fieldsToClear,
				options: contactFieldOptions(TEXT_FIELDS),
				displayOptions: { show: { '/resource': ['contact'], '/operation': ['update'] } },
			},
			{
				...fieldsToClear,
				options: [
					{ name: 'City', value: 'city_id' },
					{ name: 'Company Address Line 2', value: 'company_address2' },
					{ name: 'State', value: 'state_id' },
					{ name: 'Zip Code', value: 'zip_code' },
				],
				displayOptions: { show: { '/resource': ['sender'], '/operation': ['update'] } },
			},
			{
				...fieldsToClear,
				options: [{ name: 'Exclude Names or IDs', value: 'exclude_specific_recipient_id' }],
				displayOptions: { show: { '/resource': ['singleSend'], '/operation': ['update'] } },
			},
			{
				displayName: 'If Nothing Is Found',
				name: 'ifNothingFound',
				type: 'options',
				default: 'noItems',
				description: 'What to return if nothing matches. By default, nothing.',
				options: [
					{
						name: 'Return Nothing',
						value: 'noItems',
						description: 'The nodes after this one do not run',
					},
					{
						name: 'Return One Item',
						value: 'oneItem',
						description: 'An item with "found": false, so that the workflow continues',
					},
				],
				displayOptions: { show: { '/operation': [...listOperations, 'findProblems'] } },
			},
			{
				...neverAdd,
				displayOptions: {
					show: {
						'/resource': ['contact', 'notificationRecipient', 'segment'],
						'/operation': adding,
					},
				},
			},
			{
				...parallelRequests,
				description:
					'How many requests to send at the same time if there are several items. By default, the number adapts to the service. An expression can return any whole number.',
				displayOptions: { hide: { '/resource': ['account'] } },
			},
			{
				...respectedUnsubscribes,
				description:
					'Whether to skip addresses on the global unsubscribe list. By default, they are skipped. In an import, their rows are left out. An update is checked only if it changes the email or the contact type.',
				displayOptions: {
					show: { '/resource': ['contact', 'segment'], '/operation': adding },
				},
			},
			{
				...respectedGroups,
				displayOptions: {
					show: { '/resource': ['contact', 'segment'], '/operation': [...adding, 'findProblems'] },
				},
			},
			retryTemporaryFailures,
			{
				displayName: 'Return Held-Back Rows',
				name: 'returnHeldBackRows',
				type: 'boolean',
				default: false,
				description:
					'Whether to return the rows that were not uploaded, up to 10,000, each with its line, email and unsubscribe list',
				displayOptions: { show: { '/resource': ['contact'], '/operation': ['importCsv'] } },
			},
		],
	},
	{
		displayName: 'Sort',
		name: 'sort',
		type: 'collection',
		placeholder: 'Add sorting',
		default: {},
		description: 'The order of the records. The limit is applied after sorting.',
		displayOptions: { show: { operation: listOperations }, hide: { resource: ['location'] } },
		options: [
			{
				displayName: 'Direction',
				name: 'direction',
				type: 'options',
				default: 'ascending',
				description: 'The sort direction. Records without a value always come last.',
				options: [
					{
						name: 'Ascending',
						value: 'ascending',
						description: 'A to Z, old to new, small to large',
					},
					{
						name: 'Descending',
						value: 'descending',
						description: 'Z to A, new to old, large to small',
					},
				],
			},
			{
				displayName: 'Field Name or ID',
				name: 'field',
				type: 'options',
				default: '',
				description:
					'The field to sort by. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				typeOptions: { loadOptionsMethod: 'getSortFields' },
			},
		],
	},
];
