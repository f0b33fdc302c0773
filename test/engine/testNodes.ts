import { ExecuteContext, RoutingNode } from 'n8n-core';
import { createEmptyRunExecutionData } from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';

const described = (
	name: string,
	inputs: INodeTypeDescription['inputs'],
	properties: INodeTypeDescription['properties'],
): INodeTypeDescription => ({
	displayName: name,
	name,
	group: ['transform'],
	version: 1,
	description: 'A node of the tests',
	defaults: { name },
	inputs,
	outputs: ['main'],
	properties,
});

/** Emits the items that the test gives. */
export class Items implements INodeType {
	description = described('items', [], []);
	private readonly items: INodeExecutionData[];

	constructor(items: INodeExecutionData[]) {
		this.items = items;
	}

	execute = async (): Promise<INodeExecutionData[][]> => [this.items];
}

/** Evaluates its parameter `value` for each item, as any later node of a user would. */
export class Reader implements INodeType {
	description = described(
		'reader',
		['main'],
		[{ displayName: 'Value', name: 'value', type: 'string', default: '' }],
	);

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [
			this.getInputData().map((_item, index) => ({
				json: { value: this.getNodeParameter('value', index) as string },
				pairedItem: { item: index },
			})),
		];
	}
}

/** Emits the items under `items`, whatever it gets. */
export class Source implements INodeType {
	description = described(
		'source',
		['main'],
		[{ displayName: 'Items', name: 'items', type: 'json', default: [] }],
	);

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getNodeParameter('items', 0) as IDataObject[];
		return [items.map((json) => ({ json }))];
	}
}

/** Emits one of `batches` each time it runs, and something at its second output when there are no more. */
export class Loop implements INodeType {
	description = {
		...described(
			'loop',
			['main'],
			[{ displayName: 'Batches', name: 'batches', type: 'json', default: [] }],
		),
		outputs: ['main', 'main'] as INodeTypeDescription['outputs'],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const batches = this.getNodeParameter('batches', 0) as IDataObject[][];
		const context = this.getContext('node');
		const next = Number(context.next ?? 0);
		context.next = next + 1;
		const batch = batches[next];
		return batch ? [batch.map((json) => ({ json })), []] : [[], [{ json: {} }]];
	}
}

/** The tool that n8n makes of a node, as its `convertNodeToAiTool` and `getByNameAndVersion` do. */
export function asTool(node: INodeType): INodeType {
	const { description } = node;
	return Object.assign(Object.create(node) as INodeType, {
		description: {
			...description,
			name: `${description.name}Tool`,
			displayName: `${description.displayName} Tool`,
			inputs: [],
			outputs: ['ai_tool'],
		},
		async execute(this: IExecuteFunctions) {
			return await new RoutingNode(this as never, node).runNode();
		},
	});
}

/** What n8n's context has beyond the interface for nodes. */
interface Internals {
	workflow: Workflow;
	additionalData: IWorkflowExecuteAdditionalData;
}

/** The context that n8n's `EphemeralNodeExecutor` makes for its own agents: the run is of no execution. */
function ephemeral(context: IExecuteFunctions): ExecuteContext {
	const { workflow, additionalData } = context as unknown as Internals;
	const items = context.getInputData();
	const data = { main: [items] };
	const node = context.getNode();
	return new ExecuteContext(
		workflow,
		node,
		{ ...additionalData, executionId: undefined },
		'internal',
		createEmptyRunExecutionData(),
		0,
		items,
		data,
		{ node, data, source: null },
		[],
	);
}

/** The node as n8n runs it where it calls `nodeType.execute` with ordinary items, as its own agents do. */
export function asRouted(node: INodeType): INodeType {
	const { description } = node;
	return {
		description: { ...description, name: `${description.name}Routed` },
		async execute(this: IExecuteFunctions) {
			return (await new RoutingNode(ephemeral(this), node).runNode()) ?? [];
		},
	};
}

interface Tool {
	name: string;
	description: string;
	invoke: (args: IDataObject) => Promise<string>;
}

/** Calls its tool with each object under `calls` of its items: one after the other, or all at once. */
export class Agent implements INodeType {
	description = described(
		'agent',
		[{ type: 'main' }, { type: 'ai_tool' }],
		[{ displayName: 'At Once', name: 'atOnce', type: 'boolean', default: false }],
	);

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const [tool] = (await this.getInputConnectionData('ai_tool', 0)) as Tool[];
		if (tool === undefined) throw new Error('No tool is connected');
		const call = async (args: IDataObject) => {
			try {
				return { response: JSON.parse(await tool.invoke(args)) as IDataObject };
			} catch (error) {
				return { error: (error as Error).message };
			}
		};
		const calls = this.getInputData().flatMap(({ json }) => json.calls as IDataObject[]);
		const results: IDataObject[] = [];
		if (this.getNodeParameter('atOnce', 0)) results.push(...(await Promise.all(calls.map(call))));
		else for (const args of calls) results.push(await call(args));
		const { name, description } = tool;
		return [[{ json: { name, description, results } }]];
	}
}
