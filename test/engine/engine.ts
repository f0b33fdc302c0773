import 'reflect-metadata';

import { Container } from '@n8n/di';
import {
	BinaryDataConfig,
	BinaryDataService,
	DirectoryLoader,
	ErrorReporter,
	ExecutionLifecycleHooks,
	LoadOptionsContext,
	WorkflowExecute,
} from 'n8n-core';
import {
	createRunExecutionData,
	ICredentialsHelper,
	setSafeRegexEngine,
	Workflow,
	type WorkflowExecuteMode,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IRun,
	type ITaskData,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { EmailMarketingApi } from '../../credentials/EmailMarketingApi.credentials';
import { EmailMarketing } from '../../nodes/EmailMarketing/EmailMarketing.node';
import { takeOffCode, takeOffHelp, type ShownError } from '../help';
import { Agent, asRouted, asTool, Items, Loop, Reader, Source } from './testNodes';

export const keys = { publicKey: 'sandbox-public-key', secretKey: 'sandbox-secret-key' };

const credentialType = new EmailMarketingApi();
const emailMarketing = new EmailMarketing();
DirectoryLoader.applyDeclarativeNodeOptionParameters(emailMarketing);
const emailMarketingTool = asTool(emailMarketing);
const emailMarketingRouted = asRouted(emailMarketing);

// Failures are what many tests are about; n8n would print each.
Object.assign(Container.get(ErrorReporter), { report: () => undefined });

// n8n's own engine gives a pattern a quarter of a second on the clock, which a busy machine can take for nothing.
setSafeRegexEngine({
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, by) => input.replace(new RegExp(pattern, flags), by),
	matchAll: (pattern, input, flags = '') => [
		...input.matchAll(new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`)),
	],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
});

/** Hands out one credential, with its expressions evaluated as n8n does, and applies it as n8n does. */
class OneCredential extends ICredentialsHelper {
	private readonly data: ICredentialDataDecryptedObject;

	constructor(data: ICredentialDataDecryptedObject) {
		super();
		this.data = data;
	}

	getParentTypes = () => [];
	isCredentialUsableByNode = () => true;
	preAuthentication = async () => undefined;
	runPreAuthentication = async () => undefined;
	getDecrypted: ICredentialsHelper['getDecrypted'] = async (
		...[, , , mode, executeData, , given]
	) => {
		if (given === undefined) return { ...this.data };
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = given;
		return workflow.expression.getParameterValue(
			this.data as INodeParameters,
			runExecutionData,
			runIndex,
			itemIndex,
			node.name,
			connectionInputData,
			mode,
			{},
			executeData,
		) as ICredentialDataDecryptedObject;
	};
	updateCredentials = async () => undefined;
	updateCredentialsOauthTokenData = async () => undefined;
	getCredentialsProperties = () => credentialType.properties;

	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		_type: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => await credentialType.authenticate(credentials, requestOptions);

	getCredentials = async (): Promise<ICredentials> => {
		throw new Error('Not needed: the credential is handed out decrypted');
	};
}

export interface NodeError extends Error {
	description?: string | null;
	context: IDataObject;
	httpCode?: string | null;
}

/** What one node did. */
export interface Outcome {
	/** Items of the success output. */
	items: INodeExecutionData[];
	/** Items of the error output. */
	failed: INodeExecutionData[];
	/** Why the node stopped. */
	error?: NodeError;
	/** What n8n shows above the output. */
	notes: string[];
	run: IRun;
}

/** One Email Marketing node (or a `reader`) of a workflow. */
export interface Step {
	name: string;
	parameters: IDataObject;
	/** `emailMarketing` unless given. */
	type?:
		| 'emailMarketing'
		| 'emailMarketingTool'
		| 'emailMarketingRouted'
		| 'reader'
		| 'agent'
		| 'source'
		| 'loop';
	/** Further settings of the node, such as `onError` and `executeOnce`. */
	node?: Partial<INode>;
	/** Names of the nodes that get the success output and the error output. */
	to?: string[];
	onFailure?: string[];
	/** Name of the agent that has this node as a tool. */
	toolOf?: string;
}

export interface Execution {
	baseUrl: string;
	steps: Step[];
	/** Input of the first step; one empty item unless given. */
	items?: INodeExecutionData[];
	credential?: ICredentialDataDecryptedObject;
	/** `manual` unless given: n8n keeps no static data of that. A workflow that another one calls runs `integrated`. */
	mode?: 'manual' | 'trigger' | 'retry' | 'integrated' | 'evaluation';
	executionId?: string;
	/**
	 * The execution of the workflow that calls this one, how it was started, and the one that called it. Some versions of
	 * n8n show only the source.
	 */
	parent?: {
		executionId: string;
		mode?: 'manual' | 'trigger' | 'retry';
		source?: WorkflowExecuteMode;
		calledBy?: string;
	};
	/** The workflow's static data from earlier runs; this run adds to it. */
	staticData?: IDataObject;
	/** Cancels the execution, as a person does in the editor. */
	signal?: AbortSignal;
}

function additionalDataFor(
	credential: ICredentialDataDecryptedObject,
	{ mode = 'manual', executionId = '231', parent }: Partial<Execution> = {},
): IWorkflowExecuteAdditionalData {
	return {
		credentialsHelper: new OneCredential(credential),
		hooks: new ExecutionLifecycleHooks(mode, 'test', { id: 'test' } as never),
		currentNodeExecutionIndex: 0,
		executionId,
		rootExecutionMode: parent?.mode,
		restApiUrl: 'http://localhost/rest',
		webhookWaitingBaseUrl: 'http://localhost/webhook-waiting',
		formWaitingBaseUrl: 'http://localhost/form-waiting',
		instanceBaseUrl: '',
		variables: {},
	} as unknown as IWorkflowExecuteAdditionalData;
}

const connect = (names: string[] = []) =>
	names.map((node) => ({ node, type: 'main' as const, index: 0 }));

/** Runs a workflow in n8n's own engine: a node `Items` that emits the items, then the steps. */
export async function runWorkflow(execution: Execution): Promise<IRun> {
	const { baseUrl, steps, items = [{ json: {} }], mode = 'manual', staticData = {} } = execution;
	const known: Record<string, INodeType> = {
		items: new Items(items),
		reader: new Reader(),
		agent: new Agent(),
		source: new Source(),
		loop: new Loop(),
		emailMarketing,
		emailMarketingTool,
		emailMarketingRouted,
	};
	const connections: IConnections = { Items: { main: [connect([steps[0]?.name ?? ''])] } };
	for (const { name, to, onFailure, toolOf } of steps) {
		connections[name] =
			toolOf === undefined
				? { main: [connect(to), connect(onFailure)] }
				: { ai_tool: [[{ node: toolOf, type: 'ai_tool', index: 0 }]] };
	}
	const common = { typeVersion: 1, position: [0, 0] as [number, number] };
	const workflow = new Workflow({
		id: 'test',
		nodes: [
			{ ...common, id: 'items', name: 'Items', type: 'items', parameters: {} },
			...steps.map(({ name, type = 'emailMarketing', parameters, node }) => ({
				...common,
				id: name,
				name,
				type,
				parameters: parameters as INode['parameters'],
				credentials: { emailMarketingApi: { id: '1', name: 'Test' } },
				...node,
			})),
		],
		connections,
		active: false,
		staticData: structuredClone(staticData),
		nodeTypes: {
			getByName: (name) => known[name] as INodeType,
			getByNameAndVersion: (name) => known[name] as INodeType,
			getKnownTypes: () => ({}),
		},
		settings: { executionOrder: 'v1', timezone: 'Europe/Berlin' },
	});
	const additionalData = additionalDataFor(execution.credential ?? { baseUrl, ...keys }, execution);
	const { parent } = execution;
	const parentExecution = parent && {
		...{ executionId: parent.executionId, workflowId: 'caller' },
		executionContext: {
			...{ version: 1 as const, establishedAt: 0, source: parent.source ?? ('trigger' as const) },
			...(parent.calledBy !== undefined && { parentExecutionId: parent.calledBy }),
		},
	};
	const node = workflow.getNode('Items') as INode;
	const stack = [{ node, data: { main: [[{ json: {} }]] }, source: null }];
	const data = createRunExecutionData({
		executionData: { nodeExecutionStack: stack },
		parentExecution,
	});
	const running = new WorkflowExecute(additionalData, mode, data).processRunExecutionData(workflow);
	execution.signal?.addEventListener('abort', () => running.cancel(), { once: true });
	const run = (await running) as IRun;
	// As n8n saves it: as JSON, and not for manual runs.
	if (mode !== 'manual') Object.assign(staticData, JSON.parse(JSON.stringify(workflow.staticData)));
	checkErrors(run);
	return run;
}

/** Errors that stop a node lead to their help; those of the error output are data, and have no link. */
function checkErrors({ data: { resultData } }: IRun): void {
	const results = Object.values(resultData.runData).flat();
	const errors = [resultData.error, ...results.map(({ error }) => error)];
	for (const error of new Set(errors)) if (error) takeOffHelp(error as ShownError);
	const items = results.flatMap(({ data }) => data?.main?.flat() ?? []);
	for (const item of new Set(items)) takeOffCode(item?.json.error);
	const linked = items.find((item) =>
		/<a href="[^"]*troubleshooting/.test(
			String((item?.json.error as IDataObject | undefined)?.description),
		),
	);
	if (linked)
		throw new Error(`An item of the error output has a link: ${JSON.stringify(linked.json)}`);
}

/** What the node of this name did in an execution; the first time it ran unless given. */
export function outcomeOf(run: IRun, name: string, runIndex = 0): Outcome {
	const result: ITaskData | undefined = run.data.resultData.runData[name]?.[runIndex];
	return {
		items: result?.data?.main?.[0] ?? [],
		failed: result?.data?.main?.[1] ?? [],
		notes: (result?.hints ?? []).map(({ message }) => message),
		error: (result?.error ?? run.data.resultData.error) as NodeError | undefined,
		run,
	};
}

/** Runs one Email Marketing node with the items as its input. */
export async function runNode(
	execution: Omit<Execution, 'steps'> & Omit<Step, 'name' | 'to' | 'onFailure'>,
): Promise<Outcome> {
	const name = 'Email Marketing';
	const { parameters, node, type, ...rest } = execution;
	return outcomeOf(await runWorkflow({ ...rest, steps: [{ name, parameters, node, type }] }), name);
}

/** What the editor hands to a list search or to the loading of options, while a node is being filled in. */
export function editorContext(
	parameters: IDataObject,
	credential: ICredentialDataDecryptedObject,
	credentials: INode['credentials'] = { emailMarketingApi: { id: '1', name: 'Test' } },
): LoadOptionsContext {
	const node: INode = {
		id: 'node',
		name: 'Email Marketing',
		type: 'emailMarketing',
		typeVersion: 1,
		position: [0, 0],
		parameters: parameters as INode['parameters'],
		credentials,
	};
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => emailMarketing as INodeType,
			getByNameAndVersion: () => emailMarketing as INodeType,
			getKnownTypes: () => ({}),
		},
	});
	const additionalData = additionalDataFor(credential);
	additionalData.currentNodeParameters = parameters as INode['parameters'];
	return new LoadOptionsContext(workflow, node, additionalData, '');
}

/** Sets up n8n's binary data: `default` keeps files in memory, `filesystem` below `folder`. */
export async function useBinaryData(
	mode: 'default' | 'filesystem',
	folder: string,
): Promise<BinaryDataService> {
	const config = Container.get(BinaryDataConfig);
	config.mode = mode;
	config.localStoragePath = folder;
	const service = new BinaryDataService(config, Container.get(ErrorReporter), {} as never);
	await service.init();
	Container.set(BinaryDataService, service);
	return service;
}
