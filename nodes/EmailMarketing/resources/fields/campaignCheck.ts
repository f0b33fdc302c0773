import type { INodeProperties } from 'n8n-workflow';

const sends = { show: { '/resource': ['singleSend'] } };

/** The rules of "Check" that single sends and automations share; no rule applies unless it is added. */
export const campaignCheck: INodeProperties = {
	displayName: 'Rules',
	name: 'rules',
	type: 'collection',
	placeholder: 'Add rule',
	default: {},
	description: 'Your own rules, checked in addition to the built-in checks. By default, none.',
	displayOptions: { show: { resource: ['automation', 'singleSend'], operation: ['check'] } },
	options: [
		{
			displayName: 'Max Recipients',
			name: 'maxRecipients',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 1000,
			description: 'Maximum number of addresses that may receive the email',
		},
		{
			displayName: 'Min Hours Between Emails',
			name: 'minHours',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 24,
			description:
				'Minimum number of hours between this campaign and any other, sent or scheduled, to the same contact type or segment',
			displayOptions: sends,
		},
		{
			displayName: 'Name Already Used',
			name: 'nameUsed',
			type: 'boolean',
			default: true,
			description:
				'Whether to report a name that is already used by another campaign or, for automations, another automation',
		},
		{
			displayName: 'Severity',
			name: 'severity',
			type: 'options',
			default: 'problem',
			description: 'How a broken rule is reported. By default, as a problem.',
			options: [
				{ name: 'Problem', value: 'problem', description: 'A broken rule sets "canSend" to false' },
				{
					name: 'Warning',
					value: 'warning',
					description: 'A broken rule is listed, but "canSend" stays true',
				},
			],
		},
		{
			displayName: 'Subject Already Used',
			name: 'subjectUsed',
			type: 'boolean',
			default: true,
			description: 'Whether to report a subject that is already used by another campaign',
			displayOptions: sends,
		},
	],
};
