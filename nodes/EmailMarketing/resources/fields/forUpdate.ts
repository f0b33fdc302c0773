import type { INodeProperties } from 'n8n-workflow';

/**
 * The fields of a new record as those of an update, where none is required and each is shown once it is added.
 *
 * @param changes properties of a field that differ in an update, by its name
 */
export const forUpdate = (
	fields: readonly INodeProperties[],
	changes: Record<string, Partial<INodeProperties>> = {},
): INodeProperties[] =>
	fields
		.map(({ required: _, displayOptions: __, ...field }) => ({ ...field, ...changes[field.name] }))
		.sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
