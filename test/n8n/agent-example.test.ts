import { shipped } from './examples.ts';
import { journal, n8n, sandbox, violations } from './harness.ts';
import { type ChatRequest, type ModelServer, type Reply, serveModel } from './model-server.ts';

/** A model that always uses the first tool once, for one campaign, and then repeats what it got. */
function reply({ messages, tools }: ChatRequest): Reply {
	const result = messages.findLast(({ role }) => role === 'tool');
	if (result) return `The tool says: ${result.content}`;
	return { tool: tools[0]?.function.name, input: { limit: 1, name: '' } };
}

let model: ModelServer;
beforeAll(async () => (model = await serveModel(reply)));
afterAll(async () => await model.stop());

test('the agent looks up the last campaign with the node as its tool', async () => {
	await sandbox.reset('demo');
	const workflow = shipped('ask-how-the-last-campaign-did.json');
	const { status, nodes } = await n8n.runWorkflow({
		...workflow,
		nodes: workflow.nodes.map((node) =>
			node.credentials?.openAiApi ? { ...node, credentials: model.credentials } : node,
		),
		pinData: { Question: [{ json: { chatInput: 'How did the last campaign do?' } }] },
	});

	expect(status).toBe('success');
	const [first] = model.requests;
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
			openRatePercent: expect.any(Number) as number,
			unsubscribeRatePercent: expect.any(Number) as number,
			bounceRatePercent: expect.any(Number) as number,
			deliveryRatePercent: expect.any(Number) as number,
		},
	]);
	expect((await journal()).map(({ method, path }) => `${method} ${path}`)).toEqual([
		'GET /single-send/list',
	]);
	expect(await violations()).toEqual([]);
});
