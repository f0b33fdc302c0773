import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { n8n } from './harness.ts';

/** What n8n asks a chat model, as far as the tests need it. */
export interface ChatRequest {
	messages: Array<{ role: string; content: string }>;
	tools: Array<{ function: { name: string; description: string; parameters: object } }>;
}

/** What a model answers: a text, or the use of a tool. */
export type Reply = string | { tool: string | undefined; input: object };

export interface ModelServer {
	/** The requests so far, oldest first. */
	requests: ChatRequest[];
	/** The credential of the node for the model. */
	credentials: { openAiApi: { id: string; name: string } };
	stop(): Promise<void>;
}

function messageOf(reply: Reply): object {
	if (typeof reply === 'string') return { role: 'assistant', content: reply };
	const call = { name: reply.tool, arguments: JSON.stringify(reply.input) };
	const tool_calls = [{ id: 'call', type: 'function', function: call }];
	return { role: 'assistant', content: '', tool_calls };
}

const answer = (reply: Reply) => ({
	id: 'answer',
	object: 'chat.completion',
	created: 0,
	model: 'stub',
	choices: [{ index: 0, message: messageOf(reply), finish_reason: 'stop' }],
	usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

/** Serves the API of a chat model on the loopback address, and creates a credential for it. */
export async function serveModel(reply: (asked: ChatRequest) => Reply): Promise<ModelServer> {
	const requests: ChatRequest[] = [];
	const server = createServer((request, response) => {
		let text = '';
		request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
		request.on('end', () => {
			const asked = JSON.parse(text) as ChatRequest;
			requests.push(asked);
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(answer(reply(asked))));
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
	const data = { apiKey: 'none', url };
	const { id, name } = await n8n.client.createCredential('Stub of a model', 'openAiApi', data);
	const stop = async () => {
		server.close();
		await once(server, 'close');
	};
	return { requests, credentials: { openAiApi: { id, name } }, stop };
}
