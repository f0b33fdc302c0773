import {
	ExpressionError,
	NodeApiError,
	NodeOperationError,
	UserError,
	type IDataObject,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { ErrorCode } from '../service/errorCode';
import { codeOf, operationError, toFailure, toNodeApiError } from '../service/errors';
import { ServiceError } from '../service/failure';
import { InvalidInput } from '../params/invalidInput';
import type { Item } from '../params/item';
import type { RunContext } from './runContext';

export type NodeError = NodeApiError | NodeOperationError;

/** Whether n8n shows it to people as it is. */
export const isNodeError = (error: unknown): error is NodeError =>
	error instanceof NodeApiError || error instanceof NodeOperationError;

/** What to do, and what an operation that writes has left unchanged. */
const withUnchanged = (remedy: string, unchanged: string, readsOnly = false): string =>
	readsOnly ? remedy : `${remedy} ${unchanged}`;

/** The error that n8n shows if an item fails; it names the item only if there are several. */
export function itemError(
	{ node, hasSeveralItems, readsOnly }: Pick<RunContext, 'node' | 'hasSeveralItems' | 'readsOnly'>,
	error: unknown,
	{ index }: Item,
): NodeError {
	const item = hasSeveralItems ? ` [item ${index}]` : '';
	if (error instanceof InvalidInput) {
		return operationError(node, error.code, error.message + item, {
			description: withUnchanged(error.remedy, 'Nothing was changed for this item.', readsOnly),
			itemIndex: index,
		});
	}
	const failure = toFailure(error, { changesData: false });
	return toNodeApiError(node, { ...failure, message: failure.message + item }, index);
}

/** The error that n8n shows if a run fails as a whole; unknown errors are returned unchanged. */
export function runError(
	{ node, readsOnly }: Pick<RunContext, 'node' | 'readsOnly'>,
	error: unknown,
): unknown {
	if (error instanceof ServiceError) return toNodeApiError(node, error.failure);
	if (error instanceof InvalidInput) {
		return operationError(node, error.code, error.message, {
			description: withUnchanged(error.remedy, 'Nothing was changed.', readsOnly),
			itemIndex: error.itemIndex,
		});
	}
	if (error instanceof ExpressionError || error instanceof UserError) {
		const shown = new NodeOperationError(node, error);
		shown.message = error.message;
		shown.context.code = codeOf(error);
		return shown;
	}
	return error;
}

/**
 * n8n sends an item whose only key is `error` to the error output and adds the keys of the input item to it; of an
 * error object it would keep only the message.
 */
export function errorItem(
	{ message, description, context }: NodeError,
	item: number,
): INodeExecutionData {
	const { code, report } = context as { code?: ErrorCode; report?: IDataObject };
	const error = { ...(code && { code }), message, description, ...report };
	return { json: { error }, pairedItem: { item } };
}

/** What n8n says about a parameter whose expression fails. */
export function expressionError(
	{ node, readsOnly }: Pick<RunContext, 'node' | 'readsOnly'>,
	error: Error,
	itemIndex: number,
): NodeOperationError {
	const { description } = error as { description?: string | null };
	return new NodeOperationError(node, error, {
		itemIndex,
		description:
			description ??
			withUnchanged('Correct the expression.', 'Nothing was changed for this item.', readsOnly),
	});
}
