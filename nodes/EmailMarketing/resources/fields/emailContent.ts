import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { listOrId } from './locator';

/**
 * The content of an email: a template, or the user's own HTML or JSON.
 *
 * @param show says where a field is shown, for some values of other fields
 */
export const emailContent = (
	show: (when?: Record<string, string[]>) => IDisplayOptions,
): INodeProperties[] => [
	{
		displayName: 'Content',
		name: 'templateSource',
		type: 'options',
		default: 'template',
		description: 'The source of the email body',
		options: [
			{
				name: 'Design Template',
				value: 'template',
				description: 'A template from the service',
			},
			{ name: 'HTML', value: 'html', description: 'Your own HTML' },
			{ name: 'JSON', value: 'json', description: 'Your own design as JSON' },
		],
		displayOptions: show(),
	},
	{
		displayName: 'Template',
		name: 'templateId',
		...listOrId('searchDesignTemplates'),
		required: true,
		description: 'The design template to use',
		displayOptions: show({ templateSource: ['template'] }),
	},
	{
		displayName: 'HTML',
		name: 'templateHtml',
		type: 'string',
		typeOptions: { editor: 'htmlEditor', rows: 8 },
		required: true,
		default: '',
		description:
			'The HTML of the email. Placeholders include ((first_name)), ((last_name)), ((full_name)), ((email)), ((city)), ((country)), ((company_name)), ((sender_name)), ((sender_address)) and ((unsubscribe_preferences)). The API documents them only for design templates, so they may not work here.',
		hint: 'Placeholders: ((first_name)), ((full_name)), ((company_name)), ((unsubscribe_preferences)) and more',
		displayOptions: show({ templateSource: ['html'] }),
	},
	{
		displayName: 'JSON',
		name: 'templateJson',
		type: 'json',
		required: true,
		default: '',
		description:
			'The design as JSON, in the format of the service. Placeholders are the same as for HTML, such as ((first_name)). The API documents them only for design templates, so they may not work here.',
		displayOptions: show({ templateSource: ['json'] }),
	},
];
