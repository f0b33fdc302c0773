import type { INodeProperties, INodePropertyOptions, ResourceMapperField } from 'n8n-workflow';

/** What one operation gave when it ran against the sandbox. */
export interface Sample {
	/** The JSON of the items. */
	items: unknown[];
	/** Name of a file that came with them. */
	file?: string;
}

/** The fields that a resource mapper offers, by the name of the method that it calls. */
export type MappedFields = Record<string, ResourceMapperField[]>;

interface Field {
	label: string;
	name: string;
	type: string;
	required: boolean;
	description: string;
}

const types: Partial<Record<INodeProperties['type'], string>> = {
	boolean: 'yes or no',
	collection: 'group',
	dateTime: 'date and time',
	fixedCollection: 'group',
	json: 'JSON',
	multiOptions: 'several choices',
	number: 'number',
	options: 'choice',
	resourceLocator: 'record',
	resourceMapper: 'fields',
	string: 'text',
};

const optionsOf = ({ options }: INodeProperties) => (options ?? []) as INodePropertyOptions[];

/** Text in a cell of a table: one line, links as Markdown writes them. */
const cell = (text: string): string =>
	text
		.replace(/<a href="([^"]+)"[^>]*>([^<]+)<\/a>/g, '[$2]($1)')
		.replace(/\s*\n\s*/g, ' ')
		.replaceAll('|', '\\|')
		.replaceAll('<', '&lt;');

const has = (values: unknown, value: string) =>
	values === undefined || (values as unknown[]).includes(value);

const controls = new Set(['resource', 'operation', '/resource', '/operation', '@version']);

/** Whether an operation can show a field, whatever its other fields hold. */
function concerns({ displayOptions }: INodeProperties, resource: string, operation: string) {
	const { show = {}, hide = {} } = displayOptions ?? {};
	return (
		has(show.resource ?? show['/resource'], resource) &&
		has(show.operation ?? show['/operation'], operation) &&
		!(hide.resource as unknown[] | undefined)?.includes(resource) &&
		!((hide.operation ?? hide['/operation']) as unknown[] | undefined)?.includes(operation)
	);
}

/** On what other fields it depends whether the editor shows a field, in words. */
function condition(property: INodeProperties, siblings: INodeProperties[]): string {
	return Object.entries(property.displayOptions?.show ?? {})
		.filter(([name]) => !controls.has(name))
		.map(([path, values]) => {
			const control = siblings.find(({ name }) => name === path.replace('/', ''));
			const shown = (values ?? []).map((value) => {
				if (value === true) return 'on';
				if (value === false) return 'off';
				const chosen = control && optionsOf(control).find((option) => option.value === value);
				return `_${chosen?.name ?? String(value)}_`;
			});
			return ` Shown when _${control?.displayName ?? path}_ is ${shown.join(' or ')}.`;
		})
		.join('');
}

function typeOf(property: INodeProperties): string {
	const type = types[property.type] ?? property.type;
	if (property.type !== 'options' || property.typeOptions?.loadOptionsMethod !== undefined)
		return type;
	return `${type}: ${optionsOf(property)
		.map(({ name }) => name)
		.join(', ')}`;
}

const sentence = (text: string) => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);

function describe(property: INodeProperties, siblings: INodeProperties[], group: string): Field {
	return {
		label: group + property.displayName,
		name: property.name,
		type: typeOf(property),
		required: property.required === true,
		description: sentence(property.description ?? '') + condition(property, siblings),
	};
}

/** A field with all fields in it. */
function describeAll(
	property: INodeProperties,
	siblings: INodeProperties[],
	mapped: MappedFields,
	fits: (property: INodeProperties) => boolean,
	group = '',
): Field[] {
	const inner = `${group}${property.displayName} → `;
	const further = (properties: INodeProperties[], path = inner): Field[] =>
		properties
			.filter(fits)
			.flatMap((one) => describeAll(one, [...siblings, ...properties], mapped, fits, path));
	const own = describe(property, siblings, group);
	if (property.type === 'collection') {
		const fields = further((property.options ?? []) as INodeProperties[]);
		return fields.length === 0 ? [] : [own, ...fields];
	}
	if (property.type === 'fixedCollection') {
		const groups = (property.options ?? []) as Array<{ values: INodeProperties[] }>;
		return [own, ...groups.flatMap(({ values }) => further(values))];
	}
	const method = property.typeOptions?.resourceMapper?.resourceMapperMethod;
	const fields = (method === undefined ? undefined : mapped[method]) ?? [];
	return [
		own,
		...fields.map(({ id, displayName, required, type }) => ({
			label: inner + displayName,
			name: id,
			type: type === 'options' ? 'choice' : (types[type as INodeProperties['type']] ?? 'text'),
			required,
			description: '',
		})),
	];
}

