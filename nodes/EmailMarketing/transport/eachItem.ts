import { NodeOperationError, sleep } from 'n8n-workflow';
import type {
	DeclarativeRestApiSettings,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INode,
	INodeExecutionData,
	INodePropertyRouting,
	NodeApiError,
	PostReceiveAction,
} from 'n8n-workflow';

import { credentialOfAllItems, credentialType } from './credential';
import { requestDefaults } from './request';
import { errorItem, send } from './send';

type Step = Exclude<PostReceiveAction, { type: string }>;

/** What the items of one execution have in common. */
interface Shared {
	context: IExecuteFunctions;
	node: INode;
	/** Undefined where it has to be read for each item. */
	credential: ICredentialDataDecryptedObject | undefined;
	routing: INodePropertyRouting;
}

/** The context of one item, in the form in which n8n's own engine hands it to the steps of a row. */
function contextOf(
	{ context, node, credential, routing }: Shared,
	itemIndex: number,
): IExecutePaginationFunctions {
	const { helpers } = context;
	const item = Object.create(context) as IExecutePaginationFunctions;
	const getCredentials = async (type: string) =>
		credential ? { ...credential } : await context.getCredentials(type, itemIndex);
	const ofItem: Partial<IExecutePaginationFunctions> = {
		getNode: () => node,
		getItemIndex: () => itemIndex,
		getInputData: () => context.getInputData()[itemIndex] as INodeExecutionData,
		getNodeParameter: ((name: string, fallback: unknown, options: object) => {
			try {
				return context.getNodeParameter(name, itemIndex, fallback, options);
			} catch (error) {
				throw notWorkedOut(node, error as Error, itemIndex);
			}
		}) as IExecutePaginationFunctions['getNodeParameter'],
		evaluateExpression: (expression) => context.evaluateExpression(expression, itemIndex),
		getCredentials: getCredentials as IExecutePaginationFunctions['getCredentials'],
		helpers: Object.assign(Object.create(helpers) as IExecutePaginationFunctions['helpers'], {
			assertBinaryData: (name: string) => helpers.assertBinaryData(itemIndex, name),
			getBinaryDataBuffer: async (name: string) =>
				await helpers.getBinaryDataBuffer(itemIndex, name),
		}),
		makeRoutingRequest: async ({ options }) => {
			const answer = (await helpers.httpRequestWithAuthentication.call(item, credentialType, {
				...(options as IHttpRequestOptions),
				returnFullResponse: true,
			})) as IN8nHttpFullResponse;
			let items: INodeExecutionData[] = [];
			for (const step of (routing.output?.postReceive ?? []) as Step[]) {
				items = await step.call(item, items, answer);
			}
			return items;
		},
	};
	return Object.assign(item, ofItem);
}

/** What n8n says about a parameter that it cannot work out for an item. */
function notWorkedOut(node: INode, error: Error, itemIndex: number): Error {
	const { description } = error as { description?: string | null };
	return new NodeOperationError(node, error, {
		itemIndex,
		description: description ?? 'Correct the expression. Nothing was sent for this item.',
	});
}

async function runItem(
	context: IExecutePaginationFunctions,
	{ request, send: sending }: INodePropertyRouting,
): Promise<INodeExecutionData[]> {
	let options = {
		...requestDefaults,
		...request,
		headers: { ...requestDefaults.headers },
	} as IHttpRequestOptions;
	for (const step of sending?.preSend ?? []) options = await step.call(context, options);
	const requestData: Partial<DeclarativeRestApiSettings.ResultOptions> = {
		options: options as DeclarativeRestApiSettings.ResultOptions['options'],
	};
	return await send.call(context, requestData as DeclarativeRestApiSettings.ResultOptions);
}

/**
 * Carries out an operation for each item as its row says, in place of n8n's own engine: that works out each expression
 * of the node twice for every field of the same name, shown or not, and reads the credential for every request.
 */
export function eachItem(
	routing: INodePropertyRouting,
): (this: IExecuteFunctions) => Promise<INodeExecutionData[][]> {
	return async function () {
		const { length } = this.getInputData();
		const shared: Shared = {
			context: this,
			node: this.getNode(),
			credential: length > 1 ? await credentialOfAllItems(this) : undefined,
			routing,
		};
		const { batch } = this.getNodeParameter('requestOptions.batching', 0, {}) as {
			batch?: { batchSize?: number; batchInterval?: number };
		};
		const { batchInterval = 0 } = batch ?? {};
		const batchSize = Math.max(1, batch?.batchSize ?? 1);
		const outcomes: Array<Promise<INodeExecutionData[] | NodeApiError>> = [];
		for (let itemIndex = 0; itemIndex < length; itemIndex++) {
			if (itemIndex > 0 && batchInterval > 0 && itemIndex % batchSize === 0) {
				await sleep(batchInterval);
			}
			const outcome = runItem(contextOf(shared, itemIndex), routing);
			outcomes.push(
				outcome.catch((error: NodeApiError) =>
					this.continueOnFail() ? [errorItem(error, itemIndex)] : error,
				),
			);
		}
		const results = await Promise.all(outcomes);
		for (const result of results) {
			if (Array.isArray(result)) continue;
			(result.context ??= {}).runIndex = this.getWorkflowDataProxy(0).$runIndex;
			throw result;
		}
		return [(results as INodeExecutionData[][]).flat()];
	};
}
