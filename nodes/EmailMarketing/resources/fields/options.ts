import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { labelOf } from '../../util/labels';

/** Fields of a contact to choose from. */
export const contactFieldOptions = (fields: readonly string[]): INodePropertyOptions[] =>
	fields
		.map((value) => ({ name: labelOf(value), value }))
		.sort((a, b) => (a.name < b.name ? -1 : 1));

const anyOther: INodePropertyOptions = { name: 'Any Other Status', value: 'other' };

export const campaignStatuses: INodePropertyOptions[] = [
	anyOther,
	{ name: 'Completed', value: 3 },
	{ name: 'Initiate', value: 0 },
	{ name: 'Ready to Send', value: 1 },
	{ name: 'Running', value: 2 },
];

export const automationStatuses: INodePropertyOptions[] = [
	anyOther,
	{ name: 'Draft', value: 0 },
	{ name: 'Live', value: 1 },
];

/** This option exists only because the reference does not say which time zone `sent_at` is in. */
export const sentAtTimezone: INodeProperties = {
	displayName: 'Compatibility: Sent At Time Zone',
	name: 'sentAtTimezone',
	type: 'string',
	default: 'UTC',
	placeholder: 'e.g. Europe/Berlin',
	description:
		'The time zone in which the service records when a campaign was sent ("sent_at"). By default, UTC, as for its other times. Change it if "sent_at" differs from the time at which a campaign was sent.',
};

export const parallelRequests: INodeProperties = {
	displayName: 'Parallel Requests',
	name: 'parallelRequests',
	type: 'options',
	default: 'automatic',
	description:
		'How many requests to send at the same time. By default, the number adapts to the service. An expression can return any whole number.',
	options: [
		{
			name: 'Automatic',
			value: 'automatic',
			description:
				'Start with 16 or more, go up to 256 while the service responds quickly, and slow down when it becomes slower or refuses requests',
		},
		...[1, 2, 5, 10, 20, 32, 64].map((value) => ({ name: String(value), value })),
	],
};

export const retryTemporaryFailures: INodeProperties = {
	displayName: 'Retry Temporary Failures',
	name: 'retryTemporaryFailures',
	type: 'boolean',
	noDataExpression: true,
	default: true,
	description:
		'Whether to retry requests when the service is busy or the connection fails. By default, they are retried, except those that may send a campaign or start an automation. Writes that may have succeeded are never repeated.',
};

export const respectedUnsubscribes: INodeProperties = {
	displayName: 'Respect Global Unsubscribes',
	name: 'globalUnsubscribes',
	type: 'boolean',
	default: true,
	description:
		'Whether to skip addresses on the global unsubscribe list. By default, they are skipped.',
};

export const respectedGroups: INodeProperties = {
	displayName: 'Respect Unsubscribe Group Names or IDs',
	name: 'unsubscribeGroups',
	type: 'multiOptions',
	default: [],
	description:
		'The unsubscribe groups whose recipients also count as unsubscribed. By default, none. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	typeOptions: { loadOptionsMethod: 'getUnsubscribeGroups' },
};

export const neverAdd: INodeProperties = {
	displayName: 'Never Add',
	name: 'neverAdd',
	type: 'fixedCollection',
	default: { list: { entries: '', tombstoneKey: '' } },
	description:
		'People who must never be added, such as those who were erased, even if they are on no unsubscribe list. One list applies to all items.',
	options: [
		{
			displayName: 'List',
			name: 'list',
			values: [
				{
					displayName: 'Entries',
					name: 'entries',
					type: 'string',
					typeOptions: { rows: 3 },
					default: '',
					placeholder: "e.g. {{ $('Erased People').all().map(row => row.json.tombstone) }}",
					description:
						'Email addresses, and tombstones from receipts of Person: Erase. Separate them with commas or line breaks, or return an array from an expression. Any other entry is refused.',
				},
				{
					displayName: 'Tombstone Key',
					name: 'tombstoneKey',
					type: 'string',
					typeOptions: { password: true },
					default: '',
					description:
						'The key that was used to create the tombstones in Person: Erase. Not needed for addresses.',
				},
			],
		},
	],
};

