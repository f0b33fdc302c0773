import { Expression, Workflow, WorkflowDataProxy } from 'n8n-workflow';
import type {
	IExecuteData,
	INode,
	INodeExecutionData,
	INodeType,
	IRunExecutionData,
	ITaskData,
} from 'n8n-workflow';

import type { Item } from '../../../nodes/EmailMarketing/params/item';

export const engines = ['legacy', 'vm', 'quickjs'] as const;

/** The items of a run of the node `Here`, after `CRM` and `Edit`, and n8n's own evaluation for each of them. */
export interface Evaluation {
	items: Item[];
	evaluate: (expression: string, index: number) => unknown;
}

const nodeType = { description: { properties: [] } } as unknown as INodeType;
const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
const node = (name: string): INode => ({
	id: name,
	name,
	type: 'any',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
});

/** `Idle` stands before `Here`, but is not executed. */
const workflow = new Workflow({
	id: 'expressions',
	nodes: ['CRM', 'Edit', 'Idle', 'Here', 'After'].map(node),
	connections: { CRM: to('Edit'), Edit: to('Here'), Idle: to('Here'), Here: to('After') },
	active: false,
	nodeTypes: {
		getByName: () => nodeType,
		getByNameAndVersion: () => nodeType,
		getKnownTypes: () => ({}),
	},
	settings: { timezone: 'Europe/Berlin' },
});

const task = (items: INodeExecutionData[], previousNode?: string): ITaskData => ({
	startTime: 0,
	executionIndex: 0,
	executionTime: 0,
	source: previousNode === undefined ? [] : [{ previousNode }],
	data: { main: [items] },
});

/**
 * @param crm what `CRM` gave
 * @param edited what `Edit` made of it, which is the input of `Here`; n8n knows from `pairedItem` what of which item
 */
export function evaluationOf(crm: INodeExecutionData[], edited: INodeExecutionData[]): Evaluation {
	const runData = { CRM: [task(crm)], Edit: [task(edited, 'CRM')] };
	const runExecutionData = { resultData: { runData } } as unknown as IRunExecutionData;
	const input = edited.map((item, index) => ({ ...item, pairedItem: { item: index } }));
	const executeData: IExecuteData = {
		node: node('Here'),
		data: { main: [input] },
		source: { main: [{ previousNode: 'Edit' }] },
	};
	const workflowData = (index: number) =>
		new WorkflowDataProxy(
			workflow,
			runExecutionData,
			0,
			index,
			'Here',
			input,
			{},
			'manual',
			{},
			executeData,
		).getDataProxy();
	const items = input.map(({ json }, index): Item => ({
		index,
		json,
		timezone: 'Europe/Berlin',
		param: () => undefined,
		raw: () => undefined,
		isTool: false,
		workflowData: () => workflowData(index),
	}));
	const evaluate = (expression: string, index: number) =>
		workflow.expression.getParameterValue(
			expression,
			runExecutionData,
			0,
			index,
			'Here',
			input,
			'manual',
			{},
			executeData,
		);
	return { items, evaluate };
}

/** Lets n8n evaluate with one of its engines, as in the process of a real n8n. */
export function useEngine(engine: (typeof engines)[number]): void {
	if (engine === 'legacy') return;
	beforeAll(async () => {
		await Expression.initExpressionEngine({
			engine,
			poolSize: 1,
			maxCodeCacheSize: 1024,
			bridgeTimeout: 60_000,
			bridgeMemoryLimit: 128,
		});
		await workflow.expression.acquireIsolate();
	});
	afterAll(async () => {
		await workflow.expression.releaseIsolate();
		await Expression.disposeExpressionEngine();
		Expression.setExpressionEngine('legacy');
	});
}
