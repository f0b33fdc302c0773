import { ExpressionError, NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { InvalidInput } from '../params/validators';
import { credentialType } from '../api/credential';
import { isId, coerceNumber, coerceText } from '../util/coerce';
import { sanitize, quote } from '../util/text';
import { DeletionLimitError } from './execute';
import { Pool } from '../util/pool';
import { withLock } from '../util/mutex';

interface Batching {
	batch?: { batchSize?: number; batchInterval?: number };
}

const DEFAULT_AT_A_TIME = 10;

/**
 * @param context the running node
 * @returns how fast it may write: its own option, n8n's batching, and no more once the execution is cancelled
 */
export function poolOf(context: IExecuteFunctions): Pool {
	const { batch } = (context.getNodeParameter('requestOptions.batching', 0, {}) ?? {}) as Batching;
	const parallel = coerceNumber(
		context.getNodeParameter('options.requestsAtATime', 0, DEFAULT_AT_A_TIME),
	);
	return new Pool({
		parallel: Math.max(1, Math.floor(parallel) || DEFAULT_AT_A_TIME),
		...(batch && {
			throttle: { size: batch.batchSize ?? 50, pauseMs: batch.batchInterval ?? 1000 },
		}),
		signal: context.getExecutionCancelSignal(),
	});
}

/**
 * Reads an id that holds for the whole run. With deletions in play, a mix-up must not go unnoticed.
 *
 * @param context the running node
 * @param parameter the resource locator
 * @param label its label
 * @returns the id
 * @throws NodeOperationError when there is none, or when items differ in it
 */
export function readId(context: IExecuteFunctions, parameter: string, label: string): number {
	const read = (item: number) =>
		coerceText(context.getNodeParameter(parameter, item, '', { extractValue: true })).trim();
	const first = read(0);
	if (!isId(first)) {
		throw new NodeOperationError(context.getNode(), `"${label}" has no valid ID: ${quote(first)}`, {
			description: 'Choose from the list, or enter a numeric ID.',
		});
	}
	const saved = context.getNode().parameters[parameter] as IDataObject | undefined;
	const varies = coerceText(saved?.value).startsWith('=');
	const count = varies ? context.getInputData().length : 0;
	for (let item = 1; item < count; item++) {
		if (read(item) === first) continue;
		throw new NodeOperationError(
			context.getNode(),
			`"${label}" is ${sanitize(read(item), 60) || 'empty'} for item ${item}, but ${first} for item 0`,
			{ itemIndex: item, description: `Run the node once for each "${label}".` },
		);
	}
	return Number(first);
}

/**
 * Runs what reads a list and then adds to it, when no other execution of this n8n is at it.
 *
 * @param context the running node
 * @param list names the list; accounts of the same service share the queues of lists with the same name, which costs
 * no more than time
 * @param work what reads and adds
 * @returns what `work` returns
 * @throws Cancelled; what `work` throws
 */
export async function exclusively<T>(
	context: IExecuteFunctions,
	list: string,
	work: () => Promise<T>,
): Promise<T> {
	const { baseUrl } = await context.getCredentials(credentialType);
	return await withLock(`${String(baseUrl)} ${list}`, context.getExecutionCancelSignal(), work);
}

function asNodeError(context: IExecuteFunctions, error: unknown): unknown {
	if (error instanceof InvalidInput) {
		return new NodeOperationError(context.getNode(), error.message, {
			description: `${error.remedy} Nothing was sent.`,
		});
	}
	// An expression that cannot be worked out; n8n's own handling of it would let the input out as if it had been done.
	if (error instanceof ExpressionError || error instanceof UserError) {
		return new NodeOperationError(context.getNode(), error);
	}
	if (!(error instanceof DeletionLimitError)) return error;
	return new NodeOperationError(context.getNode(), error.message, {
		description:
			'Nothing was written. Check that the input is complete. If the deletions are meant, look at them with "Dry Run", then raise "Stop If More Than" in Options.',
	});
}

/**
 * Runs an operation on all items at once. What stops it as a whole is one error, which goes to the error output when
 * that is on.
 *
 * @param context the running node
 * @param operation gives the items of the output
 * @returns the outputs of the node
 * @throws NodeOperationError or NodeApiError unless the node is set to continue
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[][]> {
	try {
		return [await operation()];
	} catch (caught) {
		const error = asNodeError(context, caught);
		const forOutput = error instanceof NodeOperationError || error instanceof NodeApiError;
		if (!context.continueOnFail() || !forOutput) throw error;
		const { message, description } = error;
		return [[{ json: { error: { message, description } }, pairedItem: { item: 0 } }]];
	}
}