const limitKinds = (whom: 'contacts' | 'recipients'): INodePropertyOptions[] => [
	{
		name: 'Max Additions',
		value: 'maxAdditions',
		description: `New ${whom} that may be added`,
	},
	{
		name: 'Max Additions (Percent)',
		value: 'maxAdditionPercent',
		description: `The same, as a percentage of the ${whom} before the run. An empty list may be filled.`,
	},
	{
		name: 'Max Removals',
		value: 'maxRemovals',
		description:
			whom === 'contacts'
				? 'Contacts that may be deleted, moved or added to the unsubscribe group'
				: 'Recipients that may be removed',
	},
	{
		name: 'Max Removals (Percent)',
		value: 'maxRemovalPercent',
		description: `The same, as a percentage of the removable ${whom}: by default, those that this sync added. If there are several, one may be removed anyway, unless the percentage is 0.`,
	},
	{
		name: 'Max Failures',
		value: 'maxFailures',
		description: 'Items that may fail the checks before writing',
	},
	{
		name: 'Max Failures (Percent)',
		value: 'maxFailurePercent',
		description: 'The same, as a percentage of the items',
	},
];

/** Recipients are never updated. */
const updateLimitKinds: INodePropertyOptions[] = [
	{
		name: 'Max Updates',
		value: 'maxUpdates',
		description: 'Contacts that may be updated',
	},
	{
		name: 'Max Updates (Percent)',
		value: 'maxUpdatePercent',
		description: 'The same, as a percentage of the contacts in the contact type',
	},
];

const limitsOf = (kinds: INodePropertyOptions[]): INodeProperties => ({
	displayName: 'Limits',
	name: 'limits',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add limit',
	default: {},
	options: [
		{
			displayName: 'Limit',
			name: 'limit',
			values: [
				{
					displayName: 'Limit',
					name: 'kind',
					type: 'options',
					default: 'maxRemovalPercent',
					description: 'What to limit',
					options: kinds,
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'number',
					typeOptions: { minValue: 0 },
					default: 10,
					description: 'The maximum number or percentage',
				},
			],
		},
	],
});

export const limits: INodeProperties = {
	...limitsOf([...limitKinds('contacts'), ...updateLimitKinds]),
	description:
		'How much one run may change. A run that would exceed a limit fails and writes nothing. By default, at most 10 percent of the removable contacts, or one, may be removed. From 20 items on, at most half of the items may fail.',
};

export const recipientLimits: INodeProperties = {
	...limitsOf(limitKinds('recipients')),
	description:
		'How much one run may change. A run that would exceed a limit fails and writes nothing. By default, at most 10 percent of the removable recipients, or one, may be removed. From 20 items on, at most half of the items may fail; for unsubscribe lists, this applies only if missing recipients are removed.',
};

export const dryRun = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description: 'Whether to return the planned changes without writing anything',
} satisfies INodeProperties;

export const allowOverLimit: INodeProperties = {
	displayName: 'Allow Plans Over a Limit',
	name: 'allowOverLimit',
	type: 'boolean',
	default: false,
	description:
		'Whether to apply a plan that exceeds a limit of the dry run, such as Max Removals. By default, such a plan is refused.',
};

/** @param whom the entries of the list that is synced */
export function reportOn(whom: 'Contacts' | 'Recipients'): INodeProperties {
	const options: INodePropertyOptions[] = [
		{ name: `All ${whom}`, value: 'all' },
		{
			name: 'Changes Only',
			value: 'changes',
			description: `All ${whom.toLowerCase()} except unchanged and skipped ones`,
		},
		{ name: 'Summary Only', value: 'summary', description: 'One item with the counts' },
	];
	return {
		displayName: 'Output',
		name: 'report',
		type: 'options',
		default: 'all',
		description: `Which ${whom.toLowerCase()} to return. If the node has an error output, failures are always routed to it.`,
		options,
	};
}

/** The choices of "Missing From Input" that change missing contacts. */
export const changesMissing = ['addToUnsubscribeGroup', 'delete', 'moveToContactType'];

const removesAtOnce = { '/options.removal.rules.removeAfter': [1] };
const removesOthers = { '/options.removal.rules.onlyAddedBySync': [false] };

