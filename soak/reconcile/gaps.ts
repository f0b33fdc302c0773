import { expected, lost, type Finding } from './finding.ts';
import type { Observation } from './observations.ts';

/** How long before a kill something may have happened that the last observation before the kill saw as new. */
const reachMs = 10_000;

/** A moment at which events may go without a mistake of the nodes. */
export interface Gap {
	at: number;
	/** Not before this did happen what is gone. */
	since: number;
	why: string;
}

/**
 * The gaps of one trigger.
 *
 * @param kills that may fall between what n8n saves of a observation and the execution that it saves after it
 */
export const gapsOf = (observations: Observation[], kills: Date[]): Gap[] => [
	...observations
		.map((observation, index) => ({ ...observation, before: observations[index - 1]?.at ?? 0 }))
		.filter(({ hidden }) => hidden)
		.map(({ id, at, before }) => ({
			at,
			since: before - reachMs,
			why: `n8n has kept no data of execution ${id}, which a kill cut short`,
		})),
	...kills.map((kill) => {
		const at = kill.getTime();
		const why = `n8n was killed at ${kill.toISOString()}, maybe before it had saved the execution`;
		return { at, since: at - reachMs, why };
	}),
];

/**
 * A loss, or one that was to be expected since it fits a gap.
 *
 * @param changes when there was something to tell
 * @param after when the record was told of last
 * @param until when the loss showed
 */
export function missing(
	text: string,
	gaps: Gap[],
	changes: number[],
	after = -Infinity,
	until = Infinity,
): Finding {
	const untold = changes.filter((change) => change > after);
	const fits = ({ at, since }: Gap) =>
		at <= until && untold.some((change) => since <= change && change <= at);
	const gap = gaps.find(fits);
	return gap === undefined ? lost(text) : expected(`${text}: ${gap.why}`);
}
