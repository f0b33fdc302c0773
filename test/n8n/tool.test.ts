import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { n8n, node, resetSandbox, sandbox, typeOf, violations } from './harness.ts';

/** Calls the tools of an MCP server, as agents do. */
class McpClient {
	private readonly url: string;
	private session?: string;
	private lastId = 0;

	constructor(url: string) {
		this.url = url;
	}

	private async post(message: IDataObject): Promise<string> {
		const answer = await fetch(this.url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				...(this.session && { 'mcp-session-id': this.session }),
			},
			body: JSON.stringify({ jsonrpc: '2.0', ...message }),
		});
		this.session ??= answer.headers.get('mcp-session-id') ?? undefined;
		return await answer.text();
	}

	async request<T>(method: string, params: IDataObject): Promise<T> {
		const text = await this.post({ id: ++this.lastId, method, params });
		const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
		return (JSON.parse(data) as { result: T }).result;
	}

	/** @returns whether the server is there; n8n registers it some time after the activation */
	async connect(): Promise<boolean> {
		const hello = await this.request<IDataObject | undefined>('initialize', {
			protocolVersion: '2025-03-26',
			capabilities: {},
			clientInfo: { name: 'test', version: '1' },
		});
		if (hello === undefined) return false;
		await this.post({ method: 'notifications/initialized' });
		return true;
	}
}

interface Tool {
	name: string;
	description: string;
	inputSchema: { properties: IDataObject };
}

interface Called {
	content: Array<{ text: string }>;
}

const fromAi = (key: string) => `={{ $fromAI('${key}', '', 'string') }}`;

/** A workflow that offers our node as tools to agents elsewhere. */
async function serve(path: string, tools: Record<string, INodeParameters>): Promise<McpClient> {
	const server = node(
		'Server',
		'@n8n/n8n-nodes-langchain.mcpTrigger',
		{ path, authentication: 'none' },
		{ typeVersion: 2, webhookId: path },
	);
	const nodes = Object.entries(tools).map(([name, parameters]) =>
		node(name, `${typeOf('emailMarketing')}Tool`, { descriptionType: 'auto', ...parameters }),
	);
	await n8n.activate({
		name: 'Tools',
		nodes: [server, ...nodes],
		connections: Object.fromEntries(
			nodes.map(({ name }) => [
				name,
				{ ai_tool: [[{ node: server.name, type: 'ai_tool', index: 0 }]] },
			]),
		),
	});
	const client = new McpClient(`${n8n.client.url}/mcp/${path}`);
	while (!(await client.connect())) await sleep(100);
	return client;
}

it('is a set of tools that an agent can find out about and call', async () => {
	await resetSandbox();
	await sandbox.add('contactTypes', { id: 21, name: 'Customers' });
	const contactTypeId = { __rl: true, mode: 'id', value: '21' };
	const client = await serve('email-marketing-tools', {
		'Add contact type': { resource: 'contactType', operation: 'create', name: fromAi('name') },
		'Delete contact type': {
			resource: 'contactType',
			operation: 'delete',
			contactTypeId: { __rl: true, mode: 'id', value: fromAi('id') },
		},
		'Save contact': {
			resource: 'contact',
			operation: 'upsert',
			contactTypeId,
			fields: { mappingMode: 'defineBelow', value: { email: fromAi('email') } },
			defaultCountry: { __rl: true, mode: 'name', value: 'DE' },
		},
	});

	const { tools } = await client.request<{ tools: Tool[] }>('tools/list', {});
	expect(
		tools.map(({ name, description, inputSchema }) => [
			name,
			description,
			Object.keys(inputSchema.properties),
		]),
	).toEqual(
		expect.arrayContaining([
			['Add_contact_type', 'Create contact type in Email Marketing', ['name']],
			['Delete_contact_type', 'Delete contact type in Email Marketing', ['id']],
			['Save_contact', 'Create or update contact in Email Marketing', ['email']],
		]),
	);

	const call = async (name: string, args: IDataObject) => {
		const { content } = await client.request<Called>('tools/call', { name, arguments: args });
		return content.map(({ text }) => text).join('\n');
	};
	expect(await call('Add_contact_type', { name: 'a' })).toMatch(/"Name" is too short/);
	expect(JSON.parse(await call('Add_contact_type', { name: 'Wholesale' }))).toMatchObject([
		{ created: true },
	]);
	expect(JSON.parse(await call('Save_contact', { email: 'ada@example.com' }))).toMatchObject([
		{ action: 'created', email: 'ada@example.com' },
	]);
	expect(JSON.parse(await call('Delete_contact_type', { id: '22' }))).toMatchObject([
		{ deleted: true },
	]);
	expect((await sandbox.records('contactTypes')).map(({ id }) => id)).toEqual([21]);
	expect(await sandbox.records('contacts')).toHaveLength(1);
	expect(await violations()).toEqual([]);
});
