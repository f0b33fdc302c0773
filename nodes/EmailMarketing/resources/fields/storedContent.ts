import type { INodeProperties } from 'n8n-workflow';

/** What exists only because the reference does not say which content of a single send counts if there are several. */
export const storedContent: INodeProperties = {
	displayName: 'Stored Content',
	name: 'storedContent',
	type: 'options',
	default: 'fail',
	description:
		'Which content of an existing campaign counts if the service has several, or a placeholder such as {}. By default, nothing is sent.',
	options: [
		{ name: 'Design Template', value: 'template' },
		{ name: 'Fail', value: 'fail' },
		{ name: 'HTML', value: 'html' },
		{ name: 'JSON', value: 'json' },
	],
	displayOptions: { show: { '/operation': ['check', 'sendTest', 'update'] } },
};
