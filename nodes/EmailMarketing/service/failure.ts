import type { IDataObject } from 'n8n-workflow';

import type { ErrorCode } from './errorCode';

/** An HTTP response with any status. */
export interface HttpResponse {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

export interface SentField {
	label?: string;
	/** Further advice if the service rejects it. */
	ifRejected?: string;
}

/** The facts about a request that decide how its failure is worded. */
export interface RequestInfo {
	/** A read may be repeated; any other request may already have had its effect. */
	changesData: boolean;
	/** The fields that were sent, with their labels in the editor. */
	query?: Record<string, SentField>;
	body?: Record<string, SentField>;
	/** The values of the query. That of a record is its ID or UTR. */
	asked?: readonly string[];
	/** The keys of the credential, which no text of the service may show. */
	keys?: readonly string[];
	/** Another possible reason for a record that is not found. */
	ifNotFound?: string;
	/** Advice if the service does not allow the method. */
	ifNoMethod?: string;
	/** Whether the service confirms it under the key `errors`. */
	confirmsUnderErrors?: boolean;
}

/** Why a request failed, worded for the person who runs the workflow. */
export interface Failure {
	/** Undefined for errors of n8n itself, such as those of an expression. */
	code: ErrorCode | undefined;
	message: string;
	description: string;
	/** HTTP status; absent if no response arrived. */
	httpCode?: string;
	/** Whether the request may have had its effect nonetheless. */
	effect: 'none' | 'unknown';
	/** Whether the same request may succeed a little later. */
	retryable?: boolean;
	/** From the header Retry-After, in milliseconds. */
	retryAfterMs?: number;
	/** The names of the fields that the service rejected, none if it rejected the request without naming any. */
	rejectedFields?: string[];
	/** Whether the service refused the request because the record does not exist. */
	isNotFound?: true;
	/** Whether it was not sent because the execution was canceled or another item failed. */
	isStopped?: true;
	/** Whether no response came in time. */
	isSilent?: true;
	/** The label of the list or record that could not be read, such as "Contact Type". */
	readOf?: string;
	/** Further details for the error output and the error data. */
	report?: IDataObject;
}

/** Whether the service refused the request itself, so that the same request would fail again. */
export function isRejected({ effect, retryable = false, httpCode }: Failure): boolean {
	return effect === 'none' && !retryable && httpCode !== undefined;
}

export class ServiceError extends Error {
	readonly failure: Failure;

	constructor(failure: Failure) {
		super(failure.message);
		this.name = 'ServiceError';
		this.failure = failure;
	}
}

/** @throws any error other than a failure of the service */
export function serviceErrorOf(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	throw error;
}

const unclear = 'The request may have succeeded. Check the service before running it again.';
const unchanged = 'Nothing was changed.';

/** The sentence that says whether a failed request can have had an effect. */
export function effectSentence(info: RequestInfo, effect: Failure['effect']): string {
	if (!info.changesData) return '';
	return effect === 'none' ? unchanged : unclear;
}

/** The advice of a failure, with its effect on the data. If the write may have succeeded, checking that comes first. */
export function adviceOf(
	{ description, effect }: Pick<Failure, 'description' | 'effect'>,
	info: RequestInfo,
): string {
	const sentence = effectSentence(info, effect);
	const isLost = info.changesData && effect === 'unknown';
	const advice = isLost
		? [sentence, description.replace(/^Try again(?: later)?\. ?/, '')]
		: [description, sentence];
	return advice.filter((part) => part !== '').join(' ');
}
