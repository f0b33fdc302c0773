import type { INodeTypeDescription } from 'n8n-workflow';

/** What n8n's AI workflow builder reads when it searches for nodes. Versions before 2.0 ignore it. */
export const builderHint: INodeTypeDescription['builderHint'] = {
	searchHint:
		'Polls the service, which has no webhooks: set Poll Times to how soon a change must be noticed. Choose only the events that the workflow needs, and filter by contact type, segment or unsubscribe group in this node. The first poll reports nothing unless Emit Existing Records is on. Several changes to one record between two polls are reported as one.',
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-email-marketing.emailMarketing',
			relationHint: 'Reads the report of the campaign that an event names, or changes the record',
		},
	],
};
