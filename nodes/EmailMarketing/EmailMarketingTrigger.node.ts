import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';

import { builderHint } from './trigger/builderHint';
import { methods } from './trigger/methods';
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
			'={{ $parameter["events"].map((event) => event.charAt(0).toUpperCase() + event.slice(1).replace(/[A-Z]/g, " $&")).join(", ") }}',
		description:
			'Starts the workflow when campaigns, automations, contacts, segments, unsubscribes or senders change',
		defaults: { name: 'Email Marketing Trigger' },
		polling: true,
		builderHint,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'emailMarketingApi', required: true, testedBy: 'emailMarketingApiTest' }],
		properties,
	};

	methods = methods;

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
