import type { INodeProperties } from 'n8n-workflow';

import { contactSync } from './contactSync';
import { optionsField } from './fields/kinds';
import { showFor } from './fields/show';

/** Options that mean the same here as for "Sync". */
const shared = new Set([
	...['csvFormat', 'customFields', 'globalUnsubscribes', 'importAbove'],
	...['neverAdd', 'parallelRequests', 'report', 'retryTemporaryFailures', 'unsubscribeGroups'],
]);

const ofSync = contactSync.find(({ name }) => name === 'options')?.options as INodeProperties[];

/** "Sync" offers some of them only with what it does to missing contacts. */
const sharedOptions = ofSync
	.filter(({ name }) => shared.has(name))
	.map(({ displayOptions: _, ...option }): INodeProperties => option);

export const allowOverLimit: INodeProperties = {
	displayName: 'Allow Plans Over a Limit',
	name: 'allowOverLimit',
	type: 'boolean',
	default: false,
	description:
		'Whether to apply a plan that exceeds a limit of the dry run, such as Max Removals. By default, such a plan is refused.',
};

/** Fields of "Apply Plan"; its operation stands with those of the contact. */
export const contactApplyPlan: INodeProperties[] = [
	{
		displayName:
			'Connect all or some of the items that "Sync" or "Create or Update" returned with "Dry Run" on. Contacts that have changed since then are not written.',
		name: 'takesDryRun',
		type: 'notice',
		default: '',
		displayOptions: showFor('contact', ['applyPlan']),
	},
	{
		...optionsField,
		displayOptions: showFor('contact', ['applyPlan']),
		options: [allowOverLimit, ...sharedOptions].sort((a, b) =>
			a.displayName < b.displayName ? -1 : 1,
		),
	},
];
