import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { requestDefaults } from './service/client';
import { customOperationsOf } from './run/entry';
import { methods } from './methods';
import { resourceFields } from './resources';
import { builderHint, resourceHints } from './resources/fields/builderHints';
import { listOperations } from './resources/fields/listFields';

/** Outside executions, the editor may know of no items. */
const hasSeveralItems =
	'(() => { try { return $input.all().length > 1 } catch (error) { return false } })()';

export class EmailMarketing implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Email Marketing',
		name: 'emailMarketing',
		icon: { light: 'file:emailMarketing.svg', dark: 'file:emailMarketing.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle:
			'={{ ($parameter["operation"] + ": " + $parameter["resource"]).replace(/[A-Z]/g, " $&").replace(/^[a-z]|: [a-z]/g, (start) => start.toUpperCase()).replace("Get All", "Get Many").replace("Csv", "CSV").replace("Upsert", "Create or Update").replace("Sync Recipients", "Add or Sync").replace("Single Send", "Campaign") }}',
		description:
			'Send email campaigns and newsletters, sync contact lists and read reports in an email marketing service',
		defaults: { name: 'Email Marketing' },
		usableAsTool: true,
		builderHint,
		hints: [
			{
				type: 'warning',
				message:
					'Every input item creates its own campaign, so recipients get one email per item, unless "Execute Once" is on in the settings of this node.',
				displayCondition: `={{ $parameter["resource"] === "singleSend" && $parameter["operation"] === "create" && ${hasSeveralItems} }}`,
				whenToDisplay: 'always',
				location: 'outputPane',
			},
			{
				type: 'info',
				message:
					'The list is returned once for every input item, unless "Execute Once" is on in the settings of this node.',
				displayCondition: `={{ ${JSON.stringify(listOperations)}.includes($parameter["operation"]) && ${hasSeveralItems} }}`,
				whenToDisplay: 'always',
				location: 'outputPane',
			},
			{
				type: 'warning',
				message:
					'"Check Before Sending" is off. Sender, audience, schedule and placeholders are not checked.',
				displayCondition:
					'={{ ["singleSend", "automation"].includes($parameter["resource"]) && ["create", "update", "setLive"].includes($parameter["operation"]) && $parameter["options"]?.["preflight"] === false }}',
				whenToDisplay: 'always',
				location: 'ndv',
			},
			{
				type: 'info',
				message: 'To send it to a small test list first, use "Campaign: Send Test".',
				displayCondition:
					'={{ $parameter["resource"] === "singleSend" && $parameter["operation"] === "create" }}',
				whenToDisplay: 'beforeExecution',
				location: 'outputPane',
			},
			{
				type: 'info',
				message:
					'An automation only sends the emails you add. Use "Automation Schedule: Create" before you set it live.',
				displayCondition:
					'={{ $parameter["resource"] === "automation" && $parameter["operation"] === "setLive" }}',
				whenToDisplay: 'beforeExecution',
				location: 'outputPane',
			},
		],
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'emailMarketingApi', required: true, testedBy: 'emailMarketingApiTest' }],
		requestDefaults,
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				default: 'contact',
				options: [
					{ name: 'Account', value: 'account' },
					{ name: 'Automation', value: 'automation', builderHint: resourceHints.automation },
					{ name: 'Automation Schedule', value: 'automationSchedule' },
					{
						name: 'Campaign (Single Send)',
						value: 'singleSend',
						builderHint: resourceHints.singleSend,
					},
					{ name: 'Contact', value: 'contact' },
					{ name: 'Contact Type (List)', value: 'contactType' },
					{ name: 'Custom Field', value: 'customField' },
					{ name: 'Design Template', value: 'designTemplate' },
					{ name: 'Global Unsubscribe', value: 'globalUnsubscribe' },
					{ name: 'Location', value: 'location' },
					{ name: 'Notification Recipient', value: 'notificationRecipient' },
					{ name: 'Person', value: 'person' },
					{ name: 'Segment', value: 'segment' },
					{ name: 'Sender', value: 'sender' },
					{ name: 'Unsubscribe Group', value: 'unsubscribeGroup' },
				],
			},
			...resourceFields,
		],
	};

	methods = methods;

	customOperations = customOperationsOf(resourceFields);
}
