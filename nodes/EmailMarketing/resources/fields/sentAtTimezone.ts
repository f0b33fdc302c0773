import type { INodeProperties } from 'n8n-workflow';

/** What exists only because the reference does not say in which time zone `sent_at` is. */
export const sentAtTimezone: INodeProperties = {
	displayName: 'Compatibility: Sent At Time Zone',
	name: 'sentAtTimezone',
	type: 'string',
	default: 'UTC',
	placeholder: 'e.g. Europe/Berlin',
	description:
		'The time zone of "sent_at" in the campaigns of the service. By default, UTC like its other times. Change it if campaigns show the wrong time of sending.',
};
