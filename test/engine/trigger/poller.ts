import { LoadOptionsContext, PollContext } from 'n8n-core';
import { ICredentialsHelper, Workflow } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodePropertyOptions,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { EmailMarketingApi } from '../../../credentials/EmailMarketingApi.credentials';
import { EmailMarketingTrigger } from '../../../nodes/EmailMarketing/EmailMarketingTrigger.node';
import { takeOffHelp, type ShownError } from '../../help';
import type { Sandbox } from '../../../sandbox/server.ts';

class Credentials extends ICredentialsHelper {
	private readonly data: () => ICredentialDataDecryptedObject;

	/** @param data what n8n reads from its database each time */
	constructor(data: () => ICredentialDataDecryptedObject) {
		super();
		this.data = data;
	}

	getParentTypes = () => [];
	isCredentialUsableByNode = () => true;
	getCredentialsProperties = () => [];
	getDecrypted = async () => this.data();
	preAuthentication = async () => undefined;
	runPreAuthentication = async () => undefined;
	updateCredentials = async () => undefined;
	updateCredentialsOauthTokenData = async () => undefined;

	getCredentials = async (): Promise<ICredentials> => {
		throw new Error('Only decrypted credentials are used');
	};

	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		_type: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const { authenticate } = new EmailMarketingApi();
		return await (authenticate as (...args: unknown[]) => Promise<IHttpRequestOptions>)(
			credentials,
			request,
		);
	};
}

export { startEmptySandbox as emptySandbox } from '../startSandbox';

export interface PollSettings {
	mode?: WorkflowExecuteMode;
	/** Why n8n activated the workflow. */
	activation?: WorkflowActivateMode;
	/** The cursor of a poll under durable cursors, in place of the workflow's static data. */
	cursor?: IDataObject;
	/** Milliseconds; an older n8n has no budget at all. */
	budgetMs?: number;
}

let workflows = 0;

/** The trigger as another process of n8n has it: with nothing in its memory. */
export function inAnotherProcess(): typeof EmailMarketingTrigger {
	let loaded: { EmailMarketingTrigger?: typeof EmailMarketingTrigger } = {};
	jest.isolateModules(() => {
		loaded = jest.requireActual('../../../nodes/EmailMarketing/EmailMarketingTrigger.node');
	});
	return loaded.EmailMarketingTrigger as typeof EmailMarketingTrigger;
}

/** One trigger node in a workflow of n8n's own classes. */
export class Poller {
	readonly workflow: Workflow;
	private readonly type: EmailMarketingTrigger;
	private readonly node: INode;
	private readonly sandbox: Pick<Sandbox, 'baseUrl'>;
	private readonly credential: ICredentialDataDecryptedObject;

	constructor(
		sandbox: Pick<Sandbox, 'baseUrl'>,
		parameters: INode['parameters'],
		staticData: IDataObject = {},
		credential: ICredentialDataDecryptedObject = {},
		{
			id,
			name = 'Trigger',
			Type = EmailMarketingTrigger,
		}: { id?: string; name?: string; Type?: typeof EmailMarketingTrigger } = {},
	) {
		this.sandbox = sandbox;
		this.credential = credential;
		const type = new Type();
		this.type = type;
		const nodeTypes = {
			getByName: () => type,
			getByNameAndVersion: () => type,
			getKnownTypes: () => ({}),
		} as INodeTypes;
		workflows += 1;
		this.node = {
			id: 'trigger',
			name,
			type: 'n8n-nodes-email-marketing.emailMarketingTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters,
			credentials: { emailMarketingApi: { id: '1', name: 'Sandbox' } },
		};
		this.workflow = new Workflow({
			id: id ?? `workflow-${workflows}`,
			nodes: [this.node],
			connections: {},
			active: true,
			nodeTypes,
			staticData,
		});
	}

	private get additionalData(): IWorkflowExecuteAdditionalData {
		const credentialsHelper = new Credentials(() => ({
			baseUrl: this.sandbox.baseUrl,
			publicKey: 'sandbox-public-key',
			secretKey: 'sandbox-secret-key',
			...this.credential,
		}));
		return { credentialsHelper } as unknown as IWorkflowExecuteAdditionalData;
	}

	/** What a list of the node offers in the editor. */
	async choices(method: 'getAutomations' | 'getSingleSends'): Promise<INodePropertyOptions[]> {
		const context = new LoadOptionsContext(this.workflow, this.node, this.additionalData, '');
		const load = new EmailMarketingTrigger().methods?.loadOptions?.[method];
		return (await load?.call(context)) ?? [];
	}

	private context({
		mode = 'trigger',
		activation = 'update',
		cursor,
		budgetMs,
	}: PollSettings): PollContext {
		const node = this.workflow.getNode(this.node.name) ?? this.node;
		return new PollContext(
			this.workflow,
			node,
			this.additionalData,
			mode,
			activation,
			undefined,
			undefined,
			undefined,
			undefined,
			cursor && (() => cursor),
			budgetMs === undefined ? undefined : () => budgetMs,
		);
	}

	/** The items of one poll; an empty list where n8n would start nothing. */
	async poll(settings: PollSettings = {}): Promise<INodeExecutionData['json'][]> {
		return await this.pollIn(this.context(settings));
	}

	/** The polls of a workflow that n8n has published and polls itself, without its scheduler: all have one context. */
	published(): () => ReturnType<Poller['poll']> {
		const context = this.context({ activation: 'activate' });
		return async () => await this.pollIn(context);
	}

	/** A poll of an n8n that knows no budget. */
	async pollWithoutBudget(): Promise<INodeExecutionData['json'][]> {
		const context = this.context({});
		return await this.pollIn(Object.assign(context, { getPollBudgetMs: undefined }));
	}

	private async pollIn(context: PollContext): Promise<INodeExecutionData['json'][]> {
		const result = await this.type.poll.call(context).catch((error: unknown) => {
			takeOffHelp(error as ShownError);
			throw error;
		});
		if (result === null) return [];
		const [items = []] = result;
		if (result.length !== 1 || items.length === 0) throw new Error('An empty output was emitted');
		return items.map(({ json }) => json);
	}

	/** What n8n would save now. */
	savedState(): IDataObject {
		return JSON.parse(JSON.stringify(this.workflow.staticData)) as IDataObject;
	}

	/** The same node in this process or another one, when n8n has loaded the workflow from its database. */
	loaded(saved: IDataObject, Type?: typeof EmailMarketingTrigger): Poller {
		const { id } = this.workflow;
		return new Poller(this.sandbox, this.node.parameters, saved, this.credential, { id, Type });
	}

	/** The same node, with other parameters if given, in an n8n that starts from what was saved. */
	restarted(saved: IDataObject, parameters = this.node.parameters): Poller {
		return new Poller(this.sandbox, parameters, saved);
	}
}
