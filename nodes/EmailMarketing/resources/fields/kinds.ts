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

/** The collection of options of one or more operations. */
export const optionsField = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
} as const;

export const outputFile = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the file in',
} as const;

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

/**
 * The fields of a new record as those of an update, where none is required and each is shown once it is added.
 *
 * @param changes properties of a field that differ in an update, by its name
 */
export const updateFieldsOf = (
	resource: string,
	fields: readonly INodeProperties[],
	changes: Record<string, Partial<INodeProperties>> = {},
): INodeProperties => ({
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	description: 'The fields to update. Fields that are not set keep their values.',
	displayOptions: showFor(resource, ['update']),
	options: fields
		.map(({ required: _, displayOptions: __, ...field }) => ({ ...field, ...changes[field.name] }))
		.sort((a, b) => (a.displayName < b.displayName ? -1 : 1)),
});

/** Fields whose values come from expressions or, with the mode `map`, from the input fields that fit. */
export const fieldMapper = (
	mapper: { resourceMapperMethod: string; mode: 'add' | 'map'; addAllFields?: boolean },
	loadOptionsDependsOn?: string[],
) =>
	({
		type: 'resourceMapper',
		noDataExpression: true,
		required: true,
		default: {
			mappingMode: mapper.mode === 'map' ? 'autoMapInputData' : 'defineBelow',
			value: null,
		},
		typeOptions: {
			...(loadOptionsDependsOn && { loadOptionsDependsOn }),
			resourceMapper: {
				...mapper,
				fieldWords: { singular: 'field', plural: 'fields' },
				multiKeyMatch: false,
				supportAutoMap: true,
				refreshStaleSchemaOnOpen: true,
			},
		},
	}) satisfies Partial<INodeProperties>;
