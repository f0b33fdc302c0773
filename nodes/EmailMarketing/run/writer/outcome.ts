import type { INodeExecutionData } from 'n8n-workflow';

import { ServiceError } from '../../service/failure';

/** The outcome of an action. */
export type Outcome =
	| {
			kind: 'items';
			items: INodeExecutionData[];
			/** A note, for example that the response was lost and the write was found in its list. */
			note?: string;
			/** Whether it was known without a request, so that this action has written nothing. */
			isUnsent?: true;
			/** When it was known, in ISO 8601. */
			at?: string;
	  }
	| {
			kind: 'failed';
			error: unknown;
			/** Whether the request may have had its effect nonetheless. */
			effect: 'none' | 'unknown';
			/** Whether further tries of the node would refuse it again. */
			isFinal?: boolean;
			/**
			 * Whether it was rejected alone after its batch was rejected: the service may have written a part of the batch.
			 */
			wasRejectedTogether?: boolean;
			at?: string;
	  }
	| { kind: 'notSent' };

export const notSent: Outcome = { kind: 'notSent' };

/** The outcome of all items of a run. */
export interface RunOutcome {
	outcomes: Outcome[];
	/** The unit that `done` and `total` count. */
	unit: 'items' | 'IDs';
	done: number;
	total: number;
}

/** Of a run that counts its items. */
export const runOutcomeOf = (outcomes: Outcome[]): RunOutcome => ({
	outcomes,
	unit: 'items',
	done: outcomes.filter(({ kind }) => kind === 'items').length,
	total: outcomes.length,
});

const effectOf = (error: unknown): 'none' | 'unknown' =>
	error instanceof ServiceError ? error.failure.effect : 'none';

/** Whether it was not sent because the run had already ended. */
const isStopped = (error: unknown): boolean =>
	error instanceof ServiceError && error.failure.isStopped === true;

export const failedWith = (error: unknown): Outcome =>
	isStopped(error) ? notSent : { kind: 'failed', error, effect: effectOf(error) };

/**
 * The same for a failure before its request was sent. For a failed read, it names the list, and says that nothing was
 * written.
 */
export function failedBefore(error: unknown): Outcome {
	if (!(error instanceof ServiceError) || error.failure.readOf === undefined) {
		return failedWith(error);
	}
	const { readOf, ...failure } = error.failure;
	const description = `"${readOf}" could not be read, so nothing was changed for this item. ${failure.description}`;
	return failedWith(new ServiceError({ ...failure, description }));
}
