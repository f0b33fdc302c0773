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

import { credentialOfAllItems, credentialType } from '../api/credential';
import { requestDefaults } from '../api/http';
import { toBatching } from './runContext';
import type { Batching } from './runContext';
import { errorItem, send } from './runItems';

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
function notWorkedOut(node: INode, error: Error, itemIndex: number): NodeOperationError {
	const { description } = error as { description?: string | null };
	return new NodeOperationError(node, error, {
		itemIndex,
		description: description ?? 'Correct the expression. Nothing was sent for this item.',
	});
}

/** "Batching" of Request Options, or why it cannot be worked out. */
function batchingOf({ context, node }: Shared): Batching | NodeOperationError {
	try {
		return toBatching(context.getNodeParameter('requestOptions.batching.batch', 0, {}));
	} catch (error) {
		return notWorkedOut(node, error as Error, 0);
	}
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

async function runItems(
	shared: Shared,
	length: number,
	{ size, pauseMs }: Batching,
): Promise<INodeExecutionData[]> {
	const { context, routing } = shared;
	const cancelled = context.getExecutionCancelSignal();
	let hasFailed = false;
	const outcomes: Array<Promise<INodeExecutionData[] | NodeApiError>> = [];
	for (let itemIndex = 0; itemIndex < length; itemIndex++) {
		if (itemIndex > 0 && pauseMs > 0 && itemIndex % size === 0) await sleep(pauseMs);
		if (hasFailed || cancelled?.aborted) break;
		const outcome = runItem(contextOf(shared, itemIndex), routing);
		outcomes.push(
			outcome.catch((error: NodeApiError) => {
				if (context.continueOnFail()) return [errorItem(error, itemIndex)];
				hasFailed = true;
				return error;
			}),
		);
	}
	const results = await Promise.all(outcomes);
	for (const result of results) {
		if (Array.isArray(result)) continue;
		(result.context ??= {}).runIndex = context.getWorkflowDataProxy(0).$runIndex;
		throw result;
	}
	return (results as INodeExecutionData[][]).flat();
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
			credential: length > 1 ? await credentialOfAllItems(this, length) : undefined,
			routing,
		};
		const batching = batchingOf(shared);
		if (!(batching instanceof NodeOperationError)) {
			return [await runItems(shared, length, batching)];
		}
		if (!this.continueOnFail()) throw batching;
		// n8n itself would let the items out as if they had been done.
		return [Array.from({ length }, (_, itemIndex) => errorItem(batching, itemIndex))];
	};
}
