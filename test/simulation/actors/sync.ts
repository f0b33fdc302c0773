import type { INode } from 'n8n-workflow';

import { removal } from '../../../scripts/lib/workflow-json.ts';
import type { Random } from '../../../soak/random.ts';
import type { Limit } from '../../histories/evidence.ts';
import type { Shape, Split } from '../n8n.ts';
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
	/** How the items come, in a simulation in which they come in several runs. */
	shape?: Shape;
}

/** The items in a few runs, of which the last ones may never come. */
function splitOf(shape: Shape, items: number, isQuiet: boolean, random: Random): Split {
	const counts: number[] = [];
	for (let left = items; left > 0; left -= counts.at(-1) ?? 0) {
		counts.push(counts.length < 2 && random.chance(0.7) ? random.whole(1, left) : left);
	}
	const fails = !isQuiet && counts.length > 1 && random.chance(0.2);
	return { shape, counts, ...(fails && { failsAfter: random.whole(1, counts.length - 1) }) };
}

/** A run that leaves everybody alone who is missing, or that is refused. */
const changed = (node: INode, random: Random): INode => ({
	...node,
	parameters: {
		...node.parameters,
		...random.pick([{ missing: 'ignore' }, { operation: 'upsert' }, { missing: 'nothing' }]),
	},
});

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
	{ world, service, random }: Surroundings,
): Actor => ({
	...{ name: 'sync', everyMs: 7 * minute, retryOnFail, runsOn: true },
	requests: [
		...['POST /contacts/add', 'POST /contacts/update', 'POST /contacts/bulk-delete'],
		...(choice.importsFiles ? ['POST /contacts/upload-csv'] : []),
		...(choice.customFields ? ['POST /contacts/upload-csv', 'GET /custom-fields'] : []),
	],
	begin(isQuiet) {
		const [first, ...others] = syncNodes(choice) as [INode];
		const items = [...world.people.values()].map(itemOf);
		const isChanged = !isQuiet && others.length === 0 && random.chance(0.05);
		const split = choice.shape && splitOf(choice.shape, items.length, isQuiet, random);
		return {
			nodes: [isChanged ? changed(first, random) : first, ...others],
			items,
			...(split && { split }),
			look: () => service.contactsOf(TYPE),
		};
	},
});
