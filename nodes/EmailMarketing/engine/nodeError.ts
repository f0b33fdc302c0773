import type { NodeApiError } from 'n8n-workflow';
import {
	ExpressionError,
	NodeOperationError,
	UserError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { toFailure, toNodeApiError } from '../api/errors';
import { ServiceError } from '../api/failure';
import { InvalidInput } from '../params/invalidInput';
import type { Item } from '../params/item';

export type NodeError = NodeApiError | NodeOperationError;

/** The error that n8n shows if an item fails. */
export function itemError(node: INode, error: unknown, { index }: Item): NodeError {
	if (error instanceof InvalidInput) {
		return new NodeOperationError(node, `${error.message} [item ${index}]`, {
			description: `${error.remedy} Nothing was sent for this item.`,
			itemIndex: index,
		});
	}
	return toNodeApiError(node, toFailure(error, { changesData: false }), index);
}

/** The error that n8n shows if a run fails as a whole; what is not known here is returned as it is. */
export function runError(node: INode, error: unknown): unknown {
	if (error instanceof ServiceError) return toNodeApiError(node, error.failure);
	if (error instanceof InvalidInput) {
		return new NodeOperationError(node, error.message, {
			description: `${error.remedy} Nothing was sent.`,
		});
	}
	if (error instanceof ExpressionError || error instanceof UserError) {
		return new NodeOperationError(node, error);
	}
	return error;
}

/**
 * n8n sends an item whose only key is `error` to the error output and adds the keys of the input item to it; of an item
 * with an error object it would keep the message alone.
 */
export function errorItem(
	{ message, description, context }: NodeError,
	item: number,
): INodeExecutionData {
	const report = context.report as IDataObject | undefined;
	return { json: { error: { message, description, ...report } }, pairedItem: { item } };
}

/** What n8n says about a parameter whose expression fails. */
export function expressionError(node: INode, error: Error, itemIndex: number): NodeOperationError {
	const { description } = error as { description?: string | null };
	return new NodeOperationError(node, error, {
		itemIndex,
		description: description ?? 'Correct the expression. Nothing was sent for this item.',
	});
}
