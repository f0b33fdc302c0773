import type { INodeExecutionData } from 'n8n-workflow';

import { ServiceError } from '../api/failure';
import { StreamedForm } from '../api/form';
import type { Fields } from '../api/form';
import type { Operation, PreparedRequest, SendRequest } from './operation';
import type { Outcome } from './outcome';

/** The outcome of what need not be sent. */
export function settledOutcome(request: PreparedRequest): Outcome | undefined {
	if (request.kind === 'items') return request;
	if (request.kind === 'refused') return { kind: 'failed', error: request.error, effect: 'none' };
	return undefined;
}

/** @throws ServiceError */
export async function transmit(
	operation: Operation,
	request: SendRequest,
	body: Fields,
): Promise<INodeExecutionData[]> {
	const {
		endpoint,
		query,
		body: inputs,
		file: fileInput,
		responseEncoding,
		summary,
	} = request.operation ?? operation;
	const { client, draft, file, toItems } = request;
	const form = file && fileInput && new StreamedForm(body, fileInput.field, file);
	return await client.send(
		{
			endpoint,
			query: draft.query,
			...(inputs && { body: form ?? body }),
			responseEncoding,
			labels: { query, body: inputs },
		},
		async (response, info) =>
			await toItems(response, info, { ...draft.identity, ...summary?.(draft) }),
	);
}

export const effectOf = (error: unknown): 'none' | 'unknown' =>
	error instanceof ServiceError ? error.failure.effect : 'none';
