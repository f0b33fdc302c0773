import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodePropertyRouting,
	INodeProperties,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';

import { readCredential, readCredentials } from '../service/credential';
import type { CredentialResult } from '../service/credential';
import type { Endpoint } from '../service/endpoints';
import { credentialFailure } from '../service/errors';
import { ServiceError } from '../service/failure';
import type { Item } from '../params/item';
import type { Input } from '../params/validators';
import { rawParameter } from '../params/values';
import { coerceNumber } from '../util/coerce';
import { addTo } from '../util/groups';
import { withLock } from '../util/mutex';
import { truncateList } from '../util/text';
import { bulkDelete, idsField } from './bulkDelete';
import { withHelp } from './help';
import { errorItem, expressionError, isNodeError, itemError, runError } from './nodeError';
import type { Gate, ItemPlan, ItemWork, Operation, Row, Written } from './operation';
import { done } from './output/responseMappers';
import { invalidOption, outputOf, skippedHint } from './output/runOutput';
import { parseAll } from './parse';
import { actionOf, isRefused, planAll } from './plan';
import { isTool, RunContext } from './runContext';
import type { RunOptions } from './runContext';
import { runEach } from './runEach';
import { exclusively } from './writer/exclusively';
import { ledgerOf } from './writer/ledger';
import { runOutcomeOf } from './writer/outcome';
import type { Outcome, RunOutcome } from './writer/outcome';
import { write } from './writer/write';

/** Runs an operation for the items of one account. */
interface Perform {
	(run: RunContext): Promise<INodeExecutionData[]>;
	/** Whether it processes all items together, so that none can be left out. */
	isOnAllItems?: boolean;
	/** Whether it changes nothing in the service. */
	readsOnly?: boolean;
	/** What is done around all of it, from before the credentials are read. */
	around?: <T>(context: IExecuteFunctions, work: () => Promise<T>) => Promise<T>;
}

/** The run as n8n has started it. */
interface Start {
	items: Item[];
	/** One for all items, or one for each; equal ones are the same object. */
	credentials: readonly CredentialResult[];
	shared: Omit<RunOptions, 'items' | 'credential' | 'readsOnly'>;
}

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
	const operation = { endpoint, ...row };
	return routing(inFourSteps(operation), operation);
}

/** Like `call`, for an operation that shares its endpoint with another one, such as a report. */
export function callShared<E extends Endpoint>(endpoint: E, row: Row<E>): INodePropertyRouting {
	return routing(inFourSteps({ endpoint, ...row }));
}

