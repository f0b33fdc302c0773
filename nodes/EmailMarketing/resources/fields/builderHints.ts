import type { INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

/** Read by n8n's AI workflow builder when it searches for nodes. Versions before 2.0 ignore it. */
export const builderHint: INodeTypeDescription['builderHint'] = {
	searchHint:
		'To keep contacts in step with a list, use Contact: Sync once with all rows as items. For one person at a time, such as a form submission, use Contact: Create or Update. Both skip globally unsubscribed addresses by default. They do not know who agreed to receive email, so check consent in the workflow before anyone is added. A campaign is called a single send. Choose records by name with resource locators, and leave a choice empty rather than guess an ID. Custom fields can be set for new contacts only, with the option Custom Fields of New Contacts.',
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-email-marketing.emailMarketingTrigger',
			relationHint: 'Starts the workflow when a campaign, an automation or a contact changes',
		},
		{
			nodeType: 'n8n-nodes-base.scheduleTrigger',
			relationHint: 'Runs a sync or a report at regular times',
		},
		{
			nodeType: 'n8n-nodes-base.formTrigger',
			relationHint: 'Collects sign-ups, with a required consent checkbox',
		},
	],
};

/** The same for one resource. */
export const resourceHints = {
	automation: {
		propertyHint:
			'An automation only sends the emails you add. Create them with Automation Schedule: Create, run Automation: Check, and only then Automation: Set Live, which starts sending.',
	},
	singleSend: {
		propertyHint:
			"Campaign: Create sends or schedules a campaign to everyone in its audience and can't be recalled. It creates one campaign per input item, so set Execute Once. Run Campaign: Check before it, Campaign: Send Test to preview it, and let a person approve what an AI has written.",
	},
} satisfies Record<string, INodePropertyOptions['builderHint']>;
