import type { INodeExecutionData } from 'n8n-workflow';

import type { Endpoint } from '../service/endpoints';
import { ServiceError } from '../service/failure';
import { StreamedForm } from '../service/form';
import type { Fields } from '../service/form';
import type { Item } from '../params/item';
import type { Operation, PreparedRequest, SendRequest } from './operation';
import type { Outcome } from './outcome';

/** The outcome of what need not be sent. */
export function settledOutcome(request: PreparedRequest): Outcome | undefined {
	if (request.kind === 'items') return request;
	if (request.kind !== 'refused') return undefined;
	return { kind: 'failed', error: namingRead(request.error), effect: 'none' };
}

/** Says of a read that failed before a write what it was about, and that nothing was written. */
export function namingRead(error: unknown): unknown {
	if (!(error instanceof ServiceError) || error.failure.readOf === undefined) return error;
	const { readOf, ...failure } = error.failure;
	const description = `"${readOf}" could not be read, so nothing was sent for this item. ${failure.description}`;
	return new ServiceError({ ...failure, description });
}

/** A write of which the reference names two methods is sent once, with the one that is chosen. */
function withMethod(endpoint: Endpoint, item: Item): Endpoint {
	const { otherMethod } = endpoint;
	if (otherMethod === undefined || !endpoint.changesData) return endpoint;
	const isChosen = item.param('options.requestMethod', endpoint.method) === otherMethod;
	return isChosen ? { ...endpoint, method: otherMethod } : endpoint;
}

/** @throws ServiceError */
export async function sendRequest(
	operation: Operation,
	request: SendRequest,
	body: Fields,
): Promise<INodeExecutionData[]> {
	const { endpoint, query, body: inputs, file: fileInput } = request.operation ?? operation;
	const { client, draft, item, toItems } = request;
	const { file, clearance, identity } = draft;
	const form = file && fileInput && new StreamedForm(body, fileInput.field, file);
	return await client.send(
		{
			endpoint: withMethod(endpoint, item),
			query: draft.query,
			...(inputs && { body: form ?? body }),
			...(clearance && { clearance }),
			labels: { query, body: inputs },
		},
		async (response, info) => await toItems(response, info, { ...identity }),
	);
}

export const effectOf = (error: unknown): 'none' | 'unknown' =>
	error instanceof ServiceError ? error.failure.effect : 'none';

/** Whether nothing was sent, since the run had ended by then. */
export const isStopped = (error: unknown): boolean =>
	error instanceof ServiceError && error.failure.isStopped === true;
