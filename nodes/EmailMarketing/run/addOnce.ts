import { InvalidInput } from '../params/invalidInput';
import { quote } from '../util/text';
import type { Draft, GroupStage, PreparedRequest, SendRequest } from './operation';
import { SameRecord } from './sameRecord';
import type { Outcome } from './writer/outcome';

/** What a request adds, and how other requests for the same are recognized. */
interface Added {
	key: string;
	address: string;
}

/** The decision about a request for an address that other items add, too. */
function decide(
	request: SendRequest,
	did: string,
	address: string,
	outcomes: readonly Outcome[],
): PreparedRequest {
	const { item, draft } = request;
	if (outcomes.some(({ kind }) => kind === 'items')) {
		const message = 'An earlier item adds this address; nothing was written';
		return { kind: 'items', item, items: [{ json: { [did]: false, ...draft.identity, message } }] };
	}
	if (!outcomes.some((one) => one.kind === 'failed' && one.effect === 'unknown')) return request;
	const error = new InvalidInput(
		'earlier-item-uncertain',
		`An earlier item may have saved the address ${quote(address)}, but its response was lost`,
		'Check the service, and run the node again with this item if it is still needed.',
	);
	return { kind: 'refused', item, error, isFinal: true };
}

/**
 * An address that several items add is added once: a later item is sent only if the earlier ones certainly added nothing.
 *
 * @param did the first key of the output
 * @param addedBy undefined for a request that adds several
 */
export const addOnce = (did: string, addedBy: (draft: Draft) => Added | undefined): GroupStage => ({
	check: () => undefined,
	async resolve(_run, prepared) {
		const same = new SameRecord(prepared, (draft) => addedBy(draft)?.key);
		return prepared.map((request, position) => {
			const added = request.kind === 'send' ? addedBy(request.draft) : undefined;
			if (request.kind !== 'send' || added === undefined) return request;
			const leaders = same.join(added.key, position);
			if (leaders.count === 0) return request;
			return {
				...{ kind: 'follow', item: request.item, request, leaders },
				decide: (outcomes) => decide(request, did, added.address, outcomes),
			};
		});
	},
});
