import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodePropertyRouting,
	INodeProperties,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';

import { credentialType } from '../service/client';
import type { Endpoint } from '../service/endpoints';
import type { Item } from '../params/item';
import type { Input } from '../params/validators';
import { isExpression, rawParameter } from '../params/values';
import { coerceNumber } from '../util/coerce';
import { performPerAccount, credentialOrError, readCredentials } from './accounts';
import type { Perform, Start } from './accounts';
import { bulkDelete, idsField } from './bulkDelete';
import { withHelp } from './help';
import { errorItem, expressionError, runError } from './nodeError';
import type { Gate, ItemWork, Operation, Row } from './operation';
import { done } from './output/responseMappers';
import { isTool } from './runContext';
import type { RunContext } from './runContext';
import { runEach } from './runEach';
import { runItems } from './runItems';
import type { SendAll } from './runItems';
import { ledgerOf } from './writer/ledger';

/** n8n's routing of an operation, with the function that the engine runs instead. */
interface Routing extends INodePropertyRouting {
	operations: { pagination: PaginationHook };
}

interface PaginationHook {
	(this: IExecutePaginationFunctions): Promise<INodeExecutionData[]>;
	perform: Perform;
	/** Absent for an operation that calls more than one endpoint. */
	operation?: Operation;
}

/** An operation that calls one endpoint for each item. */
export function call<E extends Endpoint>(endpoint: E, row: Row<E>): INodePropertyRouting {
	return routingOf({ endpoint, ...row });
}

function routingOf(operation: Operation, sendAll?: SendAll): INodePropertyRouting {
	const { method, path } = operation.endpoint;
	return {
		request: { method, url: path },
		...routing(performing(operation, sendAll), operation),
	};
}

/** Runs an operation that calls one endpoint for each item. */
const performing = (operation: Operation, sendAll?: SendAll): Perform =>
	Object.assign(async (run: RunContext) => await runItems(run, operation, sendAll), {
		readsOnly: !operation.endpoint.changesData,
	});

/** Like `call`, for an operation that shares its endpoint with another one, such as a report. */
export function callShared<E extends Endpoint>(endpoint: E, row: Row<E>): INodePropertyRouting {
	return routing(performing({ endpoint, ...row }));
}

/** A bulk delete, with the IDs of many items in one request. */
export function callBulkDelete<E extends Endpoint>(
	endpoint: E,
	ids: Input,
	...[gate]: Row<E>['gate'] extends Gate ? [gate: Row<E>['gate']] : []
): INodePropertyRouting {
	const body = { [idsField]: ids };
	return routingOf({ endpoint, gate, body, output: done('deleted') }, bulkDelete);
}

/** An operation that sends several requests for each item by itself. */
export function callForEachItem<ItemParameters>(
	work: ItemWork<ItemParameters>,
): INodePropertyRouting {
	const perform = async (run: RunContext) => await runEach(run, work);
	return routing(Object.assign(perform, { readsOnly: !work.changesData }));
}

/**
 * An operation on all items. A failure that stops all of it is one error. If n8n runs the node again because of a few
 * items, what the first try did is still told if the second one fails.
 */
export function callOnAllItems(
	perform: Perform,
	given: Pick<Perform, 'readsOnly' | 'around'> = {},
): INodePropertyRouting {
	const performOnAll: Perform = async (run) => {
		const outputs = run.ledger.notesOf<INodeExecutionData[]>('output');
		// n8n's own agents run the node once per item, with one ledger.
		const key = `${run.account} ${run.firstIndex}`;
		try {
			const output = await perform(run);
			outputs.set(key, output);
			return output;
		} catch (caught) {
			const error = runError(run, caught);
			const isShown = error instanceof NodeOperationError || error instanceof NodeApiError;
			const earlier = outputs.get(key);
			if (isShown && earlier) {
				const hint = `n8n ran this node again, which failed: ${error.message}. The output is that of the try before.`;
				run.showHint(hint, 'warning');
				return earlier;
			}
			if (!run.continueOnFail || !isShown) throw run.isTool ? error : withHelp(error);
			return [errorItem(error, coerceNumber(error.context.itemIndex) || run.firstIndex)];
		}
	};
	return routing(Object.assign(performOnAll, { isOnAllItems: true, ...given }));
}

