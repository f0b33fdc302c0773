import type { IDataObject, INode } from 'n8n-workflow';

import { removal } from '../../../scripts/lib/workflow-json.ts';
import type { Random } from '../../../soak/random.ts';
import type { Limit } from '../../histories/evidence.ts';
import { GROUP, RECIPIENT_GROUP, SEGMENT } from '../world.ts';
import { itemOf, minute, type Actor, type Surroundings } from './actor.ts';
import { locator, node } from './node.ts';

/** The lists that "Sync Recipients" keeps, with the requests that change them. */
const LISTS = {
	segment: {
		list: `segment ${SEGMENT}`,
		parameters: { segmentId: locator(SEGMENT) },
		requests: ['POST /segment/email/store', 'DELETE /segment/email/delete'],
	},
	unsubscribeGroup: {
		list: `group ${RECIPIENT_GROUP}`,
		parameters: { unsubscribeGroupId: locator(RECIPIENT_GROUP), allowsEmailAgain: true },
		requests: [
			'POST /unsubscribes-groups/manually-add',
			'POST /unsubscribes-groups/recipients-bulk-delete',
		],
	},
	globalUnsubscribe: {
		list: 'global',
		parameters: { allowsEmailAgain: true },
		requests: ['POST /global-unsubscribes/save', 'POST /global-unsubscribes/bulk-delete'],
	},
};
export type RecipientResource = keyof typeof LISTS;
export const RECIPIENT_RESOURCES = Object.keys(LISTS) as RecipientResource[];

export const recipientList = (resource: RecipientResource): string => LISTS[resource].list;

export interface RecipientChoice {
	resource: RecipientResource;
	missing: 'ignore' | 'delete';
	removeAfter: number;
	onlyAddedBySync: boolean;
	/** Whether each run is planned, and then applied. */
	isApproved: boolean;
	recreateRemoved: boolean;
	limits: Limit[];
	onError: INode['onError'];
}

const fewest = 2;
const most = 9;

/** Whom the other system has, a little later. */
function changeRecipients(recipients: Map<string, IDataObject>, random: Random): void {
	const [known, isFew] = [[...recipients.keys()], recipients.size <= fewest];
	if (isFew || (recipients.size < most && random.chance(0.6))) {
		const email = `recipient${random.whole(1, 2 * most)}@example.com`;
		const last_name = random.pick(['Adams', 'Brown', 'Clark']);
		recipients.set(email, { email, first_name: 'Robin', last_name });
	} else if (random.chance(0.7)) recipients.delete(random.pick(known));
}

/** Sync Recipients of a segment, an unsubscribe group or the global unsubscribes. */
export function recipientsActor(
	choice: RecipientChoice,
	retryOnFail: boolean,
	{ world: { recipients }, random }: Surroundings,
): Actor {
	const { resource, missing, removeAfter, onlyAddedBySync, isApproved, onError } = choice;
	const { recreateRemoved, limits } = choice;
	const { parameters, requests } = LISTS[resource];
	const options = { unsubscribeGroups: [GROUP] };
	const sync = node(
		'Recipients',
		{
			...{ resource, operation: 'syncRecipients', ...parameters, missing, dryRun: isApproved },
			fields: { mappingMode: 'autoMapInputData', value: null },
			options: {
				...{ ...options, ...removal({ onlyAddedBySync, recreateRemoved, removeAfter }) },
				limits: { limit: [{ kind: 'maxRemovalPercent', value: 60 }, ...limits] },
			},
		},
		{ onError },
	);
	const apply = node(
		'Apply',
		{ resource, operation: 'applyPlan', ...parameters, options },
		{ onError },
	);
	return {
		...{ name: 'recipients', everyMs: 9 * minute, retryOnFail, runsOn: true, requests },
		begin: (isQuiet) => {
			const changes = isQuiet ? 0 : random.whole(1, 4);
			for (let count = 0; count < changes; count++) changeRecipients(recipients, random);
			const nodes = isApproved ? [sync, apply] : [sync];
			return { nodes, items: [...recipients.values()].map(itemOf) };
		},
	};
}
