import { parse } from 'flatted';
import type { IConnections, INode, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

export interface Owner {
	email: string;
	password: string;
}

export interface WorkflowJson {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: Record<string, unknown>;
	/** Items that a node puts out in manual runs in place of running, by the node's name. */
	pinData?: Record<string, INodeExecutionData[]>;
}

export interface SavedWorkflow extends WorkflowJson {
	id: string;
	versionId: string;
	active: boolean;
}

export interface Credential {
	id: string;
	name: string;
	type: string;
}

interface NodeType {
	name: string;
	version: number | number[];
	properties: Array<{ name: string }>;
}

export interface ExecutionSummary {
	id: string;
	status: string;
	mode: string;
	createdAt: string;
	/** Null where it was saved and never begun. */
	startedAt: string | null;
	stoppedAt: string | null;
}

interface ExecutionPage {
	results: ExecutionSummary[];
	count: number;
	nextCursor?: string | null;
}

export interface Execution extends ExecutionSummary {
	workflowId: string;
	data: IRunExecutionData;
}

const triggerTypes = /trigger$|\.webhook$/i;

/** @throws Error when the workflow has none */
export function triggerOf({ name, nodes }: WorkflowJson): INode {
	const trigger = nodes.find(({ type }) => triggerTypes.test(type));
	if (!trigger) throw new Error(`The workflow "${name}" has no trigger`);
	return trigger;
}

const unfinished = new Set(['new', 'running', 'waiting', 'unknown']);

/** An answer of n8n whose status is not 2xx. */
export class N8nRefusal extends Error {
	override name = 'N8nRefusal';
}

/** n8n's REST interface, as its editor uses it: for one user, logged in with a cookie. */
export class N8nClient {
	readonly url: string;
	cookie: string;

	/** @param cookie that of an earlier client of the same n8n, when there was one */
	constructor(url: string, cookie = '') {
		this.url = url;
		this.cookie = cookie;
	}

	/**
	 * Each request has a connection of its own: an n8n that was busy for seconds begins by closing kept ones, also those
	 * on which a request is waiting.
	 */
	private get headers(): Record<string, string> {
		return {
			'browser-id': 'n8n-nodes-email-marketing',
			connection: 'close',
			cookie: this.cookie,
		};
	}

	/** @throws N8nRefusal with n8n's answer when its status is not 2xx */
	async request<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await fetch(`${this.url}/rest${path}`, {
			method,
			headers: { 'content-type': 'application/json', ...this.headers },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		if (!response.ok) {
			throw new N8nRefusal(
				`n8n answered ${method} ${path} with ${response.status}: ${text.slice(0, 500)}`,
			);
		}
		const cookies = response.headers.getSetCookie();
		if (cookies.length > 0) this.cookie = cookies.map((line) => line.split(';')[0]).join('; ');
		return (JSON.parse(text) as { data: T }).data;
	}

	/** Logs in, as a new owner when n8n has none yet. */
	async logIn({ email, password }: Owner): Promise<void> {
		const { userManagement } = await this.request<{
			userManagement: { showSetupOnFirstLoad: boolean };
		}>('GET', '/settings');
		if (userManagement.showSetupOnFirstLoad) {
			const name = { firstName: 'Demo', lastName: 'Owner' };
			await this.request('POST', '/owner/setup', { email, password, ...name });
		} else {
			await this.request('POST', '/login', { emailOrLdapLoginId: email, password });
		}
	}

	/** All node types that n8n has loaded; those with several versions may be in it several times. */
	async nodeTypes(): Promise<NodeType[]> {
		return await this.types<NodeType>('nodes');
	}

	/** The names of all credential types that n8n has loaded. */
	async credentialTypes(): Promise<string[]> {
		return (await this.types<{ name: string }>('credentials')).map(({ name }) => name);
	}

	private async types<Type>(kind: 'nodes' | 'credentials'): Promise<Type[]> {
		const response = await fetch(`${this.url}/types/${kind}.json`, {
			headers: this.headers,
		});
		return (await response.json()) as Type[];
	}

	async credentials(): Promise<Credential[]> {
		return await this.request('GET', '/credentials');
	}

	async createCredential(name: string, type: string, data: object): Promise<Credential> {
		return await this.request('POST', '/credentials', { name, type, data });
	}

	async updateCredential({ id, name, type }: Credential, data: object): Promise<Credential> {
		return await this.request('PATCH', `/credentials/${id}`, { name, type, data });
	}

	/** Runs the test of a saved credential, as the editor does with what is in its fields. */
	async testCredential(saved: Credential, data: object): Promise<{ status: string }> {
		const { id, name, type } = saved;
		return await this.request('POST', '/credentials/test', {
			credentials: { id, name, type, data },
		});
	}

	async workflows(): Promise<SavedWorkflow[]> {
		return await this.request('GET', '/workflows');
	}

	async workflow(id: string): Promise<SavedWorkflow> {
		return await this.request('GET', `/workflows/${id}`);
	}

	async createWorkflow(workflow: WorkflowJson): Promise<SavedWorkflow> {
		// n8n 1 saves nothing without being told.
		const saved = { active: false, settings: {}, ...workflow };
		return await this.request('POST', '/workflows', saved);
	}

	async updateWorkflow(id: string, workflow: WorkflowJson): Promise<SavedWorkflow> {
		return await this.request('PATCH', `/workflows/${id}?forceSave=true`, workflow);
	}

	/** @returns n8n's record of it, with the version id that the next call wants */
	async activate({ id, versionId }: SavedWorkflow): Promise<SavedWorkflow> {
		return await this.request('POST', `/workflows/${id}/activate`, { versionId });
	}

	async deactivate(id: string): Promise<SavedWorkflow> {
		return await this.request('POST', `/workflows/${id}/deactivate`, {});
	}

	/**
	 * Starts a saved workflow by hand.
	 *
	 * @param trigger the name of the node to start from
	 * @returns the id of the execution
	 */
	async startRun(workflowId: string, trigger: string): Promise<string> {
		const { executionId } = await this.request<{ executionId: string }>(
			'POST',
			`/workflows/${workflowId}/run`,
			// Newer versions read the workflow themselves; n8n 1 and early n8n 2 run what they are sent.
			{
				workflowData: await this.workflow(workflowId),
				triggerToStartFrom: { name: trigger },
			},
		);
		return executionId;
	}

	/**
	 * Runs a saved workflow once, by hand.
	 *
	 * @param trigger the name of the node to start from
	 * @returns the run, when it has ended, whether well or not
	 * @throws Error when it has not ended after `timeoutMs`
	 */
	async run(workflowId: string, trigger: string, timeoutMs = 240_000): Promise<Execution> {
		const executionId = await this.startRun(workflowId, trigger);
		const deadline = Date.now() + timeoutMs;
		for (let pause = 20; ; pause = Math.min(pause * 1.5, 250)) {
			const found = (await this.executions(workflowId)).find(({ id }) => id === executionId);
			if (found && !unfinished.has(found.status)) return await this.execution(executionId);
			if (Date.now() > deadline) {
				throw new Error(`Execution ${executionId} had not ended after ${timeoutMs / 1000} s`);
			}
			await new Promise((resolve) => setTimeout(resolve, pause));
		}
	}

	async execution(id: string): Promise<Execution> {
		const { data, ...rest } = await this.request<Execution & { data: string }>(
			'GET',
			`/executions/${id}`,
		);
		return { ...rest, data: parse(data) as IRunExecutionData };
	}

	/** The executions of one workflow, newest first, at most 100. */
	async executions(workflowId: string): Promise<ExecutionSummary[]> {
		return (await this.findExecutions({ workflowId }, 100)).results;
	}

	/** How many executions of one workflow ended with that status. */
	async countExecutions(workflowId: string, status: string): Promise<number> {
		return (await this.findExecutions({ workflowId, status: [status] }, 1)).count;
	}

	/** All executions of one workflow, oldest first. */
	async allExecutions(workflowId: string): Promise<ExecutionSummary[]> {
		const found = new Map<string, ExecutionSummary>();
		let cursor: string | undefined;
		do {
			const page = await this.findExecutions({ workflowId }, 100, cursor);
			for (const execution of page.results) found.set(execution.id, execution);
			cursor = page.nextCursor ?? undefined;
		} while (cursor !== undefined);
		return [...found.values()].sort((a, b) => Number(a.id) - Number(b.id));
	}

	private async findExecutions(
		filter: object,
		limit: number,
		cursor?: string,
	): Promise<ExecutionPage> {
		const query = new URLSearchParams({
			filter: JSON.stringify(filter),
			limit: String(limit),
			...(cursor !== undefined && { cursor }),
		});
		const page = await this.request<ExecutionPage>('GET', `/executions?${query}`);
		// n8n lists one that ends meanwhile among the running ones and among the ended ones.
		const results = [...new Map(page.results.map((found) => [found.id, found])).values()];
		return { ...page, results };
	}
}
