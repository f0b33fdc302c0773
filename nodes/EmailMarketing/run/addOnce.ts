import { InvalidInput } from '../params/invalidInput';
import { quote } from '../util/text';
import type { Draft, GroupStage, PreparedRequest, SendRequest } from './operation';
import type { Outcome } from './writer/outcome';

const uncertain = 'earlier-item-uncertain';

/** What a request adds, and how other requests for the same are recognized. */
interface Added {
	key: string;
	address: string;
}

/** Whether the address may have been added, by this item or by one before it. */
const isOpen = (outcome: Outcome): boolean =>
	outcome.kind === 'failed' &&
	(outcome.effect === 'unknown' ||
		(outcome.error instanceof InvalidInput && outcome.error.code === uncertain));

/** The decision about a request for an address that earlier items add, too. */
function decide(
	{ item, draft, ...request }: SendRequest,
	did: string,
	address: string,
	outcomes: readonly Outcome[],
): PreparedRequest {
	if (outcomes.some(({ kind }) => kind === 'items')) {
		const message = 'An earlier item adds this address; nothing was written';
		return { kind: 'items', item, items: [{ json: { [did]: false, ...draft.identity, message } }] };
	}
	if (!outcomes.some(isOpen)) return { ...request, item, draft };
	const error = new InvalidInput(
		uncertain,
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
		const last = new Map<string, number>();
		return prepared.map((request, position) => {
			const added = request.kind === 'send' ? addedBy(request.draft) : undefined;
			if (request.kind !== 'send' || added === undefined) return request;
			// It was sent only if all items before it added nothing.
			const earlier = last.get(added.key);
			last.set(added.key, position);
			if (earlier === undefined) return request;
			return {
				...{ kind: 'follow', item: request.item, request, leaders: [earlier] },
				decide: (outcomes) => decide(request, did, added.address, outcomes),
			};
		});
	},
});
