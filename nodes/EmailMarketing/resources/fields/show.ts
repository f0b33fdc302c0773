import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/** Shows a field for these operations of a resource, optionally only for some values of other fields. */
export function showFor(
	resource: string,
	operation: string[],
	when: Record<string, Array<string | boolean>> = {},
): IDisplayOptions {
	return { show: { resource: [resource], operation, ...when } };
}

/** Shows the operations of a resource. */
export function showForResource(resource: string): IDisplayOptions {
	return { show: { resource: [resource] } };
}

/** Shows several fields in the same case. */
export const allShown = (
	displayOptions: IDisplayOptions,
	fields: INodeProperties[],
): INodeProperties[] => fields.map((field) => ({ ...field, displayOptions }));
