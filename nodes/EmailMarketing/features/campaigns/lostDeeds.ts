import { InvalidInput } from '../../params/invalidInput';
import type { Draft, DraftStep } from '../../run/operation';
import { Starts } from '../../run/writer/starts';

/** A request that must not be repeated within an execution while nobody knows whether it succeeded. */
export interface LostDeed {
	/** Names what it does, within an account. */
	key: string;
	/** What it may have done, as the beginning of a sentence. */
	deed: string;
	remedy: string;
}

const subjectOf = ({ run }: Draft, { key }: LostDeed): string => `${run.account} ${key}`;

/**
 * After another item, node or run of the execution has lost the response to the same request.
 *
 * @throws InvalidInput
 */
export function refuseLost(draft: Draft, lost: LostDeed): void {
	const starter = new Starts(draft.run).starterOf(subjectOf(draft, lost), draft.item);
	if (starter === undefined) return;
	const message = `${lost.deed} by ${starter}, but its response was lost`;
	throw new InvalidInput('earlier-item-uncertain', message, lost.remedy);
}

/** To be called when the response to a request is lost. */
export const noteLost = (draft: Draft, lost: LostDeed): void =>
	new Starts(draft.run).note(subjectOf(draft, lost), draft.item);

/** Refuses a request that was lost before, and notes it if it is lost. */
export const notAgainIfLost =
	(lostOf: (draft: Draft) => LostDeed): DraftStep =>
	async (draft) => {
		const lost = lostOf(draft);
		refuseLost(draft, lost);
		draft.onSent = (items) => {
			if (items.length === 0) noteLost(draft, lost);
		};
	};
