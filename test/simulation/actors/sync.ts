import type { INode } from 'n8n-workflow';

import { removal } from '../../../scripts/lib/workflow-json.ts';
import type { Limit } from '../../histories/evidence.ts';
import { GROUP, LEFT_GROUP, OTHER_TYPE, TYPE } from '../world.ts';
import { itemOf, minute, type Actor, type Surroundings } from './actor.ts';
import { locator, node } from './node.ts';

export type Missing = 'ignore' | 'delete' | 'moveToContactType' | 'addToUnsubscribeGroup';

export interface SyncChoice {
	missing: Missing;
	removeAfter: number;
	onlyAddedBySync: boolean;
	/** Whether each run is planned, and then applied. */
	isApproved: boolean;
	/** Whether people have an ID in the other system, by which they are known if their address changes. */
	hasIds: boolean;
	/** Whether people have the ID of their contact, where somebody has noted it. */
	hasContactIds: boolean;
	/** Whether contacts are matched by these IDs. */
	isMatchedById: boolean;
	emptyValues: 'ignore' | 'clear';
	hasEmptyCells: boolean;
	/** What becomes of the custom fields that people have; undefined if they have none. */
	customFields?: 'ignore' | 'import' | 'importOrFail';
	recreateRemoved: boolean;
	limits: Limit[];
	/** Whether more than one new contact is imported as a file. */
	importsFiles: boolean;
	onError: INode['onError'];
}

function syncNodes(choice: SyncChoice): INode[] {
	const { missing, removeAfter, onlyAddedBySync, isApproved, hasIds, importsFiles, onError } =
		choice;
	const { emptyValues, customFields, recreateRemoved, limits } = choice;
	const matchBy = choice.hasContactIds && choice.isMatchedById ? 'contactId' : 'email';
	const sync = (dryRun: boolean) =>
		node(
			'Sync',
			{
				...{
					resource: 'contact',
					operation: 'sync',
					contactTypeId: locator(TYPE),
					matchBy,
					missing,
					dryRun,
				},
				fields: { mappingMode: 'autoMapInputData', value: null },
				missingContactTypeId: locator(OTHER_TYPE),
				missingUnsubscribeGroupId: locator(LEFT_GROUP),
				options: {
					...{
						unsubscribeGroups: [GROUP],
						...removal({ onlyAddedBySync, recreateRemoved, removeAfter: String(removeAfter) }),
						emptyValues,
					},
					...(hasIds && { externalIdField: 'customer' }),
					...(importsFiles && { importAbove: 1 }),
					...(customFields && { customFields }),
					limits: { limit: [{ kind: 'maxRemovalPercent', value: 60 }, ...limits] },
				},
			},
			{ onError },
		);
	if (!isApproved) return [sync(false)];
	const options = { unsubscribeGroups: [GROUP] };
	return [
		sync(true),
		node('Apply', { resource: 'contact', operation: 'applyPlan', options }, { onError }),
	];
}

/** Contact: Sync, with or without an approval of its plan. */
export const syncActor = (
	choice: SyncChoice,
	retryOnFail: boolean,
	{ world, service }: Surroundings,
): Actor => ({
	...{ name: 'sync', everyMs: 7 * minute, retryOnFail, runsOn: true },
	requests: [
		...['POST /contacts/add', 'POST /contacts/update', 'POST /contacts/bulk-delete'],
		...(choice.importsFiles ? ['POST /contacts/upload-csv'] : []),
		...(choice.customFields ? ['POST /contacts/upload-csv', 'GET /custom-fields'] : []),
	],
	begin: () => ({
		nodes: syncNodes(choice),
		items: [...world.people.values()].map(itemOf),
		look: () => service.contactsOf(TYPE),
	}),
});