/** What "Missing From Input" does, before the node runs. */
export const removalNotices = (
	whom: 'contact' | 'recipient',
	{ show }: IDisplayOptions,
): INodeProperties[] => [
	{
		displayName: `<b>Who is removed:</b> ${whom}s that the published workflow added, once they are missing from several executions in a row (2 by default). <b>How many:</b> by default, at most 10 percent of the ${whom}s that can be removed, or one. If more are missing, the execution fails and writes nothing. <b>When:</b> only when the published workflow runs; manual executions remove nobody. In queue mode, put this node in a sub-workflow, or nobody is removed.`,
		name: 'removesMissing',
		type: 'notice',
		default: '',
		displayOptions: { show, hide: { ...removesAtOnce, ...removesOthers } },
	},
	{
		displayName: `<b>Who is removed:</b> every ${whom} that is missing from several executions in a row (2 by default), whoever added it. <b>How many:</b> by default, at most 10 percent of the ${whom}s that can be removed, or one. If more are missing, the execution fails and writes nothing. <b>When:</b> only when the published workflow runs; manual executions remove nobody. In queue mode, put this node in a sub-workflow, or nobody is removed.`,
		name: 'removesOthers',
		type: 'notice',
		default: '',
		displayOptions: { show: { ...show, ...removesOthers }, hide: removesAtOnce },
	},
	{
		displayName: `<b>Who is removed:</b> ${whom}s that the published workflow added, as soon as they are missing. <b>How many:</b> by default, at most 10 percent of the ${whom}s that can be removed, or one. If more are missing, the execution fails and writes nothing. <b>When:</b> in every execution, also a manual one, so try "Dry Run" first. In queue mode, put this node in a sub-workflow, or nobody is removed.`,
		name: 'removesAtOnce',
		type: 'notice',
		default: '',
		displayOptions: { show: { ...show, ...removesAtOnce }, hide: removesOthers },
	},
	{
		displayName: `<b>Who is removed:</b> every ${whom} that is missing, whoever added it. <b>How many:</b> by default, at most 10 percent of the ${whom}s that can be removed, or one. If more are missing, the execution fails and writes nothing. <b>When:</b> in every execution, also a manual one, so try "Dry Run" first.`,
		name: 'removesOthersAtOnce',
		type: 'notice',
		default: '',
		displayOptions: { show: { ...show, ...removesAtOnce, ...removesOthers } },
	},
];

/**
 * Everything that decides who is removed, and when.
 *
 * @param becomes what is then done
 * @param texts of the options that unsubscribe lists do not have
 * @param withNames where those are shown
 */
export const removal = (
	whom: 'contact' | 'recipient',
	becomes: string,
	texts: Record<'onlyAdded' | 'recreate', Pick<INodeProperties, 'description'>>,
	withNames?: IDisplayOptions,
): INodeProperties => ({
	displayName: 'Removal',
	name: 'removal',
	type: 'fixedCollection',
	default: { rules: { removeAfter: 2, onlyAddedBySync: true, recreateRemoved: false } },
	description: `Which missing ${whom}s are ${becomes}, and when. By default, those that this sync added, once they are missing from two executions in a row.`,
	options: [
		{
			displayName: 'Rules',
			name: 'rules',
			values: [
				{
					displayName: 'Remove After',
					name: 'removeAfter',
					type: 'options',
					default: 2,
					description: `The number of executions in a row that a ${whom} must be missing from before it is ${becomes}. Manual executions count only with "1 Execution".`,
					options: [
						{
							name: '1 Execution',
							value: 1,
							description: `A single incomplete input removes ${whom}s`,
						},
						{ name: '2 Executions', value: 2 },
						{ name: '3 Executions', value: 3 },
					],
				},
				{
					displayName: 'Only Added by Sync',
					name: 'onlyAddedBySync',
					type: 'boolean',
					default: true,
					...texts.onlyAdded,
					displayOptions: withNames,
				},
				{
					displayName: 'Recreate Removed',
					name: 'recreateRemoved',
					type: 'boolean',
					default: false,
					...texts.recreate,
					displayOptions: withNames,
				},
			],
		},
	],
	displayOptions: {
		show: { '/missing': whom === 'contact' ? changesMissing : ['delete'] },
	},
});
