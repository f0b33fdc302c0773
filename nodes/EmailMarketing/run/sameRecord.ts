import { InvalidInput } from '../params/invalidInput';
import { addTo } from '../util/groups';
import type { Draft, GroupStage, Leaders, ItemPlan, SendRequest } from './operation';
import type { Outcome } from './writer/outcome';

/** Groups the requests of a run by record: those of an earlier try of the node first, then the others as they join. */
export class SameRecord {
	private readonly groups = new Map<string, number[]>();

	/** @param keyOf names the record of a request; undefined for a request that is about several */
	constructor(planned: readonly ItemPlan[], keyOf: (draft: Draft) => string | undefined) {
		for (const [position, request] of planned.entries()) {
			const key = 'prior' in request && request.prior ? keyOf(request.prior) : undefined;
			if (key !== undefined) addTo(this.groups, key, position);
		}
	}

	join(key: string, position: number): Leaders {
		addTo(this.groups, key, position);
		const positions = this.groups.get(key) ?? [];
		return { positions, count: positions.length - 1 };
	}
}

/**
 * A request whose record other items write, too, is sent only if all of them certainly failed.
 *
 * @param outcomes of the others that may have succeeded, up to the first that certainly did
 * @param deed what messages say that they may have done, such as `saved the address "a@example.com"`
 * @param whenDone decides about the request if one of them succeeded
 */
export function decideAfter(
	request: SendRequest,
	outcomes: readonly Outcome[],
	deed: string,
	whenDone: (done: Outcome & { kind: 'items' }) => ItemPlan,
): ItemPlan {
	const done = outcomes.find((outcome) => outcome.kind === 'items');
	if (done) return whenDone(done);
	if (outcomes.length === 0) return request;
	const error = new InvalidInput(
		'earlier-item-uncertain',
		`An earlier item may have ${deed}, but its response was lost`,
		'Check the service, and run the node again with this item if it is still needed.',
	);
	return { kind: 'refused', item: request.item, error, isFinal: true };
}

/** What a request does, and how other requests that do the same are recognized. */
interface Deed {
	key: string;
	/** As in `decideAfter`. */
	deed: string;
}

/**
 * What several items ask for is done once: a later item is sent only if the earlier ones certainly failed.
 *
 * @param did the first key of the output
 * @param message of the output of an item that is not sent
 * @param deedOf undefined for a request that is never left out
 */
export const onlyOnce = (
	did: string,
	message: string,
	deedOf: (draft: Draft) => Deed | undefined,
): GroupStage => ({
	async resolve(_run, planned) {
		const same = new SameRecord(planned, (draft) => deedOf(draft)?.key);
		return planned.map((request, position) => {
			const asked = request.kind === 'send' ? deedOf(request.draft) : undefined;
			if (request.kind !== 'send' || asked === undefined) return request;
			const leaders = same.join(asked.key, position);
			if (leaders.count === 0) return request;
			return {
				...{ kind: 'follow', item: request.item, request, leaders },
				decide: (outcomes) =>
					decideAfter(request, outcomes, asked.deed, () => ({
						kind: 'items',
						item: request.item,
						items: [{ json: { [did]: false, ...request.draft.identity, message } }],
					})),
			};
		});
	},
});
