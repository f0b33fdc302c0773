import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
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
