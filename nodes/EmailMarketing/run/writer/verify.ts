import { ServiceError } from '../../service/failure';
import type { Failure } from '../../service/failure';
import { addTo } from '../../util/groups';
import type { Outcome } from './outcome';

/** Looks up whether a write with a lost response succeeded. */
export interface Verification<Part> {
	/**
	 * Reads the list again, never from a cache. All actions that share this object share the read.
	 *
	 * @returns whether the list shows that an action succeeded
	 */
	read(): Promise<(part: Part) => boolean>;
	/** The effect of running again, such as `addresses on the list are skipped.` */
	rerun: string;
}

/** The write that may have to be looked up. */
interface Verifiable<Part> {
	part: Part;
	verify?: Verification<Part>;
}

export const LOST_BUT_LISTED = 'The response was lost, but the list is as planned';
export const REJECTED_BUT_LISTED = 'The service rejected the request, but the list is as planned';
export const NOT_LISTED =
	'The list read afterwards does not show this write. Run again to repeat it.';

export const messageOf = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);

/** What happened, as a sentence. */
export const sentenceOf = ({ message }: Failure): string =>
	/[.!?]$/.test(message) ? message : `${message}.`;

/** The same with its advice, unless that depends on whether the write succeeded. */
export const reasonOf = (failure: Failure): string =>
	[sentenceOf(failure), failure.effect === 'none' ? failure.description : '']
		.filter((text) => text !== '')
		.join(' ');

type Failed = Extract<Outcome, { kind: 'failed' }> & { error: ServiceError };

/** Whether a failed write may have succeeded. */
const isUncertain = (outcome: Outcome): outcome is Failed =>
	outcome.kind === 'failed' &&
	outcome.error instanceof ServiceError &&
	(outcome.effect === 'unknown' || outcome.wasRejectedTogether === true);

const failed = (failure: Failure): Outcome => ({
	kind: 'failed',
	error: new ServiceError(failure),
	effect: failure.effect,
	at: new Date().toISOString(),
});

/** The outcome of an uncertain write, once the list shows whether it succeeded. */
function judge(outcome: Failed, isListed: boolean): Outcome {
	const { error, wasRejectedTogether } = outcome;
	if (isListed) {
		const note = wasRejectedTogether ? REJECTED_BUT_LISTED : LOST_BUT_LISTED;
		return { kind: 'items', items: [], note, at: new Date().toISOString() };
	}
	const { failure } = error;
	if (wasRejectedTogether) return failed(failure);
	const message = `${sentenceOf(failure)} ${NOT_LISTED}`;
	return failed({ ...failure, message, description: '', effect: 'none' });
}

/** The same if the list could not be read. */
function unread({ failure }: ServiceError, problem: unknown, rerun: string): Outcome {
	const message = `${sentenceOf(failure)} The list could not be read afterwards (${messageOf(problem)}). Run again: ${rerun}`;
	return failed({
		...failure,
		code: 'write-unverified',
		message,
		description: '',
		effect: 'unknown',
	});
}

/**
 * Looks up uncertain writes, with one read of each list. Reads nothing if no write is uncertain.
 *
 * @returns the final outcomes
 */
export async function verifyAll<Part>(
	planned: ReadonlyArray<Verifiable<Part> | Outcome>,
	outcomes: readonly Outcome[],
): Promise<Outcome[]> {
	const verified = [...outcomes];
	const open = new Map<Verification<Part>, Array<{ position: number; part: Part; own: Failed }>>();
	planned.forEach((one, position) => {
		const own = outcomes[position];
		if ('kind' in one || one.verify === undefined || own === undefined || !isUncertain(own)) return;
		addTo(open, one.verify, { position, part: one.part, own });
	});
	for (const [{ read, rerun }, writes] of open) {
		const isListed = await read().catch((problem: unknown) => ({ problem }));
		for (const { position, part, own } of writes) {
			verified[position] =
				typeof isListed === 'function'
					? judge(own, isListed(part))
					: unread(own.error, isListed.problem, rerun);
		}
	}
	return verified;
}
