import type { INodeExecutionData } from 'n8n-workflow';

import { ServiceError } from '../../service/failure';

/** What became of an action. */
export type Outcome =
	| {
			kind: 'items';
			items: INodeExecutionData[];
			/** What else to know, such as that the response was lost and the write was found in its list. */
			note?: string;
			/** When it was known, in ISO 8601. */
			at?: string;
	  }
	| {
			kind: 'failed';
			error: unknown;
			/** Whether the request may have had its effect nonetheless. */
			effect: 'none' | 'unknown';
			/** Whether further tries of the node refuse it as well. */
			isFinal?: boolean;
			/** Whether it was rejected alone after its batch was: the service may have carried out a part of the batch. */
			wasRejectedTogether?: boolean;
			at?: string;
	  }
	| { kind: 'notSent' };

export const notSent: Outcome = { kind: 'notSent' };

/** What became of all items of a run. */
export interface Sent {
	outcomes: Outcome[];
	/** What `done` and `total` count. */
	unit: 'items' | 'IDs';
	done: number;
	total: number;
}

const effectOf = (error: unknown): 'none' | 'unknown' =>
	error instanceof ServiceError ? error.failure.effect : 'none';

/** Whether nothing was sent, since the run had ended by then. */
const isStopped = (error: unknown): boolean =>
	error instanceof ServiceError && error.failure.isStopped === true;

export const failedWith = (error: unknown): Outcome =>
	isStopped(error) ? notSent : { kind: 'failed', error, effect: effectOf(error) };

/** The same of what failed before its request was sent: of a read it says what it was about, and that nothing was written. */
export function failedBefore(error: unknown): Outcome {
	if (!(error instanceof ServiceError) || error.failure.readOf === undefined) {
		return failedWith(error);
	}
	const { readOf, ...failure } = error.failure;
	const description = `"${readOf}" could not be read, so nothing was sent for this item. ${failure.description}`;
	return failedWith(new ServiceError({ ...failure, description }));
}