function fieldTable(fields: Field[]): string {
	if (fields.length === 0) return 'This operation has no fields.';
	return [
		'| Field | Name | Type | Required | |',
		'| --- | --- | --- | --- | --- |',
		...fields.map(({ label, name, type, required, description }) =>
			[
				'',
				`**${cell(label)}**`,
				`\`${name}\``,
				cell(type),
				required ? 'yes' : '',
				cell(description),
				'',
			]
				.join(' | ')
				.trim(),
		),
	].join('\n');
}

const longest = 80;

/** JSON as people read it: long texts and lists are cut. */
function readable(value: unknown): unknown {
	if (typeof value === 'string' && value.length > longest) return `${value.slice(0, longest)}…`;
	if (Array.isArray(value)) {
		const shown = value.slice(0, 2).map(readable);
		return value.length > 2 ? [...shown, `… ${value.length - 2} more`] : shown;
	}
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, readable(inner)]));
}

function output({ items, file }: Sample): string {
	const count =
		items.length === 1 ? 'One item' : `${items.length} items, of which this is the first`;
	const withFile = file === undefined ? '' : `, with the file \`${file}\``;
	const json = JSON.stringify(readable(items[0]), null, 2);
	return `Output with the sandbox: ${count.toLowerCase()}${withFile}.\n\n\`\`\`json\n${json}\n\`\`\``;
}

/**
 * The reference page of a resource.
 *
 * @param properties of the whole node
 * @param samples by operation
 * @throws Error when an operation has no sample
 */
export function referencePage(
	properties: INodeProperties[],
	resource: string,
	mapped: MappedFields,
	samples: Record<string, Sample>,
): string {
	const resources = properties.find(({ name }) => name === 'resource');
	const title = resources && optionsOf(resources).find(({ value }) => value === resource)?.name;
	const operations = properties
		.filter(
			({ name, displayOptions }) =>
				name === 'operation' && has(displayOptions?.show?.resource, resource),
		)
		.flatMap(optionsOf);
	const sections = operations.map(({ name, value, description, routing }) => {
		const operation = String(value);
		const sample = samples[operation];
		if (!sample) throw new Error(`There is no sample of ${resource}.${operation}`);
		const fits = (property: INodeProperties) => concerns(property, resource, operation);
		const fields = properties
			.filter(({ name, type }) => !['resource', 'operation'].includes(name) && type !== 'notice')
			.filter(fits)
			.flatMap((property) => describeAll(property, properties, mapped, fits));
		const request = routing?.request;
		return [
			`## ${name}`,
			sentence(description ?? ''),
			`Operation \`${operation}\`${request ? `, endpoint \`${request.method} ${request.url}\`` : ''}.`,
			fieldTable(fields),
			output(sample),
		].join('\n\n');
	});
	return [
		`# ${title}`,
		'<!-- Written by `npm run reference` from the description of the node. -->',
		`Resource \`${resource}\` of the Email Marketing node. [All resources](README.md)`,
		...sections,
		'',
	]
		.join('\n\n')
		.replace(/\n+$/, '\n');
}

/** The page that lists the others. */
export function referenceIndex(properties: INodeProperties[]): string {
	const resources = properties.find(({ name }) => name === 'resource');
	const rows = (resources ? optionsOf(resources) : []).map(({ name, value }) => {
		const operations = properties
			.filter(
				(property) =>
					property.name === 'operation' &&
					has(property.displayOptions?.show?.resource, String(value)),
			)
			.flatMap(optionsOf)
			.map((operation) => operation.name);
		return `| [${name}](${String(value)}.md) | ${operations.join(' · ')} |`;
	});
	return [
		'# Reference',
		'<!-- Written by `npm run reference` from the description of the node. -->',
		'Every operation of the Email Marketing node, with its fields and output. The trigger has [a page of its own](../trigger.md).',
		['| Resource | Operations |', '| --- | --- |', ...rows].join('\n'),
		'',
	]
		.join('\n\n')
		.replace(/\n+$/, '\n');
}
