import type { INode } from 'n8n-workflow';

import { removal } from '../../../scripts/lib/workflow-json.ts';
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
	/** Whether more than one new contact is imported as a file. */
	importsFiles: boolean;
	onError: INode['onError'];
}

function syncNodes(choice: SyncChoice): INode[] {
	const { missing, removeAfter, onlyAddedBySync, isApproved, hasIds, importsFiles, onError } =
		choice;
	const sync = (dryRun: boolean) =>
		node(
			'Sync',
			{
				...{
					resource: 'contact',
					operation: 'sync',
					contactTypeId: locator(TYPE),
					missing,
					dryRun,
				},
				fields: { mappingMode: 'autoMapInputData', value: null },
				missingContactTypeId: locator(OTHER_TYPE),
				missingUnsubscribeGroupId: locator(LEFT_GROUP),
				options: {
					...{
						unsubscribeGroups: [GROUP],
						...removal({ onlyAddedBySync, removeAfter: String(removeAfter) }),
					},
					...(hasIds && { externalIdField: 'customer' }),
					...(importsFiles && { importAbove: 1 }),
					limits: { limit: [{ kind: 'maxRemovalPercent', value: 60 }] },
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
	{ world }: Surroundings,
): Actor => ({
	...{ name: 'sync', everyMs: 7 * minute, retryOnFail, runsOn: true },
	requests: [
		...['POST /contacts/add', 'POST /contacts/update', 'POST /contacts/bulk-delete'],
		...(choice.importsFiles ? ['POST /contacts/upload-csv'] : []),
	],
	begin: () => ({ nodes: syncNodes(choice), items: [...world.people.values()].map(itemOf) }),
});
