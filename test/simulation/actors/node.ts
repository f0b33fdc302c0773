import type { IDataObject, INode } from 'n8n-workflow';

export const locator = (value: number | string) => ({
	...{ __rl: true, mode: 'id' },
	value: String(value),
});

/** An expression: the field of each item. */
export const fromItem = (field: string) => `={{ $json.${field} }}`;

export const node = (name: string, parameters: IDataObject, rest: Partial<INode> = {}): INode => ({
	id: name,
	name,
	type: `n8n-nodes-email-marketing.${name === 'Watch' ? 'emailMarketingTrigger' : 'emailMarketing'}`,
	typeVersion: 1,
	position: [0, 0],
	parameters: parameters as INode['parameters'],
	credentials: { emailMarketingApi: { id: '1', name: 'Service' } },
	...rest,
});
