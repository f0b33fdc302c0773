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
	/** With the names of the groups that it is in, as in an expression. */
	name: string;
	type: string;
	required: boolean;
	/** What it contains until someone changes it; in words, '' for nothing. */
	initial: string;
	description: string;
	/** Whether it is in a group, where it applies only once it is added. */
	isOption: boolean;
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
		!((hide.resource ?? hide['/resource']) as unknown[] | undefined)?.includes(resource) &&
		!((hide.operation ?? hide['/operation']) as unknown[] | undefined)?.includes(operation)
	);
}

/** Whether the fields of an operation include those that decide whether the editor shows this one. */
const hasControls = ({ displayOptions }: INodeProperties, fields: INodeProperties[]): boolean =>
	Object.keys(displayOptions?.show ?? {}).every(
		(path) =>
			controls.has(path) || fields.some(({ name }) => name === path.replace('/', '').split('.')[0]),
	);

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

function initialOf(property: INodeProperties): string {
	const { default: initial } = property;
	if (typeof initial === 'boolean') return initial ? 'on' : 'off';
	if (typeof initial !== 'string' && typeof initial !== 'number') return '';
	if (initial === '') return '';
	const choices = property.type === 'options' ? optionsOf(property) : [];
	return choices.find(({ value }) => value === initial)?.name ?? `\`${initial}\``;
}

const sentence = (text: string) => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);

/** The groups that a field is in. */
interface Path {
	/** Their labels and what separates them. */
	labels: string;
	names: string;
}

const root: Path = { labels: '', names: '' };

function describe(property: INodeProperties, siblings: INodeProperties[], path: Path): Field {
	return {
		label: path.labels + property.displayName,
		name: path.names + property.name,
		type: typeOf(property),
		required: property.required === true,
		initial: initialOf(property),
		description: sentence(property.description ?? '') + condition(property, siblings),
		isOption: path !== root,
	};
}

/** A field, or the fields in it if it is a group. */
function describeAll(
	property: INodeProperties,
	siblings: INodeProperties[],
	mapped: MappedFields,
	fits: (property: INodeProperties) => boolean,
	path = root,
): Field[] {
	const labels = `${path.labels}${property.displayName} → `;
	const names = `${path.names}${property.name}.`;
	const further = (properties: INodeProperties[], inner: Path): Field[] =>
		properties
			.filter((one) => fits(one) && hasControls(one, [...siblings, ...properties]))
			.flatMap((one) => describeAll(one, [...siblings, ...properties], mapped, fits, inner));
	if (property.type === 'collection') {
		return further((property.options ?? []) as INodeProperties[], { labels, names });
	}
	const own = describe(property, siblings, path);
	if (property.type === 'fixedCollection') {
		const groups = (property.options ?? []) as Array<{ name: string; values: INodeProperties[] }>;
		const inner = groups.flatMap(({ name, values }) =>
			further(values, { labels, names: `${names}${name}.` }),
		);
		return [own, ...inner];
	}
	const method = property.typeOptions?.resourceMapper?.resourceMapperMethod;
	const fields = (method === undefined ? undefined : mapped[method]) ?? [];
	return [
		own,
		...fields.map(({ id, displayName, required, type }) => ({
			label: labels + displayName,
			name: `${names}value.${id}`,
			type: type === 'options' ? 'choice' : (types[type as INodeProperties['type']] ?? 'text'),
			required,
			initial: '',
			description: '',
			isOption: false,
		})),
	];
}

function fieldTable(fields: Field[]): string {
	return [
		'| Field | Name | Type | Required | Initial value | |',
		'| --- | --- | --- | --- | --- | --- |',
		...fields.map(({ label, name, type, required, initial, description }) =>
			[
				'',
				`**${cell(label)}**`,
				`\`${name}\``,
				cell(type),
				required ? 'yes' : '',
				cell(initial),
				cell(description),
				'',
			]
				.join(' | ')
				.trim(),
		),
	].join('\n');
}

/** How many operations of a page have an option before it is described once for all of them. */
const SHARED_BY = 2;

