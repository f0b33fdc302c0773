import type { INodeProperties } from 'n8n-workflow';

import { showForResource } from './show';

/** The field with the operations of a resource. */
export const operationsOf = (resource: string, preset = 'getAll') =>
	({
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: preset,
		displayOptions: showForResource(resource),
	}) satisfies INodeProperties;

export const requiredText = { type: 'string', required: true, default: '' } as const;

/**
 * Several records, chosen from a list.
 *
 * @param dependsOn the field whose change loads the list again
 */
export const severalFrom = (loadOptionsMethod: string, dependsOn?: string) =>
	({
		type: 'multiOptions',
		default: [] as string[],
		typeOptions: {
			loadOptionsMethod,
			...(dependsOn !== undefined && { loadOptionsDependsOn: [dependsOn] }),
		},
	}) satisfies Partial<INodeProperties>;
