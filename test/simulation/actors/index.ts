import type { Random } from '../../../soak/random.ts';
import type { Limit } from '../../histories/evidence.ts';
import type { Actor, Surroundings } from './actor.ts';
import { campaignsActor } from './campaigns.ts';
import { erasuresActor } from './erasures.ts';
import { importsActor } from './imports.ts';
import { RECIPIENT_RESOURCES, recipientsActor, type RecipientChoice } from './recipients.ts';
import { SHAPES } from '../n8n.ts';
import { syncActor, type Missing, type SyncChoice } from './sync.ts';

export { recipientList } from './recipients.ts';
export { EVENTS, THRESHOLD, watch } from './watch.ts';

export interface ActorChoice {
	sync: SyncChoice;
	recipients: RecipientChoice;
	/** Those that act beside the sync. */
	others: string[];
	retriesOnFail: boolean;
	fewUnsubscribe: boolean;
}

const onErrorOf = (random: Random) => random.pick(['stopWorkflow', 'continueErrorOutput'] as const);

const LIMITS = ['maxAdditions', 'maxUpdates', 'maxRemovals', 'maxFailures'];

const limitsOf = (random: Random): Limit[] =>
	random.chance(0.7) ? [] : [{ kind: random.pick(LIMITS), value: random.whole(1, 3) }];

/** Limits hold for each run, and a plan is approved as a whole. */
function withShape(choice: SyncChoice, random: Random): SyncChoice {
	if (choice.isApproved || random.chance(0.5)) return choice;
	return { ...choice, limits: [], shape: random.pick(SHAPES) };
}

export function chooseActors(random: Random): ActorChoice {
	return {
		sync: withShape(
			{
				missing: random.pick<Missing>([
					...([
						'ignore',
						'delete',
						'delete',
						'moveToContactType',
						'addToUnsubscribeGroup',
					] as const),
				]),
				removeAfter: random.whole(1, 3),
				onlyAddedBySync: random.chance(0.6),
				isApproved: random.chance(0.25),
				hasIds: random.of('ids').chance(0.3),
				hasContactIds: random.of('contact IDs').chance(0.4),
				isMatchedById: random.of('match by').chance(0.75),
				emptyValues: random.of('empty values').pick(['ignore', 'clear']),
				hasEmptyCells: random.of('empty cells').chance(0.5),
				customFields: random
					.of('custom fields')
					.pick([undefined, undefined, 'ignore', 'import', 'importOrFail']),
				recreateRemoved: random.of('recreate').chance(0.25),
				limits: limitsOf(random.of('limits')),
				importsFiles: random.chance(0.25),
				onError: onErrorOf(random),
			},
			random.of('shape'),
		),
		recipients: {
			resource: random.pick(RECIPIENT_RESOURCES),
			missing: random.pick(['ignore', 'delete', 'delete']),
			removeAfter: random.whole(1, 3),
			onlyAddedBySync: random.chance(0.6),
			isApproved: random.of('approved recipients').chance(0.25),
			recreateRemoved: random.of('recreate recipients').chance(0.25),
			limits: limitsOf(random.of('limits of recipients')),
			onError: onErrorOf(random),
		},
		others: Object.keys(OTHERS).filter(() => random.chance(0.4)),
		retriesOnFail: random.chance(0.5),
		fewUnsubscribe: random.of('unsubscribes').chance(0.5),
	};
}

const OTHERS: Record<string, (choice: ActorChoice, surroundings: Surroundings) => Actor> = {
	campaigns: ({ retriesOnFail }, surroundings) => campaignsActor(retriesOnFail, surroundings),
	erasures: ({ retriesOnFail }, surroundings) => erasuresActor(retriesOnFail, surroundings),
	imports: ({ retriesOnFail }, surroundings) => importsActor(retriesOnFail, surroundings),
	recipients: ({ retriesOnFail, recipients }, surroundings) => {
		const { world } = surroundings;
		world.recipientsUnsubscribe = recipients.resource === 'segment';
		return recipientsActor(recipients, retriesOnFail, surroundings);
	},
};

/** The workflows of a simulation. */
export function actorsOf(choice: ActorChoice, surroundings: Surroundings): Actor[] {
	const { random } = surroundings;
	const of = (name: string) => ({ ...surroundings, random: random.of(name) });
	const { hasIds, hasContactIds, hasEmptyCells, customFields } = choice.sync;
	const hasCustomFields = customFields !== undefined;
	if (choice.fewUnsubscribe) surroundings.world.mostUnsubscribes = 3;
	Object.assign(surroundings.world, { hasIds, hasContactIds, hasEmptyCells, hasCustomFields });
	return [
		syncActor(choice.sync, choice.retriesOnFail, of('sync')),
		...choice.others.map((name) => OTHERS[name]?.(choice, of(name)) as Actor),
	];
}
