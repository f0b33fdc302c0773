import type {
	DeclarativeRestApiSettings,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import { preparedFor } from './prepare';
import { send } from './runItems';

type Send = (
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

/**
 * Sends the request of an item, or carries out one of the operations that look at all items at once:
 * as a tool, n8n takes every operation for a declarative one.
 */
export function sendOr(customOperations: NonNullable<INodeType['customOperations']>): Send {
	return async function (requestData) {
		const { resource, operation } = this.getNode().parameters;
		const custom = customOperations[String(resource)]?.[String(operation)];
		if (custom === undefined || preparedFor(requestData.options) !== undefined) {
			return await send.call(this, requestData);
		}
		const [items = []] = (await custom.call(ofOneItem(this))) as INodeExecutionData[][];
		return items;
	};
}

/** The context of one item in the form in which all items are handed out together. */
function ofOneItem(context: IExecutePaginationFunctions): IExecuteFunctions {
	const ofItems: Partial<IExecuteFunctions> = {
		getInputData: () => [context.getInputData(0, 'ai_tool')] as INodeExecutionData[],
		getNodeParameter: ((name: string, _item: number, fallback: unknown, options: object) =>
			context.getNodeParameter(
				name,
				fallback as object,
				options,
			)) as IExecuteFunctions['getNodeParameter'],
	};
	return Object.assign(Object.create(context) as IExecuteFunctions, ofItems);
}
