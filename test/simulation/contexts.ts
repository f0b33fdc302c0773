import type {
	IDataObject,
	IExecuteData,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	IPollFunctions,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { asJson } from '../histories/history.ts';
import type { Network } from './service.ts';
import { keys } from './service.ts';
import type { Loaded } from './published.ts';
import type { Owner } from './scheduler.ts';

/** What n8n hands out to a node, as far as this package uses it. */
interface Common {
	owner: Owner;
	code: Loaded;
	network: Network;
	node: INode;
	workflowId: string;
	staticData: IDataObject;
	/** Number of the run in the history. */
	run: number;
	mode: WorkflowExecuteMode;
}

const credential = { baseUrl: 'https://service.example.com', ...keys };

function parameterOf(node: INode, path: string, fallback: unknown, extractValue = false): unknown {
	let value: unknown = node.parameters;
	for (const name of path.split('.')) {
		if (typeof value !== 'object' || value === null) return fallback;
		value = (value as IDataObject)[name];
	}
	if (value === undefined) return fallback;
	const { __rl: isLocator, value: chosen } = value as { __rl?: boolean; value?: unknown };
	return extractValue && isLocator ? chosen : value;
}

/** The expressions that the simulated workflows have. */
const EXPRESSION = /^=\{\{ \$json\.(\w+) \}\}$/;

/** A parameter with the values of an item in place of its expressions. */
function resolved(value: unknown, json: IDataObject): unknown {
	if (typeof value === 'string') {
		const name = EXPRESSION.exec(value)?.[1];
		return name === undefined ? value : json[name];
	}
	if (Array.isArray(value)) return value.map((one) => resolved(one, json));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, one]) => [name, resolved(one, json)]),
	);
}

function common({ owner, code, network, node, workflowId, staticData, run, mode }: Common) {
	const type = code.credential();
	const own = asJson(node);
	return {
		getNode: () => own,
		getWorkflow: () => ({ id: workflowId, name: workflowId, active: true }),
		getMode: () => mode,
		getTimezone: () => 'Europe/Berlin',
		getWorkflowStaticData: () => staticData,
		workflow: { staticData: { [`node:${own.name}`]: staticData } },
		getCredentials: async () => ({ ...credential }),
		helpers: {
			httpRequestWithAuthentication: async (_type: string, request: IHttpRequestOptions) => {
				const authenticate = type.authenticate as (
					...given: unknown[]
				) => Promise<IHttpRequestOptions>;
				const signed = await authenticate(credential, request);
				if (signed.headers?.SecretKey !== keys.secretKey) throw new Error('Not signed');
				return await network.send(owner, run, signed);
			},
		},
	};
}

/** @param budgetMs milliseconds that n8n allows for the poll; older versions set no limit */
export const pollContext = (given: Common, budgetMs?: number) =>
	({
		...common(given),
		getActivationMode: () => 'update',
		getNodeParameter: (path: string, fallback: unknown, options?: { extractValue?: boolean }) =>
			parameterOf(given.node, path, fallback, options?.extractValue),
		...(budgetMs !== undefined && { getPollBudgetMs: () => budgetMs }),
	}) as unknown as IPollFunctions;

/** Where a run of a node stands in its execution. */
export interface Place {
	runIndex: number;
	/** What n8n keeps for the node until the execution has ended. */
	nodeContext: IDataObject;
	/** Whether another source of it still waits to run. */
	hasMore: boolean;
	isInLoop: boolean;
	/** The execution of the calling workflow, and the one that called that. */
	parent?: { executionId: string; calledBy?: string };
}

/** The only run of its execution. */
export const ALONE: Omit<Place, 'nodeContext'> = { runIndex: 0, hasMore: false, isInLoop: false };

const SOURCE = 'Source';

interface Execution extends Common {
	items: INodeExecutionData[];
	place: Place;
	executionId: string;
	/** In milliseconds since 1970. */
	startedAt: number;
	/** The same for all tries of "Retry On Fail". */
	executeData: IExecuteData;
	hint: (message: string) => void;
}

export function executeContext(given: Execution) {
	const { node, items, place, executionId, startedAt, executeData, hint, mode } = given;
	const { parent } = place;
	const { helpers, ...rest } = common(given);
	return {
		...rest,
		helpers: {
			...helpers,
			getBinaryDataBuffer: async (item: number, property: string) =>
				Buffer.from(items[item]?.binary?.[property]?.data ?? '', 'base64'),
		},
		getExecutionId: () => executionId,
		getExecutionContext: () => parent && { parentExecutionId: parent.executionId },
		getExecutionCancelSignal: () => undefined,
		getExecuteData: () => executeData,
		getContext: () => place.nodeContext,
		getInputData: () => items,
		getParentNodes: () => [{ name: SOURCE }],
		getChildNodes: () => (place.isInLoop ? [{ name: SOURCE }] : []),
		getNodeParameter: (
			path: string,
			item: number,
			fallback: unknown,
			options: { extractValue?: boolean; rawExpressions?: boolean } = {},
		) => {
			const value = parameterOf(node, path, fallback, options.extractValue);
			return options.rawExpressions ? value : resolved(value, items[item]?.json ?? {});
		},
		getWorkflowDataProxy: () => ({ $runIndex: place.runIndex }),
		continueOnFail: () => node.onError !== undefined && node.onError !== 'stopWorkflow',
		addExecutionHints: ({ message }: { message: string }) => hint(message),
		runExecutionData: {
			executionData: {
				nodeExecutionStack: place.hasMore ? [{ node: { name: SOURCE } }] : [],
				waitingExecution: {},
			},
			resultData: { runData: { [SOURCE]: [{ startTime: startedAt }] } },
			parentExecution: parent && {
				executionId: parent.executionId,
				executionContext: { source: mode, parentExecutionId: parent.calledBy },
			},
		},
	} as unknown as IExecuteFunctions;
}