/**
 * n8n's engine for declarative nodes gets to an operation through its hook for pagination, one item at a time. It runs
 * the tools of older agents, tool calls on workers and the nodes of n8n's own agents. Workflows run the same function
 * through `customOperations`.
 */
function routing(perform: Perform, operation?: Operation): Routing {
	const pagination = async function (this: IExecutePaginationFunctions) {
		const items = await performPerAccount(perform, await startOfOneItem(this));
		// Operations on all items pair their output to the first item of this call.
		const pairedItem = { item: this.getItemIndex() };
		return items.map((item) => ({ ...item, pairedItem }));
	};
	return {
		send: { paginate: true },
		operations: { pagination: Object.assign(pagination, { perform, operation }) },
	};
}

/** The function that runs an operation, from its routing. */
export function hookOf(option: INodePropertyOptions): PaginationHook | undefined {
	return (option.routing as Routing | undefined)?.operations.pagination;
}

/** The operations of all resources, for n8n to run on all items at once. */
export function customOperationsOf(
	properties: INodeProperties[],
): NonNullable<INodeType['customOperations']> {
	const all: NonNullable<INodeType['customOperations']> = {};
	for (const { name, displayOptions, options = [] } of properties) {
		if (name !== 'operation') continue;
		const resource = String(displayOptions?.show?.resource?.[0]);
		all[resource] = Object.fromEntries(
			(options as INodePropertyOptions[]).flatMap((option) => {
				const hook = hookOf(option);
				return hook === undefined ? [] : [[option.value, onAllItems(hook.perform)]];
			}),
		);
	}
	return all;
}

function onAllItems(perform: Perform) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const work = async () => await performPerAccount(perform, await startOfAllItems(this, perform));
		return [await (perform.around ? perform.around(this, work) : work())];
	};
}

async function startOfAllItems(context: IExecuteFunctions, { readsOnly }: Perform): Promise<Start> {
	const node = context.getNode();
	const inputs = context.getInputData();
	const timezone = context.getTimezone();
	const rawOf = (path: string, index: number) =>
		context.getNodeParameter(path, index, '', { rawExpressions: true }) as unknown;
	const items = inputs.map(({ json, binary }, index): Item => ({
		...{ index, json, binary, timezone },
		raw: (path) => rawOf(path, index),
		param(path, fallback) {
			try {
				return context.getNodeParameter(path, index, fallback) as unknown;
			} catch (error) {
				throw expressionError({ node, readsOnly }, error as Error, index);
			}
		},
		isExpression: (path) => isExpression(rawOf(path, index)),
		workflowData: () => context.getWorkflowDataProxy(index),
	}));
	return {
		items,
		credentials: await readCredentials(context, inputs.length),
		shared: {
			context,
			node,
			ledger: ledgerOf(context.getExecuteData()),
			readBinary: async ({ index }, property) =>
				await context.helpers.getBinaryDataBuffer(index, property),
		},
	};
}

async function startOfOneItem(context: IExecutePaginationFunctions): Promise<Start> {
	const node = context.getNode();
	const executeData = context.getExecuteData();
	// A running agent passes its own execution data to all of its calls of the node.
	const isCalledByAgent = isTool(node) && executeData.node.name !== node.name;
	const { json, binary } = context.getInputData(
		0,
		isCalledByAgent ? 'ai_tool' : 'main',
	) as INodeExecutionData;
	const item: Item = {
		index: context.getItemIndex(),
		json,
		binary,
		timezone: context.getTimezone(),
		param: (path, fallback) => context.getNodeParameter(path, fallback as object) as unknown,
		raw: (path) => rawParameter(context, path),
		isExpression: (path) => isExpression(rawParameter(context, path)),
		workflowData: () => context.getWorkflowDataProxy(context.getItemIndex()),
	};
	return {
		items: [item],
		credentials: [await credentialOrError(context.getCredentials(credentialType))],
		shared: {
			context,
			node,
			ledger: ledgerOf(isCalledByAgent ? json : executeData),
			readBinary: async (_item, property) => await context.helpers.getBinaryDataBuffer(property),
			isItemByItem: true,
			isPartOfInput: !isCalledByAgent && (executeData.data.main?.[0]?.length ?? 0) > 1,
		},
	};
}
