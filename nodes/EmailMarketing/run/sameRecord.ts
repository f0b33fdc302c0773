import { InvalidInput } from '../params/invalidInput';
import { addTo } from '../util/groups';
import type { Draft, Leaders, ItemPlan, SendRequest } from './operation';
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
 * @param noun what messages call the record, without an article
 * @param whenDone decides about the request if one of them succeeded
 */
export function decideAfter(
	request: SendRequest,
	outcomes: readonly Outcome[],
	noun: string,
	whenDone: (done: Outcome & { kind: 'items' }) => ItemPlan,
): ItemPlan {
	const done = outcomes.find((outcome) => outcome.kind === 'items');
	if (done) return whenDone(done);
	if (outcomes.length === 0) return request;
	const error = new InvalidInput(
		'earlier-item-uncertain',
		`An earlier item may have saved the ${noun}, but its response was lost`,
		'Check the service, and run the node again with this item if it is still needed.',
	);
	return { kind: 'refused', item: request.item, error, isFinal: true };
}
