import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';

import { credentialTest } from './methods/credentialTest';
import { listSearch } from './methods/listSearch';
import { optionsFrom } from './methods/loadOptions';
import { recordChoices } from './methods/choices';
import { poll } from './trigger/poll';
import { properties } from './trigger/properties';

export class EmailMarketingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Email Marketing Trigger',
		name: 'emailMarketingTrigger',
		icon: { light: 'file:emailMarketing.svg', dark: 'file:emailMarketing.dark.svg' },
		group: ['trigger'],
		version: 1,
		// "singleSendCreated" as "Single Send Created"
		subtitle:
			'={{ $parameter["events"].map((event) => event.charAt(0).toUpperCase() + event.slice(1).replace(/[A-Z]/g, " $&")).join(", ").replaceAll("Single Send", "Campaign") }}',
		description:
			'Sync contacts, send campaigns and read reports, or start a workflow when campaigns, automations, contacts or unsubscribes change',
		defaults: { name: 'Email Marketing Trigger' },
		polling: true,
		// Read by n8n's AI workflow builder, since 2.0.
		builderHint: {
			searchHint:
				'Polls the service, which has no webhooks. Set Poll Times according to how soon you need to know about a change. Choose only the events that the workflow needs, and filter by contact type, segment or unsubscribe group in this node. The first poll reports nothing unless Emit Existing Records is on. Several changes to one record between two polls are reported as one.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-email-marketing.emailMarketing',
					relationHint:
						'Reads the report of the campaign that an event names, or changes the record',
				},
			],
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'emailMarketingApi', required: true, testedBy: 'emailMarketingApiTest' }],
		properties,
	};

	methods: INodeType['methods'] = {
		credentialTest,
		listSearch,
		// By utr only, which is what the filters compare.
		loadOptions: {
			getAutomations: optionsFrom(recordChoices('Automations')),
			getSingleSends: optionsFrom(recordChoices('SingleSends')),
		},
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
