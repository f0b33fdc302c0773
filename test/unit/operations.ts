import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';

import type { Endpoint } from '../../nodes/EmailMarketing/service/endpoints';
import { EmailMarketing } from '../../nodes/EmailMarketing/EmailMarketing.node';
import { hookOf } from '../../nodes/EmailMarketing/run/entry';
import type { Operation } from '../../nodes/EmailMarketing/run/operation';

export const node = new EmailMarketing();
export const { properties } = node.description;

/** An operation that the editor offers. */
export interface Offered {
	resource: string;
	operation: string;
	option: INodePropertyOptions;
	/** Absent for an operation that calls more than one endpoint. */
	endpoint?: Endpoint;
	row?: Operation;
}

export function optionsOf(property: INodeProperties | undefined): INodePropertyOptions[] {
	return (property?.options ?? []) as INodePropertyOptions[];
}

/** The row of an operation, once n8n's own engine is seen to get the same endpoint. */
function rowOf(option: INodePropertyOptions): Operation | undefined {
	const row = hookOf(option)?.operation;
	if (row === undefined) return undefined;
	const { method, path: url } = row.endpoint;
	expect(option.routing?.request).toEqual({ method, url });
	return row;
}

export const resources = optionsOf(properties.find(({ name }) => name === 'resource')).map(
	({ value }) => String(value),
);

/** Every operation of every resource, as the description offers them. */
export const offered: Offered[] = properties
	.filter(({ name }) => name === 'operation')
	.flatMap((property) =>
		(property.displayOptions?.show?.resource ?? []).flatMap((resource) =>
			optionsOf(property).map((option) => {
				const row = rowOf(option);
				return {
					resource: String(resource),
					operation: String(option.value),
					option,
					endpoint: row?.endpoint,
					row,
				};
			}),
		),
	);

const { customOperations = {} } = node as Pick<INodeType, 'customOperations'>;

/** `resource.operation` of all that the node carries out in place of n8n's own engine. */
export const customOperationNames: string[] = Object.entries(customOperations).flatMap(
	([resource, operations]) => Object.keys(operations).map((name) => `${resource}.${name}`),
);

const withEndpoint = new Set(
	offered
		.filter(({ endpoint }) => endpoint !== undefined)
		.map(({ resource, operation }) => `${resource}.${operation}`),
);

/** Those of them that reach no single endpoint. */
export const local = customOperationNames.filter((name) => !withEndpoint.has(name));