/** A bulk delete, with the IDs of many items in one request. */
export function callBulkDelete<E extends Endpoint>(
	endpoint: E,
	ids: Input,
	...[gate]: Row<E>['gate'] extends Gate ? [gate: Row<E>['gate']] : []
): INodePropertyRouting {
	const operation = { endpoint, gate, body: { [idsField]: ids }, output: done('deleted') };
	return routing(inFourSteps(operation, bulkDelete), operation);
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
 * items and that try fails, the output of the first one is still returned.
 */
export function callOnAllItems(
	perform: Perform,
	given: Pick<Perform, 'isOnAllItems' | 'readsOnly' | 'around'> = {},
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
			const isShown = isNodeError(error);
			const earlier = outputs.get(key);
			if (isShown && earlier) {
				const hint = `n8n ran this node again, and that run failed: ${error.message}. The output is from the earlier run.`;
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
		const work = async () => await performPerAccount(perform, await startOfOneItem(this));
		// n8n starts all items together, and agents their calls. Only one after the other, each finds what the last one added.
		const own = [this.getWorkflow().id, this.getExecutionId(), this.getNode().name].join(' ');
		const signal = this.getExecutionCancelSignal();
		const items = perform.readsOnly ? await work() : await withLock(`calls ${own}`, signal, work);
		// Operations on all items pair their output to the first item of this call.
		const pairedItem = { item: this.getItemIndex() };
		return items.map((item) => ({ ...item, pairedItem }));
	};
	return {
		...(operation && {
			request: { method: operation.endpoint.method, url: operation.endpoint.path },
		}),
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
		...{ index, json, binary, timezone, isTool: isTool(node) },
		raw: (path) => rawOf(path, index),
		param(path, fallback) {
			try {
				return context.getNodeParameter(path, index, fallback) as unknown;
			} catch (error) {
				throw expressionError({ node, readsOnly }, error as Error, index);
			}
		},
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
		isTool: isTool(node),
		workflowData: () => context.getWorkflowDataProxy(context.getItemIndex()),
	};
	return {
		items: [item],
		credentials: [await readCredential(context)],
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

/**
 * Runs an operation once for each account, one after the other. An item whose credential cannot be read fails alone. It
 * stops an operation on all items, because its account is unknown.
 *
 * @returns the output in the order of the items
 * @throws NodeError unless the node is set to continue; nothing is sent if a credential cannot be read
 */
async function performPerAccount(
	perform: Perform,
	{ items, credentials, shared }: Start,
): Promise<INodeExecutionData[]> {
	const { node, context } = shared;
	const accounts = new Map<ICredentialDataDecryptedObject, Item[]>();
	const outputs: INodeExecutionData[][] = [];
	const { readsOnly } = perform;
	const isPartOfInput = items.length > 1 || shared.isPartOfInput === true;
	for (const [position, item] of items.entries()) {
		const credential = credentials[credentials.length === 1 ? 0 : position];
		if (credential instanceof Error) {
			const failure = new ServiceError(credentialFailure(credential));
			const error = itemError({ node, hasSeveralItems: isPartOfInput, readsOnly }, failure, item);
			if (!context.continueOnFail()) throw isTool(node) ? error : withHelp(error);
			if (perform.isOnAllItems) return [errorItem(error, item.index)];
			outputs.push([errorItem(error, item.index)]);
			continue;
		}
		if (credential) addTo(accounts, credential, item);
	}
	const before: Item[][] = [];
	for (const [credential, own] of accounts) {
		const run = new RunContext({ ...shared, items: own, credential, isPartOfInput, readsOnly });
		outputs.push(
			await perform(run).catch((error: unknown) => {
				throw withOthers(error, before);
			}),
		);
		before.push(own);
	}
	const [only = [], ...more] = outputs;
	return more.length === 0 ? only : outputs.flat().sort((a, b) => itemOf(a) - itemOf(b));
}

/** What an error says about its items is not true of items of other accounts, which were processed before. */
function withOthers(error: unknown, before: readonly Item[][]): unknown {
	if (before.length > 0 && isNodeError(error)) {
		const indexes = before.flat().map(({ index }) => String(index));
		const items = `${indexes.length === 1 ? 'item' : 'items'} ${truncateList(indexes, 10)}`;
		error.description = `Already processed, because they use another account: ${items}. For the others: ${error.description ?? ''}`;
	}
	return error;
}

/** The first item that an output is paired to. */
function itemOf({ pairedItem }: INodeExecutionData): number {
	const [first] = [pairedItem ?? []].flat();
	return typeof first === 'number' ? first : (first?.item ?? 0);
}

/** Sends the planned requests of a run. */
type SendAll = (
	run: RunContext,
	operation: Operation,
	planned: readonly ItemPlan[],
) => Promise<RunOutcome>;

/**
 * Runs an operation for all items of a run: all requests are planned, then sent. Every item of the output, and every
 * failure, is paired to its input item.
 *
 * @throws NodeError unless the node is set to continue; nothing more is sent then
 * @throws Cancelled if the execution was canceled
 */
function inFourSteps(operation: Operation, sendAll: SendAll = sendEach): Perform {
	const { endpoint, plan } = operation;
	const lists = plan?.list === undefined ? [] : [plan.list];
	const perform: Perform = async (run) => {
		const invalid = invalidOption(run);
		if (invalid) return invalid;
		const sent = await exclusively(run, lists, async () => {
			const parsed = await parseAll(run, operation);
			const planned = await planAll(run, operation, parsed);
			run.pool.check();
			if (isRefused(run, planned)) run.halt();
			return await sendAll(run, operation, planned);
		});
		if (endpoint.changesData) run.showHint(skippedHint(sent));
		return outputOf(run, sent);
	};
	return Object.assign(perform, { readsOnly: !endpoint.changesData });
}

/** One action for each item. */
const sendEach: SendAll = async (run, operation, planned) => {
	const actions = planned.map((request) => actionOf(run, operation, request));
	const outcomes = await write(run, actions);
	await operation.plan?.complete?.(run, writtenOf(planned, outcomes));
	return runOutcomeOf(outcomes);
};

function writtenOf(planned: readonly ItemPlan[], outcomes: readonly Outcome[]): Written[] {
	return planned.flatMap((request, position) => {
		const outcome = outcomes[position];
		return request.kind === 'send' && request.draft.isMade && outcome?.kind === 'items'
			? [{ draft: request.draft, items: outcome.items }]
			: [];
	});
}