/** The options that several operations have, all with the same words. Those with the same label say which have which. */
function sharedOptions(operations: Array<{ name: string; fields: Field[] }>): Map<string, Field> {
	const found = new Map<string, { field: Field; names: string[] }>();
	for (const { name, fields } of operations) {
		for (const field of fields.filter(({ isOption }) => isOption)) {
			const key = JSON.stringify(field);
			const option = found.get(key) ?? { field, names: [] };
			found.set(key, option);
			option.names.push(name);
		}
	}
	const shared = [...found].filter(([, { names }]) => names.length >= SHARED_BY);
	return new Map(
		shared.map(([key, { field, names }]) => {
			const isOnlyOne =
				shared.filter(([, other]) => other.field.label === field.label).length === 1;
			const description = `${names.map((name) => `_${name}_`).join(', ')}: ${field.description}`;
			return [key, isOnlyOne ? field : { ...field, description }];
		}),
	);
}

/** The fields of one operation: those of its own in a table, then the names of the others. */
function fieldsOf(fields: Field[], shared: ReadonlyMap<string, Field>): string {
	const own = fields.filter((field) => !shared.has(JSON.stringify(field)));
	const others = fields.filter((field) => shared.has(JSON.stringify(field)));
	const names = others.map(({ label }) => `**${label}**`).join(', ');
	const parts = [
		...(own.length > 0 ? [fieldTable(own)] : []),
		...(others.length > 0 ? [`[Shared options](#shared-options): ${names}.`] : []),
	];
	return parts.length > 0 ? parts.join('\n\n') : 'This operation has no fields.';
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
 * @param mapped by operation, the columns of its mappers
 * @param samples by operation
 * @throws Error when an operation has no sample
 */
export function referencePage(
	properties: INodeProperties[],
	resource: string,
	mapped: Record<string, MappedFields>,
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
	const described = operations.map(({ value }) => {
		const fits = (property: INodeProperties) => concerns(property, resource, String(value));
		const fields = properties
			.filter(({ name, type }) => !['resource', 'operation'].includes(name) && type !== 'notice')
			.filter(fits);
		const columns = mapped[String(value)] ?? {};
		return fields.flatMap((property) => describeAll(property, fields, columns, fits));
	});
	const shared = sharedOptions(
		operations.map(({ name }, index) => ({ name, fields: described[index] ?? [] })),
	);
	const sections = operations.map(({ name, value, description, routing }, index) => {
		const operation = String(value);
		const sample = samples[operation];
		if (!sample) throw new Error(`There is no sample of ${resource}.${operation}`);
		const request = routing?.request;
		return [
			`## ${name}`,
			sentence(description ?? ''),
			`Operation \`${operation}\`${request ? `, endpoint \`${request.method} ${request.url}\`` : ''}.`,
			fieldsOf(described[index] ?? [], shared),
			output(sample),
		].join('\n\n');
	});
	const sharedSection = [
		'## Shared options',
		'Several operations of this resource have these options.',
		fieldTable([...shared.values()]),
	];
	return [
		`# ${title}`,
		'<!-- Written by `npm run reference` from the description of the node. -->',
		`Resource \`${resource}\` of the Email Marketing node. [All resources, and how to read these pages](README.md)`,
		...sections,
		...(shared.size > 0 ? sharedSection : []),
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
		'## How to read these pages',
		[
			'- **Field** is the label in the editor, after the group that contains it. An option in a group applies only once you add it.',
			'- **Name** is what the field is called in the JSON of a workflow.',
			'- **Type**: _record_ is chosen from a list, by its ID or, for people, by email; _fields_ maps columns of the input to fields of the record.',
			'- **Initial value** is what the field contains until you change it. For an option, this is the value when you add it; an option that you have not added can mean something else, such as no limit.',
			'- **Output** is what the operation returns for the demo account of the sandbox. Long texts and lists are cut.',
		].join('\n'),
		'',
	]
		.join('\n\n')
		.replace(/\n+$/, '\n');
}
