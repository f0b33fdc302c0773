import type { Draft, GroupStage } from '../../run/operation';
import { decideAfter, SameRecord } from '../../run/sameRecord';
import { addressKey, spellingKey } from '../../util/email';
import { quote } from '../../util/text';

const ADDED = 'An earlier item adds this address; nothing was written';

/** What a request adds, and how other requests for the same are recognized. */
interface Added {
	key: string;
	address: string;
}

/**
 * An address that several items add is added once: a later item is sent only if the earlier ones certainly added nothing.
 *
 * @param did the first key of the output
 * @param addedBy undefined for a request that adds several
 */
const addOnce = (did: string, addedBy: (draft: Draft) => Added | undefined): GroupStage => ({
	async resolve(_run, planned) {
		const same = new SameRecord(planned, (draft) => addedBy(draft)?.key);
		return planned.map((request, position) => {
			const added = request.kind === 'send' ? addedBy(request.draft) : undefined;
			if (request.kind !== 'send' || added === undefined) return request;
			const leaders = same.join(added.key, position);
			if (leaders.count === 0) return request;
			return {
				...{ kind: 'follow', item: request.item, request, leaders },
				decide: (outcomes) =>
					decideAfter(request, outcomes, `address ${quote(added.address)}`, () => ({
						kind: 'items',
						item: request.item,
						items: [{ json: { [did]: false, ...request.draft.identity, message: ADDED } }],
					})),
			};
		});
	},
});

/** Global Unsubscribe: Add (2) with one address. The service matches each spelling of an address only. */
export const addListedOnce = addOnce('added', ({ body }) => {
	const address = String(body.email_address);
	return address.includes(',') ? undefined : { key: spellingKey(address), address };
});

/** Segment: Add Recipient (28). */
export const addToSegmentOnce = addOnce('added', ({ body }) => {
	const address = String(body.email);
	return { key: `${String(body.segment_id)} ${addressKey(address)}`, address };
});

/** Notification Recipient: Create (50b). */
export const notifyOnce = addOnce('created', ({ body }) => {
	const address = String(body.email_address);
	return { key: addressKey(address), address };
});
