import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { nameForThoseWithout } from '../../features/contacts/changes';
import { FIELD_LABELS } from '../../features/contacts/fields';
import { fieldMapper, optionsField } from './kinds';
import {
	allowOverLimit,
	dryRun,
	neverAdd,
	parallelRequests,
	recipientLimits,
	removal,
	removalNotices,
	reportOn,
	respectedGroups,
	respectedUnsubscribes,
	retryTemporaryFailures,
} from './options';

const operation = ['syncRecipients'];
const resource = ['globalUnsubscribe', 'notificationRecipient', 'segment', 'unsubscribeGroup'];
const everywhere: IDisplayOptions = { show: { resource, operation } };
const applying: IDisplayOptions = { show: { resource, operation: ['applyPlan'] } };
const inSegments: IDisplayOptions = { show: { '/resource': ['segment'] } };
const withNames: IDisplayOptions = {
	show: { '/resource': ['notificationRecipient', 'segment'] },
};

const allowsEmailAgain: INodeProperties = {
	displayName: 'Allow Email to Removed People Again',
	name: 'allowsEmailAgain',
	type: 'boolean',
	default: false,
	description:
		'Whether people who are removed from this list may receive email again. While this is off, the node does not run with "Remove". Only people that this sync added are removed.',
	displayOptions: {
		show: {
			resource: ['globalUnsubscribe', 'unsubscribeGroup'],
			operation,
			missing: ['delete'],
		},
	},
};

/** Options of both operations. */
const shared: INodeProperties[] = [
	{ ...neverAdd, displayOptions: withNames },
	reportOn('Recipients'),
	parallelRequests,
	{ ...respectedUnsubscribes, displayOptions: inSegments },
	{ ...respectedGroups, displayOptions: inSegments },
	retryTemporaryFailures,
];

/** Options of "Add or Sync" alone. */
const ofSync: INodeProperties[] = [
	recipientLimits,
	removal(
		'recipient',
		'removed',
		{
			onlyAdded: {
				description:
					'Whether to remove only recipients that this sync added. Others stay, such as those that were on the list before "Missing From Input" was set, or that a manual execution added.',
			},
			recreate: {
				description:
					'Whether to re-add recipients that somebody removed in the service. By default, they are skipped while "Only Added by Sync" is on.',
			},
		},
		withNames,
	),
];

const namesForThoseWithout: INodeProperties[] = (
	[
		['first_name', 'defaultFirstName', 'there'],
		['last_name', 'defaultLastName', '-'],
	] as const
).map(([field, name, example]) => ({
	displayName: nameForThoseWithout(FIELD_LABELS[field]),
	name,
	type: 'string',
	default: '',
	placeholder: `e.g. ${example}`,
	description:
		'What to send for new recipients without one, since the service requires it. Emails may show it.',
	displayOptions: inSegments,
}));

const byName = (a: INodeProperties, b: INodeProperties) => (a.displayName < b.displayName ? -1 : 1);

/** Fields of "Add or Sync Recipients"; its operations and its lists stand with those of each resource. */
export const recipientSync: INodeProperties[] = [
	{
		displayName: 'Fields',
		name: 'fields',
		...fieldMapper({ resourceMapperMethod: 'getSyncFields', mode: 'map', addAllFields: false }),
		description:
			'The input fields that contain the email and, for segments and notification recipients, the first and last name. For notification recipients, one of the names is enough.',
		displayOptions: everywhere,
	},
	{
		displayName: 'Missing From Input',
		name: 'missing',
		type: 'options',
		default: 'ignore',
		description:
			'What to do with recipients who are not in the input. By default, they are left unchanged.',
		options: [
			{ name: 'Ignore', value: 'ignore', description: 'Leave them unchanged' },
			{ name: 'Remove', value: 'delete', description: 'Remove them as recipients' },
		],
		displayOptions: everywhere,
	},
	...removalNotices('recipient', { show: { ...everywhere.show, missing: ['delete'] } }),
	allowsEmailAgain,
	{
		...dryRun,
		displayOptions: everywhere,
	},
	{
		...optionsField,
		displayOptions: everywhere,
		options: [...ofSync, ...namesForThoseWithout, ...shared].sort(byName),
	},
];

/** Fields of "Apply Plan" for the same lists. */
export const recipientApplyPlan: INodeProperties[] = [
	{
		displayName:
			'Connect all or some of the items that "Add or Sync" returned for this list with "Dry Run" on. Recipients that have changed since then are not written.',
		name: 'takesRecipientDryRun',
		type: 'notice',
		default: '',
		displayOptions: applying,
	},
	{
		...allowsEmailAgain,
		description:
			'Whether people who are removed from this list may receive email again. If this is off, a plan that removes people is refused.',
		displayOptions: {
			show: { resource: ['globalUnsubscribe', 'unsubscribeGroup'], operation: ['applyPlan'] },
		},
	},
	{
		...optionsField,
		displayOptions: applying,
		options: [allowOverLimit, ...shared].sort(byName),
	},
];
