import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { shipped } from './examples.ts';
import { journal, n8n, sandbox, violations } from './harness.ts';

interface ChatRequest {
	messages: Array<{ role: string; content: string }>;
	tools: Array<{ function: { name: string; description: string; parameters: object } }>;
}

const answer = (message: object) => ({
	id: 'answer',
	object: 'chat.completion',
	created: 0,
	model: 'stub',
	choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
	usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

/** A model that always uses the first tool once, for one campaign, and then repeats what it got. */
function reply({ messages, tools }: ChatRequest): object {
	const result = messages.findLast(({ role }) => role === 'tool');
	if (result) return answer({ content: `The tool says: ${result.content}` });
	const call = { name: tools[0]?.function.name, arguments: '{"limit": 1, "name": ""}' };
	return answer({ content: '', tool_calls: [{ id: 'call', type: 'function', function: call }] });
}

const requests: ChatRequest[] = [];
let model: Server;
let modelUrl: string;

beforeAll(async () => {
	model = createServer((request, response) => {
		let text = '';
		request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
		request.on('end', () => {
			const asked = JSON.parse(text) as ChatRequest;
			requests.push(asked);
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(reply(asked)));
		});
	}).listen(0, '127.0.0.1');
	await once(model, 'listening');
	modelUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
});

afterAll(async () => {
	model.close();
	await once(model, 'close');
});

test('the agent looks up the last campaign with the node as its tool', async () => {
	await sandbox.reset('demo');
	const workflow = shipped('ask-how-the-last-campaign-did.json');
	const { id, name } = await n8n.client.createCredential('Stub of a model', 'openAiApi', {
		apiKey: 'none',
		url: modelUrl,
	});
	const { status, nodes } = await n8n.runWorkflow({
		...workflow,
		nodes: workflow.nodes.map((node) =>
			node.credentials?.openAiApi ? { ...node, credentials: { openAiApi: { id, name } } } : node,
		),
		pinData: { Question: [{ json: { chatInput: 'How did the last campaign do?' } }] },
	});

	expect(status).toBe('success');
	const [first] = requests;
	expect(first?.messages.at(-1)?.content).toBe('How did the last campaign do?');
	expect(first?.tools).toEqual([
		expect.objectContaining({
			function: expect.objectContaining({
				name: 'Completed_campaigns',
				description: 'Get completed email campaigns with their figures, the latest first',
			}),
		}),
	]);
	const said = String(nodes.Answer?.items[0]?.json.output);
	const october = (await sandbox.records('singleSends')).find(({ status: code }) => code === 3);
	const told = JSON.parse(said.slice(said.indexOf('['), said.lastIndexOf(']') + 1)) as object[];
	expect(told).toEqual([
		{
			id: october?.id,
			utr: october?.utr,
			single_send_name: 'October newsletter',
			subject: october?.subject,
			sent_at: october?.sent_at,
			triggered: october?.triggered,
			delivered: october?.delivered,
			unique_opens: october?.unique_opens,
			total_opens: october?.total_opens,
			bounces: october?.bounces,
			unsubscribes: october?.unsubscribes,
		},
	]);
	expect((await journal()).map(({ method, path }) => `${method} ${path}`)).toEqual([
		'GET /single-send/list',
	]);
	expect(await violations()).toEqual([]);
});
